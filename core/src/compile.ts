import { GrainlineError, within } from './errors.js'
import type { AggregateSpec, FunctionSpec } from './model/functions/function-spec.js'
import type { SemanticModel } from './model/semantic-model.js'
import type { PhysicalTypes } from './model/stored-column.js'
import { explainPlan } from './plan/explain.js'
import { planQuery } from './plan/plan-query.js'
import type { QueryObject } from './query/query-object.js'
import { resolveQuery } from './resolve/resolve-query.js'
import type { CellView, ResolvedQuery } from './resolve/resolved-query.js'
import { buildStatement } from './sql/build-statement.js'
import type { CompiledQuery } from './sql/compiled-query.js'
import { convertStored } from './sql/convert-stored.js'
import type { Dialect } from './sql/dialect.js'
import { dropUnread } from './sql/drop-unread.js'
import { fewerTables } from './sql/fewer-tables.js'
import { withInternalFunctions } from './sql/internal-functions.js'
import { lower } from './sql/lower.js'
import { renderStatement } from './sql/render.js'
import { storageClocks, storageOf } from './sql/storage-of.js'
import { storageWarnings } from './sql/storage-warnings.js'
import { withinSteps } from './work.js'

/** What a compilation needs beside the question and the model; the same for every query of a host. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** The service's clock, read once per query: what relative filters and `current_date()` resolve against. */
  readonly now: Date
  /** How the database stores the columns; where nobody asked it, a column without `sqlType` is taken to be what it is declared as. */
  readonly physical?: PhysicalTypes | undefined
  /** Applied when the query has no limit of its own. */
  readonly defaultLimit?: number
  /** Not the tuples of the query's dimensions, but one row for each row of this data object, in no order. */
  readonly rowsOf?: string
  /** Not the answer, but the rows behind one cell of it, of a query with one measure. */
  readonly behind?: CellView
  /** Steps that it may take; a question that needs more is refused with `COMPILE_BUDGET`. */
  readonly maxSteps?: number
}

/** The line: question → resolved query → plan → statement → SQL. Throws `GrainlineError` with a path into the query. */
export function compile(query: QueryObject, model: SemanticModel, context: CompileContext): CompiledQuery {
  return withinSteps(context.maxSteps ?? Number.POSITIVE_INFINITY, () => compileNow(query, model, context))
}

function compileNow(query: QueryObject, model: SemanticModel, context: CompileContext): CompiledQuery {
  const { dialect, aggregates, now, defaultLimit, rowsOf, behind } = context
  const functions = withInternalFunctions(context.functions)
  const resolved = resolveQuery(query, model, { functions, aggregates, now, defaultLimit, rowsOf, behind })
  const planned = planQuery(resolved, { functions, aggregates, storedAs: storageOf(model, context.physical, dialect) })
  const { statement: converted, columns: stored } = convertStored(
    dropUnread(buildStatement(planned.plan)),
    storageClocks(model, resolved.time.zone),
    functions,
  )
  const lowered = lower(converted, functions, dialect)
  const statement = fewerTables(lowered, dialect.maxCommonTables)
  const sql = placed(resolved, () => renderStatement(statement, { dialect, functions, aggregates, time: resolved.time }))
  return {
    sql,
    dialect: dialect.name,
    columns: planned.columns.map(({ name, type, displayAs, role, format }) => ({
      name,
      type: displayAs ?? type,
      role,
      ...(format !== undefined && { format }),
    })),
    resolved: {
      fact_tables: [...new Set(planned.homes)],
      dimensions: planned.columns.filter((c) => c.role === 'dimension').map((c) => c.name),
      measures: planned.columns.filter((c) => c.role === 'measure' || c.role === 'metric').map((c) => c.name),
    },
    warnings: [...planned.warnings, ...storageWarnings(stored, dialect)],
    limit: resolved.limit,
    readings: resolved.time.clock.readings,
    ...explainPlan(planned, resolved, stored),
  }
}

/** What a dialect refuses is refused at the field of the query that needs it. */
function placed<T>(query: ResolvedQuery, render: () => T): T {
  try {
    return render()
  } catch (error) {
    const column = error instanceof GrainlineError ? error.details.context?.column : undefined
    const level = query.kind === 'grouped' ? query.levels[0] : query
    const fields = level?.kind === 'aggregate' ? [...level.dimensions, ...level.atoms, ...level.steps] : []
    return within(fields.find((f) => f.name === column)?.path ?? '', () => {
      throw error
    })
  }
}
