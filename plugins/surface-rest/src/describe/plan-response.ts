import type { CompileResult } from '../context.js'

/** `PlanResponse`. A query that does not compile is refused before this, so `would_compile` is always true. */
export function planResponse(
  compiled: CompileResult,
  explained: { readonly format: string; readonly output: string } | undefined,
): object {
  const { sql, dialect, physical_tables, warnings } = compiled
  const explain = compiled.explain()
  return {
    status: 'ok',
    planner: explain.planner,
    planner_reason: explain.planner_reason,
    physical_tables,
    join_path: explain.joins.map((join) => joinStep(join, compiled)),
    filters_applied: explain.where_filter_count + explain.having_filter_count,
    warnings,
    would_compile: true,
    compiled_sql_length_estimate: sql.length,
    ...(explained && {
      database_explain: { dialect, compiled_sql: sql, explain_output: explained.output, explain_format: explained.format },
    }),
  }
}

function joinStep(
  { from_object, to_object, join_columns }: ReturnType<CompileResult['explain']>['joins'][number],
  { handle }: CompileResult,
) {
  const declared = handle.model.dataObjects.get(from_object)?.joins.find((join) => join.to === to_object)
  return { from_object, to_object, cardinality: declared?.cardinality ?? 'many-to-one', fk: join_columns }
}
