/**
 * Applies the suggestions of errors: each names its cause, its place and what to do, and that works. The cases are data: a valid model or
 * query, one change that breaks it, and the change that the error suggests.
 */
import { readFileSync } from 'node:fs'
import { type ErrorCode, type Finding, GrainlineError } from '@grainline/core'
import { errorCatalog, parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { parse } from 'yaml'
import { defineDialect } from '../../core/src/sql/dialect.js'
import { standard } from '../../core/src/sql/standard.js'
import { compileFor, loadText } from '../support/compile.js'
import { APPLIED, REFUSED } from './every-code.js'
import { meant } from './meant.js'
import { MODEL_ADVICE } from './model-advice.js'
import { SALES_DATA, SALES_NUMBERS, SHOP_DATA, SHOP_NUMBERS } from './numbers.js'

const MODEL = `name: shop
dataObjects:
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: sold_on, abstractType: date }
      Amount: { code: amount, abstractType: float }
      Product Id: { code: product_id, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Products, columnsFrom: [Product Id], columnsTo: [Id] }
  Products:
    code: products
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Category: { code: category, abstractType: string }
      Ean: { code: ean, abstractType: string }
dimensions:
  Date: { dataObject: Sales, column: Day, timeGrain: day }
  Category: { dataObject: Products, column: Category }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
  Order Count: { aggregation: count, columns: [{ dataObject: Sales, column: Id }] }
metrics:
  Revenue per Order: { expression: '{[Revenue]} / {[Order Count]}' }
  Revenue Before: { type: period_over_period, measure: Revenue, periodOverPeriod: { timeDimension: Date } }
examples:
  - { name: by category, query: { select: { dimensions: [Category], measures: [Revenue] } } }
`

interface ModelFault {
  readonly spoil: readonly [was: string, is: string]
  readonly code: string
  readonly path: string
  /** The path of the error. */
  readonly line: number
  /** Patterns for the cause and the advice. */
  readonly says: RegExp
  /** The replacement of the broken part; by default the valid text. */
  readonly fix?: string
  /** The statement of what its measures then mean, if that is not what they mean in the valid model. */
  readonly means?: string
}

const perCategory = (revenue: string): string =>
  `SELECT category, ${revenue}, ${revenue} / count(*) FROM sales s LEFT JOIN products p ON p.id = product_id GROUP BY 1`
const CATEGORIES = { select: { dimensions: ['Category'], measures: ['Revenue', 'Revenue per Order'] } }

const lineOf = (text: string): number => MODEL.slice(0, MODEL.indexOf(text)).split('\n').length

const MODEL_FAULTS: readonly ModelFault[] = [
  {
    spoil: ['\nmeasures:', '\nMeasures:'],
    code: 'UNKNOWN_PROPERTY',
    path: 'Measures',
    line: lineOf('measures:'),
    says: /'Measures'.*write 'measures'/,
  },
  {
    spoil: ['\ndimensions:', '\ndimension:'],
    code: 'UNKNOWN_PROPERTY',
    path: 'dimension',
    line: lineOf('dimensions:'),
    says: /write 'dimensions'/,
  },
  {
    spoil: ['dataObjects:', 'data_objects:'],
    code: 'UNKNOWN_PROPERTY',
    path: 'data_objects',
    line: 2,
    says: /write 'dataObjects'/,
  },
  {
    spoil: ['joinType:', 'join_type:'],
    code: 'UNKNOWN_PROPERTY',
    path: 'dataObjects.Sales.joins[0].join_type',
    line: 11,
    says: /write 'joinType'/,
  },
  {
    spoil: ['primaryKey: true }\n      Day', 'primary_key: true }\n      Day'],
    code: 'UNKNOWN_PROPERTY',
    path: 'dataObjects.Sales.columns.Id.primary_key',
    line: 6,
    says: /write 'primaryKey'/,
  },
  {
    spoil: ['{ aggregation: sum', '{ agg: sum'],
    code: 'UNKNOWN_PROPERTY',
    path: 'measures.Revenue.agg',
    line: lineOf('Revenue: {'),
    says: /write 'aggregation'/,
  },
  {
    spoil: ['aggregation: sum', 'aggregation: mean'],
    code: 'SCHEMA_VALIDATION',
    path: 'measures.Revenue.aggregation',
    line: lineOf('Revenue: {'),
    says: /'mean' is not an aggregation; write 'avg'/,
    fix: 'aggregation: avg',
    means: perCategory('avg(amount)'),
  },
  {
    spoil: ['aggregation: sum', 'aggregation: smu'],
    code: 'SCHEMA_VALIDATION',
    path: 'measures.Revenue.aggregation',
    line: lineOf('Revenue: {'),
    says: /did you mean 'sum'/,
  },
  {
    spoil: ['abstractType: date', 'abstractType: dat'],
    code: 'SCHEMA_VALIDATION',
    path: 'dataObjects.Sales.columns.Day.abstractType',
    line: 7,
    says: /'dat' is not one of .*did you mean 'date'/,
  },
  {
    spoil: ['abstractType: date', 'abstractType: string'],
    code: 'TIME_GRAIN_ON_NON_TEMPORAL',
    path: 'dimensions.Date.timeGrain',
    line: lineOf('Date: {'),
    says: /'Date' is string; a timeGrain needs a date/,
  },
  {
    spoil: ['many-to-one', 'many_to_one'],
    code: 'SCHEMA_VALIDATION',
    path: 'dataObjects.Sales.joins[0].joinType',
    line: 11,
    says: /did you mean 'many-to-one'/,
  },
  {
    spoil: ['joinTo: Products', 'joinTo: Product'],
    code: 'UNKNOWN_JOIN_TARGET',
    path: 'dataObjects.Sales.joins[0].joinTo',
    line: 11,
    says: /did you mean 'Products'/,
  },
  {
    spoil: ['columnsFrom: [Product Id]', 'columnsFrom: [ProductId]'],
    code: 'UNKNOWN_JOIN_COLUMN',
    path: 'dataObjects.Sales.joins[0].columnsFrom[0]',
    line: 11,
    says: /did you mean 'Product Id'/,
  },
  {
    spoil: ['columnsTo: [Id]', 'columnsTo: [Id, Ean]'],
    code: 'JOIN_COLUMN_COUNT_MISMATCH',
    path: 'dataObjects.Sales.joins[0]',
    line: 11,
    says: /they pair up one by one/,
  },
  {
    spoil: ['code: sales', 'code: select * from sales'],
    code: 'SCHEMA_VALIDATION',
    path: 'dataObjects.Sales.code',
    line: 4,
    says: /in parentheses/,
    fix: "code: '(select * from sales)'",
  },
  {
    spoil: ['dataObject: Sales, column: Day', 'dataObject: Sale, column: Day'],
    code: 'UNKNOWN_DATA_OBJECT',
    path: 'dimensions.Date.dataObject',
    line: lineOf('Date: {'),
    says: /did you mean 'Sales'/,
  },
  {
    spoil: ['column: Amount', 'column: Amonut'],
    code: 'UNKNOWN_COLUMN',
    path: 'measures.Revenue.columns[0].column',
    line: lineOf('Revenue: {'),
    says: /did you mean 'Amount'/,
  },
  {
    spoil: ['timeGrain: day', 'timeGrain: daly'],
    code: 'SCHEMA_VALIDATION',
    path: 'dimensions.Date.timeGrain',
    line: lineOf('Date: {'),
    says: /did you mean 'day'/,
  },
  {
    spoil: ["'{[Revenue]} / {[Order Count]}'", "'Revenue / {[Order Count]}'"],
    code: 'INVALID_EXPRESSION',
    path: 'metrics.Revenue per Order.expression',
    line: lineOf('Revenue per Order:'),
    says: /'Revenue' has no braces; write \{\[Revenue\]\}/,
  },
  {
    spoil: ["'{[Revenue]} / {[Order Count]}'", "'{[Revenue]} / Order Count'"],
    code: 'INVALID_EXPRESSION',
    path: 'metrics.Revenue per Order.expression',
    line: lineOf('Revenue per Order:'),
    says: /write \{\[Order Count\]\}/,
  },
  {
    spoil: ["'{[Revenue]} / {[Order Count]}'", '{[Revenue]} / {[Order Count]}'],
    code: 'YAML_PARSE_ERROR',
    path: '',
    line: lineOf('Revenue per Order:'),
    says: /must be quoted/,
  },
  {
    // indent with spaces
    spoil: ['  Revenue: {', '\tRevenue: {'],
    code: 'YAML_PARSE_ERROR',
    path: '',
    line: lineOf('Revenue: {'),
    says: /tab characters/,
  },
  {
    spoil: ['{[Revenue]} / {[Order Count]}', '{[Revenue]} / {[Order Cuont]}'],
    code: 'UNKNOWN_MEASURE_REF',
    path: 'metrics.Revenue per Order.expression',
    line: lineOf('Revenue per Order:'),
    says: /did you mean 'Order Count'/,
  },
  {
    spoil: ['{[Revenue]} / {[Order Count]}', '{[Revenue]} / {[Category]}'],
    code: 'UNKNOWN_MEASURE_REF',
    path: 'metrics.Revenue per Order.expression',
    line: lineOf('Revenue per Order:'),
    says: /'Category' is a dimension; a metric is made of measures/,
  },
  {
    spoil: ['measure: Revenue, periodOverPeriod', 'measure: Revenu, periodOverPeriod'],
    code: 'UNKNOWN_MEASURE_REF',
    path: 'metrics.Revenue Before.measure',
    line: lineOf('Revenue Before:'),
    says: /did you mean 'Revenue'/,
  },
  {
    spoil: ['timeDimension: Date', 'timeDimension: Category'],
    code: 'TIME_GRAIN_ON_NON_TEMPORAL',
    path: 'metrics.Revenue Before.periodOverPeriod.timeDimension',
    line: lineOf('Revenue Before:'),
    says: /a time dimension is a date or a timestamp/,
  },
]

const findingsOf = (text: string): readonly Finding[] => {
  const { errors, warnings } = parseModelSync({ text })
  return [...errors, ...warnings]
}

t.same(findingsOf(MODEL), [], 'the model is sound')

for (const { spoil, code, path, line, says, fix = spoil[0], means = perCategory('sum(amount)') } of MODEL_FAULTS) {
  t.test(`in a model: ${spoil[1].trim()}`, async (t) => {
    t.ok(MODEL.includes(spoil[0]))
    const findings = findingsOf(MODEL.replace(...spoil))
    t.equal(findings.length, 1, 'one wrong value is one finding')
    t.match(findings[0], { code, path, line, message: says })
    t.ok(findings[0]!.column! > 0)
    const followed = MODEL.replace(spoil[0], fix)
    t.same(findingsOf(followed), [], 'what it says to do works')
    await meant(t, SALES_DATA, compileFor(CATEGORIES, loadText(followed)).sql, means)
  })
}

t.test('a join of a number column with a text column causes a warning', async (t) => {
  const findings = findingsOf(MODEL.replace('columnsTo: [Id]', 'columnsTo: [Ean]'))
  t.match(findings, [{ code: 'JOIN_COLUMN_TYPE_MISMATCH', severity: 'warning', line: 11, message: /int .* string/ }])
  // The type that both columns have in the database.
  const typed = MODEL.replace(
    'Product Id: { code: product_id, abstractType: int }',
    'Product Id: { code: product_id, abstractType: string }',
  ).replace('Ean: { code: ean, abstractType: string }', 'Ean: { code: ean, abstractType: string, primaryKey: true }')
  const followed = typed
    .replace('columnsTo: [Id]', 'columnsTo: [Ean]')
    .replace(
      'Id: { code: id, abstractType: int, primaryKey: true }\n      Category',
      'Id: { code: id, abstractType: int }\n      Category',
    )
  t.same(findingsOf(followed), [], 'columns of one type are not')
  const data =
    SALES_DATA.replace(/CREATE TABLE sales AS/, 'CREATE TABLE numbered AS') +
    "CREATE TABLE sales AS SELECT * REPLACE ('e' || product_id AS product_id) FROM numbered;"
  const byEan =
    'SELECT category, sum(amount), sum(amount) / count(*) FROM sales s LEFT JOIN products p ON p.ean = product_id GROUP BY 1'
  await meant(t, data, compileFor(CATEGORIES, loadText(followed)).sql, byEan)
})

t.test('several errors are all reported', async (t) => {
  const text = MODEL.replace('column: Amount', 'column: Amonut')
    .replace('joinTo: Products', 'joinTo: Product')
    .replace('code: products', 'cod: products')
  t.same(
    findingsOf(text)
      .map(({ code }) => code)
      .toSorted(),
    ['SCHEMA_VALIDATION', 'UNKNOWN_COLUMN', 'UNKNOWN_JOIN_TARGET', 'UNKNOWN_PROPERTY'],
  )
})

const { model } = parseModelSync({ text: MODEL })

interface QueryFault {
  readonly query: string
  readonly code: string
  readonly path: string
  readonly says: RegExp
  readonly fix: string
}

const QUERY_FAULTS: readonly QueryFault[] = [
  {
    query: '{ select: { metrics: [Revenue per Order] } }',
    code: 'INVALID_QUERY',
    path: 'select.metrics',
    says: /metrics are selected in 'measures'/,
    fix: '{ select: { measures: [Revenue per Order] } }',
  },
  {
    query: '{ measures: [Revenue] }',
    code: 'INVALID_QUERY',
    path: 'measures',
    says: /write it inside 'select'/,
    fix: '{ select: { measures: [Revenue] } }',
  },
  {
    query: '{ select: { measures: [Revenue] }, filters: [] }',
    code: 'INVALID_QUERY',
    path: 'filters',
    says: /write 'where'/,
    fix: '{ select: { measures: [Revenue] }, where: [] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, sort: [{ field: Revenue }] }',
    code: 'INVALID_QUERY',
    path: 'sort',
    says: /write 'order_by'/,
    fix: '{ select: { measures: [Revenue] }, order_by: [{ field: Revenue }] }',
  },
  {
    query: '{ select: { dimensions: [Date:mnth], measures: [Revenue] } }',
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0]',
    says: /'mnth' is not a grain.*did you mean 'Date:month'/,
    fix: '{ select: { dimensions: [Date:month], measures: [Revenue] } }',
  },
  {
    query: '{ select: { dimensions: [Category:month] } }',
    code: 'TIME_GRAIN_ON_NON_TEMPORAL',
    path: 'select.dimensions[0]',
    says: /'Category' is not a date/,
    fix: '{ select: { dimensions: [Category] } }',
  },
  {
    query: '{ select: { dimensions: [Products.Category] } }',
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0]',
    says: /is a column.*use the dimension 'Category'/,
    fix: '{ select: { dimensions: [Category] } }',
  },
  {
    query: '{ select: { dimensions: [Products.Ean] } }',
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0]',
    says: /is a column.*select\.fields/,
    fix: '{ select: { fields: [Products.Ean] } }',
  },
  {
    query: '{ select: { measures: [Sales.Amount] } }',
    code: 'UNKNOWN_MEASURE',
    path: 'select.measures[0]',
    says: /use the measure 'Revenue'/,
    fix: '{ select: { measures: [Revenue] } }',
  },
  {
    query: '{ select: { measures: [Revenu] } }',
    code: 'UNKNOWN_MEASURE',
    path: 'select.measures[0]',
    says: /did you mean 'Revenue'/,
    fix: '{ select: { measures: [Revenue] } }',
  },
  {
    query: '{ select: { measures: [Category] } }',
    code: 'UNKNOWN_MEASURE',
    path: 'select.measures[0]',
    says: /move it to select\.dimensions/,
    fix: '{ select: { dimensions: [Category] } }',
  },
  {
    query: '{ select: { dimensions: [Revenue] } }',
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0]',
    says: /move it to select\.measures/,
    fix: '{ select: { measures: [Revenue] } }',
  },
  {
    query: '{ select: { measures: [Revenue] }, where: [{ field: Category, op: "=", value: [a, b] }] }',
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /use 'in'/,
    fix: '{ select: { measures: [Revenue] }, where: [{ field: Category, op: in, value: [a, b] }] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, where: [{ field: Category, op: "!=", value: [a, b] }] }',
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /use 'not_in'/,
    fix: '{ select: { measures: [Revenue] }, where: [{ field: Category, op: not_in, value: [a, b] }] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, where: [{ field: "Date:month", op: eq, value: 2026-01-01 }] }',
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'where[0].field',
    says: /write 'Date' without ':month'/,
    fix: '{ select: { measures: [Revenue] }, where: [{ field: Date, op: eq, value: 2026-01-01 }] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, where: [{ field: Revenue, op: gt, value: 1 }] }',
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'where[0].field',
    says: /belongs in having/,
    fix: '{ select: { measures: [Revenue] }, having: [{ field: Revenue, op: gt, value: 1 }] }',
  },
  {
    query: '{ select: { dimensions: [Category], measures: [Revenue] }, having: [{ field: Date, op: eq, value: 2026-01-01 }] }',
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'having[0].field',
    says: /belongs in where/,
    fix: '{ select: { dimensions: [Category], measures: [Revenue] }, where: [{ field: Date, op: eq, value: 2026-01-01 }] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, where: [{ field: Category, operator: eq, value: a }] }',
    code: 'INVALID_QUERY',
    path: 'where[0].operator',
    says: /write 'op'/,
    fix: '{ select: { measures: [Revenue] }, where: [{ field: Category, op: eq, value: a }] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, where: [{ field: Category, op: equal, value: a }] }',
    code: 'INVALID_FILTER_OPERATOR',
    path: 'where[0].op',
    says: /did you mean 'equals'/,
    fix: '{ select: { measures: [Revenue] }, where: [{ field: Category, op: equals, value: a }] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, order_by: [{ field: Revenu }] }',
    code: 'UNKNOWN_ORDER_BY_FIELD',
    path: 'order_by[0].field',
    says: /did you mean 'Revenue'/,
    fix: '{ select: { measures: [Revenue] }, order_by: [{ field: Revenue }] }',
  },
  {
    query: '{ select: { dimensions: [Category], measures: [Revenue] }, order_by: [{ field: Date }] }',
    code: 'ORDER_NOT_DETERMINED',
    path: 'order_by[0].field',
    says: /'Date' is not selected, and the selected dimensions do not determine it/,
    fix: '{ select: { dimensions: [Category, Date], measures: [Revenue] }, order_by: [{ field: Date }] }',
  },
  {
    query: '{ select: { measures: [Revenue] }, order_by: [{ field: 2 }] }',
    code: 'INVALID_ORDER_BY_POSITION',
    path: 'order_by[0].field',
    says: /position 2 is outside the 1 selected/,
    fix: '{ select: { measures: [Revenue] }, order_by: [{ field: 1 }] }',
  },
  {
    query: '{ select: { measures: [Revenue Before] } }',
    code: 'WINDOW_GRAIN_REQUIRED',
    path: 'select.measures[0]',
    says: /Date/,
    fix: '{ select: { dimensions: [Date], measures: [Revenue Before] } }',
  },
  {
    query: '{ select: { fields: [Sales.Amonut] } }',
    code: 'RAW_FIELD_UNKNOWN_COLUMN',
    path: 'select.fields[0]',
    says: /did you mean 'Sales.Amount'/,
    fix: '{ select: { fields: [Sales.Amount] } }',
  },
]

function refusal(query: unknown): GrainlineError | undefined {
  try {
    compileFor(query, model!)
    return undefined
  } catch (error) {
    if (error instanceof GrainlineError) return error
    throw error
  }
}

for (const { query, code, path, says, fix } of QUERY_FAULTS) {
  t.test(`in a query: ${query}`, async (t) => {
    t.match(refusal(parse(query)), { code, message: says })
    const findings = refusal(parse(query))?.details.findings ?? []
    t.ok(refusal(parse(query))?.path === path || findings.some((finding) => finding.path === path), `at ${path}`)
    t.equal(refusal(parse(fix))?.message, undefined, 'what it says to do works')
    await meant(t, SALES_DATA, compileFor(parse(fix), model!).sql, SALES_NUMBERS[fix])
  })
}

t.test('every wrong name of a query is reported, not only the first', async (t) => {
  const query = {
    select: { dimensions: ['Dat', 'Category'], measures: ['Revenu', 'Order Count', 'Sales.Amount'] },
    where: [{ field: 'Catgory', op: 'eq', value: 'a' }],
    having: [{ field: 'Order Cuont', op: 'gt', value: 1 }],
  }
  const error = refusal(query)
  t.match(error, { code: 'UNKNOWN_DIMENSION', message: /'Dat' .*\(and 4 more\)/ })
  t.same(
    error?.details.findings?.map(({ path }) => path),
    ['select.dimensions[0]', 'select.measures[0]', 'select.measures[2]', 'where[0].field', 'having[0].field'],
  )
})

const SHOP = readFileSync(new URL('../compile/shop.yaml', import.meta.url), 'utf8')
const poor = defineDialect(standard, { name: 'poor', functions: { sqrt: null }, aggregates: { median: null } })

function changed(text: string, [was, is]: readonly [string, string]): string {
  if (!text.includes(was)) throw new Error(`the model has no ${was}`)
  return text.replace(was, () => is)
}

for (const [code, { query, path, says, fix, model: spoil, ...more }] of Object.entries(REFUSED)) {
  t.test(`${code}: the cause and the place are named, and the advice works`, async (t) => {
    const text = spoil ? changed(SHOP, spoil) : SHOP
    const of = (asked: object, from: string): readonly Partial<Finding>[] => {
      try {
        return compileFor(asked, loadText(from), more.poor && poor).warnings
      } catch (error) {
        if (error instanceof GrainlineError) return [error]
        throw error
      }
    }
    const found = of(query, text).find((finding) => finding.code === code)
    t.match(found?.message, says)
    if (path !== undefined) t.equal(found?.path, path)
    const after = Array.isArray(fix) ? of(query, changed(text, fix as unknown as [string, string])) : of(fix, text)
    t.same(
      after.filter((finding) => finding.code === code || finding instanceof GrainlineError),
      [],
    )
    const [asked, from] = Array.isArray(fix) ? [query, changed(text, fix as unknown as [string, string])] : [fix, text]
    await meant(t, SHOP_DATA, compileFor(asked, loadText(from)).sql, SHOP_NUMBERS[code as ErrorCode])
  })
}

t.test(
  'every code of docs/reference/errors.md has a test that applies its advice, with a number or the reason why there is none',
  async (t) => {
    const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
    const codes = [...page.matchAll(/^\| `([A-Z_0-9]+)` \|/gm)].map(([, code]) => code!)
    t.same(codes.toSorted(), Object.keys(errorCatalog).toSorted(), 'the page lists them all')
    const here = [...MODEL_FAULTS, ...QUERY_FAULTS].map((fault) => fault.code)
    const swept = new Set([...here, ...Object.keys(REFUSED), ...Object.keys(MODEL_ADVICE)])
    for (const { file, title, codes, none } of APPLIED) {
      if (none !== undefined) t.match(none, /\w+( \S+){4,}/, `${codes[0]}: a reason`)
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      t.ok(text.includes(title.replaceAll("'", "\\'")) || text.includes(title), `${file} has the test '${title}'`)
      for (const code of codes) {
        t.notOk(swept.has(code), `${code} is swept once`)
        t.match(text, new RegExp(`\\b${code}\\b`), `${file} provokes ${code}`)
        swept.add(code)
      }
    }
    t.same(
      codes.filter((code) => !swept.has(code)),
      [],
      'a code whose advice nothing applies',
    )
  },
)

t.test('every code has a meaning and advice, in sentences', async (t) => {
  for (const [code, { meaning, fix }] of Object.entries(errorCatalog)) {
    for (const sentence of [meaning, fix]) t.match(sentence, /^\S.{5,}[.)]$/s, code)
  }
})
