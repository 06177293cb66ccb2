import { Type } from '@grainline/core'
import { nullable, OR_BARE, QUERY_TITLE, StructuredWarning, strict, strings } from './common.js'

/** An example for the flights model that `npm start` serves. */
export const exampleQuery = {
  select: { dimensions: ['Airline'], measures: ['Flight Count'] },
  where: [{ field: 'Origin Airport', op: 'in', value: ['JFK', 'LGA'] }],
  order_by: [{ field: 'Flight Count', direction: 'desc' }],
  limit: 10,
}

/**
 * A placeholder: the query parser validates queries, because its messages name the place and the nearest valid word. The OpenAPI document contains
 * the schema of the query language instead.
 */
export const Query = Type.Unsafe<Record<string, unknown>>({
  title: QUERY_TITLE,
  type: 'object',
  description: 'A QueryObject; its JSON Schema is served at /v1/reference/schemas/query.',
  examples: [exampleQuery],
})

/** The query that a SQL statement was translated to. */
export const EchoedQuery = Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'A QueryObject.' })

const dialect = Type.Optional(
  nullable(Type.String({ description: "Else the model's default, else that of DB_VENDOR, else postgres." })),
)
const databaseExplain = { include_database_explain: Type.Optional(Type.Boolean({ default: false })) }
const inSession = { model_id: Type.String(), query: Query, dialect }
const shortcut = {
  session_id: Type.Optional(nullable(Type.String())),
  model_id: Type.Optional(nullable(Type.String())),
  model: Type.Optional(nullable(Type.String())),
  query: Query,
  dialect,
}

export const SessionQuery = strict(inSession, {
  title: 'SessionQueryRequest',
  examples: [{ model_id: 'the id that loading the model gave', query: exampleQuery }],
})
export const ShortcutQuery = strict(shortcut, {
  title: 'QueryRequest',
  description: OR_BARE,
  examples: [{ query: exampleQuery, dialect: 'postgres' }],
})
export const SessionPlan = strict({ ...inSession, ...databaseExplain }, { title: 'SessionPlanRequest' })
export const ShortcutPlan = strict({ ...shortcut, ...databaseExplain }, { title: 'PlanRequest', description: OR_BARE })

const ExplainJoin = Type.Object({
  from_object: Type.String(),
  to_object: Type.String(),
  join_columns: strings,
  role: Type.Optional(Type.String({ description: 'The alias of the joined rows.' })),
  way: Type.Optional(Type.Array(Type.String(), { description: 'The objects on the join path to them.' })),
  reason: Type.String(),
})

const ends = {
  from: nullable(Type.String({ description: 'The first day, or the first moment. Null if the filters leave no first one.' })),
  to: nullable(
    Type.String({ description: 'The last day, or the moment at which it ends. Null if the filters leave no last one.' }),
  ),
}
const TimeRanges = Type.Array(
  Type.Object({
    metric: Type.String(),
    time: Type.String({ description: 'The time dimension along which it runs.' }),
    level: Type.Array(Type.String(), { description: 'The dimensions that group the level; none for the total.' }),
    ...ends,
    compared: Type.Optional(Type.Object(ends, { description: 'From the first to the last time with which it is compared.' })),
  }),
  {
    description:
      'The times that metrics over time read, level by level. Days that only a table of the database knows are left out.',
  },
)

const Explain = Type.Object(
  {
    planner: Type.String(),
    planner_reason: Type.String(),
    base_object: Type.String(),
    base_object_reason: Type.String(),
    joins: Type.Array(ExplainJoin),
    where_filter_count: Type.Integer(),
    having_filter_count: Type.Integer(),
    has_totals: Type.Boolean(),
    cfl_legs: Type.Array(
      Type.Object({
        measure_source: Type.String(),
        common_root: Type.String(),
        reason: Type.String(),
        measures: strings,
        joins: Type.Array(ExplainJoin),
      }),
    ),
    time_ranges: TimeRanges,
    rules: Type.Array(Type.String(), { description: 'The rules for speed that changed the plan or the statement, in order.' }),
    rollups: Type.Array(
      Type.Object({
        rollup: Type.String(),
        measures: strings,
        others: strings,
        reason: nullable(Type.String()),
        field: nullable(Type.String()),
        says: nullable(Type.String()),
        read: Type.Boolean({ description: 'Whether the statement reads it.' }),
        build: nullable(Type.String()),
        as_of: nullable(Type.String({ description: 'The moment of the data of the build; ISO 8601, UTC.' })),
      }),
      {
        description:
          'The rollup tables of the model: the measures of the query that could be read from each, and why the first of the others could not.',
      },
    ),
    stored_columns: Type.Array(
      Type.Object({
        column: Type.String(),
        declared: Type.String(),
        stored: nullable(Type.String()),
        collation: nullable(Type.String()),
      }),
      { description: 'The columns that the query reads and whose stored type differs from the declared one or is unknown.' },
    ),
    plan: Type.Unsafe<unknown>({
      type: 'object',
      description: 'The logical plan as a tree of {op, detail, children}.',
      properties: { op: { type: 'string' }, detail: { type: 'string' }, children: { type: 'array', items: { type: 'object' } } },
    }),
  },
  { title: 'ExplainPlan' },
)

const compiled = {
  sql: nullable(Type.String({ description: 'Null with SQL_WITHHELD if access rules bind the caller.' })),
  dialect: Type.String(),
  resolved: nullable(Type.Object({ fact_tables: strings, dimensions: strings, measures: strings })),
  warnings: Type.Array(StructuredWarning),
  sql_valid: Type.Boolean(),
  explain: nullable(Explain),
  physical_tables: strings,
}

export const Compiled = Type.Object(compiled, { title: 'CompileResponse' })

const Receipt = Type.Object(
  {
    model: Type.String(),
    version: Type.String({ description: 'SHA-256 of the model document.' }),
    definitions: Type.Array(
      Type.Object({ name: Type.String(), kind: Type.String(), definition: Type.String(), status: Type.Optional(Type.String()) }),
    ),
    filters: Type.Array(Type.String(), { description: 'The filters of the query, then those of the model.' }),
    time_ranges: Type.Optional(TimeRanges),
    timezone: Type.String(),
    tables: Type.Optional(
      Type.Array(
        Type.Object({
          object: Type.String(),
          as_of: Type.String({ description: 'ISO 8601, UTC.' }),
          by: Type.String({ description: 'The rollup.' }),
          build: Type.String(),
        }),
        { description: 'The data objects that were read from rollup tables, and as of when.' },
      ),
    ),
    read_at: Type.String({ description: 'When the oldest rows were read from the database; ISO 8601, UTC.' }),
  },
  { title: 'Receipt', description: 'The meaning of the numbers; present with ?receipt=true.' },
)

export const Columns = Type.Array(
  Type.Object({
    name: Type.String(),
    type: Type.String(),
    role: Type.Optional(Type.String()),
    format: Type.Optional(Type.String()),
    unit: Type.Optional(
      Type.String({
        description: 'Such as EUR or EUR/km; in {Currency}, the column of that name has the unit of each row.',
      }),
    ),
    encoding: Type.Optional(Type.String({ description: 'How values that JSON numbers cannot hold are written.' })),
  }),
)

export const Executed = Type.Object(
  {
    ...compiled,
    columns: Columns,
    rows: Type.Array(Type.Array(Type.Unknown())),
    row_count: Type.Integer(),
    execution_time_ms: Type.Number(),
    timezone: Type.Optional(Type.String()),
    truncated: Type.Boolean(),
    cached: Type.Boolean(),
    cached_at: Type.Optional(Type.String({ description: 'When a cached answer was read from the database; ISO 8601, UTC.' })),
    ttl_seconds: Type.Optional(
      Type.Number({ description: 'How long it may be cached from then on; absent if it may not be cached.' }),
    ),
    ttl_source: Type.Optional(Type.String({ description: 'Where the time comes from: interval, heartbeat, static or default.' })),
    ttl_limiting_table: Type.Optional(Type.String({ description: 'The table that sets this time: it is loaded next.' })),
    receipt: Type.Optional(Receipt),
  },
  { title: 'ExecuteResponse' },
)

export const Plan = Type.Object(
  {
    status: Type.String(),
    planner: Type.String(),
    planner_reason: Type.String(),
    physical_tables: strings,
    join_path: Type.Array(
      Type.Object({
        from_object: Type.String(),
        to_object: Type.String(),
        cardinality: Type.String(),
        fk: Type.Optional(strings),
      }),
    ),
    filters_applied: Type.Integer(),
    warnings: Type.Array(StructuredWarning),
    would_compile: Type.Boolean(),
    compiled_sql_length_estimate: Type.Integer(),
    database_explain: Type.Optional(
      Type.Object({
        dialect: Type.String(),
        compiled_sql: Type.String(),
        explain_output: Type.String(),
        explain_format: Type.String(),
      }),
    ),
  },
  { title: 'PlanResponse' },
)
