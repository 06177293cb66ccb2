import { Type } from '@grainline/core'
import { nullable, StructuredWarning, strict } from './common.js'
import { Columns, exampleQuery, Query } from './queries.js'

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

const asked = {
  query: Query,
  cell: Type.Record(Type.String(), Scalar, {
    description:
      'The values of the row of the answer, by the names of its dimensions; null is the group without a value. In an answer with subtotals, what a row sums over is left out.',
  }),
  measure: Type.String({ description: 'A measure, or a metric that is computed from measures.' }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Maximum number of rows per fact. Default: QUERY_DEFAULT_LIMIT.' }),
  ),
  columns: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 200,
      description:
        'The columns of each row, as Object.Column: of the object whose rows these are, and of those that it joins. Default: the groups and all columns of the object.',
    }),
  ),
  dialect: Type.Optional(nullable(Type.String())),
}

const example = { query: exampleQuery, cell: { Airline: 'Delta Air Lines Inc.' }, measure: 'Flight Count' }

export const SessionRows = strict(
  { model_id: Type.String(), ...asked },
  { title: 'SessionRowsRequest', examples: [{ model_id: 'the id that loading the model gave', ...example }] },
)
export const ShortcutRows = strict(
  {
    session_id: Type.Optional(nullable(Type.String())),
    model_id: Type.Optional(nullable(Type.String())),
    model: Type.Optional(nullable(Type.String())),
    ...asked,
  },
  { title: 'RowsRequest', examples: [example] },
)

const Value = Type.Unsafe<unknown>({ description: 'A value as in the rows of an answer.' })

const FactRows = Type.Object(
  {
    measure: Type.String(),
    object: Type.String({ description: 'The data object whose rows these are.' }),
    value: Type.Unsafe<unknown>({ description: 'The value of the measure in the cell, from the query.' }),
    aggregated: Type.Unsafe<unknown>({ description: 'The value of the measure over exactly these rows.' }),
    reconciled: Type.Boolean({ description: 'Whether both values are the same.' }),
    row_count: Type.Integer({ description: 'The number of all rows, even if fewer are returned.' }),
    offered_columns: Type.Array(Type.String(), { description: 'All columns that these rows can show (columns of the request).' }),
    sql: nullable(Type.String()),
    columns: Columns,
    rows: Type.Array(Type.Array(Value)),
    truncated: Type.Boolean({ description: 'Whether there are more rows than those returned.' }),
    warnings: Type.Array(StructuredWarning),
  },
  { title: 'RowsOfFact' },
)

export const RowsBehind = Type.Object(
  {
    measure: Type.String(),
    cell: Type.Record(Type.String(), Value),
    value: Type.Unsafe<unknown>({ description: 'The value in the cell, from the query.' }),
    reconciled: Type.Boolean({ description: 'Whether the rows of every fact result in the value of the query.' }),
    dialect: Type.String(),
    facts: Type.Array(FactRows, { description: 'One for each measure that the number is computed from.' }),
  },
  { title: 'RowsResponse' },
)
