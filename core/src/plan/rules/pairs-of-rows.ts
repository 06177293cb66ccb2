import { mapLeaves } from '../../model/expression/ast.js'
import { equalityOf } from '../../model/join-term.js'
import { isKeyColumn } from '../../resolve/key-column.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { mapTerms, type RowTerm } from '../../resolve/row-terms.js'
import { isSame } from '../../same.js'
import { relationOf } from '../joined-rows.js'
import { isModelJoin } from '../known-join.js'
import type { Join, Scan } from '../logical-plan.js'
import type { PlainRows } from '../plain-rows.js'

/** The rows of a fact, each with the row of another object that it refers to. */
export interface Pairs {
  /** The joins of the fact, and those of the row that is referred to which the fact lacks. */
  readonly joins: readonly Join[]
  /** An expression over the rows that are referred to and their bridge, over these joins. */
  readonly read: (expression: RowExpr) => RowExpr
  /** The expression with the columns of the fact in place of those that are equal in each pair. */
  readonly alike: (expression: RowExpr) => RowExpr
  /** The name of the row that is referred to. */
  readonly alias: string
}

/** Rows to which others refer. */
export interface ReferredRows {
  readonly start: Scan
  readonly joins: readonly Join[]
  /** The rows that refer to them, and what is joined to these. */
  readonly root: Join
  readonly more: readonly Join[]
}

/** `undefined` unless the joins of the fact and those of the pair find the same rows; joins that only one of them has must leave out no row. */
export function pairsOf({ start, joins: own }: PlainRows, referred: ReferredRows): Pairs | undefined {
  const { root } = referred
  const theirs = [...referred.joins, ...referred.more]
  const links = linksOf(linking(root), referred.start.alias)
  if (!links || !isSame(start, root.right) || referred.start.elements || start.elements) return undefined
  if (![...own, ...theirs].every(isModelJoin)) return undefined
  const referring = own.find(
    (join) => isSameRows(join.right, referred.start) && isSame(linksOf(join.on, relationOf(join)), links),
  )
  const alias = referring ? relationOf(referring) : referred.start.alias
  const names: Names = new Map([[referred.start.alias, alias]])
  const alike = (expression: RowExpr): RowExpr => withOwnColumns(expression, alias, links)
  const found = matched(theirs, { own: own.filter((one) => one !== referring), names, alike })
  if (!found) return undefined
  const joins = [...own, ...(referring ? [] : [joinTo(referred)]), ...found.added]
  const relations = [start.alias, ...joins.map(relationOf)]
  if (new Set(relations).size < relations.length) return undefined
  return { joins, read: (e) => renamed(e, found.names), alike, alias }
}

/** The terms by which rows refer to others, without conditions on the rows that refer. */
const linking = ({ on }: Join): readonly RowTerm[] => on.filter(({ kind }) => kind !== 'holds')

type Names = ReadonlyMap<string, string>

interface Place {
  readonly own: readonly Join[]
  readonly names: Names
  readonly alike: Pairs['alike']
}

/** The names of the joins of the pair among those of the fact, and the joins that the fact lacks. */
function matched(
  theirs: readonly Join[],
  { own, names: first, alike }: Place,
): { readonly names: Names; readonly added: readonly Join[] } | undefined {
  const names = new Map(first)
  const added: Join[] = []
  const same = new Set<Join>()
  for (const join of theirs) {
    const found = own.find((one) => !same.has(one) && isSameJoin(one, join, { names, alike }))
    if (found) {
      same.add(found)
      names.set(relationOf(join), relationOf(found))
    } else {
      added.push({ ...join, ...over(join, names) })
    }
  }
  const apart = [...own.filter((one) => !same.has(one)), ...added]
  return apart.some(({ type }) => type !== 'left') ? undefined : { names, added }
}

function over({ on, matchedBy }: Join, names: Names): Pick<Join, 'on' | 'matchedBy'> {
  const columns = matchedBy?.map((column) => renamedColumn(column, names))
  return { on: mapTerms(on, (one) => renamed(one, names)), ...(columns && { matchedBy: columns }) }
}

function isSameJoin(own: Join, theirs: Join, { names, alike }: Pick<Place, 'names' | 'alike'>): boolean {
  if (own.type !== theirs.type || !isSameRows(own.right, theirs.right)) return false
  const allNames = new Map([...names, [relationOf(theirs), relationOf(own)]])
  const on = mapTerms(theirs.on, (one) => alike(renamed(one, allNames)))
  return isSame(mapTerms(own.on, alike), on)
}

const isSameRows = (a: Join['right'], b: Join['right']): boolean => isSame({ ...a, alias: '' }, { ...b, alias: '' })

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

const joinTo = ({ start, root }: ReferredRows): Join => ({
  kind: 'join',
  type: 'left',
  left: root.right,
  right: start,
  on: linking(root),
  findsOne: true,
  ...(root.foundBy && { matchedBy: root.foundBy }),
  label: {
    from: start.object,
    to: root.right.kind === 'scan' ? root.right.object : '',
    columns: root.label.columns,
    reason: 'the row that each row of the fact refers to',
  },
})
