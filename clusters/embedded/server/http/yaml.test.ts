import { describe, it } from 'node:test'
import { expect } from 'chai'
import { BODY_LIMIT } from './read-text.ts'
import { toYaml, yamlToJson } from './yaml.ts'

const LIMIT_MS = 30_000

describe('YAML as a body', () => {
  it('is resolved as Kubernetes resolves it', () => {
    for (const [yaml, value] of [
      ['yes', true],
      ['Off', false],
      ['017', 15],
      ['0o17', 15],
      ['-0x1F', -31],
      ['1_000', 1000],
      ['1e3', 1000],
      ['12:30:45', '12:30:45'],
      ['2020-01-01', '2020-01-01'],
      ['~', null],
      ['9'.repeat(400), '9'.repeat(400)],
    ] as const) {
      expect(JSON.parse(yamlToJson(`a: ${yaml}`)), yaml).to.deep.equal({ a: value })
    }
  })

  it('keeps every digit of an int64, and keys that mean something to JavaScript', () => {
    expect(yamlToJson('a: 9007199254740993')).to.equal('{"a":9007199254740993}')
    expect(yamlToJson('a: -9223372036854775808')).to.equal('{"a":-9223372036854775808}')
    expect(yamlToJson('__proto__: {a: 1}')).to.equal('{"__proto__":{"a":1}}')
  })

  it('repeats what an alias stands for, and merges', () => {
    expect(yamlToJson('a: &x {b: 1}\nc: {<<: *x, d: *x}')).to.equal('{"a":{"b":1},"c":{"b":1,"d":{"b":1}}}')
  })

  it('is refused where it says something twice, nothing, or what JSON cannot', () => {
    for (const [yaml, why] of [
      ['a: 1\na: 2', 'duplicated mapping key'],
      ['', 'empty'],
      ['a: .inf', 'unsupported value'],
      ['a: 1\n---\na: 2', 'single document'],
      ['? [a]\n: b', 'complex keys'],
      ['a: &a [*a]', 'circular'],
      ['['.repeat(BODY_LIMIT), 'maxDepth'],
    ] as const) {
      expect(() => yamlToJson(yaml), yaml.slice(0, 20))
        .to.throw('error converting YAML to JSON: yaml: ')
        .with.property('message')
        .that.includes(why)
    }
  })

  it('of a few lines does not become a body of any size', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)
    expect(() => yamlToJson(['a0: &a0 [x]', ...lines].join('\n'))).to.throw('excessive aliasing')
  })

  it('of the largest size that is read is read, whatever it consists of', { timeout: LIMIT_MS }, () => {
    const keys = Array.from({ length: BODY_LIMIT / 12 }, (_, n) => `k${String(n).padStart(7, '0')}: v`)
    expect(Object.keys(JSON.parse(yamlToJson(keys.join('\n'))))).to.have.length(keys.length)
    const count = BODY_LIMIT / 3 - 1
    expect(JSON.parse(yamlToJson(`[${'{},'.repeat(count)}]`))).to.have.length(count)
  })
})

describe('YAML as an answer', () => {
  it('is the same as the JSON, every digit of it', () => {
    const json =
      '{"a":9007199254740993,"b":"yes","c":[{"x":1,"y":"a\\nb\\n"}],"d":{},"e":[],"f":null,"g":1.5,"h":"123","i":"2020-01-01"}'
    expect(yamlToJson(toYaml(json))).to.equal(json)
    expect(toYaml(json)).to.include('a: 9007199254740993\n')
  })
})
