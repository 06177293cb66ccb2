/** The document as written. The TypeBox schema in this file is the single statement of its shape. */
import { type Static, Type } from 'typebox'
import { CALENDAR_UNITS, GRAIN_PATTERN, TIME_GRAINS } from './grain.js'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))
const choice = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })
const maybe = <const T extends readonly string[]>(values: T, description: string) => Type.Optional(choice(values, description))
const scalarValue = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  description: 'A value; dates are ISO text.',
})
const refer = <T>(definition: string) => Type.Unsafe<T>({ $ref: `#/$defs/${definition}` })

const described = {
  description: text('What this is, in the words of its readers.'),
  synonyms: names('Other names that people use for it.'),
  owner: text('Who answers questions about it.'),
}
const vendorNotes = {
  customExtensions: Type.Optional(
    Type.Array(Type.Object({ vendor: Type.String(), data: Type.Unknown() }), {
      description: 'Notes of other tools; kept, never read.',
    }),
  ),
}

/** Looked up in the analysis: a calendar of the model may bring grains of its own. */
const grain = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: GRAIN_PATTERN,
      description: `${description} One of ${TIME_GRAINS.join(', ')}, or <calendar>_${CALENDAR_UNITS.join(', _')}.`,
    }),
  )
const ABSTRACT_TYPES = [
  'string',
  'int',
  'float',
  'date',
  'time',
  'time_tz',
  'timestamp',
  'timestamp_tz',
  'boolean',
  'json',
] as const

const columnPair = Type.Object(
  {
    dataObject: Type.String({ description: 'The data object.' }),
    column: Type.String({ description: 'A column of it.' }),
    ...vendorNotes,
  },
  { description: 'A column of a data object.' },
)
const looseColumnPair = Type.Object(
  { dataObject: text('The data object.'), column: text('A column of it.'), ...vendorNotes },
  { description: 'A column of a data object.' },
)

const columnSchema = Type.Object(
  {
    code: text('The physical column. Exactly one of code and expression.'),
    expression: text('A formula over {Column} and {[Object].[Column]}.'),
    abstractType: maybe(ABSTRACT_TYPES, 'The type of its values, the same on every engine.'),
    sqlType: text('The type in the database, such as decimal(18,2) or varchar(20).'),
    sqlPrecision: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: 'Digits of a decimal.' })),
    sqlScale: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535, description: 'Digits after the point of a decimal.' })),
    numClass: maybe(['categorical', 'additive', 'non-additive'], 'What a number may be used for.'),
    primaryKey: flag('Part of the key that tells rows apart.'),
    comment: text('The comment in the database.'),
    ...described,
    ...vendorNotes,
  },
  { description: 'A column, physical or computed.' },
)

const joinSchema = Type.Object(
  {
    joinType: choice(['many-to-one', 'one-to-one', 'many-to-many'], 'How many rows meet how many.'),
    joinTo: Type.String({ description: 'The data object it leads to.' }),
    columnsFrom: Type.Array(Type.String(), { minItems: 1, description: 'Columns here.' }),
    columnsTo: Type.Array(Type.String(), { minItems: 1, description: 'Columns there, in the same order.' }),
    secondary: flag('Walked only when pinned by its pathName.'),
    pathName: text('The name by which a query pins it.'),
    required: flag('Rows without a match are dropped.'),
    description: described.description,
    ...vendorNotes,
  },
  { description: 'A join, declared on its many side.' },
)

const refreshSchema = Type.Object(
  {
    mode: choice(['interval', 'heartbeat', 'static'], 'How freshness is known.'),
    interval: text('How often it is loaded, such as 15m, 1h, 1d.'),
    anchor: text('HH:MM of the first load of a day.'),
    timezone: text('The time zone of anchor.'),
    maxStaleness: text('How old an answer may be at most, such as 2h.'),
  },
  { description: 'How fresh the data are.' },
)

const dataObjectSchema = Type.Object(
  {
    code: Type.String({ minLength: 1, description: 'A table, or a SELECT in parentheses.' }),
    database: text('The database of the table.'),
    schema: text('The schema of the table.'),
    columns: Type.Optional(Type.Record(Type.String(), columnSchema, { description: 'Columns by name.' })),
    joins: Type.Optional(Type.Array(joinSchema, { description: 'Joins that start here.' })),
    comment: text('The comment in the database.'),
    countable: flag('Offers a measure that counts its rows (true).'),
    countLabel: text('The name of that measure.'),
    refresh: Type.Optional(refreshSchema),
    nestedIn: Type.Optional(columnPair),
    ...described,
    ...vendorNotes,
  },
  { description: 'A table, view or query with its columns and joins.' },
)

const binsSchema = Type.Object(
  {
    size: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'The width of each bin.' })),
    edges: Type.Optional(Type.Array(Type.Number(), { minItems: 1, description: 'Where one bin ends and the next begins.' })),
    labels: names('The names of the bins.'),
  },
  { description: 'Groups of numeric values.' },
)

const dimensionSchema = Type.Object(
  {
    dataObject: text('The data object it stands on.'),
    column: text('The column it shows.'),
    expression: text('A formula over {[Object].[Column]}, in place of column.'),
    resultType: text('The type of its values.'),
    timeGrain: grain('The bucket of its values.'),
    via: text('The data object that the join path must pass.'),
    format: text('How values are shown.'),
    hierarchy: names('Coarser dimensions, in order.'),
    hidden: flag('Usable, but not offered.'),
    bins: Type.Optional(binsSchema),
    ...described,
    ...vendorNotes,
  },
  { description: 'What a result is grouped by.' },
)

export interface TypedValue {
  readonly dataType?: string
  readonly valueString?: string | null
  readonly valueInt?: number | string | null
  readonly valueFloat?: number | string | null
  readonly valueBoolean?: boolean | null
  readonly valueDate?: string | null
}
export type PlainValue = string | number | boolean | null
export interface MeasureFilterDocument {
  readonly column?: { readonly dataObject?: string; readonly column?: string }
  readonly operator?: string
  readonly values?: readonly (TypedValue | PlainValue)[]
  readonly field?: string
  readonly op?: string
  readonly value?: PlainValue | readonly PlainValue[]
  readonly logic?: 'and' | 'or'
  readonly filters?: readonly MeasureFilterDocument[]
  readonly negated?: boolean
}

const valueSchema = Type.Object(
  {
    dataType: text('The type of the value.'),
    valueString: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    valueInt: Type.Optional(Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'] })),
    valueFloat: Type.Optional(Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] })),
    valueBoolean: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
    valueDate: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  },
  { description: 'A value with its type.' },
)
const anyValue = Type.Unsafe<TypedValue | PlainValue>({ anyOf: [scalarValue, valueSchema] })

const measureFilterSchema = Type.Object(
  {
    column: Type.Optional(looseColumnPair),
    operator: text('The comparison.'),
    values: Type.Optional(Type.Array(anyValue, { description: 'What is compared with.' })),
    field: text("Short form of column: 'Object.Column'."),
    op: text('Short form of operator.'),
    value: Type.Optional(
      Type.Unsafe<PlainValue | readonly PlainValue[]>({ anyOf: [scalarValue, { type: 'array', items: scalarValue }] }),
    ),
    logic: maybe(['and', 'or'], 'How the filters of a group combine (and).'),
    filters: Type.Optional(Type.Array(refer<MeasureFilterDocument>('MeasureFilter'), { description: 'The members of a group.' })),
    negated: flag('The opposite of the group.'),
  },
  { description: 'A condition on the rows of one measure, or a group of such.' },
)

const grainSchema = Type.Object(
  {
    mode: maybe(['FIXED', 'RELATIVE', 'fixed', 'relative'], 'FIXED starts from nothing, RELATIVE from the query.'),
    include: names('Dimensions that are added.'),
    exclude: names('Dimensions that are taken away.'),
    keepOnly: names('Dimensions that are kept.'),
  },
  { description: 'The grain at which the measure is computed.' },
)

const orderEntry = Type.Object(
  { column: looseColumnPair, order: maybe(['asc', 'desc', 'ASC', 'DESC'], 'asc or desc.') },
  { description: 'An order of rows.' },
)
const withinGroupSchema = Type.Object(
  { column: looseColumnPair, order: maybe(['asc', 'desc', 'ASC', 'DESC'], 'asc or desc.') },
  { description: 'The order of the values of a listagg.' },
)

export const AGGREGATION_NAMES = [
  'sum',
  'count',
  'count_distinct',
  'avg',
  'min',
  'max',
  'any_value',
  'median',
  'mode',
  'listagg',
  'stddev',
  'stddev_samp',
  'stddev_pop',
  'variance',
  'var_samp',
  'var_pop',
  'corr',
  'covar_pop',
  'covar_samp',
  'regr_slope',
  'regr_intercept',
  'percentile',
  'approx_count_distinct',
  'first',
  'last',
  'count_if',
  'bool_and',
  'bool_or',
] as const

const measureSchema = Type.Object(
  {
    aggregation: Type.String({ description: `${AGGREGATION_NAMES.join(', ')}, or one that a plugin adds.` }),
    columns: Type.Optional(Type.Array(looseColumnPair, { description: 'The inputs. Exactly one of columns and expression.' })),
    expression: text('A formula over {[Object].[Column]}.'),
    distinct: flag('Only different values count.'),
    resultType: text('The type of the result.'),
    dataType: text(
      'The type of the displayed column: decimal(p, s), bigint, integer, double, date, timestamp, time, string, boolean.',
    ),
    filters: Type.Optional(
      Type.Array(refer<MeasureFilterDocument>('MeasureFilter'), { description: 'Conditions on the rows of this measure alone.' }),
    ),
    filter: Type.Optional(refer<MeasureFilterDocument>('MeasureFilter')),
    total: flag('The grand total, on every row.'),
    grain: Type.Optional(grainSchema),
    filterContext: Type.Optional(grainSchema),
    anchor: text('The data object at whose rows the measure is evaluated.'),
    allowFanOut: flag('Count a row once per joined row.'),
    defaultValue: Type.Optional(
      Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], description: 'In place of NULL.' }),
    ),
    delimiter: text('Between the values of a listagg.'),
    withinGroup: Type.Optional(withinGroupSchema),
    orderBy: Type.Optional(Type.Array(orderEntry, { description: 'The order of rows for first and last.' })),
    percentile: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'The fraction, such as 0.95.' })),
    semiAdditive: Type.Optional(
      Type.Object(
        {
          timeDimension: Type.String({ description: 'The time dimension over which values do not add up.' }),
          take: choice(['last', 'first', 'avg', 'min', 'max'], 'Which value stands for a span of time.'),
          per: names('The entities whose values are summed.'),
        },
        { description: 'A balance: not summed over time.' },
      ),
    ),
    format: text('How values are shown.'),
    ...described,
    ...vendorNotes,
  },
  { description: 'An aggregate over the rows of one fact.' },
)

export const METRIC_TYPES = ['derived', 'cumulative', 'period_over_period', 'window', 'aggregate', 'conversion'] as const

const metricSchema = Type.Object(
  {
    type: maybe(METRIC_TYPES, 'The kind of metric (derived).'),
    expression: text('A formula over {[Measure or metric]}.'),
    measure: text('The measure or metric it is made of.'),
    timeDimension: text('The time dimension it runs along.'),
    cumulativeType: maybe(['sum', 'avg', 'min', 'max', 'count'], 'How the values of the window are folded.'),
    window: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        description: 'How many periods (cumulative), or how long (conversion: 7d).',
      }),
    ),
    grainToDate: grain('Start again with each of these.'),
    partitionBy: names('Dimensions within which it runs.'),
    periodOverPeriod: Type.Optional(
      Type.Object(
        {
          timeDimension: Type.String({ description: 'The time dimension.' }),
          grain: grain("The grain when the query's dimension has none."),
          offset: Type.Optional(Type.Integer({ description: 'How many periods away; negative looks back (-1).' })),
          offsetGrain: grain('The unit of offset.'),
          comparison: maybe(['previousValue', 'difference', 'ratio', 'percentChange'], 'What is shown.'),
        },
        { description: 'The comparison with another period.' },
      ),
    ),
    windowFunction: maybe(
      ['rank', 'dense_rank', 'row_number', 'ntile', 'lag', 'lead', 'first_value', 'last_value'],
      'The function over the rows of the answer.',
    ),
    offset: Type.Optional(Type.Number({ description: 'Rows to look back or ahead, for lag and lead (1).' })),
    buckets: Type.Optional(Type.Number({ description: 'How many buckets, for ntile.' })),
    orderDirection: maybe(['asc', 'desc'], 'The order of the rows.'),
    defaultValue: Type.Optional(
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        description: 'In place of an absent row.',
      }),
    ),
    aggregation: text('How the values per group are folded (aggregate).'),
    per: names('The groups whose values are folded (aggregate).'),
    base: text('The measure of base events (conversion).'),
    conversion: text('The measure of conversion events (conversion).'),
    entity: text('The dimension that says who converts (conversion).'),
    conversionTimeDimension: text('The time of conversion events, where it is not timeDimension (conversion).'),
    calculation: maybe(['rate', 'count'], 'What is shown (conversion).'),
    dataType: text('The type of the displayed column.'),
    format: text('How values are shown.'),
    ...described,
    ...vendorNotes,
  },
  { description: 'A formula or comparison over measures and metrics.' },
)

const staticFilterSchema = Type.Object(
  {
    dataObject: Type.String({ description: 'The data object it restricts.' }),
    column: Type.String({ description: 'The column it tests.' }),
    operator: Type.String({ description: 'The comparison.' }),
    value: Type.Optional(
      Type.Unsafe<PlainValue | readonly PlainValue[]>({ anyOf: [scalarValue, { type: 'array', items: scalarValue }] }),
    ),
    values: Type.Optional(Type.Array(anyValue, { description: 'What is compared with.' })),
    description: described.description,
  },
  { description: 'A condition on every query; it cannot be removed.' },
)

const exampleSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'The name of the example.' }),
    description: described.description,
    intent_tags: names('What it is an example of.'),
    intentTags: names('What it is an example of.'),
    query: Type.Unknown({ description: 'A query, as it is sent to the service.' }),
  },
  { description: 'A question that the model answers.' },
)

const segmentSchema = Type.Object(
  {
    filters: Type.Array(Type.Unknown(), { minItems: 1, description: 'Conditions as in the where of a query; all must hold.' }),
    ...described,
  },
  { description: 'A named filter.' },
)
const CALENDAR_PATTERNS = ['4-4-5', '4-5-4', '5-4-4'] as const
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const calendarSchema = Type.Object(
  {
    description: described.description,
    yearStart: text('MM-DD of the first day of a year; months begin on that day of every calendar month.'),
    pattern: maybe(CALENDAR_PATTERNS, 'The weeks of the months of a quarter. With yearEnd, in place of yearStart.'),
    yearEnd: Type.Optional(
      Type.Object(
        {
          weekday: choice(WEEKDAYS, 'The last day of a year, and of every week.'),
          month: Type.Integer({
            minimum: 1,
            maximum: 12,
            description: 'The calendar month at whose end a year ends; January is 1.',
          }),
          rule: choice(['last', 'nearest'], 'On the last such weekday of the month, or on the one nearest to its last day.'),
        },
        { description: 'Where the year of a calendar of whole weeks ends.' },
      ),
    ),
  },
  { description: 'A calendar with grains of its own: <name>_year, _quarter, _month, and _week where it has a pattern.' },
)
const expectSchema = Type.Object(
  {
    columns: names('The columns of the answer, in order.'),
    rows: Type.Optional(
      Type.Array(
        Type.Unsafe<readonly PlainValue[] | Readonly<Record<string, PlainValue>>>({
          anyOf: [
            { type: 'array', items: scalarValue },
            { type: 'object', patternProperties: { '^.*$': scalarValue } },
          ],
        }),
        { description: 'All rows: values in the order of the columns, or by column, where only the columns named are compared.' },
      ),
    ),
    row_count: Type.Optional(Type.Integer({ minimum: 0, description: 'How many rows.' })),
    bounds: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'A column of the answer.' }),
          min: Type.Optional(Type.Unsafe<number | string>({ type: ['number', 'string'], description: 'The least value.' })),
          max: Type.Optional(Type.Unsafe<number | string>({ type: ['number', 'string'], description: 'The greatest value.' })),
        }),
        { description: 'Between what the numbers of a column lie, on every row.' },
      ),
    ),
    error: text('The code of the error that refuses the query.'),
  },
  { description: 'What the answer must be; without, that there is one.' },
)
const testSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'The name of the test.' }),
    description: described.description,
    query: Type.Unknown({ description: 'A query, as it is sent to the service.' }),
    expect: Type.Optional(expectSchema),
  },
  { description: 'A query with its expected result, run by the CLI.' },
)

const settingsSchema = Type.Object(
  {
    defaultDialect: text('The dialect when a query names none.'),
    defaultNumericDataType: text('The type of sums and numeric metrics, such as decimal(18, 2).'),
    defaultTimezone: text('The time zone in which timestamps without zone are written.'),
    overrideDatabaseTimezone: flag('Ignore the time zone of the database.'),
    queryTimezone: text('The time zone in which instants are bucketed and shown.'),
    weekStart: maybe(['monday', 'sunday'], 'The first day of a week (monday).'),
    defaultLocale: text('The locale of formatted values.'),
    expressionMode: maybe(['permissive', 'portable'], 'Whether functions outside the catalogue are passed through (permissive).'),
    strictFilters: flag('A filter that does not reach a measure is an error.'),
  },
  { description: 'Settings of the model.' },
)

export const modelSchema = Type.Object(
  {
    version: Type.Optional(
      Type.Unsafe<number | string>({ type: ['number', 'string'], description: 'The version of the format, 1.0.' }),
    ),
    name: text('The name of the model.'),
    description: described.description,
    owner: described.owner,
    synonyms: described.synonyms,
    settings: Type.Optional(settingsSchema),
    dataObjects: Type.Optional(Type.Record(Type.String(), dataObjectSchema, { description: 'Data objects by name.' })),
    dimensions: Type.Optional(Type.Record(Type.String(), dimensionSchema, { description: 'Dimensions by name.' })),
    measures: Type.Optional(Type.Record(Type.String(), measureSchema, { description: 'Measures by name.' })),
    metrics: Type.Optional(Type.Record(Type.String(), metricSchema, { description: 'Metrics by name.' })),
    filters: Type.Optional(Type.Array(staticFilterSchema, { description: 'Conditions on every query.' })),
    examples: Type.Optional(Type.Array(exampleSchema, { description: 'Questions that the model answers.' })),
    exposeCounts: flag('Offer a row count for every countable data object (true).'),
    countLabelPattern: text('The name of row counts ({object} Count).'),
    extends: names('Fragments that add dimensions, measures, metrics, filters and examples.'),
    inherits: text('The parent model.'),
    segments: Type.Optional(Type.Record(Type.String(), segmentSchema, { description: 'Named filters.' })),
    calendars: Type.Optional(Type.Record(Type.String(), calendarSchema, { description: 'Calendars with grains of their own.' })),
    tests: Type.Optional(Type.Array(testSchema, { description: 'Queries with expected results.' })),
    connection: text('Which configured vendor runs it.'),
    ...vendorNotes,
  },
  {
    $id: 'grainline-model',
    title: 'Grainline semantic model',
    description: 'A semantic model: data objects and joins, and the dimensions, measures and metrics over them.',
    $defs: { MeasureFilter: measureFilterSchema },
  },
)

export type ModelDocument = Static<typeof modelSchema>
export type DataObjectDocument = Static<typeof dataObjectSchema>
export type ColumnDocument = Static<typeof columnSchema>
export type JoinDocument = Static<typeof joinSchema>
export type RefreshDocument = Static<typeof refreshSchema>
export type CalendarDocument = Static<typeof calendarSchema>
export type DimensionDocument = Static<typeof dimensionSchema>
export type MeasureDocument = Static<typeof measureSchema>
export type MetricDocument = Static<typeof metricSchema>
export type StaticFilterDocument = Static<typeof staticFilterSchema>
export type TestDocument = Static<typeof testSchema>
export type ExpectDocument = Static<typeof expectSchema>
export type SettingsDocument = Static<typeof settingsSchema>
export type ColumnPairDocument = Static<typeof looseColumnPair>
