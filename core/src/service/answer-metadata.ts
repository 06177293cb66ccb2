import type { Execution } from './semantic-service.js'

/** What stands beside the rows of an answer where a format has a place for it: texts by name, lists as JSON. Complete once the answer is `settled`. */
export function answerMetadata({ compiled, outcome }: Execution): Readonly<Record<string, string>> {
  const { truncated, warnings, timezone } = outcome()
  const { sql, dialect, handle, resolved, physical_tables } = compiled
  return {
    sql,
    dialect,
    timezone,
    model_id: handle.modelId,
    truncated: String(truncated),
    warnings: JSON.stringify(warnings),
    resolved: JSON.stringify(resolved),
    physical_tables: JSON.stringify(physical_tables),
  }
}
