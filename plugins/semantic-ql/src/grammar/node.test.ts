import t from 'tap'
import {
  bodiesOf,
  bodyOf,
  columnNode,
  everyOf,
  functionName,
  integerNode,
  kindOf,
  locationOf,
  nodesIn,
  theBody,
  wordNodes,
} from './node.js'
import { parseSql } from './parse-sql.js'

const statement = async (text: string) => (await parseSql(text)).statements[0]

t.test('a property that the grammar always has is returned', async (t) => {
  const select = theBody(
    await statement(
      `SELECT -a, CAST(b AS int), CASE WHEN c IS NULL THEN d END COLLATE "C", e IS TRUE FROM f JOIN g ON true ORDER BY h`,
    ),
    'SelectStmt',
  )
  for (const { val } of bodiesOf(select.targetList, 'ResTarget')) t.ok(val)
  for (const { larg, rarg } of bodiesOf(select.fromClause, 'JoinExpr')) t.ok(larg && rarg)
  for (const { node } of bodiesOf(select.sortClause, 'SortBy')) t.ok(node)
  const always = {
    A_Expr: ['rexpr'],
    TypeCast: ['arg'],
    CaseWhen: ['expr', 'result'],
    CollateClause: ['arg'],
    NullTest: ['arg'],
    BooleanTest: ['arg'],
  }
  for (const [kind, keys] of Object.entries(always)) {
    const found = nodesIn(select).filter((node) => kindOf(node) === kind)
    t.equal(found.length, 1, kind)
    for (const node of found) t.hasStrict(node, { [kind]: Object.fromEntries(keys.map((key) => [key, {}])) })
  }
})

t.test('a node of another kind is an internal error that names both', async (t) => {
  t.equal(bodyOf(integerNode(1), 'ColumnRef'), undefined)
  t.throws(() => theBody(integerNode(1), 'ColumnRef'), { code: 'INTERNAL_ERROR', message: /A_Const.*ColumnRef/ })
  t.throws(() => theBody(undefined, 'ColumnRef'), { code: 'INTERNAL_ERROR', message: /missing node/ })
  t.throws(() => bodiesOf([columnNode('a'), integerNode(1)], 'ColumnRef'), { code: 'INTERNAL_ERROR' })
  t.same(bodiesOf(undefined, 'ColumnRef'), [])
})

t.test('functions of the grammar have their plain name, and functions of other schemas their full name', async (t) => {
  t.equal(functionName(wordNodes('pg_catalog', 'EXTRACT')), 'extract')
  t.equal(functionName(wordNodes('Lower')), 'lower')
  t.equal(functionName(wordNodes('my', 'pg_catalog')), 'my.pg_catalog')
  t.equal(functionName(undefined), '')
})

t.test('the position of a cast before its literal is that of its argument', async (t) => {
  const places = nodesIn(await statement("SELECT date '2024-01-01', b::int"))
    .filter((node) => kindOf(node) === 'TypeCast')
    .map(locationOf)
  t.same(places, [12, 27])
})

t.test('one condition is returned unchanged, several are combined', async (t) => {
  t.same(everyOf([columnNode('a')]), columnNode('a'))
  t.match(everyOf([columnNode('a'), columnNode('b')]), {
    BoolExpr: { boolop: 'AND_EXPR', args: [columnNode('a'), columnNode('b')] },
  })
})
