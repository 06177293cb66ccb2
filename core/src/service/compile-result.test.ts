import t from 'tap'
import { warning } from '../errors.js'
import { resultOf, type Understood, VALID } from './compile-result.js'

const compiled = {
  sql: 'SELECT 1',
  warnings: [warning('OVERLAPPING_GROUPS', 'known before')],
} as unknown as Understood['compiled']
const asked = (sessionId: string) =>
  ({ handle: { sessionId, model: {} }, query: { select: {} }, compiled }) as unknown as Understood

t.test('what is asked of one handle again is the same value, of another handle its own', async (t) => {
  const [first, second] = [asked('first'), asked('second')]
  const result = resultOf(first)
  t.match(result, { sql: 'SELECT 1', sql_valid: true, handle: { sessionId: 'first' }, query: first.query })
  t.equal(resultOf({ ...first }, VALID), result)
  t.equal(resultOf(second).handle, second.handle)
  t.equal(resultOf(first), result)
})

t.test('a verdict that may change is in no later result, and neither are faults that were found since', async (t) => {
  const understood = asked('first')
  const rejected = warning('SQL_REJECTED', 'no such table')
  t.match(resultOf(understood, { valid: false, warnings: [rejected] }), {
    sql_valid: false,
    warnings: [...compiled.warnings, rejected],
  })
  t.match(resultOf(understood), { sql_valid: true, warnings: compiled.warnings })
  const faulty = { ...understood, compiled: { ...compiled, warnings: [rejected] } }
  t.same(resultOf(faulty).warnings, [rejected])
  t.same(resultOf(understood).warnings, compiled.warnings)
})
