import { at, listAt, objectAt, textAt } from '../json/access.ts'
import { duplicate, type FieldError, invalidValue, notSupported, required } from './field-error.ts'
import { validateLabels } from './metadata.ts'
import { dnsLabel } from './names.ts'

/** The parts of ValidatePodTemplateSpec that people meet; pods themselves are not served yet. */
export function validatePodTemplate(template: unknown, field: string): FieldError[] {
  const spec = objectAt(template, 'spec')
  const volumes = listAt(spec, 'volumes')
  return [
    ...validateLabels(objectAt(template, 'metadata', 'labels') as Record<string, string>, `${field}.labels`),
    ...named(volumes, `${field}.spec.volumes`),
    ...containers(spec, `${field}.spec`),
    ...(spec.hostNetwork === true ? hostPorts(listAt(spec, 'containers'), `${field}.spec.containers`) : []),
    ...oneOf(spec.restartPolicy, `${field}.spec.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...oneOf(spec.dnsPolicy, `${field}.spec.dnsPolicy`, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(objectAt(spec, 'nodeSelector') as Record<string, string>, `${field}.spec.nodeSelector`),
  ]
}

function containers(spec: Record<string, unknown>, field: string): FieldError[] {
  const regular = listAt(spec, 'containers')
  const volumes = new Set(listAt(spec, 'volumes').map((volume) => textAt(volume, 'name')))
  const initial = listAt(spec, 'initContainers')
  const names = firstPlaces([...regular, ...initial])
  const each = (items: readonly unknown[], list: string, first: number): FieldError[] =>
    items.flatMap((item, index) => [
      ...container(item, `${list}[${index}]`, volumes),
      ...uniqueName(names, textAt(item, 'name'), first + index, `${list}[${index}].name`),
    ])
  return [
    ...(regular.length === 0 ? [required(`${field}.containers`)] : []),
    ...each(regular, `${field}.containers`, 0),
    ...each(initial, `${field}.initContainers`, regular.length),
  ]
}

function container(given: unknown, field: string, volumes: ReadonlySet<string>): FieldError[] {
  return [
    ...labelName(textAt(given, 'name'), `${field}.name`),
    ...(textAt(given, 'image') === '' ? [required(`${field}.image`)] : []),
    ...listAt(given, 'ports').flatMap((each, index) => port(each, `${field}.ports[${index}]`)),
    ...listAt(given, 'env').flatMap((each, index) =>
      variable(textAt(each, 'name'), `${field}.env[${index}].name`),
    ),
    ...listAt(given, 'volumeMounts').flatMap((each, index) =>
      mount(each, `${field}.volumeMounts[${index}]`, volumes),
    ),
    ...oneOf(at(given, 'imagePullPolicy'), `${field}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never']),
  ]
}

const PORT_RANGE = 'must be between 1 and 65535, inclusive'

function port(given: unknown, field: string): FieldError[] {
  const number = Number(at(given, 'containerPort') ?? 0)
  const host = Number(at(given, 'hostPort') ?? 0)
  return [
    ...(number === 0
      ? [required(`${field}.containerPort`)]
      : number < 1 || number > 65535
        ? [invalidValue(`${field}.containerPort`, number, PORT_RANGE)]
        : []),
    ...(host < 0 || host > 65535 ? [invalidValue(`${field}.hostPort`, host, PORT_RANGE)] : []),
    ...oneOf(at(given, 'protocol'), `${field}.protocol`, ['SCTP', 'TCP', 'UDP']),
  ]
}

/** On the host's network a port of the container is that port of the host; a template may leave it out, a pod gets it then. */
function hostPorts(items: readonly unknown[], field: string): FieldError[] {
  return items.flatMap((item, index) =>
    listAt(item, 'ports').flatMap((each, place) => {
      const host = at(each, 'hostPort') ?? 0
      return host === 0 || host === at(each, 'containerPort')
        ? []
        : [
            invalidValue(
              `${field}[${index}].ports[${place}].hostPort`,
              host,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ]
    }),
  )
}

function variable(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)]
  return /^[ -<>-~]+$/.test(name)
    ? []
    : [
        invalidValue(
          field,
          name,
          "a valid environment variable name must consist only of printable ASCII characters other than '='",
        ),
      ]
}

function mount(given: unknown, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const name = textAt(given, 'name')
  return [
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...(name !== '' && !volumes.has(name)
      ? [{ type: 'FieldValueNotFound' as const, field: `${field}.name`, value: name, detail: '' }]
      : []),
    ...(textAt(given, 'mountPath') === '' ? [required(`${field}.mountPath`)] : []),
  ]
}

/** Each must have a name of its own that is a DNS label. */
function named(items: readonly unknown[], field: string): FieldError[] {
  const names = firstPlaces(items)
  return items.flatMap((item, index) => {
    const name = textAt(item, 'name')
    return [
      ...labelName(name, `${field}[${index}].name`),
      ...(name === '' ? [] : uniqueName(names, name, index, `${field}[${index}].name`)),
    ]
  })
}

function labelName(name: string, field: string): FieldError[] {
  return name === '' ? [required(field)] : dnsLabel(name).map((message) => invalidValue(field, name, message))
}

/** Where each name stands first. */
function firstPlaces(items: readonly unknown[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [place, item] of items.entries()) {
    const name = textAt(item, 'name')
    if (!places.has(name)) places.set(name, place)
  }
  return places
}

function uniqueName(
  names: ReadonlyMap<string, number>,
  name: string,
  place: number,
  field: string,
): FieldError[] {
  return (names.get(name) ?? place) < place ? [duplicate(field, name)] : []
}

function oneOf(value: unknown, field: string, supported: readonly string[]): FieldError[] {
  return value === undefined || supported.includes(String(value))
    ? []
    : [notSupported(field, value, supported)]
}
