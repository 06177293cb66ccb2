/** Measures that are columns: each is one query, whatever reads it. */
import t from 'tap'
import { compileFor, loadText } from '../../../test/support/compile.js'

const model = loadText(`
version: 1
dataObjects:
  A:
    code: a
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      "B.C": { measure: Sold }
  "A.B":
    code: ab
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      A Id: { code: a_id, abstractType: int }
      C: { measure: Returned }
    joins: [{ joinType: many-to-one, joinTo: A, columnsFrom: [A Id], columnsTo: [Id] }]
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      AB Id: { code: ab_id, abstractType: int }
      Amount: { code: amount, abstractType: int }
      Back: { code: back, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: "A.B", columnsFrom: [AB Id], columnsTo: [Id] }]
dimensions:
  One: { dataObject: A, column: "B.C" }
  Other: { dataObject: "A.B", column: C }
measures:
  Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
  Returned: { aggregation: sum, columns: [{ dataObject: Sales, column: Back }] }
  Orders: { aggregation: count, columns: [{ dataObject: Sales, column: Id }] }
`)
t.test('names with dots do not make one query of two columns', async (t) => {
  const { sql } = compileFor({ select: { dimensions: ['One', 'Other'], measures: ['Orders'] } }, model)
  t.match(sql, /SUM\("sales"."amount"\)/)
  t.match(sql, /SUM\("sales"."back"\)/)
})

t.test('a column that two fields read is one query', async (t) => {
  const { sql } = compileFor(
    { select: { dimensions: ['One'], measures: ['Orders'] }, where: [{ field: 'One', op: '>', value: 1 }] },
    model,
  )
  t.equal(sql.match(/SUM\(/g)?.length, 1)
})
