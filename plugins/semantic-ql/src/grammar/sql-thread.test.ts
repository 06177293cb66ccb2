import { FairLine } from '@grainline/core/language'
import t from 'tap'
import { parseSql } from './parse-sql.js'
import { readerIn } from './sql-thread.js'

const long = (name: string) => `SELECT ${Array.from({ length: 1500 }, (_, i) => `"${name}${i}"`).join(', ')} FROM m`

t.test('one long statement does not wait for all statements of another client', async (t) => {
  // Some seconds pass whenever somebody looks.
  let now = 0
  const inTurn = readerIn(new FairLine(1, () => (now += 5000)))
  const read: string[] = []
  const ask = async (client: string) => {
    await inTurn(long(client), client)
    read.push(client)
  }
  await Promise.all(['much', 'much', 'much', 'much', 'little'].map(ask))
  t.same(read, ['much', 'little', 'much', 'much', 'much'])
})

t.test('a long statement with a syntax error is refused, and the next one is parsed', async (t) => {
  const [wrong, right] = await Promise.allSettled([parseSql(`${long('x')} WHERE`, 'a'), parseSql(long('y'), 'a')])
  t.match(wrong, { status: 'rejected', reason: { code: 'SQL_SYNTAX_ERROR' } })
  t.equal(right.status, 'fulfilled')
})

t.test('the length of a statement is limited', async (t) => {
  const padded = (length: number) => `SELECT 1${' '.repeat(length - 8)}`
  t.match(await parseSql(padded(100_000)), { statements: [{ SelectStmt: {} }] })
  await t.rejects(parseSql(padded(100_001)), { code: 'UNSUPPORTED_SQL_FEATURE', message: /more than 100000 characters/ })
})
