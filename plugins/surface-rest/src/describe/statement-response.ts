import type { SqlCompileResult } from '../context.js'

/** A compiled statement as `CompileResponse`, with each query in it. */
export function statementResponse(compiled: SqlCompileResult) {
  const {
    sql,
    dialect,
    resolved,
    warnings,
    sql_valid,
    explain,
    physical_tables,
    modelQueries,
    outerSql = null,
    withheld,
  } = compiled
  const shown = modelQueries.map(({ name, model, query, compiled: ofModel }) => ({
    name,
    model,
    query,
    sql: ofModel.withheld ? null : ofModel.sql,
    dialect: ofModel.dialect,
  }))
  const query = shown.length === 1 ? shown[0]!.query : null
  return {
    sql: withheld ? null : sql,
    dialect,
    resolved: withheld ? null : resolved,
    warnings,
    sql_valid,
    explain: withheld ? null : (explain?.() ?? null),
    physical_tables,
    query,
    model_queries: shown,
    outer_sql: withheld ? null : outerSql,
  }
}
