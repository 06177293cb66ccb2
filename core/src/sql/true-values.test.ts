/** Booleans that tables store as texts or numbers. */
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { compileFor, loadText } from '../../../test/support/compile.js'
import { parseModelSync } from '../model/load-model.js'

const modelOf = (columns: string): string => `
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Lines: { code: lines, abstractType: json, sqlType: json }
${columns}
  Lines:
    code: lines
    nestedIn: { dataObject: Orders, column: Lines }
    columns: { Free: { code: free, abstractType: boolean, trueValues: ['y'] } }
dimensions:
  Paid: { dataObject: Orders, column: Paid }
  Free: { dataObject: Lines, column: Free }
measures:
  Open: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], filters: [{ field: Paid, op: '=', value: false }] }
`
const column = (rest: string): string =>
  `      Paid: { code: paid, ${rest} }\n      Sent: { code: sent, abstractType: boolean, trueValues: [1, 2] }`
const ids = ({ where }: { readonly where: object }) => ({
  select: { fields: ['Orders.Id'] },
  where: [where],
  order_by: [{ field: 'Orders.Id' }],
})

t.test('listed values are true, others are false, and NULL is NULL', async (t) => {
  const model = loadText(modelOf(column("abstractType: boolean, trueValues: ['Y', '1']")))
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`CREATE TABLE orders (id BIGINT, paid VARCHAR, sent BIGINT, lines JSON);
    INSERT INTO orders VALUES (1, 'Y', 2, '[{"free": "y"}]'), (2, 'N', 0, '[{"free": "n"}, {"free": "y"}]'), (3, '1', NULL, '[{}]'), (4, NULL, 1, NULL)`)
  const ask = async (query: object) => (await connection.runAndReadAll(compileFor(query, model).sql)).getRows()
  const paid = { select: { dimensions: ['Paid'], measures: ['Orders Count', 'Open'] }, order_by: [{ field: 'Paid' }] }
  t.same(await ask(paid), [
    [false, 1n, 1n],
    [true, 2n, 0n],
    [null, 1n, 0n],
  ])
  t.same(await ask(ids({ where: { field: 'Orders.Sent', op: '=', value: true } })), [[1n], [4n]])
  t.same(await ask(ids({ where: { field: 'Orders.Paid', op: '!=', value: true } })), [[2n]])
  t.same(await ask({ select: { dimensions: ['Free'], measures: ['Orders Count'] }, order_by: [{ field: 'Free' }] }), [
    [false, 1n],
    [true, 2n],
    [null, 2n],
  ])
})

for (const [title, written, hint] of [
  ['texts are listed for a column of numbers', "abstractType: boolean, sqlType: bigint, trueValues: ['1']", /trueValues: \[1\]/],
  [
    'numbers are listed for a column of texts',
    'abstractType: boolean, sqlType: varchar(1), trueValues: [1]',
    /trueValues: \['Y'\]/,
  ],
  ['values are listed for booleans', 'abstractType: boolean, sqlType: boolean, trueValues: [1]', /remove trueValues/],
  ['no values are listed', 'abstractType: boolean, sqlType: smallint', /trueValues: \[1\]/],
] as const)
  t.test(`refused with what to write: ${title}`, async (t) => {
    const model = loadText(modelOf(column(written)))
    t.throws(() => compileFor({ select: { dimensions: ['Paid'] } }, model), { code: 'TYPE_MISMATCH', details: { hint } })
  })

for (const written of [
  "abstractType: string, trueValues: ['Y']",
  "abstractType: boolean, trueValues: ['Y', 1]",
  'abstractType: boolean, trueValues: []',
])
  t.test(`a model does not load with ${written}`, async (t) => {
    const { errors } = parseModelSync({ text: modelOf(column(written)) })
    t.match(errors, [{ code: 'SCHEMA_VALIDATION', path: /Paid.*trueValues/ }])
  })
