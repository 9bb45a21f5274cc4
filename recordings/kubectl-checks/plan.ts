import type { PlannedCommand } from './check.ts'

/** What is asked of kubectl, by check. The answers are in recorded.json; `npm run record-kubectl` renews them. */
export const PLAN: Readonly<Record<string, readonly PlannedCommand[]>> = {
  'get-formats': [
    k('create -f -', configMap('a', 'k: v', 'app: one'), configMap('b', 'k: w', 'app: two')),
    k('get configmaps'),
    k('get cm a'),
    k('get cm a -o json'),
    k('get cm a -o yaml'),
    k('get cm -o wide -l app=one'),
    k('get cm -o name'),
    k('get cm a -o jsonpath={.data.k}'),
    k('get cm -l app -o jsonpath={.items[*].metadata.name}'),
    k('get cm -l app -o custom-columns=NAME:.metadata.name,K:.data.k'),
    k('get cm --show-labels -l app'),
    k('get cm -L app -l app'),
    k('get cm --no-headers -l app=two'),
    k('get cm -l app!=one'),
    k('get cm -l app=none'),
    k('get cm --field-selector metadata.name=b'),
    k('get cm --field-selector data.k=v'),
    k('get cm absent'),
    k('get cm absent --ignore-not-found'),
    k('get cm a b absent'),
    k('get cm,secrets -l app=one'),
    k('get cm --sort-by=.data.k -l app -o name'),
    k('get cm -l app --chunk-size=1 -o name'),
    k('get nonsense'),
  ],
  'get-kinds': [
    k('create -f -', manifest('v1', 'Secret', 's', 'type: Opaque\nstringData:\n  p: q')),
    k('get secrets s'),
    k('get secret s -o jsonpath={.data.p}'),
    k('create -f -', manifest('v1', 'ServiceAccount', 'robot')),
    k('get sa'),
    k('create -f -', manifest('coordination.k8s.io/v1', 'Lease', 'l', 'spec:\n  holderIdentity: me')),
    k('get leases'),
    k('create -f -', event()),
    k('get events -o custom-columns=REASON:.reason,MESSAGE:.message,OBJECT:.involvedObject.name'),
    k('get events --field-selector reason=Started -o name'),
    k('get events --field-selector reason=Stopped'),
    k('get namespace NS'),
    k('get ns NS -o jsonpath={.status.phase}'),
    k('get secrets'),
    k('get sa,leases,secrets -o name'),
  ],
  'watch-changes': [
    k('create -f -', configMap('a', 'k: "1"', 'app: w')),
    {
      ...k('get cm -l app=w -w -o custom-columns=NAME:.metadata.name,K:.data.k'),
      during: [
        k('patch cm a --type=merge -p {"data":{"k":"2"}}'),
        k('create -f -', configMap('b', 'k: "3"', 'app: w')),
      ],
      untilLines: 4,
    },
    {
      ...k('get cm -l app=w -w --output-watch-events'),
      during: [k('delete cm b')],
      untilLines: 4,
    },
  ],
  'create-refused': [
    k('create -f -', configMap('a', 'k: v')),
    k('create -f -', configMap('a', 'k: v')),
    k('create -f -', configMap('Bad_Name', 'k: v')),
    k('create -f -', manifest('v1', 'ConfigMap', 'c', 'nope: 1')),
    k('create -f - --validate=false', manifest('v1', 'ConfigMap', 'c', 'nope: 1')),
    k('create -f - --validate=warn', manifest('v1', 'ConfigMap', 'd', 'nope: 1')),
    k('create -f -', manifest('v1', 'ConfigMap', 'e', 'data:\n  k: 1')),
    k('create -f -', manifest('v1', 'Nope', 'e')),
    k('create -f - --dry-run=server', configMap('f', 'k: v')),
    k('create -f - --dry-run=client', configMap('f', 'k: v')),
    k('create -f - -o yaml --dry-run=server', configMap('f', 'k: v')),
    k('get cm -o name'),
    k('replace -f -', configMap('a', 'k: replaced')),
    k('replace -f -', configMap('absent', 'k: v')),
    k('get cm a -o jsonpath={.data}'),
    k('create -f - -n nowhere-NS', configMap('a', 'k: v')),
  ],
  'apply-configmap': [
    k('apply -f -', configMap('a', 'k: "1"\n  gone: x', 'app: w')),
    k('apply -f -', configMap('a', 'k: "1"\n  gone: x', 'app: w')),
    k('apply -f -', configMap('a', 'k: "2"')),
    k('get cm a -o yaml'),
    k('apply -f - --dry-run=server', configMap('a', 'k: "3"')),
    k('apply -f - --dry-run=client', configMap('a', 'k: "3"')),
    k('apply -f -', configMap('a', 'k: "2"'), configMap('b', 'k: "1"')),
    k('apply -f - -o name', configMap('b', 'k: "2"')),
    k('create -f -', configMap('c', 'k: "1"')),
    k('apply -f -', configMap('c', 'k: "2"')),
    k('apply -f -', manifest('v1', 'ConfigMap', 'd', 'nope: 1')),
    k('apply -f -', configMap('Bad_Name', 'k: v')),
    k('get cm -l app=w'),
  ],
  'apply-kinds': [
    k('apply -f -', deployment('image: example.com/app:1')),
    k('apply -f -', deployment('image: example.com/app:1')),
    k('apply -f -', deployment('image: example.com/app:2')),
    k('get deployment w -o jsonpath={.spec.template.spec.containers[*].image}'),
    k('apply -f -', deployment('image: ""')),
    k('apply -f -', manifest('v1', 'Secret', 's', 'stringData:\n  p: q')),
    k('apply -f -', manifest('v1', 'Secret', 's', 'stringData:\n  p: r')),
    k('get secret s -o jsonpath={.data.p}'),
    k('apply -f -', manifest('v1', 'ServiceAccount', 'robot')),
    k('apply -f -', manifest('coordination.k8s.io/v1', 'Lease', 'l', 'spec:\n  holderIdentity: me')),
    k('apply -f -', manifest('coordination.k8s.io/v1', 'Lease', 'l', 'spec:\n  holderIdentity: you')),
    k('get lease l -o jsonpath={.spec.holderIdentity}'),
    k('apply -f -', manifest('v1', 'Node', 'NS-n', 'spec:\n  providerID: a://b', 'role: first')),
    k('apply -f -', manifest('v1', 'Node', 'NS-n', 'spec:\n  providerID: a://b', 'role: second')),
    k('get node NS-n -o jsonpath={.metadata.labels.role}'),
    k('apply -f -', manifest('v1', 'Namespace', 'NS-x', '', 'team: a')),
    k('apply -f -', manifest('v1', 'Namespace', 'NS-x', '', 'team: b')),
    k('get ns NS-x -o jsonpath={.metadata.labels.team}'),
    k('delete ns NS-x'),
    k('delete node NS-n'),
  ],
  'patch-types': [
    k('create -f -', configMap('a', 'k: v\n  l: w')),
    k('patch cm a -p {"data":{"k":"strategic"}}'),
    k('patch cm a --type=merge -p {"data":{"l":null}}'),
    k('patch cm a --type=json -p [{"op":"add","path":"/data/m","value":"json"}]'),
    k('patch cm a --type=json -p [{"op":"test","path":"/data/m","value":"other"}]'),
    k('patch cm a --type=merge -p {"data":{"m":"json"}}'),
    k('patch cm a --type=merge -p not-json'),
    k('patch cm absent --type=merge -p {"data":{"m":"x"}}'),
    k('patch cm a --type=merge -p {"data":{"m":"x"}} -o jsonpath={.data}'),
    k('patch cm a --type=merge -p {"data":{"m":"dry"}} --dry-run=server'),
    k('get cm a -o jsonpath={.data}'),
    k('create -f -', deployment('image: example.com/app:1')),
    k(
      'patch deployment w -p {"spec":{"template":{"spec":{"containers":[{"name":"c","image":"example.com/app:3"}]}}}}',
    ),
    k(
      'patch deployment w -p {"spec":{"template":{"spec":{"containers":[{"name":"d","image":"example.com/side:1"}]}}}}',
    ),
    k('get deployment w -o jsonpath={.spec.template.spec.containers[*].image}'),
    k('patch deployment w --type=json -p [{"op":"remove","path":"/spec/template/spec/containers/0"}]'),
    k('get deployment w -o jsonpath={.spec.template.spec.containers[*].name}'),
    k('create -f -', manifest('v1', 'Node', 'NS-n', 'spec:\n  providerID: a://b')),
    k('patch node NS-n -p {"spec":{"unschedulable":true}}'),
    k('get node NS-n -o jsonpath={.spec.unschedulable}'),
    k('delete node NS-n'),
  ],
  'delete-and-wait': [
    k('create -f -', ...['a', 'b', 'c', 'd'].map((name) => configMap(name, 'k: v', 'app: w'))),
    k('delete cm a'),
    k('delete cm a'),
    k('delete cm a --ignore-not-found'),
    k('delete cm/b --wait=false'),
    k('delete -f -', configMap('c', 'k: v')),
    k('delete cm -l app=w'),
    k('delete cm -l app=w'),
    k(
      'create -f -',
      configMap('f', 'k: v').replace('  name: f\n', '  name: f\n  finalizers: [example.com/hold]\n'),
    ),
    k('delete cm f --timeout=1s'),
    k('get cm f -o jsonpath={.metadata.finalizers}'),
    k('wait --for=delete cm/f --timeout=1s'),
    k('patch cm f --type=merge -p {"metadata":{"finalizers":null}}'),
    k('wait --for=delete cm/f --timeout=30s'),
    k('get cm f'),
    k('create -f -', configMap('g', 'k: v')),
    k('delete cm g --dry-run=server'),
    k('delete cm g -o name'),
    k('create -f -', configMap('h', 'k: v'), configMap('i', 'k: v')),
    k('delete cm h i --now'),
    k('delete nonsense x'),
  ],
  'label-and-annotate': [
    k('create -f -', configMap('a', 'k: v'), configMap('b', 'k: v')),
    k('label cm a tier=one'),
    k('label cm a tier=one'),
    k('label cm a tier=two'),
    k('label cm a tier=two --overwrite'),
    k('label cm a b zone=z'),
    k('label cm -l zone=z colour=red'),
    k('label cm a tier-'),
    k('label cm a absent-'),
    k('label cm a bad=#'),
    k('label cm absent x=y'),
    k('get cm --show-labels -l zone'),
    k('annotate cm a note=hello'),
    k('annotate cm a note=hello'),
    k('annotate cm a note=bye'),
    k('annotate cm a note=bye --overwrite'),
    k('annotate cm a note-'),
    k('annotate cm b note=x --resource-version=1'),
    k('label ns NS team=a'),
    k('get ns NS -o jsonpath={.metadata.labels.team}'),
  ],
  'wait-for': [
    k('create -f -', configMap('a', 'k: v')),
    k('wait --for=jsonpath={.data.k}=v cm/a --timeout=30s'),
    k('wait --for=jsonpath={.data.k} cm/a --timeout=30s'),
    k('wait --for=jsonpath={.data.k}=other cm/a --timeout=1s'),
    k('wait --for=condition=Ready cm/a --timeout=1s'),
    k('wait --for=delete cm/absent --timeout=30s'),
    k('wait --for=condition=Ready cm/absent --timeout=1s'),
    k('wait --for=create cm/a --timeout=30s'),
    k('create -f -', deployment('image: example.com/app:1')),
    k('wait --for=jsonpath={.spec.replicas}=0 deployment/w --timeout=30s'),
    k('wait --for=jsonpath={.status.phase}=Active ns/NS --timeout=30s'),
    k('get deployments'),
    k('get deploy w -o wide'),
  ],
  'custom-resources': [
    k('create -f -', definition()),
    k('wait --for=condition=Established crd/widgets.NS.example.com --timeout=30s'),
    k('get crd widgets.NS.example.com -o jsonpath={.status.acceptedNames.kind}'),
    k('apply -f -', widget('w', 'size: 3')),
    k('apply -f -', widget('w', 'size: 3')),
    k('apply -f -', widget('w', 'size: 4\n  colour: red')),
    k('get widgets'),
    k('get wd w -o yaml'),
    k('get widgets -o name'),
    k('get widgets.NS.example.com w -o jsonpath={.spec.size}'),
    k('create -f -', widget('w', 'size: 3')),
    k('create -f -', widget('v', 'size: 0')),
    k('create -f -', widget('v', 'size: 2\n  nope: 1')),
    k('create -f -', widget('v', 'size: 2')),
    k('patch widget w --type=merge -p {"spec":{"colour":null}}'),
    k('patch widget w --type=json -p [{"op":"replace","path":"/spec/size","value":7}]'),
    k('patch widget w -p {"spec":{"size":8}}'),
    k('label widget w v tier=one'),
    k('annotate widget w note=x'),
    k('get widgets -l tier=one'),
    k('wait --for=condition=Ready widget/w --timeout=1s'),
    k(
      'patch widget w --subresource=status --type=merge -p {"status":{"conditions":[{"type":"Ready","status":"True"}]}}',
    ),
    k('wait --for=condition=Ready widget/w --timeout=30s'),
    k('wait --for=jsonpath={.spec.size}=7 widget/w --timeout=30s'),
    k('delete widget v'),
    k('wait --for=delete widget/v --timeout=30s'),
    k('delete crd widgets.NS.example.com'),
    k('get widgets'),
  ],
}

/** A command line, split at spaces, with documents for its standard input. */
function k(line: string, ...documents: readonly string[]): PlannedCommand {
  const argv = ['kubectl', ...line.split(' '), ...(line.includes(' -n ') ? [] : ['-n', 'NS'])]
  return { argv, ...(documents.length > 0 && { stdin: documents.join('---\n') }) }
}

function manifest(apiVersion: string, kind: string, name: string, body = '', label = ''): string {
  const labels = label === '' ? '' : `  labels:\n    ${label}\n`
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${labels}${body === '' ? '' : `${body}\n`}`
}

function configMap(name: string, data: string, label = ''): string {
  return manifest('v1', 'ConfigMap', name, `data:\n  ${data}`, label)
}

function event(): string {
  return manifest(
    'v1',
    'Event',
    'e',
    [
      'involvedObject: { apiVersion: v1, kind: ConfigMap, name: a, namespace: NS }',
      'reason: Started',
      'message: it began',
      'type: Normal',
      'source: { component: checks }',
    ].join('\n'),
  )
}

function deployment(container: string): string {
  return manifest(
    'apps/v1',
    'Deployment',
    'w',
    [
      'spec:',
      '  replicas: 0',
      '  selector: { matchLabels: { app: w } }',
      '  template:',
      '    metadata: { labels: { app: w } }',
      '    spec:',
      '      containers:',
      '      - name: c',
      `        ${container}`,
    ].join('\n'),
  )
}

function widget(name: string, spec: string): string {
  return manifest('NS.example.com/v1', 'Widget', name, `spec:\n  ${spec}`)
}

function definition(): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.NS.example.com
spec:
  group: NS.example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd] }
  versions:
  - name: v1
    served: true
    storage: true
    subresources: { status: {} }
    additionalPrinterColumns:
    - { name: Size, type: integer, jsonPath: .spec.size }
    - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status' }
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: { type: integer, minimum: 1 }
              colour: { type: string }
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
`
}
