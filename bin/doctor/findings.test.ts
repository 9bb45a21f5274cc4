import { it } from 'node:test'
import { expect } from 'chai'
import { describeJava } from './findings.ts'

it('a Java is told by its version, and by its path only where that says more than its name', () => {
  const version = 'openjdk version "21.0.4" 2024-07-16\nOpenJDK Runtime Environment'
  expect(describeJava({ command: 'java', version })).to.equal('21.0.4')
  expect(describeJava({ command: '/opt/jdk/bin/java', version })).to.equal('21.0.4 /opt/jdk/bin/java')
  expect(describeJava({ command: 'java', version: '' })).to.equal('of unknown version')
})
