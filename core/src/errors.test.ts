import t from 'tap'
import { errorOf, type Finding, GrainlineError, warning } from './errors.js'

t.test('a message repeats the beginning of long texts only', async (t) => {
  const long = 'x'.repeat(1_000_000)
  const known = "the known ones are 'a', 'b'"
  const { message } = new GrainlineError('UNKNOWN_DIMENSION', `'${long}' is not '${long}y'; ${known}`)
  t.equal(message, `'${'x'.repeat(100)}…' is not '${'x'.repeat(100)}…'; ${known}`)
  for (const text of [`"${long}"`, "a'b".repeat(300_000), long]) {
    const refusal = new GrainlineError('INVALID_QUERY', `${text} is wrong; ${known}`)
    t.ok(refusal.message.length <= 5001, 'however it is quoted')
    t.ok(refusal.message.endsWith(known), 'advice is kept')
    t.equal(refusal.toFinding().message, refusal.message)
    t.ok(warning('UNKNOWN_DIMENSION', text).message.length <= 5001)
  }
})

t.test('an ordinary message is what was written', async (t) => {
  const names = Array.from({ length: 40 }, (_, i) => `'Measure ${i}'`).join(', ')
  t.equal(new GrainlineError('INVALID_QUERY', names).message, names)
  t.equal(new GrainlineError('INVALID_QUERY', `${names}, ${names}, ${names}`).message, `${names}, ${names}, ${names}`)
})

t.test('what stands between two quoted names is not a name', async (t) => {
  const path = '/a-folder'.repeat(60)
  const message = `${path} needs 'dataObjects'; ${path} has 'Nothing'; ${path}: ${'and so on '.repeat(20)}`
  t.equal(new GrainlineError('INVALID_QUERY', message).message, message)
})

t.test('a list of every error of the own files is not cut', async (t) => {
  const message = Array.from({ length: 900 }, (_, i) => `model.yaml:${i} UNKNOWN_DATA_OBJECT`).join('\n')
  t.equal(new GrainlineError('MODEL_INVALID', message, { isWhole: true }).message, message)
})

t.test('an error for several findings is the first, and counts the others', async (t) => {
  const first: Finding = {
    code: 'UNKNOWN_MEASURE',
    message: "'Sale' is unknown",
    path: 'select.measures[0]',
    severity: 'error',
    hint: 'see the list',
    suggestions: ['Sales'],
    context: { near: 1 },
  }
  const second: Finding = { code: 'INVALID_QUERY', message: 'no limit', path: 'limit', severity: 'error' }
  const { message: _, ...same } = first
  const both = errorOf(first, [second])
  t.equal(both.message, "'Sale' is unknown (and 1 more)")
  t.match(both.toFinding(), same)
  t.same(both.details.findings, [first, second])
  t.equal(errorOf(second, []).message, 'no limit')
  t.same(errorOf(second, []).details, { path: 'limit', findings: [second] }, 'what the first does not have is absent')
})
