import type { SqlCompileResult } from '../context.js'

/** A compiled statement as `CompileResponse`, with each query in it. */
export function statementResponse(compiled: SqlCompileResult) {
  const { sql, dialect, resolved, warnings, sql_valid, explain, physical_tables, modelQueries, outerSql = null } = compiled
  const shown = modelQueries.map(({ name, model, query, compiled: ofModel }) => ({
    name,
    model,
    query,
    sql: ofModel.sql,
    dialect: ofModel.dialect,
  }))
  const query = shown.length === 1 ? shown[0]!.query : null
  return {
    sql,
    dialect,
    resolved,
    warnings,
    sql_valid,
    explain: explain?.() ?? null,
    physical_tables,
    query,
    model_queries: shown,
    outer_sql: outerSql,
  }
}
