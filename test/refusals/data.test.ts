/**
 * Applies the advice of `verify` and of database errors: each finding names its cause and its place, and is gone after its advice was
 * followed. The cases are data: valid tables with a valid model, one change that breaks them, and the change that the finding suggests.
 */
import t from 'tap'
import { executing, startRest } from '../rest/server.js'

const rows = (columns: string, values: string) => `(SELECT * FROM (VALUES ${values}) t (${columns}))`
const SOUND = `dataObjects:
  Sales:
    code: "${rows('id, shop, amount', "(1, 'a', 5), (2, 'b', 7)")}"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      Amount: { code: amount, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Shops, columnsFrom: [Shop], columnsTo: [Id] }]
  Shops:
    code: "${rows('id, city', "('a', 'Bern'), ('b', 'Bern')")}"
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      City: { code: city, abstractType: string }
dimensions:
  City: { dataObject: Shops, column: City }
measures:
  Total: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }], dataType: 'decimal(18, 0)' }
`

/** From the rows that refer to a shop to the join that follows them. */
const LINK = SOUND.slice(SOUND.indexOf("(2, 'b', 7)"), SOUND.indexOf('columnsTo: [Id] }'))

/** From the second sale to the columns of the sales. */
const KEYS = SOUND.slice(SOUND.indexOf("(2, 'b', 7)"), SOUND.indexOf('      Amount: {'))
/** The second sale in place of `(2, 'b', 7)`, and the other column as the key. */
const keyedByShop = (row: string) =>
  KEYS.replace("(2, 'b', 7)", row)
    .replace('int, primaryKey: true }', 'int }')
    .replace('Shop: { code: shop, abstractType: string }', 'Shop: { code: shop, abstractType: string, primaryKey: true }')

const JOINED = SOUND.slice(SOUND.indexOf('joins: [{'), SOUND.indexOf('      City:'))
/** A shop has a row for each of its branches. */
const BRANCHES = JOINED.replace("('b', 'Bern')", "('b', 'Bern'), ('b', 'Ulm')").replace(', primaryKey: true', '')
const IN_CITIES = SOUND.replace(JOINED, BRANCHES)
  .replace(
    rows('id, shop, amount', "(1, 'a', 5), (2, 'b', 7)"),
    rows('id, shop, city, amount', "(1, 'a', 'Bern', 5), (2, 'b', 'Ulm', 7)"),
  )
  .replace('      Amount: {', '      City: { code: city, abstractType: string }\n      Amount: {')

interface DataFault {
  readonly code: string
  readonly spoil: readonly [was: string, is: string]
  readonly path: string
  /** Patterns for the cause, and for the advice. */
  readonly says: RegExp
  /** The replacement of the broken part; by default the valid text. */
  readonly fix?: string
  /** Other findings that are right after the correction. */
  readonly leaves?: readonly string[]
}

const FAULTS: readonly DataFault[] = [
  {
    code: 'VERIFY_DUPLICATE_KEY',
    spoil: ["(2, 'b', 7)", "(1, 'b', 7)"],
    path: 'dataObjects.Sales',
    says: /1 key of 'Sales' \(Id\).*such as 1.*Correct the data/s,
  },
  {
    code: 'VERIFY_NULL_KEY',
    spoil: ["(2, 'b', 7)", "(NULL, 'b', 7)"],
    path: 'dataObjects.Sales',
    says: /1 row of 'Sales' has no Id.*Correct the data/s,
  },
  {
    code: 'VERIFY_ORPHANS',
    spoil: ["(2, 'b', 7)", "(2, 'x', 7)"],
    path: 'dataObjects.Sales.joins[0]',
    says: /'Shops'.*x.*Load the missing rows/s,
  },
  {
    code: 'VERIFY_FOREIGN_KEY',
    spoil: [LINK, `${LINK.replace("'b', 7", "'x', 7")}foreignKey: true, `],
    path: 'dataObjects.Sales.joins[0]',
    says: /'Shops'.*'x'.*foreignKey.*Load the missing rows, or remove foreignKey/s,
  },
  {
    code: 'VERIFY_CARDINALITY',
    spoil: [
      'Id: { code: id, abstractType: string, primaryKey: true }\n      City',
      'Id: { code: city, abstractType: string }\n      City',
    ],
    path: 'dataObjects.Sales.joins[0]',
    says: /'Shops'.*(Correct the data|joinType)/s,
  },
  {
    code: 'VERIFY_OVERFLOW_RISK',
    spoil: ["(2, 'b', 7)", "(2, 'b', 900000000000000000)"],
    path: 'measures.Total',
    says: /'Total'.*wider dataType/s,
  },
  {
    code: 'VERIFY_DUPLICATE_KEY',
    spoil: [KEYS, KEYS.replace("(2, 'b', 7)", "(1, 'b', 7)")],
    path: 'dataObjects.Sales',
    says: /or declare columns with unique values as primaryKey/,
    fix: keyedByShop("(1, 'b', 7)"),
  },
  {
    code: 'VERIFY_NULL_KEY',
    spoil: [KEYS, KEYS.replace("(2, 'b', 7)", "(NULL, 'b', 7)")],
    path: 'dataObjects.Sales',
    says: /or declare a key that every row has/,
    fix: keyedByShop("(NULL, 'b', 7)"),
  },
  {
    code: 'VERIFY_FOREIGN_KEY',
    spoil: [LINK, `${LINK.replace("'b', 7", "'x', 7")}foreignKey: true, `],
    path: 'dataObjects.Sales.joins[0]',
    says: /or remove foreignKey from the join/,
    fix: LINK.replace("'b', 7", "'x', 7"),
    leaves: ['VERIFY_ORPHANS'],
  },
  {
    code: 'VERIFY_CARDINALITY',
    spoil: [JOINED, BRANCHES],
    path: 'dataObjects.Sales.joins[0]',
    says: /or declare the joinType that fits the data/,
    fix: BRANCHES.replace('many-to-one', 'many-to-many'),
  },
  {
    code: 'VERIFY_CARDINALITY',
    spoil: [SOUND, IN_CITIES],
    path: 'dataObjects.Sales.joins[0]',
    says: /join on more columns/,
    fix: IN_CITIES.replace('columnsFrom: [Shop], columnsTo: [Id]', 'columnsFrom: [Shop, City], columnsTo: [Id, City]'),
  },
  { code: 'DATABASE_ERROR', spoil: ['code: city', 'code: citty'], path: 'dataObjects', says: /citty/ },
]

const server = await startRest(executing)
t.teardown(() => server.close())

const { session_id } = (await server.post('/v1/sessions')).body

async function findings(text: string) {
  const loaded = await server.post(`/v1/sessions/${session_id}/models`, { model_yaml: text })
  if (loaded.status !== 201) throw new Error(loaded.text)
  const at = `/v1/sessions/${session_id}/models/${loaded.body.model_id}`
  const { body } = await server.post(`${at}/verify`)
  await server.delete(at)
  return body.findings as { code: string; path: string; message: string; hint?: string; line: number }[]
}

t.test('valid data has no findings', async (t) => {
  t.same(await findings(SOUND), [])
})

t.test('a sale without a return is no orphan: rows that are joined one-to-one by their own key refer to nothing', async (t) => {
  const returns = `  Returns:
    code: "${rows('id, day', "(2, DATE '2026-01-02')")}"
    columns: { Id: { code: id, abstractType: int, primaryKey: true } }
`
  const join = 'joins: [{ joinType: many-to-one, joinTo: Shops'
  const withReturns = SOUND.replace('  Shops:\n', () => `${returns}  Shops:\n`)
  const ownKey = 'joins: [{ joinType: one-to-one, joinTo: Returns, columnsFrom: [Id], columnsTo: [Id] }, '
  t.same(await findings(withReturns.replace(join, () => join.replace('joins: [', ownKey))), [])
  // By a column that is not its key, a sale refers to a return.
  const byAmount = ownKey.replace('columnsFrom: [Id]', 'columnsFrom: [Amount]')
  const found = await findings(withReturns.replace(join, () => join.replace('joins: [', byAmount)))
  t.same(
    found.map(({ code }) => code),
    ['VERIFY_ORPHANS'],
  )
})

for (const { code, spoil, path, says, fix, leaves = [] } of FAULTS)
  t.test(`${code}: ${says.source}`, async (t) => {
    const found = await findings(SOUND.replace(spoil[0], () => spoil[1]))
    const fault = found.find((each) => each.code === code)
    t.match(fault, { path: new RegExp(path.replace(/[[\].]/g, '\\$&')), line: Number }, JSON.stringify(found))
    t.match(`${fault?.message} ${fault?.hint}`, says)
    const left = await findings(SOUND.replace(spoil[0], () => fix ?? spoil[0]))
    t.same(
      left.map((each) => each.code),
      leaves,
    )
  })
