import t from 'tap'
import { theBody } from '../grammar/node.js'
import { parseSql } from '../grammar/parse-sql.js'
import { groupByOf, shapeOf } from './group-by.js'

const reading = { meant: <T>(node: T) => node, identity: (node: object) => identified(node), place: () => undefined }
/** Without its place in the text. */
const identified = (node: object) => JSON.stringify(node, (key, value) => (key === 'location' ? undefined : value))

async function grouped(clause: string, trailing?: 'rollup' | 'cube') {
  const { statements } = await parseSql(`SELECT 1 GROUP BY ${clause}`)
  return groupByOf(theBody(statements[0], 'SelectStmt').groupClause, trailing, reading)
}

t.test('the levels of each form, as positions of the keys', async (t) => {
  const cases: readonly (readonly [
    clause: string,
    levels: readonly (readonly number[])[] | undefined,
    shape?: 'rollup' | 'cube',
  ])[] = [
    ['a, b', undefined],
    ['a, a', undefined],
    ['ROLLUP (a, b)', [[0, 1], [0], []], 'rollup'],
    ['CUBE (a, b)', [[0, 1], [1], [0], []], 'cube'],
    ['GROUPING SETS ((b), (a, b), ())', [[0], [1, 0], []], 'rollup'],
    // Two lists multiply, and a key that is in both is there once.
    ['a, ROLLUP (b)', [[0, 1], [0]]],
    ['a, ROLLUP (a)', [[0], [0]]],
    // Keys in one pair of parentheses come and go together.
    ['ROLLUP ((a, b), c)', [[0, 1, 2], [0, 1], []]],
    ['GROUPING SETS (ROLLUP (a), b)', [[0], [], [1]]],
  ]
  for (const [clause, levels, shape] of cases) {
    const found = await grouped(clause)
    t.same(found?.levels, levels, clause)
    if (found?.levels) t.equal(shapeOf(found), shape, `${clause} as a word`)
  }
})

t.test('a keyword at the end of the clause applies to all keys', async (t) => {
  t.same((await grouped('a, b', 'rollup'))?.levels, [[0, 1], [0], []])
  t.same((await grouped('a, b', 'cube'))?.levels, [[0, 1], [1], [0], []])
})

t.test('too many levels are refused before they are created', async (t) => {
  await t.rejects(grouped('CUBE (a, b, c, d, e, f, g)'), { code: 'UNSUPPORTED_SQL_FEATURE', message: /64 levels/ })
  await t.rejects(grouped('CUBE (a, b, c), CUBE (d, e, f, g)'), { code: 'UNSUPPORTED_SQL_FEATURE', message: /64 levels/ })
  t.equal((await grouped('CUBE (a, b, c), CUBE (d, e, f)'))?.levels?.length, 64)
})
