import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'

export interface Catalogue {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** The functions and aggregates by name, gathered at the first call: registration has ended by then. */
export function catalogueOf(points: {
  readonly functions: Iterable<FunctionSpec>
  readonly aggregates: Iterable<AggregateSpec>
}): () => Catalogue {
  let gathered: Catalogue | undefined
  return () => {
    gathered ??= { functions: byName(points.functions), aggregates: byName(points.aggregates) }
    return gathered
  }
}

function byName<T extends { readonly name: string }>(items: Iterable<T>): ReadonlyMap<string, T> {
  return new Map([...items].map((item) => [item.name, item]))
}
