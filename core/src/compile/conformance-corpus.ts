/** What the dialect conformance suite compiles: one call per function, one measure per aggregate, and queries of every form. */

/** A call of each function over the columns of `Samples`. */
export const FUNCTION_CALLS: Readonly<Record<string, string>> = {
  substring: 'substring({Text}, 2, 3)',
  concat: "concat({Text}, '-', {Other})",
  upper: 'upper({Text})',
  lower: 'lower({Text})',
  trim: 'trim({Text})',
  ltrim: 'ltrim({Text})',
  rtrim: 'rtrim({Text})',
  length: 'length({Text})',
  replace: "replace({Text}, 'a', 'b')",
  position: "position('a', {Text})",
  split_part: "split_part({Text}, '-', 2)",
  lpad: "lpad({Text}, 5, '0')",
  rpad: "rpad({Text}, 5, '0')",
  starts_with: "starts_with({Text}, 'a')",
  ends_with: "ends_with({Text}, 'a')",
  abs: 'abs({Amount})',
  sign: 'sign({Amount})',
  floor: 'floor({Amount})',
  ceil: 'ceil({Amount})',
  sqrt: 'sqrt({Ratio})',
  ln: 'ln({Ratio})',
  exp: 'exp({Ratio})',
  power: 'power({Ratio}, 2)',
  round: 'round({Amount}, 1)',
  trunc: 'trunc({Amount}, 1)',
  mod: 'mod({Whole}, 3)',
  div: 'div({Whole}, 3)',
  log: 'log(10, {Ratio})',
  coalesce: 'coalesce({Text}, {Other})',
  nullif: "nullif({Text}, '')",
  greatest: 'greatest({Whole}, 1)',
  least: 'least({Whole}, 1)',
  date_trunc: "date_trunc('week', {Day})",
  date_add: "date_add('month', -1, {Day})",
  date_diff: "date_diff('day', {Day}, {At})",
  extract: "extract('week', {Day})",
  last_day: 'last_day({Day})',
  current_date: 'current_date()',
  json_value: "json_value({Doc}, '$.a')",
  to_char_iso: 'to_char_iso({At})',
  parse_date: 'parse_date({Text})',
  parse_timestamp: 'parse_timestamp({Text})',
  regexp_matches: "regexp_matches({Text}, '^a')",
  regexp_extract: "regexp_extract({Text}, 'a(b)', 1)",
}

const column = (name: string) => ({ dataObject: 'Samples', column: name })
const of = (aggregation: string, ...columns: readonly string[]) => ({ aggregation, columns: columns.map(column) })

/** A measure of each aggregate, named after it. */
export const AGGREGATE_MEASURES: Readonly<Record<string, object>> = {
  sum: of('sum', 'Amount'),
  count: of('count', 'Text'),
  count_if: { aggregation: 'count_if', expression: '{[Samples].[Amount]} > 1' },
  count_distinct: of('count_distinct', 'Text', 'Whole'),
  approx_count_distinct: of('approx_count_distinct', 'Text'),
  avg: of('avg', 'Amount'),
  min: of('min', 'Text'),
  max: of('max', 'Day'),
  any_value: of('any_value', 'Text'),
  mode: of('mode', 'Text'),
  median: of('median', 'Amount'),
  percentile: { ...of('percentile', 'Amount'), percentile: 0.9 },
  listagg: { ...of('listagg', 'Text'), delimiter: "';", withinGroup: { column: column('Day'), order: 'desc' } },
  first: { ...of('first', 'Text'), orderBy: [{ column: column('Day') }] },
  last: { ...of('last', 'Amount'), orderBy: [{ column: column('At'), order: 'desc' }] },
  stddev_samp: of('stddev_samp', 'Amount'),
  stddev_pop: of('stddev_pop', 'Amount'),
  var_samp: of('var_samp', 'Amount'),
  var_pop: of('var_pop', 'Amount'),
  corr: of('corr', 'Amount', 'Ratio'),
  covar_pop: of('covar_pop', 'Amount', 'Ratio'),
  covar_samp: of('covar_samp', 'Amount', 'Ratio'),
  regr_slope: of('regr_slope', 'Amount', 'Ratio'),
  regr_intercept: of('regr_intercept', 'Amount', 'Ratio'),
  bool_and: of('bool_and', 'Flag'),
  bool_or: of('bool_or', 'Flag'),
}

const calls = Object.fromEntries(Object.entries(FUNCTION_CALLS).map(([name, expression]) => [name, { expression }]))

/** Two facts, a dimension table and a bridge; every type and every function is a column of `Samples`. */
export const sampleDocument = (dimensions: object) => ({
  calendars: { retail: { pattern: '4-4-5', yearEnd: { weekday: 'saturday', month: 1, rule: 'nearest' } } },
  dataObjects: {
    Samples: {
      code: 'samples',
      database: 'lake',
      schema: 'raw data',
      countLabel: 'Rows',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        'Parent Id': { code: 'parent', abstractType: 'int' },
        Text: { code: 'text', abstractType: 'string' },
        Other: { code: 'order', abstractType: 'string' },
        Whole: { code: 'whole', abstractType: 'int' },
        Amount: { code: 'amount', abstractType: 'float', sqlType: 'decimal(10,2)' },
        Ratio: { code: 'ratio', abstractType: 'float' },
        Flag: { code: 'flag', abstractType: 'boolean' },
        Day: { code: 'day', abstractType: 'date' },
        At: { code: 'at', abstractType: 'timestamp' },
        Instant: { code: 'instant', abstractType: 'timestamp_tz' },
        Doc: { code: 'doc', abstractType: 'json' },
        ...calls,
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'Parents', columnsFrom: ['Parent Id'], columnsTo: ['Id'] }],
    },
    Parents: {
      code: 'parents',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Name: { code: 'name', abstractType: 'string' } },
    },
    Events: {
      code: '(SELECT id, parent, day FROM events)',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        'Parent Id': { code: 'parent', abstractType: 'int' },
        Day: { code: 'day', abstractType: 'date' },
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'Parents', columnsFrom: ['Parent Id'], columnsTo: ['Id'] }],
    },
  },
  dimensions: {
    Text: { dataObject: 'Samples', column: 'Text' },
    Parent: { dataObject: 'Parents', column: 'Name' },
    Day: { dataObject: 'Samples', column: 'Day' },
    At: { dataObject: 'Samples', column: 'At' },
    Instant: { dataObject: 'Samples', column: 'Instant' },
    'Event Date': { dataObject: 'Events', column: 'Day' },
    'Event Day': { dataObject: 'Events', column: 'Day', timeGrain: 'month' },
    ...dimensions,
  },
  measures: AGGREGATE_MEASURES,
  metrics: {
    Share: { expression: '{[sum]} / {[Events Count]}', dataType: 'decimal(10, 2)' },
    'Rows a Retail Month Before': {
      type: 'period_over_period',
      measure: 'Rows',
      periodOverPeriod: { timeDimension: 'Day', offsetGrain: 'retail_month' },
    },
  },
})

/** The deepest nesting of dates: the day that is as far in a month of whole weeks. */
export const CALENDAR_QUESTION = { select: { dimensions: ['Day:day'], measures: ['Rows', 'Rows a Retail Month Before'] } }

/** One query of every form. */
export const QUESTIONS: Readonly<Record<string, unknown>> = {
  'a measure by a dimension': { select: { dimensions: ['Parent'], measures: ['sum'] } },
  'two facts': {
    select: { dimensions: ['Parent'], measures: ['sum', 'Events Count', 'Share'] },
    having: [{ field: 'Share', op: '>', value: 1 }],
  },
  'a measure through a bridge': { select: { dimensions: ['Text'], measures: ['Parents Count'] } },
  'dates by every grain': {
    select: {
      dimensions: ['Day:year', 'Day:quarter', 'Day:month', 'Day:week', 'At:day', 'At:hour', 'Instant:minute'],
      measures: ['Rows'],
    },
  },
  'a sorted page': {
    select: { dimensions: ['Text'], measures: ['sum'] },
    order_by: [
      { field: 'sum', direction: 'desc' },
      { field: 'Text', nulls: 'first' },
    ],
    limit: 10,
    offset: 5,
  },
  'conditions of every kind': {
    select: { measures: ['Rows'] },
    where: [
      { field: 'Text', op: 'contains', value: "5%_\\'" },
      { field: 'Text', op: 'inlist', value: ['a', null] },
      { field: 'Text', op: 'notlike', value: 'a_%' },
      { field: 'Text', op: 'notblank' },
      { field: 'Text', op: 'gt', value: 'm' },
      { field: 'At', op: 'between', value: ['2024-02-29', '2024-03-01'] },
      { field: 'Day', op: 'relative', value: { unit: 'month', count: 3 } },
      {
        logic: 'or',
        negated: true,
        filters: [
          { field: 'Samples.Flag', op: '=', value: true },
          { field: 'Samples.Ratio', op: '<', value: -0.5 },
        ],
      },
    ],
  },
  'a regular expression': { select: { measures: ['Rows'] }, where: [{ field: 'Text', op: 'regex', value: '^a' }] },
  'those with none': {
    select: { dimensions: ['Parent'] },
    where: [
      {
        field: 'Parent',
        op: 'nonexists',
        subquery: { dataObject: 'Events', filter: [{ field: 'Day', op: '>=', value: '2024-01-01' }] },
      },
    ],
  },
  'dimensions alone': { select: { dimensions: ['Parent', 'Text'] }, order_by: [{ field: 'Text' }] },
  'combinations that never occurred': { select: { dimensions: ['Parent', 'Text'] }, dimensions_exclude: true },
  'one column of two facts': {
    select: { dimensions: [{ coalesce: ['Day', 'Event Date'], as: 'When' }], measures: ['sum', 'Events Count'] },
  },
  'raw rows': {
    select: { fields: ['Samples.Text', 'Parents.Name'], distinct: true },
    order_by: [{ field: 'Samples.Text' }],
    limit: 3,
  },
}
