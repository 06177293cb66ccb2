/**
 * Rows that only policies remove, and on which questions fail: texts that are no numbers, and numbers whose product is too large. Every question of the corpus and
 * every measure is asked by them, over data with such rows and without: nothing fails, and nothing differs. The questions are more than 20,000; a change asks some, under one of the rules.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { dataSql, modelText, readQuestions } from '../corpus/corpus.js'
import { oneIn } from '../support/amount.js'
import { difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { boundBy, type Connection, compiled, leftOrders, RULES, type Rule, said } from './corpus-rules.js'

const TABLES = Object.keys(Object.assign({}, ...Object.values(RULES).map(({ left }) => left)) as Record<string, string>)

interface Document {
  readonly dataObjects: Record<string, { readonly code?: string; readonly nestedIn?: object; columns: Record<string, object> }>
  readonly dimensions: Record<string, object>
}

/** The model, whose objects have two columns more that fail on what is in the removed rows. */
const document = parse(modelText()) as Document
const OBJECTS = Object.entries(document.dataObjects).flatMap(([name, { code = '', nestedIn }]) =>
  TABLES.includes(code) && !nestedIn ? [name] : [],
)
for (const name of OBJECTS) {
  Object.assign(document.dataObjects[name]!.columns, {
    Digits: { code: 'digits', abstractType: 'string' },
    Length: { code: 'length', abstractType: 'int' },
    'As Number': { expression: 'cast({Digits} as int)', abstractType: 'int' },
    Square: { expression: '{Length} * {Length}', abstractType: 'int' },
  })
  document.dimensions[`${name} Number`] = { dataObject: name, column: 'As Number' }
  document.dimensions[`${name} Square`] = { dataObject: name, column: 'Square' }
}
const open = loadText(stringify(document))

const connected = async (t: Test, statements: readonly string[] = []): Promise<Connection> => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  t.teardown(() => connection.closeSync())
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run(dataSql())
  for (const table of TABLES) {
    await connection.run(`ALTER TABLE "${table}" ADD COLUMN digits VARCHAR DEFAULT '7'`)
    await connection.run(`ALTER TABLE "${table}" ADD COLUMN length BIGINT DEFAULT 2`)
  }
  for (const statement of statements) await connection.run(statement)
  return connection
}

const poisoned = (rule: Rule): readonly string[] => [
  leftOrders(rule),
  ...Object.entries(rule.left).map(
    ([table, isLeft]) => `UPDATE "${table}" SET digits = 'none', length = 9000000000000000000 WHERE (${isLeft}) IS NOT TRUE`,
  ),
]

interface Query {
  readonly select: { readonly measures?: readonly unknown[] }
  readonly where?: readonly unknown[]
}
type Asked = readonly [name: string, query: object]

const measures: readonly Asked[] = [...open.measures.keys(), ...open.metrics.keys()].map((name) => [
  `measure ${name}`,
  { select: { measures: [name] } },
])
const corpus: readonly Asked[] = readQuestions().map(({ name, query }) => [name, query])

/** The question with a condition of each kind. */
const conditions = ([name, query]: Asked, object: string): readonly Asked[] =>
  [{ field: `${object} Number`, op: '>', value: 1 }, { expression: `{[${object} Square]} + 1 > 0` }].map((condition, i) => [
    `${name}, condition ${i} on ${object}`,
    { ...query, where: [...((query as Query).where ?? []), condition] },
  ])

/** A measure by groups, and beside measures of the question, that fail. */
function beside([name, query]: Asked, object: string): readonly Asked[] {
  const { measures: named = [] } = (query as Query).select
  const own = { as: 'own', expression: `cast({[${object}].[Digits]} as int) + {[${object} Square]}` }
  const sum = { as: 'own', aggregation: 'sum', expression: `{[${object}].[As Number]} + {[${object}].[Square]}` }
  const filters = [{ field: `${object}.As Number`, op: '>', value: 1 }]
  const asked: readonly object[] = [
    { dimensions: [`${object} Number`], measures: named },
    { dimensions: [own], measures: named },
    { measures: [...named, sum] },
    { measures: [...named, { as: 'own', aggregation: 'count', anchor: object, filters }] },
  ]
  return asked.map((select, i) => [`${name}, ${i} of ${object}`, { select }])
}

/** Rows of one object by those of another. */
function rowsBy(of: string, object: string): readonly Asked[] {
  const filter = ['As Number', 'Square'].map((field) => ({ field, op: '>', value: 1 }))
  const tests = ['exists', 'nonexists'].map((op) => ({ field: of, op, subquery: { dataObject: object, filter } }))
  const raw = { fields: [`${of}.As Number`, `${object}.Square`] }
  return [
    ...tests.flatMap((test): readonly Asked[] => [
      [`rows of ${of}, ${test.op} ${object}`, { select: { fields: [`${of}.As Number`] }, where: [test] }],
      [`number of ${of}, ${test.op} ${object}`, { select: { measures: [`${of} Count`] }, where: [test] }],
    ]),
    [
      `rows of ${of} with ${object}`,
      { select: raw, where: [{ field: `${object}.As Number`, op: '<', value: 100 }], order_by: [{ field: `${object}.Square` }] },
    ],
  ]
}

const QUESTIONS = OBJECTS.flatMap((object) => [
  ...[...corpus, ...measures].flatMap((one) => conditions(one, object)),
  ...measures.flatMap((one) => beside(one, object)),
  ...OBJECTS.flatMap((of) => rowsBy(of, object)),
])

for (const [name, rule] of oneIn(3, Object.entries(RULES)))
  t.test(`what fails on removed rows, under policies on ${name}`, async (t) => {
    const model = boundBy(rule, open)
    const [clean, poisonous] = [await connected(t), await connected(t, poisoned(rule))]
    let [asked, fails] = [0, 0]
    for (const [what, query] of oneIn(31, QUESTIONS)) {
      const sql = compiled(query, model)
      if (sql === undefined) continue
      const [one, other] = [await said(clean, sql), await said(poisonous, sql)]
      t.type(other, 'object', `${what}: ${String(other)}`)
      if (typeof one === 'object' && typeof other === 'object') t.equal(difference(one, other, false), undefined, what)
      const whole = ++asked % 10 === 0 ? compiled(query, open) : undefined
      if (whole !== undefined && typeof (await said(poisonous, whole)) === 'string') fails++
    }
    t.ok(asked > 50 && fails > 2, `${asked} questions; of each tenth, ${fails} fail for others`)
  })
