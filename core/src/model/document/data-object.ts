/** Data objects, their columns and joins, as written. */
import { type Static, Type } from 'typebox'
import type { MeasureFilterDocument } from './measure.js'
import { choice, columnPair, described, flag, grain, maybe, names, refer, text, unit, vendorNotes } from './parts.js'

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

const WINDOW_FUNCTIONS = ['row_number', 'rank', 'dense_rank', 'lag', 'lead', 'first_value', 'last_value', 'sum', 'count'] as const

export type WindowColumnFunction = (typeof WINDOW_FUNCTIONS)[number]

const windowSchema = Type.Object(
  {
    function: choice(WINDOW_FUNCTIONS, 'What is computed. sum and count run from the first row up to each row.'),
    partitionBy: names('Columns of this data object: it starts again for each combination of their values. NULL is a value.'),
    orderBy: names('Columns of this data object that order the rows; NULL is last, and the key orders rows that are equal.'),
    direction: maybe(['asc', 'desc'], 'The direction of orderBy (asc).'),
    column: text('The column that lag, lead, first_value, last_value, sum and count read. Without it, count counts rows.'),
    offset: Type.Optional(Type.Integer({ minimum: 1, description: 'For lag and lead: how many rows away (1).' })),
    filters: Type.Optional(
      Type.Array(refer<MeasureFilterDocument>('MeasureFilter'), {
        description: 'Conditions on the rows that it sees; all must hold. Other rows are NULL.',
      }),
    ),
  },
  { description: 'A window function over the rows of this data object. Conditions of queries do not change it.' },
)

const pinSchema = Type.Object(
  {
    source: Type.String({ description: 'The data object that declares the join.' }),
    target: Type.String({ description: 'The data object it leads to.' }),
    pathName: Type.String({ description: 'The name of the join.' }),
  },
  { description: 'A join by its name.' },
)

/** How coarse the data are, on the time of a fact or on its join to a calendar. */
const granular = {
  granularity: grain(
    'For the time of a fact: the data have one value for each period of this grain, such as month for a budget, whatever day they store.',
  ),
  spread: Type.Optional(
    Type.Unsafe<'even' | { readonly over: string }>({
      anyOf: [
        { type: 'string', enum: ['even'] },
        Type.Object(
          {
            over: Type.String({
              minLength: 1,
              description: 'A boolean column of the calendar: only days with true have a part.',
            }),
          },
          { description: 'Only some days of a period have a part.' },
        ),
      ],
      description:
        'With granularity: sums are divided among the days of a period in equal parts, even: among all, or over those that a column of the calendar names. Without it, questions that are finer than the data are refused.',
    }),
  ),
}

const columnSchema = Type.Object(
  {
    code: text('The physical column. Exactly one of code, expression, measure, exists and window.'),
    expression: text('A formula over {Column} and {[Object].[Column]}.'),
    measure: text(
      'A measure or metric: its value for each row of this object, by its key. Conditions of queries do not change it.',
    ),
    grain: grain('For a measure that is a time: the period whose first day is the value.'),
    usePathNames: Type.Optional(
      Type.Array(pinSchema, {
        description: 'For a measure: the named joins by which it is computed, in place of the primary ones.',
      }),
    ),
    exists: text(
      'A data object: whether at least one of its rows connects with a row of this object. Conditions of queries do not change it.',
    ),
    filters: Type.Optional(
      Type.Array(refer<MeasureFilterDocument>('MeasureFilter'), {
        description: 'For exists: conditions on the rows that are looked for; all must hold.',
      }),
    ),
    pathName: text('For exists: the name of a join that the way to them must use.'),
    window: Type.Optional(windowSchema),
    abstractType: maybe(ABSTRACT_TYPES, 'The type of its values, the same on every engine.'),
    sqlType: text('The type in the database, such as decimal(18,2) or varchar(20).'),
    trueValues: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        minItems: 1,
        description:
          "For a boolean that is stored as a text or a whole number: the values that are true, such as ['Y']. Others are false, NULL is NULL.",
      }),
    ),
    sqlPrecision: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: 'Digits of a decimal.' })),
    sqlScale: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535, description: 'Digits after the point of a decimal.' })),
    numClass: maybe(['categorical', 'additive', 'non-additive'], 'What a number may be used for.'),
    unit: unit('The unit of its numbers.'),
    primaryKey: flag('Part of the key that identifies a row.'),
    ...granular,
    comment: text('The comment in the database.'),
    ...described,
    ...vendorNotes,
  },
  {
    description:
      'A column: physical, computed, a measure of the rows that belong to a row, whether there are any, or a window function.',
  },
)

const duringSchema = Type.Object(
  {
    interval: maybe(
      ['there', 'here'],
      'The side that has the interval: the joined data object (there, the default), or this one.',
    ),
    time: Type.String({ description: 'A column of the other side: the time that must be in the interval.' }),
    from: Type.String({ description: 'The column with the first moment, or the first day, of the interval.' }),
    to: Type.String({ description: 'The column with its end, which does not belong to it. NULL: it has no end.' }),
    includesEnd: flag('For intervals of days: the day of `to` belongs to it.'),
    zone: text('The time zone in which a time is read as its day. Without it: defaultTimezone, else UTC.'),
    holds: maybe(
      ['start', 'end', 'any'],
      'For days and intervals of times: whether the interval must contain the first moment of the day, its last one, or any.',
    ),
  },
  { description: 'Rows match only if a time is in an interval: from ≤ time < to.' },
)

const asOfSchema = Type.Object(
  {
    time: Type.String({ description: 'A column of this data object: the time for which a row is looked up.' }),
    to: Type.String({ description: 'The column of the joined data object with the time of its rows.' }),
    direction: maybe(
      ['backward', 'forward'],
      'The last row at or before the time (backward, the default), or the first at or after it.',
    ),
    within: text('How far away the row may be, such as 7 days. The limit belongs to it. Without it: any time.'),
    zone: text('The time zone in which a time is read as its day. Without it: defaultTimezone, else UTC.'),
  },
  {
    description:
      'Each row matches at most one: the last at or before a time. Of rows of one time, the one with the greatest key.',
  },
)

const joinSchema = Type.Object(
  {
    joinType: choice(['many-to-one', 'one-to-one', 'many-to-many'], 'How many rows meet how many.'),
    joinTo: Type.String({ description: 'The data object it leads to.' }),
    columnsFrom: Type.Array(Type.String(), {
      description: 'Columns of this data object. Only a join with `during` or `asOf` may have none.',
    }),
    columnsTo: Type.Array(Type.String(), { description: 'Columns of the joined data object, in the same order.' }),
    during: Type.Optional(duringSchema),
    asOf: Type.Optional(asOfSchema),
    secondary: flag('Walked only when pinned by its pathName.'),
    pathName: text('The name by which a query pins it.'),
    required: flag('Rows without a match are dropped.'),
    foreignKey: flag('Each row whose columnsFrom are not NULL has a match.'),
    ...granular,
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
  { description: 'How the data are refreshed.' },
)

const calendarBound = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.String(),
        Type.Object({
          relative: Type.String({ description: "'today', 'start of year' or 'end of month', by the service's clock." }),
        }),
      ],
      { description: `${description} A date, or relative to the present.` },
    ),
  )

const labels = (count: number, description: string) =>
  Type.Optional(Type.Array(Type.String(), { minItems: count, maxItems: count, description }))

const calendarTableSchema = Type.Object(
  {
    key: text(
      'For a table: the column with the day, a date, one row a day. Without it the calendar is generated, and needs no table.',
    ),
    periods: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description:
          "For a table: columns that are functions of a period, each with its grain: month, month_of_year for a place in a longer one, or 'own: 1' for a grain of the table itself.",
      }),
    ),
    grain: maybe(['day'], 'For a generated calendar: its rows are days.'),
    from: calendarBound('For a generated calendar: its first day.'),
    to: calendarBound('For a generated calendar: its last day.'),
    labels: Type.Optional(
      Type.Object(
        {
          months: labels(12, 'From January on.'),
          quarters: labels(4, 'From the first on.'),
          weekdays: labels(7, 'From Monday on.'),
        },
        { description: 'For a generated calendar: its texts, if they are not English.' },
      ),
    ),
  },
  { description: 'Its rows are days, and columns name their periods.' },
)

const closureSchema = Type.Object(
  {
    dataObject: Type.String({ description: 'The data object whose rows name their parents.' }),
    key: Type.String({ description: 'The column that identifies its rows.' }),
    parent: Type.String({ description: 'The column with the key of the row above. NULL: there is none.' }),
    maxDepth: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 400,
        description: 'The greatest depth that may occur (64). A deeper tree is an error, and never cut.',
      }),
    ),
  },
  { description: 'Its rows are the pairs of a row and one above it, for a table in which rows name their parents.' },
)

export const dataObjectSchema = Type.Object(
  {
    code: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'A table, or a SELECT in parentheses. Needed unless the object is nested in another, a generated calendar or a closure.',
      }),
    ),
    database: text('The database of the table.'),
    schema: text('The schema of the table.'),
    columns: Type.Optional(Type.Record(Type.String(), columnSchema, { description: 'Columns by name.' })),
    uniqueKeys: Type.Optional(
      Type.Array(Type.Array(Type.String(), { minItems: 1 }), {
        description: 'Further keys beside primaryKey: lists of columns whose values, where none is NULL, are on one row each.',
      }),
    ),
    joins: Type.Optional(Type.Array(joinSchema, { description: 'Joins that start here.' })),
    comment: text('The comment in the database.'),
    countable: flag('Offers a measure that counts its rows (true).'),
    countLabel: text('The name of that measure.'),
    refresh: Type.Optional(refreshSchema),
    nestedIn: Type.Optional(columnPair),
    bridge: flag(
      'An association of other objects, without facts of its own: facts that reach one side are grouped by the other.',
    ),
    weight: text('For a bridge: the column with the fraction of a fact that each row of the bridge represents.'),
    calendar: Type.Optional(calendarTableSchema),
    closure: Type.Optional(closureSchema),
    ...described,
    ...vendorNotes,
  },
  { description: 'A table, view or query with its columns and joins.' },
)

export type DataObjectDocument = Static<typeof dataObjectSchema>

export type ClosureDocument = Static<typeof closureSchema>

export type CalendarTableDocument = Static<typeof calendarTableSchema>

export type ColumnDocument = Static<typeof columnSchema>

export type WindowDocument = Static<typeof windowSchema>

export type JoinDocument = Static<typeof joinSchema>

export type RefreshDocument = Static<typeof refreshSchema>
