import { Type } from '@grainline/core'
import { nullable, strings } from './common.js'
import { ModelHealth } from './models.js'

const text = Type.Optional(Type.String())
const described = { description: text, owner: text, synonyms: strings }

const graded = {
  status: Type.Optional(
    Type.Unsafe<'proposed' | 'certified' | 'deprecated'>({ type: 'string', enum: ['proposed', 'certified', 'deprecated'] }),
  ),
  use: Type.Optional(Type.String({ description: 'The field that replaces a deprecated one.' })),
}

const coarseness = {
  granularity: Type.Optional(
    Type.String({
      description: 'The data have one value for each period of this grain: finer questions are refused, unless sums are spread.',
    }),
  ),
  spread: Type.Optional(
    Type.String({ description: 'How sums are divided among the days of a period: even, or over a column of the calendar.' }),
  ),
}

export const Dimension = Type.Object(
  {
    name: Type.String(),
    result_type: Type.String(),
    data_object: Type.String(),
    column: nullable(Type.String()),
    time_grain: nullable(Type.String()),
    sort_by: Type.Optional(Type.String({ description: 'The column of its data object that orders its values.' })),
    hierarchy: Type.Optional(Type.Array(Type.String(), { description: 'Coarser dimensions, the next one first.' })),
    drill_to: Type.Optional(Type.Array(Type.String(), { description: 'The dimensions of the next finer level.' })),
    via: text,
    format: text,
    unit: text,
    ...described,
    ...graded,
  },
  { title: 'Dimension' },
)

export const Measure = Type.Object(
  {
    name: Type.String(),
    result_type: nullable(Type.String()),
    aggregation: Type.String(),
    expression: text,
    columns: Type.Array(Type.Object({ data_object: Type.String(), column: Type.String() })),
    anchor: Type.Optional(Type.String({ description: 'The object whose rows are counted, if no column determines it.' })),
    distinct: Type.Boolean(),
    total: Type.Boolean(),
    filters: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'Its own filters, as its author wrote them. This also holds for grain and the keys below.',
      }),
    ),
    grain: Type.Optional(Type.Unknown()),
    filter_context: Type.Optional(Type.Unknown()),
    semi_additive: Type.Optional(Type.Unknown()),
    ...coarseness,
    defaultValue: Type.Optional(Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })),
    format: text,
    unit: text,
    dataType: text,
    ...described,
    ...graded,
  },
  { title: 'Measure' },
)

export const Metric = Type.Object(
  {
    name: Type.String(),
    type: Type.String(),
    result_type: nullable(Type.String()),
    expression: text,
    measure: text,
    timeDimension: text,
    component_measures: strings,
    format: text,
    unit: text,
    dataType: text,
    ...described,
    ...graded,
  },
  { title: 'Metric' },
)

export const ModelDescription = Type.Object(
  {
    model_id: Type.String(),
    name: text,
    description: text,
    owner: text,
    data_objects: Type.Array(Type.Object({ label: Type.String(), code: Type.String(), columns: strings, join_targets: strings })),
    dimensions: Type.Array(Dimension),
    measures: Type.Array(Measure),
    metrics: Type.Array(Metric),
    health: ModelHealth,
  },
  { title: 'ModelDescription' },
)

const Window = Type.Object(
  {
    function: Type.String({ description: 'row_number, rank, dense_rank, lag, lead, first_value, last_value, sum or count.' }),
    partition_by: Type.Array(Type.String(), { description: 'It starts again for each combination of their values.' }),
    order_by: Type.Array(Type.String(), { description: 'The columns that order the rows, before the key.' }),
    direction: Type.Optional(Type.String({ description: 'desc, if the order is descending.' })),
    column: Type.Optional(Type.String({ description: 'The column that it reads.' })),
    offset: Type.Optional(Type.Integer({ description: 'For lag and lead: how many rows away.' })),
  },
  { description: 'The window function over the rows of the data object whose value it is.' },
)

const Column = Type.Object({
  name: Type.String(),
  code: nullable(Type.String()),
  expression: text,
  measure: Type.Optional(Type.String({ description: 'The measure or metric whose value for each row it is.' })),
  exists: Type.Optional(Type.String({ description: 'The data object of which it says whether rows connect with a row.' })),
  window: Type.Optional(Window),
  abstract_type: Type.String(),
  primary_key: Type.Boolean(),
  num_class: text,
  ...coarseness,
  unit: text,
  comment: text,
  ...described,
})

const DataObject = Type.Object({
  name: Type.String(),
  code: Type.String(),
  database: Type.String({ description: 'Empty if the model does not name one.' }),
  schema: Type.String({ description: 'Empty if the model does not name one.' }),
  columns: Type.Array(Column),
  join_targets: strings,
  closure: Type.Optional(
    Type.Object(
      { data_object: Type.String(), key: Type.String(), parent: Type.String(), max_depth: Type.Integer() },
      { description: 'Its rows are the pairs of a row of this data object and one above it.' },
    ),
  ),
  bridge: Type.Optional(Type.Boolean({ description: 'True for an association without facts of its own.' })),
  weight: Type.Optional(
    Type.String({ description: 'For a bridge: the column with the fraction of a fact that each row of the bridge represents.' }),
  ),
  comment: text,
  ...described,
})

const Filter = Type.Object({
  data_object: Type.String(),
  column: Type.String(),
  operator: Type.String(),
  value: Type.Optional(Type.Unknown()),
  values: Type.Array(Type.Unknown()),
})

const Parameter = Type.Object({
  name: Type.String(),
  type: Type.String(),
  list: Type.Boolean({ description: 'Its value is a list.' }),
  default: Type.Optional(Type.Unknown({ description: 'Absent if a query that reads it must give a value.' })),
  values: Type.Optional(Type.Array(Type.Unknown())),
  min: Type.Optional(Type.Unknown()),
  max: Type.Optional(Type.Unknown()),
  nullable: Type.Boolean(),
  ...described,
})

const Segment = Type.Object({ name: Type.String(), filters: Type.Array(Type.Unknown()), ...described })

const View = Type.Object({
  name: Type.String(),
  fields: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Its name in the view.' }),
      field: Type.String({ description: 'Its name in the model.' }),
    }),
  ),
  where: Type.Array(Type.Unknown()),
  main_fact: text,
  default: Type.Boolean({ description: 'Statements of SQL without FROM read it.' }),
  ...described,
})

export const Schema = Type.Object(
  {
    model_id: Type.String(),
    version: Type.String({ description: 'The version of the model format.' }),
    name: text,
    description: text,
    owner: text,
    data_objects: Type.Array(DataObject),
    dimensions: Type.Array(Dimension),
    measures: Type.Array(Measure),
    metrics: Type.Array(Metric),
    filters: Type.Array(Filter),
    segments: Type.Array(Segment),
    views: Type.Array(View),
    parameters: Type.Array(Parameter),
    grains: strings,
    extends: Type.Array(Type.Unknown()),
    inherits: text,
  },
  { title: 'SchemaResponse' },
)

export const ExampleList = Type.Object(
  {
    examples: Type.Array(Type.Object({ name: Type.String(), description: nullable(Type.String()), intent_tags: strings })),
    suggestion: text,
  },
  { title: 'ExampleList' },
)

export const ExampleDetail = Type.Object(
  {
    name: Type.String(),
    description: nullable(Type.String()),
    intent_tags: strings,
    query: Type.Unknown(),
    compiled_sql_preview: nullable(Type.String()),
  },
  { title: 'ExampleDetail' },
)

export const TestList = Type.Object(
  { name: text, tests: Type.Array(Type.Unknown(), { description: 'The tests as their author wrote them.' }) },
  { title: 'TestList' },
)
