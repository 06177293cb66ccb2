import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryColumn } from '../query/query-object.js'
import { withColumns } from './per-columns.js'
import { timeContext } from './resolve-query.js'
import type { ResolveOptions } from './resolved-query.js'

/** No type depends on the clock. */
const NOW = new Date(0)

/** The model with a hidden dimension for each measure per object that a statement names. Throws the errors of a query for them, with `columns[0].measure` as path. */
export function withQueryColumns(
  model: SemanticModel,
  columns: readonly QueryColumn[],
  catalogue: Pick<ResolveOptions, 'functions' | 'aggregates'>,
): SemanticModel {
  const made = withColumns(model, columns, { ...catalogue, time: timeContext({}, model, NOW) })
  const names = new Set(columns.map(({ as }) => as))
  const dimensions = [...made.dimensions].map(([name, one]) => [name, names.has(name) ? { ...one, hidden: true } : one] as const)
  return { ...made, dimensions: new Map(dimensions) }
}
