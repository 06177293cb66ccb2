import { fail } from '../errors.js'
import type { NonEmpty } from '../invariant.js'
import { leavesOf } from '../model/expression/ast.js'
import { chosenByVia, filteredByVia, pinHint } from './helpful-pins.js'
import type { JoinGraph } from './join-graph.js'
import type { FieldLeaf, FieldSource, ReachedLeaf, ResolvedDimension } from './resolved-query.js'

/** Where a field is read for one base: from the base and its forward joins, or from the rows of a bridge. */
export type Location = { readonly kind: 'direct' } | { readonly kind: 'bridge'; readonly node: string }

const DIRECT: Location = { kind: 'direct' }

/** The place of a field seen from `base`; `undefined` if it cannot be reached. Throws `AMBIGUOUS_JOIN`. */
export function locate(
  base: string,
  field: Pick<FieldSource, 'object' | 'via' | 'name'>,
  graph: JoinGraph,
  path: string,
): Location | undefined {
  if (graph.reaches(base, field.object, field.via)) return DIRECT
  const node = graph.bridge(base, field.object, field.via)
  if (node === undefined) return undefined
  if (node === 'ambiguous') {
    const several = graph.bridgesBetween(base, field.object, field.via)
    fail(
      'AMBIGUOUS_JOIN',
      several.length > 1
        ? `${listed(several.map((b) => `'${b}'`))} join '${base}' with '${field.object}' of '${field.name}', and none is between the others; ${chosenByVia(field.name, several, graph) ?? filteredByVia(field.name, several)}`
        : `'${base}' and '${several[0]}' meet in ${listed(graph.shared(base, several[0]!).map((o) => `'${o}'`))}, and none of these leads to the others`,
      { path, ...pinHint(graph, (pinned) => isLocated(base, field, pinned)) },
    )
  }
  return { kind: 'bridge', node }
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Whether there is exactly one path to the field. */
export const isLocated = (base: string, { object, via }: Pick<FieldSource, 'object' | 'via'>, graph: JoinGraph): boolean =>
  graph.reaches(base, object, via) || ![undefined, 'ambiguous'].includes(graph.bridge(base, object, via))

/**
 * The members of a (coalesce) dimension that `base` uses: those that it reaches directly, in order; otherwise the first that a bridge
 * reaches; `undefined` if there is none.
 */
export function membersFor(
  base: string,
  members: NonEmpty<FieldSource>,
  graph: JoinGraph,
  path: string,
): readonly FieldSource[] | undefined {
  const direct = members.filter((m) => graph.reaches(base, m.object, m.via))
  if (direct.length > 0) return direct
  const bridged = members.find((m) => locate(base, m, graph, path) !== undefined)
  return bridged && [bridged]
}

/** Whether `base` itself reaches every field of a condition. For a coalesce one member is enough. */
export const reachesAll = (base: string, leaves: readonly ReachedLeaf[], graph: JoinGraph): boolean =>
  leaves.every((leaf) =>
    (leaf.kind === 'where-field' ? leaf.members : [leaf.subject]).some(({ object, via }) => graph.reaches(base, object, via)),
  )

/**
 * The bridge nodes that a condition needs; `undefined` if some field of it is unreachable, also if another is ambiguous. A condition that
 * does not apply is never refused, in any order of its parts. Throws `AMBIGUOUS_JOIN`.
 */
export function bridgesOf(base: string, leaves: readonly ReachedLeaf[], graph: JoinGraph, path: string): Set<string> | undefined {
  if (leaves.some((leaf) => isOutOfReach(base, leaf, graph))) return undefined
  const nodes = new Set<string>()
  for (const leaf of leaves) {
    const members = leaf.kind === 'where-field' ? (membersFor(base, leaf.members, graph, path) ?? []) : [leaf.subject]
    for (const member of members) {
      const location = locate(base, member, graph, path)
      if (location?.kind === 'bridge') nodes.add(location.node)
    }
  }
  return nodes
}

export const isOutOfReach = (base: string, leaf: ReachedLeaf, graph: JoinGraph): boolean =>
  (leaf.kind === 'where-field' ? leaf.members : [leaf.subject]).every((field) => isFieldOutOfReach(base, field, graph))

/** Whether no path leads to the field, not even one of several. */
export const isFieldOutOfReach = (
  base: string,
  { object, via }: Pick<FieldSource, 'object' | 'via'>,
  graph: JoinGraph,
): boolean => !graph.reaches(base, object, via) && graph.bridge(base, object, via) === undefined

/** The fields from which a dimension's value is computed: each must be reached, by any of its members. */
export function fieldLeaves({ expression, members, name }: ResolvedDimension): readonly FieldLeaf[] {
  return expression ? leavesOf(expression) : [{ kind: 'where-field', members, type: members[0].type, name }]
}
