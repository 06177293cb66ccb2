import { fail } from '../errors.js'
import { entryOf, firstOf } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import { turned } from '../model/join-term.js'
import { madeOf } from '../relation/relation.js'
import { choosesWay, pinHint } from '../resolve/helpful-pins.js'
import type { Edge } from '../resolve/join-graph.js'
import { type RowExpr, tablesIn } from '../resolve/relation-column.js'
import { columnOf, type Weight } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'
import type { Bridge, LinkTarget, Weighing } from './bridge.js'
import { farOf, findsNearest, fromTarget } from './bridge-link.js'
import { presenceIn } from './presence.js'
import { readColumn } from './read-rows.js'
import { type Rows, roleOf, rowsOf } from './rows.js'
import { type StaticPath, staticCondition, staticPaths } from './rows-conditions.js'

/** The bridges on which fields of a block are read. */
export interface BridgesRead {
  readonly bridges: ReadonlySet<string>
  /** Those that must be separate relations. */
  readonly separate: ReadonlySet<string>
  /** Equal rows of bridges remain several. */
  readonly fanOut?: boolean
  /** For bridges whose rows have parts of a base row. */
  readonly weights?: readonly Weight[]
}

/** The bridges that a block reads, each after its parent. Throws `AMBIGUOUS_JOIN`. */
export function bridgesBeside(
  base: Rows,
  { bridges: nodes, separate, fanOut = false, weights = [] }: BridgesRead,
): readonly Bridge[] {
  if (nodes.size === 0) return []
  const parents = parentsOf(nodes, base)
  const sideBySide = [...parents.values()].filter((parent) => parent === undefined).length > 1
  const found: Bridge[] = []
  for (const node of outwards(parents)) {
    const weight = weights.findLast((w) => w.bridge === node)
    const parent = found.find((bridge) => bridge.node === parents.get(node))
    const alone = nodes.size === 1
    const own = sideBySide || separate.has(node) || (weight !== undefined && !alone)
    const distinct = sideBySide && !fanOut && weight === undefined
    found.push(bridgeOf(node, { base, parent, own, distinct, weight, alone }))
  }
  return found
}

interface BridgePlace extends Pick<Bridge, 'parent' | 'distinct'> {
  readonly base: Rows
  /** It must be a separate relation. */
  readonly own: boolean
  readonly weight: Weight | undefined
  /** It is the only bridge. */
  readonly alone: boolean
}

function bridgeOf(node: string, { base, parent, own, distinct, weight, alone }: BridgePlace): Bridge {
  const to = targetOf(node, base, parent)
  const link = linkTo(to.object, node, base.context)
  const rows = rowsOfBridge(node, link, to)
  const { conditions, conditionsOnTarget } = conditionsOf(rows, link, to)
  const isRelation = own || link.length > 1 || findsNearest(link) || !isPlain(rows, conditions) || parent?.alias !== undefined
  const alias = isRelation ? madeOf(node, '_rows', [node]) : undefined
  return {
    node,
    parent,
    rows,
    link,
    to,
    conditions,
    conditionsOnTarget,
    alias,
    distinct,
    weight: weight && weighing(rows, weight, alone),
  }
}

function targetOf(node: string, base: Rows, parent: Bridge | undefined): LinkTarget {
  if (parent) return { rows: parent.rows, object: parent.node, role: parent.rows.root }
  const object = base.context.graph.meeting(base.node, node) ?? base.node
  return { rows: base, object, role: roleOf(base, { object }) }
}

function linkTo(object: string, node: string, { graph }: BindContext): readonly Edge[] {
  const path = graph.path(node, object)
  if (path.kind === 'path') return path.edges
  const ways = path.kind === 'ambiguous' ? path.through.map((t) => `'${t}'`).join(' or ') : 'no path'
  const hint = pinHint(graph, (pinned) => choosesWay(pinned, graph) && pinned.path(node, object).kind === 'path')
  const advice = hint.hint === undefined ? `declare a join from '${node}' to '${object}'` : 'choose a path with use_path_names'
  return fail('AMBIGUOUS_JOIN', `'${node}' joins '${object}' through ${ways}; ${advice}`, hint)
}

function rowsOfBridge(node: string, link: readonly Edge[], { rows: { context }, object }: LinkTarget): Rows {
  if (link.length > 1) return rowsOf(context, node)
  const pair = context.graph.pairs.get(node)
  if (!pair) return rowsOf(context, node, { linkedBy: presenceIn(turned(firstOf(link).on), node, context.model) })
  return rowsOf(context, node, {
    anchored: object,
    linkedBy: presenceIn(fromTarget(pair, object), farOf(pair, object), context.model),
  })
}

/** Static filters. Of a pair, the side that is joined from outside is not scanned: what its row reaches is tested where it is joined. */
function conditionsOf(rows: Rows, link: readonly Edge[], { rows: others, role }: LinkTarget) {
  const isOnTarget = ({ edges }: StaticPath): boolean => link.length === 1 && link[0]?.kind === 'part' && edges[0] === link[0]
  const paths = staticPaths(rows, link, others)
  return {
    conditions: paths.filter((path) => !isOnTarget(path)).map((path) => staticCondition(rows, path)),
    conditionsOnTarget: paths
      .filter(isOnTarget)
      .map(({ filter, edges }) => staticCondition(others, { filter, edges: edges.slice(1) }, role)),
  }
}

/** Whether nothing is joined to the rows of the object itself before they are joined to the rows of the parent. */
const isPlain = ({ root }: Rows, conditions: readonly RowExpr[]): boolean =>
  conditions.flatMap(tablesIn).every((table) => table === root.alias)

function weighing(rows: Rows, { column }: Weight, alone: boolean): Weighing {
  const expression = readColumn(rows, rows.root, column)
  const { type } = columnOf(rows.context.model, { kind: 'column', object: rows.node, column })
  return alone ? { expression, type, sum: undefined } : { expression, type: sumOf(type, rows.context), sum: 'weight' }
}

const sumOf = (type: DataType, { aggregates }: BindContext): DataType => entryOf(aggregates, 'sum').result([type])

/** The parent of a bridge is the nearest read bridge that it reaches, otherwise the base. Throws `AMBIGUOUS_JOIN` if two are equally near. */
function parentsOf(
  nodes: ReadonlySet<string>,
  { context: { graph }, node: base }: Rows,
): ReadonlyMap<string, string | undefined> {
  const parents = new Map<string, string | undefined>()
  for (const node of nodes) {
    const nearer = [...nodes].filter((other) => other !== node && graph.isBeyond(node, other, base))
    const nearest = nearer.find((n) => nearer.every((other) => n === other || graph.isBeyond(n, other, base)))
    if (nearer.length > 0 && nearest === undefined) {
      fail(
        'AMBIGUOUS_JOIN',
        `'${node}' joins '${base}' through ${nearer.map((n) => `'${n}'`).join(' and through ')}; query them separately`,
      )
    }
    parents.set(node, nearest)
  }
  return parents
}

/** Parents before children, otherwise in the order given. */
function outwards(parents: ReadonlyMap<string, string | undefined>): string[] {
  const ordered = new Set<string>()
  const visit = (node: string): void => {
    const parent = parents.get(node)
    if (parent !== undefined) visit(parent)
    ordered.add(node)
  }
  for (const node of parents.keys()) visit(node)
  return [...ordered]
}
