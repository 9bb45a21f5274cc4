import { isIP, isIPv4, isIPv6 } from 'node:net'

const DURATION = /^[+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)(((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))*)$/
const HOST =
  /^([a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)(\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*\.?$/
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** String formats that are checked, by the names that custom resource definitions use. */
export const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': isDateTime,
  datetime: isDateTime,
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  duration: (value) => value === '0' || DURATION.test(value),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: (value) => {
    const [address = '', bits = '', ...rest] = value.split('/')
    const family = isIP(address)
    return (
      rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
    )
  },
  mac: (value) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value),
  uri: (value) => URL.canParse(value),
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  hostname: (value) => value.length <= 255 && HOST.test(value),
  uuid: (value) => UUID.test(value),
  byte: (value) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
  password: () => true,
}

/** Formats that Kubernetes checks and we don't: a definition that relies on one is refused. */
export const UNCHECKED_FORMATS = [
  'bsonobjectid',
  'creditcard',
  'hexcolor',
  'isbn',
  'isbn10',
  'isbn13',
  'k8s-long-name',
  'k8s-short-name',
  'rgbcolor',
  'ssn',
  'uuid3',
  'uuid4',
  'uuid5',
]

function isDateTime(value: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  )
}
