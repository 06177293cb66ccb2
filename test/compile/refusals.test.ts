import t from 'tap'
import type { ErrorCode } from '../../core/src/errors.js'
import { defineDialect } from '../../core/src/sql/dialect.js'
import { standard } from '../../core/src/sql/standard.js'
import { compileFor, readModel, refusalOf } from '../support/compile.js'

const model = readModel(new URL('shop.yaml', import.meta.url).pathname)

interface Refusal {
  readonly is: string
  readonly query: Readonly<Record<string, unknown>>
  readonly code: ErrorCode
  readonly path: string
  /** What the message must contain. */
  readonly says?: RegExp
  readonly suggestions?: readonly string[]
  readonly hint?: RegExp
}

const revenue = { measures: ['Revenue'] }
const where = (...filters: unknown[]) => ({ select: revenue, where: filters })
const leaf = (field: string, op: string, value?: unknown) => ({ field, op, ...(value !== undefined && { value }) })
const having = (...filters: unknown[]) => ({ select: { dimensions: ['Status'], measures: ['Revenue'] }, having: filters })
const ordered = (field: unknown) => ({ select: { dimensions: ['Status'], measures: ['Revenue'] }, order_by: [{ field }] })
const dimensions = (...names: unknown[]) => ({ select: { dimensions: names, measures: ['Revenue'] } })
const measures = (...names: string[]) => ({ select: { measures: names } })
const pinned = (source: string, target: string, path_name: string) => ({
  select: { dimensions: ['City'], measures: ['Revenue'] },
  use_path_names: [{ source, target, path_name }],
})
const exists = (subquery: unknown, field = 'Orders') => ({
  select: { measures: ['Revenue'] },
  where: [{ field, op: 'exists', subquery }],
})

const refusals: readonly Refusal[] = [
  // names
  {
    is: 'an undeclared dimension',
    query: dimensions('Contry'),
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0]',
    suggestions: ['Country'],
    says: /did you mean 'Country'/,
  },
  {
    is: 'the second dimension, where the first is fine',
    query: dimensions('Status', 'Sttus'),
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[1]',
    suggestions: ['Status'],
  },
  {
    is: 'a measure among the dimensions',
    query: dimensions('Revenue'),
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0]',
    says: /select\.measures/,
    suggestions: [],
  },
  {
    is: 'an unknown member of a coalesce',
    query: dimensions({ coalesce: ['Status', 'Mediun'], as: 'Kind' }),
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0].coalesce[1]',
    suggestions: ['Medium'],
  },
  {
    is: 'an expression that calls what the engine alone knows',
    query: dimensions({ expression: 'soundex({[Status]})', as: 'Sound' }),
    code: 'NON_PORTABLE_FUNCTION',
    path: 'select.dimensions[0].expression',
  },
  {
    is: 'a dimension that calls what plans alone use',
    query: dimensions({ expression: "in_zone({[Status]}, 'Asia/Tokyo')", as: 'Wall' }),
    code: 'NON_PORTABLE_FUNCTION',
    path: 'select.dimensions[0].expression',
    says: /'in_zone' is not in the portable catalogue/,
  },
  {
    is: 'a filter that calls a function that only plans use, which is never suggested either',
    query: where({ expression: "exact_txt({[Status]}) = 'a'" }),
    code: 'NON_PORTABLE_FUNCTION',
    path: 'where[0].expression',
    says: /'exact_txt' is not in the portable catalogue(?!.*exact_text)/,
  },
  {
    is: 'a condition over the answer that calls what plans alone use',
    query: having({ expression: "from_zone({[Status]}, 'UTC') IS NULL" }),
    code: 'NON_PORTABLE_FUNCTION',
    path: 'having[0].expression',
  },
  {
    is: 'an undeclared measure',
    query: measures('Revenu'),
    code: 'UNKNOWN_MEASURE',
    path: 'select.measures[0]',
    suggestions: ['Revenue'],
  },
  {
    is: 'a dimension among the measures',
    query: measures('Revenue', 'Status'),
    code: 'UNKNOWN_MEASURE',
    path: 'select.measures[1]',
    says: /select\.dimensions/,
  },
  {
    is: 'a filter on nothing known',
    query: where(leaf('Statsu', 'eq', 'a')),
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'where[0].field',
    suggestions: ['Status'],
  },
  {
    is: 'a filter deep in a group',
    query: where({ logic: 'or', filters: [leaf('Status', 'eq', 'a'), { logic: 'and', filters: [leaf('Citty', 'eq', 'b')] }] }),
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'where[0].filters[1].filters[0].field',
    suggestions: ['City'],
  },
  {
    is: 'a measure in where',
    query: where(leaf('Revenue', 'gt', 1)),
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'where[0].field',
    hint: /having/,
  },
  {
    is: 'a metric in where',
    query: where(leaf('Per Order', 'gt', 1)),
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'where[0].field',
    hint: /having/,
  },
  {
    is: 'a dimension in having',
    query: having(leaf('Country', 'eq', 'a')),
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'having[0].field',
    hint: /where/,
  },
  {
    is: 'nothing known in having',
    query: having(leaf('Revenu', 'gt', 1)),
    code: 'UNKNOWN_FILTER_FIELD',
    path: 'having[0].field',
    suggestions: ['Revenue'],
  },
  {
    is: 'an order by a field that is not there',
    query: ordered('Sttus'),
    code: 'UNKNOWN_ORDER_BY_FIELD',
    path: 'order_by[0].field',
    suggestions: ['Status'],
  },
  {
    is: 'an order by a dimension that the selected ones do not determine',
    query: ordered('Country'),
    code: 'ORDER_NOT_DETERMINED',
    path: 'order_by[0].field',
  },
  {
    is: 'a position behind the last column',
    query: ordered(3),
    code: 'INVALID_ORDER_BY_POSITION',
    path: 'order_by[0].field',
    says: /2 selected columns/,
  },
  { is: 'a position before the first column', query: ordered(0), code: 'INVALID_ORDER_BY_POSITION', path: 'order_by[0].field' },
  // joins
  {
    is: 'a diamond without a way',
    query: { select: { dimensions: ['Region'], measures: ['Shipments Count'] } },
    code: 'AMBIGUOUS_JOIN',
    path: 'select.dimensions[0]',
    says: /'Depots' or 'Carriers'/,
    suggestions: ['Depots', 'Carriers'],
  },
  {
    is: 'a filter over a diamond',
    query: { select: { measures: ['Shipments Count'] }, where: [leaf('Region', 'eq', 'x')] },
    code: 'AMBIGUOUS_JOIN',
    path: 'where[0]',
    suggestions: ['Depots', 'Carriers'],
  },
  {
    is: 'two equally short ways of exists',
    query: {
      select: { measures: ['Shipments Count'] },
      where: [{ field: 'Shipments', op: 'exists', subquery: { data_object: 'Regions' } }],
    },
    code: 'AMBIGUOUS_JOIN',
    path: 'where[0]',
    says: /subquery\.path_name/,
  },
  {
    is: 'a dimension on an island',
    query: dimensions('Minutes'),
    code: 'NO_JOIN_PATH',
    path: 'select.dimensions[0]',
    says: /'Revenue'.*'Orders'.*'Minutes' on 'Calls'/,
  },
  {
    is: 'dimensions that nothing holds together',
    query: { select: { dimensions: ['Status', 'Minutes'] } },
    code: 'NO_JOIN_PATH',
    path: 'select.dimensions',
    says: /'Status' and 'Minutes'/,
  },
  {
    is: 'raw fields that nothing holds together',
    query: { select: { fields: ['Orders.ID', 'Calls.ID'] } },
    code: 'NO_JOIN_PATH',
    path: 'select.fields',
  },
  {
    is: 'an exists that no join connects',
    query: exists({ data_object: 'Calls' }),
    code: 'NO_JOIN_PATH',
    path: 'where[0]',
    says: /'Orders' and 'Calls'/,
  },
  {
    is: 'an inner filter out of reach',
    query: exists({ data_object: 'Items', filter: [leaf('Medium', 'eq', 'x')] }),
    code: 'NO_JOIN_PATH',
    path: 'where[0]',
    says: /'Items' does not reach 'Visits'/,
  },
  {
    is: 'an inner filter out of reach, though it would be compared with nothing',
    query: exists({ data_object: 'Items', filter: [leaf('Medium', 'inlist', [])] }),
    code: 'NO_JOIN_PATH',
    path: 'where[0]',
    says: /'Items' does not reach 'Visits'/,
  },
  {
    is: 'a row without a key that may be in several groups',
    query: { select: { dimensions: ['Status'], measures: ['Stock'] } },
    code: 'KEY_REQUIRED',
    path: 'select.measures[0]',
    says: /primaryKey/,
  },
  {
    is: 'raw rows without a key behind a bridge',
    query: { select: { fields: ['Products.SKU'] }, where: [leaf('Status', 'eq', 'a')] },
    code: 'KEY_REQUIRED',
    path: 'where',
  },
  {
    is: 'a sum without an input',
    query: measures('Anything'),
    code: 'ANCHOR_REQUIRED',
    path: 'select.measures[0]',
    says: /whose rows it counts/,
  },
  {
    is: 'a product over objects that never meet',
    query: measures('Revenue', 'Apart'),
    code: 'ANCHOR_REQUIRED',
    path: 'select.measures[1]',
  },
  {
    is: 'a path name that is none',
    query: pinned('Orders', 'Addresses', 'shiping'),
    code: 'UNKNOWN_PATH_NAME',
    path: 'use_path_names[0]',
    suggestions: ['shipping'],
  },
  {
    is: 'a path name where joins have none',
    query: pinned('Orders', 'Customers', 'x'),
    code: 'UNKNOWN_PATH_NAME',
    path: 'use_path_names[0]',
    says: /no path names/,
  },
  {
    is: 'a path name of exists that is none',
    query: exists({ data_object: 'Items', path_name: 'x' }),
    code: 'UNKNOWN_PATH_NAME',
    path: 'where[0].subquery.pathName',
  },
  {
    is: 'a pin from nowhere',
    query: pinned('Oders', 'Addresses', 'shipping'),
    code: 'UNKNOWN_DATA_OBJECT',
    path: 'use_path_names[0]',
    suggestions: ['Orders'],
  },
  {
    is: 'a pin to nowhere',
    query: pinned('Orders', 'Adresses', 'shipping'),
    code: 'UNKNOWN_DATA_OBJECT',
    path: 'use_path_names[0]',
    suggestions: ['Addresses'],
  },
  {
    is: 'an exists in nowhere',
    query: exists({ data_object: 'Itens' }),
    code: 'UNKNOWN_DATA_OBJECT',
    path: 'where[0].subquery.dataObject',
    suggestions: ['Items'],
  },
  // kinds of a later version
  {
    is: 'a conversion of events without a time',
    query: measures('Conversion'),
    code: 'INVALID_METRIC',
    path: 'select.measures[0]',
    says: /'Visits' happen, which has no time dimension/,
  },
  {
    is: 'the same that only having reads',
    query: having(leaf('Conversion', 'gt', 1)),
    code: 'INVALID_METRIC',
    path: 'having[0].field',
  },
  {
    is: 'gaps to be filled without a time',
    query: { select: { dimensions: ['Status'], measures: ['Revenue'] }, fill_gaps: true },
    code: 'TIME_DIMENSION_NOT_SELECTED',
    path: 'fill_gaps',
  },
  // grain and time
  {
    is: 'a grain that is not selected',
    query: { select: { dimensions: ['Country'], measures: ['Revenue By Status'] } },
    code: 'GRAIN_NOT_SUBSET',
    path: 'select.measures[0]',
  },
  {
    is: 'a prior period without its time, and without a range of it',
    query: { select: { dimensions: ['Status'], measures: ['Growth'] } },
    code: 'TIME_RANGE_REQUIRED',
    path: 'select.measures[0]',
    says: /'Month'/,
  },
  {
    is: 'a filter that mixes time with other things',
    query: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [{ logic: 'or', filters: [leaf('Day', 'gt', '2024-01-01'), leaf('Status', 'eq', 'a')] }],
    },
    code: 'TIME_FILTER_NOT_SEPARABLE',
    path: 'where[0]',
  },
  {
    is: 'months of a text',
    query: dimensions('Status:month'),
    code: 'TIME_GRAIN_ON_NON_TEMPORAL',
    path: 'select.dimensions[0]',
    says: /'Status'/,
  },
  {
    is: 'months of a time of day',
    query: dimensions('Clock:hour'),
    code: 'TIME_GRAIN_ON_NON_TEMPORAL',
    path: 'select.dimensions[0]',
  },
  // filters
  {
    is: 'a filter out of reach, where filters are strict',
    query: {
      select: { measures: ['Revenue', 'Pages'] },
      where: [leaf('Minutes', 'gt', 1), leaf('Medium', 'eq', 'x')],
      strict_filters: true,
    },
    code: 'FILTER_NOT_APPLICABLE',
    path: 'where[0]',
    says: /'Minutes'/,
  },
  {
    is: 'a filter that reaches nothing selected',
    query: where(leaf('Status', 'eq', 'a'), leaf('Minutes', 'gt', 1)),
    code: 'FILTER_APPLIES_TO_NOTHING',
    path: 'where[1]',
    says: /'Minutes'/,
  },
  {
    is: 'hours of a date',
    query: where(leaf('Day', 'relative', { unit: 'hour', count: 3 })),
    code: 'INVALID_RELATIVE_FILTER',
    path: 'where[0].value',
    says: /'Day'/,
  },
  {
    is: 'a relative filter without a unit',
    query: where(leaf('Day', 'relative', { count: 3 })),
    code: 'INVALID_RELATIVE_FILTER',
    path: 'where[0].value',
  },
  {
    is: 'a relative filter of minus one day',
    query: where(leaf('Day', 'relative', { unit: 'day', count: -1 })),
    code: 'INVALID_RELATIVE_FILTER',
    path: 'where[0].value.count',
  },
  {
    is: 'a relative filter that is a number',
    query: where(leaf('Day', 'relative', 3)),
    code: 'INVALID_RELATIVE_FILTER',
    path: 'where[0].value',
  },
  {
    is: 'a relative filter on a text',
    query: where(leaf('Status', 'relative', { unit: 'day', count: 1 })),
    code: 'INVALID_FILTER_OPERATOR',
    path: 'where[0].value',
  },
  {
    is: 'a part of a number',
    query: where(leaf('Order Amount', 'contains', '1')),
    code: 'INVALID_FILTER_OPERATOR',
    path: 'where[0].value',
    says: /'Order Amount'/,
  },
  {
    is: 'a pattern of a date',
    query: where(leaf('Day', 'like', '2024%')),
    code: 'INVALID_FILTER_OPERATOR',
    path: 'where[0].value',
  },
  {
    is: 'an order of truth',
    query: where(leaf('Gift', 'gt', true)),
    code: 'INVALID_FILTER_OPERATOR',
    path: 'where[0].value',
    says: /boolean/,
  },
  {
    is: 'an unknown operator',
    query: where(leaf('Status', 'equls', 'a')),
    code: 'INVALID_FILTER_OPERATOR',
    path: 'where[0].op',
    suggestions: ['equals'],
  },
  {
    is: 'an exists inside of an exists',
    query: exists({ data_object: 'Items', filter: [{ field: 'SKU', op: 'exists', subquery: { data_object: 'Products' } }] }),
    code: 'INVALID_FILTER_OPERATOR',
    path: 'where[0].subquery.filter[0].op',
  },
  {
    is: 'a word for a number',
    query: where(leaf('Order Amount', 'gt', 'much')),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /'much' does not fit 'Order Amount' \(decimal\(12,2\)\)/,
  },
  {
    is: 'a number for a text',
    query: where(leaf('Status', 'eq', 1)),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /give a text/,
  },
  {
    is: 'a text for a truth',
    query: where(leaf('Gift', 'eq', 'yes')),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /true or false/,
  },
  {
    is: 'a day that no calendar has',
    query: where(leaf('Day', 'eq', '2023-02-29')),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /ISO 8601/,
  },
  {
    is: 'a moment for a date',
    query: where(leaf('Day', 'lt', '2023-02-28T10:00:00')),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /without a time of day/,
  },
  {
    is: 'a number for a moment',
    query: where(leaf('Paid', 'lt', 20230228)),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
  },
  {
    is: 'a word for a time of day',
    query: where(leaf('Clock', 'lt', 'noon')),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /HH:MM/,
  },
  {
    is: 'an order against nothing',
    query: where(leaf('Order Amount', 'gt', null)),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
  },
  {
    is: 'a range of one value',
    query: where(leaf('Order Amount', 'between', [1])),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
  },
  {
    is: 'one value of a list that does not fit',
    query: where(leaf('Order Amount', 'in', [1, 'much'])),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
  },
  {
    is: 'a text that no SQL can say',
    query: where(leaf('Status', 'eq', 'a\u0000b')),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /U\+0000/,
  },
  {
    is: 'a pattern that no SQL can say',
    query: where(leaf('Status', 'contains', '\u0000')),
    code: 'INVALID_FILTER_VALUE',
    path: 'where[0].value',
    says: /U\+0000/,
  },
  // the shape of the query
  { is: 'nothing selected', query: { select: {} }, code: 'INVALID_QUERY', path: 'select' },
  {
    is: 'a dimension selected twice',
    query: dimensions('Status', 'status'),
    code: 'INVALID_QUERY',
    path: 'select.dimensions[1]',
    says: /'Status' is selected twice/,
  },
  {
    is: 'a measure selected twice',
    query: measures('Revenue', 'Revenue'),
    code: 'INVALID_QUERY',
    path: 'select.measures[1]',
    says: /'Revenue' is selected twice/,
  },
  {
    is: 'a raw field selected twice',
    query: { select: { fields: ['Orders.ID', 'Orders.ID'] } },
    code: 'INVALID_QUERY',
    path: 'select.fields[1]',
  },
  {
    is: 'a time zone of no map',
    query: { select: revenue, timezone: 'Europe/Atlantis' },
    code: 'INVALID_QUERY',
    path: 'timezone',
    says: /Europe\/Atlantis/,
  },
  {
    is: 'what never occurs, with a measure',
    query: { select: { dimensions: ['Status', 'Country'], measures: ['Revenue'] }, dimensions_exclude: true },
    code: 'DIMENSIONS_EXCLUDE_WITH_MEASURES',
    path: 'select.measures',
  },
  {
    is: 'what never occurs, of one dimension',
    query: { select: { dimensions: ['Status'] }, dimensions_exclude: true },
    code: 'DIMENSIONS_EXCLUDE_INSUFFICIENT',
    path: 'select.dimensions',
  },
  {
    is: 'a coalesce without a name',
    query: dimensions({ coalesce: ['Status', 'Medium'] }),
    code: 'COALESCE_MISSING_ALIAS',
    path: 'select.dimensions[0]',
  },
  {
    is: 'a coalesce of one',
    query: dimensions({ coalesce: ['Status'], as: 'Kind' }),
    code: 'COALESCE_TOO_FEW_MEMBERS',
    path: 'select.dimensions[0].coalesce',
  },
  {
    is: 'a coalesce named like a measure',
    query: dimensions({ coalesce: ['Status', 'Medium'], as: 'Pages' }),
    code: 'COALESCE_ALIAS_COLLISION',
    path: 'select.dimensions[0].as',
    says: /'Pages'/,
  },
  {
    is: 'a coalesce of texts and dates',
    query: dimensions({ coalesce: ['Status', 'Day'], as: 'Kind' }),
    code: 'COALESCE_TYPE_MISMATCH',
    path: 'select.dimensions[0].coalesce',
    says: /'Status' and 'Day'/,
  },
  {
    is: 'a coalesce of days and months',
    query: dimensions({ coalesce: ['Day', 'Month'], as: 'When' }),
    code: 'COALESCE_TYPE_MISMATCH',
    path: 'select.dimensions[0].coalesce',
  },
  {
    is: 'a raw field that is no column',
    query: { select: { fields: ['Orders.ID', 'Orders.Staus'] } },
    code: 'RAW_FIELD_UNKNOWN_COLUMN',
    path: 'select.fields[1]',
    suggestions: ['Orders.Status'],
  },
  {
    is: 'raw fields beside a measure',
    query: { select: { fields: ['Orders.ID'], measures: ['Revenue'] } },
    code: 'MIXED_RAW_AND_AGGREGATE_MODE',
    path: 'select.fields',
  },
  {
    is: 'raw fields with having',
    query: { select: { fields: ['Orders.ID'] }, having: [leaf('Revenue', 'gt', 1)] },
    code: 'MIXED_RAW_AND_AGGREGATE_MODE',
    path: 'select.fields',
  },
]

for (const { is, query, code, path, says, suggestions, hint } of refusals) {
  t.test(`${code} refuses ${is}`, async (t) => {
    const error = refusalOf(query, model)
    t.same([error.code, error.path], [code, path], error.message)
    if (says) t.match(error.message, says)
    if (suggestions) t.same(error.details.suggestions?.slice(0, 1), suggestions.slice(0, 1))
    if (hint) t.match(error.details.hint, hint)
  })
}

const poor = defineDialect(standard, { name: 'poor', functions: { sqrt: null }, aggregates: { median: null } })

t.test('an operation that a dialect lacks is refused at the field of the query that needs it', async (t) => {
  const placed = (query: unknown) => {
    const { code, path, message } = refusalOf(query, model, poor)
    return [code, path, message]
  }
  t.same(placed({ select: { dimensions: ['Status'], measures: ['Revenue', 'Typical'] } }), [
    'UNSUPPORTED_AGGREGATION',
    'select.measures[1]',
    "the aggregation 'median' cannot be expressed on poor",
  ])
  t.same(placed(measures('Rooted')), [
    'UNSUPPORTED_FUNCTION',
    'select.measures[0]',
    "the function 'sqrt' cannot be expressed on poor",
  ])
  t.same(placed(measures('Revenue', 'Rooted Twice')).slice(0, 2), ['UNSUPPORTED_FUNCTION', 'select.measures[1]'])
  t.ok(compileFor(measures('Typical', 'Rooted', 'Rooted Twice'), model).sql, 'another dialect can')
})

const warningsOf = (query: unknown) => compileFor(query, model).warnings.map(({ code, path, severity }) => [code, path, severity])

t.test('a filter that does not reach a measure causes a warning that names both', async (t) => {
  const asked = { select: { measures: ['Revenue', 'Calls Count'] }, where: [leaf('Status', 'eq', 'a')] }
  t.same(warningsOf(asked), [['FILTER_NOT_APPLICABLE', 'where[0]', 'warning']])
  t.match(compileFor(asked, model).warnings[0]?.message, /'Status' cannot be reached from 'Calls Count'/)
})

t.test('groups that can contain a row twice cause a warning', async (t) => {
  const asked = { select: { dimensions: ['SKU'], measures: ['Revenue'] } }
  t.same(
    warningsOf(asked).map(([code]) => code),
    ['OVERLAPPING_GROUPS'],
  )
  t.match(compileFor(asked, model).warnings[0]?.context, { dataObject: 'Orders', dimension: 'SKU' })
  t.same(warningsOf({ select: { dimensions: ['SKU'], measures: ['Quantity'] } }), [], 'its own rows are in one group each')
})

t.test(
  'a timestamp without a zone is unchanged and causes a warning if a time zone is requested and its own zone is unknown',
  async (t) => {
    const timezone = 'Europe/Berlin'
    const bucketed = { select: { dimensions: ['Written:day'], measures: ['Revenue'] } }
    t.same(warningsOf({ ...bucketed, timezone }), [['NAIVE_TIMESTAMP', 'select.dimensions[0]', 'warning']])
    t.same(warningsOf({ ...where(leaf('Written', 'gt', '2024-01-01')), timezone }), [
      ['NAIVE_TIMESTAMP', 'where[0].field', 'warning'],
    ])
    t.same(warningsOf(bucketed), [], 'no time zone was asked for')
    t.same(warningsOf({ ...where(leaf('Written', 'is_null')), timezone }), [], 'no time is compared')
    t.same(
      warningsOf({ ...where(leaf('Day', 'gt', '2024-01-01'), leaf('Paid', 'gt', '2024-01-01')), timezone }),
      [],
      'dates never move, instants always do',
    )
    t.equal(compileFor({ ...bucketed, timezone }, model).sql, compileFor(bucketed, model).sql)
  },
)

t.test(
  'of several refusals, the one is told that is found first: names, conditions, subtotals, measures, order, and joins last',
  async (t) => {
    // Each question has the faults of those after it.
    const joins = { select: { dimensions: ['Minutes'], measures: ['Revenue'] } }
    const order = { ...joins, order_by: [{ field: 'Country' }] }
    const times = {
      ...order,
      select: { ...joins.select, measures: ['Running', 'Growth'] },
      where: [leaf('Day', 'gte', '2024-01-01')],
    }
    const subtotals = { ...times, grouping: { sets: [['Minutes'], ['Status']] } }
    const conditions = { ...subtotals, where: [leaf('Day', 'gte', 'soon')] }
    const names = { ...conditions, select: { ...times.select, dimensions: ['Minuts'] } }
    const told = [names, conditions, subtotals, times, order, joins].map((query) => refusalOf(query, model).code)
    t.same(told, [
      'UNKNOWN_DIMENSION',
      'INVALID_FILTER_VALUE',
      'UNKNOWN_DIMENSION',
      'TIME_RANGE_REQUIRED',
      'ORDER_NOT_DETERMINED',
      'NO_JOIN_PATH',
    ])
  },
)
