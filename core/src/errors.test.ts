import t from 'tap'
import { GrainlineError, warning } from './errors.js'

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
