import type { BoundBlock, BoundBridge, BoundJoin, BoundRows } from '../bind/bound-block.js'
import { mapLeaves } from '../model/expression/ast.js'
import { equalityOf } from '../model/join-term.js'
import { isKeyColumn } from '../resolve/key-column.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import type { RowTerm } from '../resolve/row-terms.js'
import { mapTerms } from '../resolve/row-terms.js'
import { isSame } from '../same.js'
import { isModelJoin } from './plain-block.js'

/** The rows of a fact, each with the row of another object that it refers to. */
export interface Pairs {
  /** The joins of the fact, and those of the row that is referred to which the fact lacks. */
  readonly joins: readonly BoundJoin[]
  /** An expression over the rows that are referred to and their bridge, over these joins. */
  readonly read: (expression: RowExpr) => RowExpr
  /** The expression with the columns of the fact in place of those that are equal in each pair. */
  readonly alike: (expression: RowExpr) => RowExpr
  /** The name of the row that is referred to. */
  readonly alias: string
}

/** Rows to which those of a bridge refer. */
export interface ReferredRows {
  readonly rows: BoundRows
  readonly bridge: BoundBridge
}

/** `undefined` unless the joins of the fact and those of the pair find the same rows; joins that only one of them has must leave out no row. */
export function pairsOf({ from }: BoundBlock, { rows, bridge }: ReferredRows): Pairs | undefined {
  const { start, joins: own } = from.base
  const theirs = [...rows.joins, ...bridge.rows.joins]
  const links = linksOf(bridge.on, rows.start.alias)
  if (!links || !isSame(start, bridge.rows.start) || rows.start.elements || start.elements) return undefined
  if (![...own, ...theirs].every(isModelJoin)) return undefined
  const referring = own.find(({ right, on }) => isSameRows(right, rows.start) && isSame(linksOf(on, right.alias), links))
  const alias = referring?.right.alias ?? rows.start.alias
  const names: Names = new Map([[rows.start.alias, alias]])
  const alike = (expression: RowExpr): RowExpr => withOwnColumns(expression, alias, links)
  const found = matched(theirs, { own: own.filter((one) => one !== referring), names, alike })
  if (!found) return undefined
  const added = referring ? [] : [joinTo({ rows, bridge })]
  return { joins: [...own, ...added, ...found.added], read: (e) => renamed(e, found.names), alike, alias }
}

type Names = ReadonlyMap<string, string>

interface Place {
  readonly own: readonly BoundJoin[]
  readonly names: Names
  readonly alike: Pairs['alike']
}

/** The names of the joins of the pair among those of the fact, and the joins that the fact lacks. */
function matched(
  theirs: readonly BoundJoin[],
  { own, names: first, alike }: Place,
): { readonly names: Names; readonly added: readonly BoundJoin[] } | undefined {
  const names = new Map(first)
  const added: BoundJoin[] = []
  const same = new Set<BoundJoin>()
  for (const join of theirs) {
    const found = own.find((one) => !same.has(one) && isSameJoin(one, join, { names, alike }))
    if (found) {
      same.add(found)
      names.set(join.right.alias, found.right.alias)
    } else {
      added.push({ ...join, ...over(join, names) })
    }
  }
  const apart = [...own.filter((one) => !same.has(one)), ...added]
  const isOwnName = added.some(({ right }) => own.some((one) => one.right.alias === right.alias))
  return isOwnName || apart.some(({ type }) => type !== 'left') ? undefined : { names, added }
}

function over({ on, matchedBy }: BoundJoin, names: Names): Pick<BoundJoin, 'on' | 'matchedBy'> {
  const columns = matchedBy?.map((column) => renamedColumn(column, names))
  return { on: mapTerms(on, (one) => renamed(one, names)), ...(columns && { matchedBy: columns }) }
}

function isSameJoin(own: BoundJoin, theirs: BoundJoin, { names, alike }: Pick<Place, 'names' | 'alike'>): boolean {
  if (own.type !== theirs.type || !isSameRows(own.right, theirs.right)) return false
  const allNames = new Map([...names, [theirs.right.alias, own.right.alias]])
  const on = mapTerms(theirs.on, (one) => alike(renamed(one, allNames)))
  return isSame(mapTerms(own.on, alike), on)
}

const isSameRows = (a: BoundJoin['right'], b: BoundJoin['right']): boolean => isSame({ ...a, alias: '' }, { ...b, alias: '' })

const renamedColumn = (column: RelationColumn, names: Names): RelationColumn => ({
  ...column,
  table: names.get(column.table) ?? column.table,
})

const renamed = (expression: RowExpr, names: Names): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => renamedColumn(leaf, names))

/** A column of the row that is referred to, and the equal column of the row that refers to it. */
export interface Link {
  readonly name: string
  readonly far: RelationColumn
}

const withOwnColumns = (expression: RowExpr, alias: string, links: readonly Link[]): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) =>
    leaf.table === alias ? (links.find(({ name }) => name === leaf.name)?.far ?? leaf) : leaf,
  )

/** The equal columns, if the condition consists of them; equal values of them have one form. */
export function linksOf(on: readonly RowTerm[], alias: string): readonly Link[] | undefined {
  const equal = equalityOf(on)
  const links = equal?.flatMap(({ from, to }) => linkOf(from, to, alias) ?? [])
  return links?.length === equal?.length ? links : undefined
}

function linkOf(left: RowExpr, right: RowExpr, alias: string): Link | undefined {
  if (!isKeyColumn(left) || !isKeyColumn(right) || left.type.kind !== right.type.kind) return undefined
  const [near, far] = left.table === alias ? [left, right] : [right, left]
  return near.table === alias && far.table !== alias ? { name: near.name, far } : undefined
}

const joinTo = ({ rows: { start }, bridge: { on, matchedBy, rows, label } }: ReferredRows): BoundJoin => ({
  type: 'left',
  right: start,
  on,
  ...(matchedBy && { matchedBy }),
  label: {
    from: rows.start.object,
    to: start.object,
    columns: label.columns,
    reason: 'the row that each row of the fact refers to',
  },
})
