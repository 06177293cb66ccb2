/** The pairs of a row and one above it, as a table: the definition of what a closure means. */
import type { Cell, ClosureJson, ColumnJson, ModelJson, PlainRow, QueryJson, Tables } from './model.js'
import { everyPath, follow, reaches } from './paths.js'
import { leftByWays, type PolicyJson } from './policies.js'
import { refuse } from './refusal.js'
import { staticConditionsOf } from './static-filters.js'
import { keyOfAll } from './values.js'
import { type Row, readColumn, type World, worldOf } from './world.js'

/** The columns of a closure whose key has this type. */
export const closureColumns = (key: Pick<ColumnJson, 'abstractType'>): Readonly<Record<string, ColumnJson>> => ({
  Ancestor: { code: 'ancestor', ...key, primaryKey: true },
  Descendant: { code: 'descendant', ...key, primaryKey: true },
  Depth: { code: 'depth', abstractType: 'int' },
  Level: { code: 'level', abstractType: 'int' },
  'Is Leaf': { code: 'is_leaf', abstractType: 'boolean' },
})

/** The tables with the pairs of the model's closures: of the rows that policies and static filters leave, by the clocks of the query. */
export function withPairs(model: ModelJson, tables: Tables, policies: readonly PolicyJson[], { timezone }: QueryJson): Tables {
  const closures = Object.entries(model.dataObjects).flatMap(([name, { closure }]) => (closure ? [{ name, closure }] : []))
  if (closures.length === 0) return tables
  const world = worldOf(model, tables, { select: {}, ...(timezone !== undefined && { timezone }) })
  const made = Object.fromEntries(closures.map(({ name, closure }) => [name, pairsOf(nodesOf(world, closure), closure)]))
  if (policies.length === 0) return { ...tables, ...made }
  // What a closure joins beside its own rows may be gone, too.
  const rest = leftByWays(model, { ...tables, ...made }, policies)
  return { ...tables, ...Object.fromEntries(closures.map(({ name }) => [name, rest[name]!])) }
}

interface Node {
  readonly key: string
  readonly parent: string | undefined
  readonly cell: Cell
}

function nodesOf(world: World, { dataObject, key, parent }: ClosureJson): ReadonlyMap<string, Node> {
  const named = (row: Row, column: string): string | undefined => {
    const value = readColumn(world, dataObject, row, column)
    return value === null ? undefined : keyOfAll([value])
  }
  const conditions = staticConditionsOf(world).filter(({ on }) => reaches(world, dataObject, on))
  const rows = world.things
    .get(dataObject)!
    .rows.filter((row) =>
      conditions.every(({ on, holds }) => everyPath(world, dataObject, on).every((way) => holds(follow(row, way)) === true)),
    )
  const nodes = rows.flatMap((row): Node[] => {
    const own = named(row, key)
    return own === undefined ? [] : [{ key: own, parent: named(row, parent), cell: row.plain![key] as Cell }]
  })
  return new Map(nodes.map((node) => [node.key, node]))
}

function pairsOf(nodes: ReadonlyMap<string, Node>, { maxDepth = 64 }: ClosureJson): PlainRow[] {
  const parents = new Set(
    [...nodes.values()].flatMap(({ key, parent }) => (parent === undefined || parent === key ? [] : [parent])),
  )
  const level = (node: Node): number | null => {
    const { above, isCircle } = wayUp(node, nodes)
    return isCircle ? null : above.length
  }
  return [...nodes.values()].flatMap((node) =>
    wayUp(node, nodes).above.map((ancestor, Depth): PlainRow => {
      if (Depth > maxDepth) refuse('TREE_TOO_DEEP', `${node.key} is ${Depth} below ${ancestor.key}`)
      const found = { Level: level(ancestor), 'Is Leaf': !parents.has(ancestor.key) }
      return { Ancestor: ancestor.cell, Descendant: node.cell, Depth, ...found }
    }),
  )
}

/** A row, the one above it and so on, each once; whether the last one is below the first again, or below another of them. */
function wayUp(node: Node, nodes: ReadonlyMap<string, Node>): { readonly above: readonly Node[]; readonly isCircle: boolean } {
  const above = [node]
  for (let at = node; ; ) {
    const next = at.parent === undefined ? undefined : nodes.get(at.parent)
    // A row above itself is at the top.
    if (next === undefined || next === at) return { above, isCircle: false }
    if (above.includes(next)) return { above, isCircle: true }
    above.push(next)
    at = next
  }
}
