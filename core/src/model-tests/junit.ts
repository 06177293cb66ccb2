import type { TestOutcome } from './run-test.js'

/** The outcomes as a JUnit XML document. */
export function junitReport(suite: string, outcomes: readonly TestOutcome[]): string {
  const count = (status: TestOutcome['status']) => outcomes.filter((outcome) => outcome.status === status).length
  const total = outcomes.reduce((sum, outcome) => sum + outcome.milliseconds, 0)
  const counts = `tests="${outcomes.length}" failures="${count('failed')}" errors="${count('error')}" time="${seconds(total)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(suite)}" ${counts}>`,
    ...outcomes.map((outcome) => testCase(suite, outcome)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(suite: string, { name, status, differences, milliseconds }: TestOutcome): string {
  const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="${seconds(milliseconds)}"`
  if (status === 'passed') return `${open}/>`
  const tag = status === 'failed' ? 'failure' : 'error'
  const message = escapeXml(differences[0] ?? '')
  return `${open}>\n      <${tag} message="${message}">${escapeXml(differences.join('\n'))}</${tag}>\n    </testcase>`
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Characters that XML 1.0 cannot hold, lone surrogates among them, become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (c) => ENTITIES[c]!)
}
