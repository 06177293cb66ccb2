import { type Finding, fail, warning } from '../errors.js'
import { bridgesOf, locate, membersFor } from '../resolve/locate.js'
import type { Conjunct, ResolvedQuery, WhereLeaf } from '../resolve/resolved-query.js'
import { ambiguousJoin } from './ambiguous-join.js'

/** Remembers which conjunct applied to which aggregate, and says what a careful reader must know. */
export class FilterReport {
  readonly #applied = new Set<Conjunct>()
  readonly #ignored = new Set<Conjunct>()
  readonly #missed = new Set<Conjunct>()
  readonly #skipped = new Map<string, Finding>()

  constructor(private readonly query: ResolvedQuery) {}

  applied(conjunct: Conjunct): void {
    this.#applied.add(conjunct)
  }

  /** Every aggregate of a query looks past it on purpose. */
  ignored(conjunct: Conjunct): void {
    this.#ignored.add(conjunct)
  }

  /** Throws `FILTER_NOT_APPLICABLE` under strict filters. */
  skipped(conjunct: Conjunct, what: string): void {
    this.#missed.add(conjunct)
    const fields = conjunct.fields.map((f) => `'${f}'`).join(', ')
    const message = `the filter on ${fields} cannot be reached from ${what} and was not applied to it`
    if (this.query.strictFilters) fail('FILTER_NOT_APPLICABLE', message, { path: conjunct.path })
    this.#skipped.set(message, warning('FILTER_NOT_APPLICABLE', message, { path: conjunct.path }))
  }

  /** The warnings. Throws `FILTER_APPLIES_TO_NOTHING`. */
  finish(): Finding[] {
    const onPurpose = (c: Conjunct): boolean => this.#ignored.has(c) && !this.#missed.has(c)
    const idle = this.query.where.find((c) => !this.#applied.has(c) && !onPurpose(c))
    if (idle) {
      const fields = idle.fields.map((f) => `'${f}'`).join(', ')
      fail('FILTER_APPLIES_TO_NOTHING', `the filter on ${fields} cannot be reached from anything that the query selects`, {
        path: idle.path,
      })
    }
    return [...this.#skipped.values()]
  }
}

export interface ApplicableConjuncts {
  readonly conjuncts: readonly Conjunct[]
  readonly bridges: Set<string>
  /** Bridges on which an `exists` is tested: they must be relations of their own. */
  readonly apart: Set<string>
}

/** The conjuncts that apply at `home`, and the bridges they are read on. `what` names the aggregate in warnings. */
export function conjunctsFor(
  home: string,
  query: ResolvedQuery,
  report: FilterReport | undefined,
  what: string,
): ApplicableConjuncts {
  const conjuncts: Conjunct[] = []
  const bridges = new Set<string>()
  const apart = new Set<string>()
  for (const conjunct of query.where) {
    const { leaves } = conjunct
    const needed = bridgesOf(home, leaves, query.graph, conjunct.path)
    if (!needed) {
      report?.skipped(conjunct, what)
      continue
    }
    report?.applied(conjunct)
    refuseAmbiguous(home, conjunct, query)
    conjuncts.push(conjunct)
    for (const node of needed) bridges.add(node)
    for (const node of existsBridges(home, leaves, query, conjunct.path)) apart.add(node)
  }
  return { conjuncts, bridges, apart }
}

/** Also where the condition came out constant, so that nobody needs to know its values to know whether it is understood. */
function refuseAmbiguous(home: string, { leaves, path }: Conjunct, { graph }: ResolvedQuery): void {
  for (const leaf of leaves) {
    const members = leaf.kind === 'where-field' ? (membersFor(home, leaf.members, graph, path) ?? []) : [leaf.subject]
    for (const { object, via, name } of members) {
      const location = locate(home, { object, via, name }, graph, path)
      const found = location && graph.path(location.kind === 'bridge' ? location.node : home, object, via)
      if (found?.kind === 'ambiguous') ambiguousJoin(object, found, graph, path)
    }
  }
}

function existsBridges(home: string, leaves: readonly WhereLeaf[], query: ResolvedQuery, path: string): string[] {
  return leaves.flatMap((leaf) => {
    const location = leaf.kind === 'where-exists' ? locate(home, leaf.subject, query.graph, path) : undefined
    return location?.kind === 'bridge' ? [location.node] : []
  })
}
