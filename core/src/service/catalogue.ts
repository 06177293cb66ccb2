import type { AggregateSpec, FunctionSpec, Spelling } from '../model/functions/function-spec.js'
import type { Dialect } from '../sql/dialect.js'

export interface Catalogue {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** The functions and aggregates by name, collected at the first call, when registration has ended. */
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

/** Names of the functions that the dialect supports, sorted. */
export function supportedBy(dialect: Dialect, aggregates: Iterable<AggregateSpec>, functions: Iterable<FunctionSpec>) {
  return {
    aggregations: expressible(aggregates, dialect.aggregates, dialect.name),
    functions: expressible(functions, dialect.functions, dialect.name),
  }
}

function expressible(specs: Iterable<Spec>, table: Readonly<Record<string, unknown>>, dialect: string): string[] {
  const refused = (spec: Spec) => (Object.hasOwn(table, spec.name) ? table[spec.name] : spec.spellings?.[dialect]) === null
  return [...specs]
    .filter((spec) => !refused(spec))
    .map((spec) => spec.name)
    .sort()
}

interface Spec {
  readonly name: string
  readonly spellings?: Readonly<Record<string, Spelling>>
}
