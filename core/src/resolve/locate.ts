import { fail } from '../errors.js'
import { leavesOf } from '../model/expression/ast.js'
import { pinHint } from './helpful-pins.js'
import type { JoinGraph } from './join-graph.js'
import type { FieldLeaf, FieldSource, ResolvedDimension, WhereLeaf } from './resolved-query.js'

/** Where a field is read for one home: on the home's own expansion, or on the rows of a bridge. */
export type Location = { readonly kind: 'direct' } | { readonly kind: 'bridge'; readonly node: string }

const DIRECT: Location = { kind: 'direct' }

/** The place of a field seen from `home`; `undefined` when it can be reached in no way. Throws `AMBIGUOUS_JOIN`. */
export function locate(
  home: string,
  field: Pick<FieldSource, 'object' | 'via' | 'name'>,
  graph: JoinGraph,
  path: string,
): Location | undefined {
  if (graph.reaches(home, field.object, field.via)) return DIRECT
  const node = graph.bridge(home, field.object, field.via)
  if (node === undefined) return undefined
  if (node === 'ambiguous') {
    const several = graph.bridgesBetween(home, field.object, field.via).map((b) => `'${b}'`)
    fail(
      'AMBIGUOUS_JOIN',
      several.length > 1
        ? `${listed(several)} join '${home}' with '${field.object}' of '${field.name}', and none is between the others; name one with via`
        : `'${home}' and ${several[0]} meet in ${listed(graph.shared(home, graph.bridgesBetween(home, field.object, field.via)[0]!).map((o) => `'${o}'`))}, and none of these leads to the others`,
      { path, ...pinHint(graph, (pinned) => isLocated(home, field, pinned)) },
    )
  }
  return { kind: 'bridge', node }
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Whether there is one way to the field. */
export const isLocated = (home: string, { object, via }: Pick<FieldSource, 'object' | 'via'>, graph: JoinGraph): boolean =>
  graph.reaches(home, object, via) || ![undefined, 'ambiguous'].includes(graph.bridge(home, object, via))

/**
 * The members of a (coalesce) dimension that `home` uses: those it reaches directly, in listed order; else the first that a bridge
 * reaches; `undefined` when there is none.
 */
export function membersFor(
  home: string,
  members: readonly FieldSource[],
  graph: JoinGraph,
  path: string,
): readonly FieldSource[] | undefined {
  const direct = members.filter((m) => graph.reaches(home, m.object, m.via))
  if (direct.length > 0) return direct
  const bridged = members.find((m) => locate(home, m, graph, path) !== undefined)
  return bridged && [bridged]
}

/** Whether `home` reaches every field of a condition itself, of a coalesce one member. */
export const reachesAll = (home: string, leaves: readonly WhereLeaf[], graph: JoinGraph): boolean =>
  leaves.every((leaf) =>
    (leaf.kind === 'where-field' ? leaf.members : [leaf.subject]).some(({ object, via }) => graph.reaches(home, object, via)),
  )

/** The bridge nodes that a condition or dimension needs; `undefined` when some field of it is out of reach. */
export function bridgesOf(home: string, leaves: Iterable<WhereLeaf>, graph: JoinGraph, path: string): Set<string> | undefined {
  const nodes = new Set<string>()
  for (const leaf of leaves) {
    const members = leaf.kind === 'where-field' ? membersFor(home, leaf.members, graph, path) : [leaf.subject]
    for (const member of members ?? []) {
      const location = locate(home, member, graph, path)
      if (!location) return undefined
      if (location.kind === 'bridge') nodes.add(location.node)
    }
    if (!members) return undefined
  }
  return nodes
}

/** The fields that a dimension's value is made of: each must be reached, through whichever of its members. */
export function fieldLeaves({ expression, members, name }: ResolvedDimension): readonly FieldLeaf[] {
  return expression ? leavesOf(expression) : [{ kind: 'where-field', members, type: members[0]!.type, name }]
}
