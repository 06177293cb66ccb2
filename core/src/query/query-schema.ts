/** The published shape of a query, in snake_case; camelCase is accepted for every key. */
import { Type } from 'typebox'
import { GRAIN_PATTERN, TIME_GRAINS } from '../model/grain.js'
import { operatorSpellings } from '../model/operators.js'
import { COMPARISONS } from '../model/semantic-model.js'

const choice = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], description })
const strict = { additionalProperties: false } as const
const filters = (description: string) =>
  Type.Optional(Type.Array(Type.Unsafe<unknown>({ $ref: '#/$defs/Filter' }), { description }))
const value = { type: ['string', 'number', 'boolean', 'null'] }
const reference = Type.Object(
  { parameter: Type.String({ description: 'The name of a parameter of the model.' }) },
  { ...strict, title: 'QueryParameter', description: 'In place of a value: the parameter that has it.' },
)

const per = {
  measure: Type.String({ description: 'A measure or metric. No condition of the query changes its values.' }),
  per: Type.String({ description: 'The data object for whose rows it is computed, by their key.' }),
}

const column = Type.Object(
  { ...per, as: Type.String({ description: 'The name that the rest of the query uses, like that of a dimension.' }) },
  { ...strict, title: 'QueryColumn', description: 'A measure for each row of a data object.' },
)

const measure = Type.Object(
  { as: Type.String({ description: 'The name that the rest of the query uses, like that of a measure.' }) },
  {
    title: 'QueryMeasure',
    description:
      'A measure or metric of this query alone. Its other keys are those of a measure (with aggregation) or of a metric (with type, or an expression) of a model.',
  },
)

const dimension = Type.Unsafe<unknown>({
  anyOf: [
    {
      type: 'string',
      description: `A dimension, or 'Name:grain' with one of ${TIME_GRAINS.join(', ')}, or a grain of a calendar of the model.`,
    },
    Type.Object(
      {
        coalesce: Type.Array(Type.String(), { description: 'Two or more dimensions.' }),
        as: Type.String({ description: 'The name of the column.' }),
        grain: Type.Optional(Type.String({ description: 'The grain that its times are truncated to, such as month.' })),
      },
      { ...strict, description: 'The first of several dimensions that each measure reaches.' },
    ),
    Type.Object(
      {
        expression: Type.String({
          description: 'In the expression grammar of the model, over {[Dimension]} and {[Dimension:grain]}.',
        }),
        as: Type.String({ description: 'The name of the column.' }),
      },
      { ...strict, description: 'A dimension that the query computes from others.' },
    ),
    Type.Object(
      {
        ...per,
        as: Type.String({ description: 'The name of the column, which filters may use.' }),
        grain: Type.Optional(Type.String({ description: 'For a measure that is a time: the period, such as month.' })),
      },
      { ...strict, description: 'A measure for each row of a data object, such as the number of orders of a customer.' },
    ),
  ],
})

const relative = Type.Object(
  {
    unit: Type.Unsafe<string>({
      type: 'string',
      pattern: GRAIN_PATTERN,
      description: `The unit: one of ${TIME_GRAINS.join(', ')}, or a grain of a calendar of the model.`,
    }),
    count: Type.Integer({ minimum: 0, description: 'How many units.' }),
    direction: Type.Optional(choice(['past', 'future'], 'Which way (past).')),
    include_current: Type.Optional(Type.Boolean({ description: 'Whether the span includes the current unit (true).' })),
  },
  { ...strict, title: 'QuerySpan', description: 'A span of time relative to now.' },
)

const subquery = Type.Object(
  {
    data_object: Type.String({ description: 'The data object whose rows must exist.' }),
    path_name: Type.Optional(Type.String({ description: 'The join path to it.' })),
    filter: filters('Conditions on its rows.'),
  },
  { ...strict, title: 'QueryExistence', description: 'Rows of another object.' },
)

const compared = {
  op: choice(operatorSpellings(), 'The comparison.'),
  value: Type.Optional(
    Type.Unsafe<unknown>({
      anyOf: [value, { type: 'array', items: { anyOf: [value, reference] } }, reference, relative],
      description: 'The value that the field is compared with.',
    }),
  ),
  or_missing: Type.Optional(Type.Boolean({ description: 'With a negative operator: rows without a value remain, too (false).' })),
}

const leaf = Type.Object(
  {
    field: Type.String({ description: 'A dimension, or Object.Column; in having a measure or metric.' }),
    ...compared,
    subquery: Type.Optional(subquery),
  },
  { ...strict, title: 'QueryComparison', description: 'A comparison.' },
)

const leafPer = Type.Object(
  { ...per, ...compared },
  {
    ...strict,
    title: 'QueryComparisonPer',
    description: 'A comparison of a measure for each row of a data object. In where only.',
  },
)

const condition = Type.Object(
  {
    expression: Type.String({
      description:
        'In the expression grammar of the model: over dimensions in where, over columns of the answer and measures in having.',
    }),
  },
  { ...strict, title: 'QueryCondition', description: 'A condition written as an expression.' },
)

const segment = Type.Object(
  { segment: Type.String({ description: 'The name of a segment.' }) },
  { ...strict, title: 'QuerySegment', description: 'A segment: filters that the model gives a name. In where only.' },
)
const segmentName = Type.String({ description: 'Short form: the name of a segment.' })

const group = Type.Object(
  {
    logic: Type.Optional(choice(['and', 'or'], 'How the members combine (and).')),
    filters: Type.Array(Type.Unsafe<unknown>({ $ref: '#/$defs/Filter' }), { description: 'The members.' }),
    negated: Type.Optional(Type.Boolean({ description: 'The opposite (false).' })),
    or_missing: Type.Optional(
      Type.Boolean({
        description: 'With negated: rows of which the opposite is unknown, for want of a value, remain, too (false).',
      }),
    ),
  },
  { ...strict, title: 'QueryFilterGroup', description: 'Several conditions.' },
)

const select = Type.Object(
  {
    dimensions: Type.Optional(Type.Array(dimension, { description: 'What the result is grouped by.' })),
    measures: Type.Optional(
      Type.Array(Type.Unsafe<unknown>({ anyOf: [{ type: 'string' }, measure] }), {
        description: 'Measures and metrics, by name or as the query writes them itself.',
      }),
    ),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'Raw mode: columns as Object.Column.' })),
    distinct: Type.Optional(Type.Boolean({ description: 'Raw mode: distinct rows only (false).' })),
  },
  { ...strict, title: 'QuerySelection', description: 'What the query returns.' },
)

const order = Type.Object(
  {
    field: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      description: 'A selected field, a measure, or a position counted from 1.',
    }),
    direction: Type.Optional(choice(['asc', 'desc'], 'The direction (asc).')),
    nulls: Type.Optional(choice(['first', 'last'], 'Where NULLs go (last).')),
    by: Type.Optional(choice(['value'], 'Orders a dimension by its values, even if it has sortBy.')),
  },
  { ...strict, title: 'QueryOrder', description: 'One order.' },
)

const sets = Type.Object(
  {
    sets: Type.Unsafe<unknown>({
      anyOf: [choice(['rollup', 'cube'], 'Subtotals.'), Type.Array(Type.Array(Type.String()), { minItems: 1 })],
      description: 'Selected dimensions of each level; [] is the grand total. Or rollup or cube.',
    }),
    of: Type.Optional(
      choice(['all', 'shown'], 'Totals of all rows, or only of the rows behind the detail rows that the answer shows (all).'),
    ),
  },
  { ...strict, title: 'QueryLevels', description: 'The levels, one by one.' },
)
const grouping = Type.Unsafe<unknown>({ anyOf: [choice(['rollup', 'cube'], 'Subtotals.'), sets], description: 'Subtotals.' })

const top = Type.Object(
  {
    dimension: Type.String({ description: 'A selected dimension, as it is selected or by its name.' }),
    by: Type.String({ description: 'The measure or metric whose value chooses.' }),
    n: Type.Integer({ minimum: 1, description: 'How many values.' }),
    order: Type.Optional(choice(['asc', 'desc'], 'The largest or the smallest (desc).')),
    others: Type.Optional(
      Type.String({ description: 'The name of the group of all other values; without it they are left out.' }),
    ),
  },
  { ...strict, title: 'QueryTop', description: 'The values of one dimension that get groups of their own.' },
)

const compare = Type.Object(
  {
    time: Type.String({ description: 'The time dimension whose range is moved.' }),
    unit: Type.String({
      minLength: 1,
      description: `What the range moves by: one of ${TIME_GRAINS.join(', ')}, a grain of a calendar of the model, a column that names periods of a table of days, or range (its own length).`,
    }),
    count: Type.Optional(Type.Integer({ minimum: 1, description: 'How many units back (1).' })),
    show: Type.Optional(
      Type.Array(choice(COMPARISONS, 'A column.'), {
        description: 'The columns that each measure gets (previousValue, percentChange).',
      }),
    ),
    until_now: Type.Optional(Type.Boolean({ description: 'The range ends at the clock (false).' })),
  },
  { ...strict, title: 'QueryCompare', description: 'Every selected measure beside its value in another period.' },
)

const pathName = Type.Object(
  { source: Type.String(), target: Type.String(), path_name: Type.String() },
  { ...strict, title: 'QueryPathName', description: 'A pinned join path.' },
)

export const querySchema = Type.Object(
  {
    select,
    where: filters('Conditions on rows.'),
    having: filters('Conditions on the rows of the answer.'),
    order_by: Type.Optional(Type.Array(order, { description: 'The order of the answer.' })),
    limit: Type.Optional(Type.Integer({ minimum: 0, description: 'How many rows at most.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many rows to skip.' })),
    use_path_names: Type.Optional(Type.Array(pathName, { description: 'Which join path to take between two objects.' })),
    allow_fan_out: Type.Optional(Type.Boolean({ description: 'Count a row once per joined row (false).' })),
    dimensions_exclude: Type.Optional(Type.Boolean({ description: 'The combinations that do not occur (false).' })),
    grouping: Type.Optional(grouping),
    strict_filters: Type.Optional(Type.Boolean({ description: 'A filter that does not reach a measure is an error.' })),
    fill_gaps: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('range')], {
        description: 'Include periods without rows: those of the answer (true), or of the times that the filters leave (range).',
      }),
    ),
    timezone: Type.Optional(Type.String({ description: 'The IANA time zone of buckets and instants.' })),
    top: Type.Optional(top),
    compare: Type.Optional(compare),
    columns: Type.Optional(
      Type.Array(column, { description: 'Measures for each row of a data object that the query uses under names of its own.' }),
    ),
    measures: Type.Optional(
      Type.Array(measure, { description: 'Measures and metrics of this query alone, under names that the rest of it uses.' }),
    ),
    parameters: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'object',
        additionalProperties: { anyOf: [value, { type: 'array', items: value }] },
        description: 'The values of parameters of the model, by name.',
      }),
    ),
    view: Type.Optional(
      Type.String({
        description: 'A view of the model: the query names its fields by their names in it, and its conditions hold.',
      }),
    ),
    rollups: Type.Optional(
      Type.Union([Type.Literal('allow'), Type.Literal('never'), Type.Literal('require')], {
        description:
          'Whether rollup tables may be read in place of facts (allow), may not (never), or must be for every number (require); by default as the server is set.',
      }),
    ),
    rows_of: Type.Optional(
      Type.String({
        description:
          'A data object: each combination of the dimensions that occurs with its rows is a row of the answer. Without measures, these are all rows.',
      }),
    ),
  },
  {
    ...strict,
    $id: 'grainline-query',
    title: 'Grainline query',
    description: 'A semantic query.',
    $defs: { Filter: Type.Unsafe({ anyOf: [leaf, leafPer, condition, segment, segmentName, group] }) },
  },
)
