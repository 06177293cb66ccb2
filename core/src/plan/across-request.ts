import { fail } from '../errors.js'
import type { ModelCondition } from '../model/semantic-model.js'
import { columnsOf } from '../resolve/condition-columns.js'
import { fieldLeaves } from '../resolve/locate.js'
import type {
  AggregateQuery,
  Atom,
  Conjunct,
  FactSum,
  FieldSource,
  ResolvedDimension,
  WhereLeaf,
} from '../resolve/resolved-query.js'
import type { AcrossRequest, BlockRequest } from './block-request.js'
import type { FilterReport } from './filter-report.js'

/** What of a block over several facts is read at the home where they meet, and what inside each of them (decision 49). */
export function acrossRequest(
  atom: Atom,
  dimensions: readonly ResolvedDimension[],
  query: AggregateQuery,
  report: FilterReport,
): Pick<BlockRequest, 'conjuncts' | 'bridgeFilters'> & { readonly across: AcrossRequest } {
  const { home, measure, path } = atom
  const { keys, facts } = atom.across!
  const { graph } = query
  const reaches = (object: string, field: FieldSource): boolean => graph.reaches(object, field.object, field.via)
  const reads = (object: string, leaves: readonly WhereLeaf[]): boolean =>
    leaves.every((leaf) =>
      leaf.kind === 'where-field' ? leaf.members.some((m) => reaches(object, m)) : reaches(object, leaf.subject),
    )
  const inFacts = dimensions.filter((d) => !reads(home, fieldLeaves(d)))
  for (const dimension of inFacts) {
    const missing = facts.find(({ object }) => !reads(object, fieldLeaves(dimension)))
    if (missing) refuseDimension(atom, dimension, missing.object)
  }
  const here = atom.conjuncts.filter((c) => reads(home, c.leaves))
  for (const conjunct of here) report.applied(conjunct)
  const elsewhere = atom.conjuncts.filter((c) => !here.includes(c))
  const filters = atom.filters.map((filter) => ({ filter, columns: columnsOf(filter) }))
  const meets = (object: string) => (entry: (typeof filters)[number]) =>
    entry.columns.every((c) => graph.reaches(object, c.object, undefined))
  const own = filters.filter(meets(home))
  const idle = filters.find((f) => !own.includes(f) && !facts.some(({ object }) => meets(object)(f)))
  if (idle) {
    const columns = idle.columns.map((c) => `'${c.object}.${c.column}'`).join(', ')
    fail('NO_JOIN_PATH', `the filter of '${measure.name}' on ${columns} can be reached from none of the facts that it reads`, {
      path,
    })
  }
  const facted = facts.map(({ object, sums }): BlockRequest => {
    const conjuncts = elsewhere.filter((c) => reads(object, c.leaves))
    for (const conjunct of conjuncts) report.applied(conjunct)
    const inside = filters.filter((f) => !own.includes(f) && meets(object)(f))
    return plain(
      object,
      sumAtoms(atom, object, sums),
      [...keys, ...inFacts],
      conjuncts,
      inside.map((f) => f.filter),
    )
  })
  for (const conjunct of elsewhere) {
    for (const { home: object, conjuncts } of facted) {
      if (!conjuncts.includes(conjunct)) report.skipped(conjunct, `'${object}' in '${measure.name}'`)
    }
  }
  return {
    conjuncts: here,
    bridgeFilters: own.map((f) => f.filter),
    across: { keys, dimensions: inFacts, own: plain(home, [], keys, [], []), facts: facted },
  }
}

/** The sums of one fact, as the atoms of its own block. */
const sumAtoms = (atom: Atom, home: string, sums: readonly FactSum[]): Atom[] =>
  sums.map(({ name, type, measure }) => ({
    ...atom,
    name,
    type,
    measure,
    home,
    filters: [],
    balance: undefined,
    converts: undefined,
    across: undefined,
    weights: [],
  }))

const plain = (
  home: string,
  atoms: readonly Atom[],
  dimensions: readonly ResolvedDimension[],
  conjuncts: readonly Conjunct[],
  bridgeFilters: readonly ModelCondition[],
): BlockRequest => ({ home, atoms, dimensions, conjuncts, bridgeFilters, bridges: new Set(), apart: new Set(), fanOut: false })

function refuseDimension({ home, measure }: Atom, { label, path }: ResolvedDimension, fact: string): never {
  return fail(
    'NO_JOIN_PATH',
    `'${measure.name}' is evaluated at the rows of '${home}', which does not reach '${label}', and neither does '${fact}', so it cannot cut the whole`,
    { path, context: { measure: measure.name, dimension: label } },
  )
}
