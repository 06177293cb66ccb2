import { firstOf, lastOf } from '../invariant.js'
import { BOOLEAN, type DataType } from '../model/data-type.js'
import { asOfOf, equalityOf, mapTerm, pairwiseEqual, type Term, turned } from '../model/join-term.js'
import { integer, isNull } from '../resolve/expressions.js'
import type { Pair } from '../resolve/join-graph.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { objectOf } from '../resolve/resolved-query.js'
import { holds, type RowTerm } from '../resolve/row-terms.js'
import { type Bridge, readOfBridge } from './bridge.js'
import { readPeriod } from './period-term.js'
import { presenceIn } from './presence.js'
import type { ReadColumn, ReadExpr } from './read-column.js'
import { columnBeside, joinedBy, readBesideColumn, readColumn } from './read-rows.js'
import type { Role } from './role.js'
import { roleAt } from './rows.js'

/** The terms of the last link of the path with its target, and the conditions on the target. */
export function linkTerms(bridge: Bridge): readonly RowTerm<ReadColumn>[] {
  const { rows, to, conditionsOnTarget } = bridge
  const role = linkedRole(bridge)
  const terms = linkOf(bridge).map((term) =>
    mapTerm(
      readPeriod(term, rows.context, (context) => ({
        from: (name) => readBesideColumn(joinedBy({ ...to.rows, context }, term), to.role, name, columnBeside(term, role, 'to')),
        to: (name) => readBesideColumn({ ...rows, context }, role, name, columnBeside(term, to.role, 'from')),
      })),
      {
        from: ({ expression, type }): ReadExpr => readOfTarget(bridge, expression, type),
        to: ({ expression, type }): ReadExpr => readOfBridge(bridge, expression, type),
      },
    ),
  )
  return [...terms, ...conditionsOnTarget.map((condition) => holds(readOfTarget(bridge, condition, BOOLEAN)))]
}

/** The weight of a connection of one bridge; `undefined` if it has no weights. A base row without a row of the bridge counts in full. */
export function weightOf(bridge: Bridge): ReadExpr | undefined {
  const { weight, alias, rows } = bridge
  if (!weight) return undefined
  const role = linkedRole(bridge)
  const link = readBesideColumn(rows, role, presenceIn(linkOf(bridge), role.object, rows.context.model))
  const { expression, type, sum } = weight
  const own = sum === undefined ? readOfBridge(bridge, expression, type) : relationColumn(alias!, sum, type)
  const isMissing = isNull(readOfBridge(bridge, link.expression, link.type))
  return { kind: 'case', branches: [{ when: isMissing, then: integer(1) }], otherwise: own }
}

const readOfTarget = ({ parent }: Bridge, value: RowExpr, type: DataType): ReadExpr =>
  parent ? readOfBridge(parent, value, type) : value

/** The columns of a bridge that are a foreign key. */
export function referringColumns(bridge: Bridge): readonly RelationColumn[] {
  const { rows, link } = bridge
  const equal = equalityOf(linkOf(bridge))
  if (link.length > 1 || !firstOf(link).foreignKey || !equal) return []
  const own = equal.map(({ to }) => readColumn(rows, linkedRole(bridge), to))
  return own.every((one) => one.kind === 'column') ? own : []
}

/** The terms of the last link, from its target to the rows of the bridge. */
function linkOf({ rows, link }: Bridge): readonly Term<string>[] {
  const last = lastOf(link)
  const pair = rows.context.graph.pairs.get(last.from)
  if (findsNearest(link)) {
    const { key } = objectOf(rows.context.model, last.to)
    return pairwiseEqual(key, key)
  }
  return pair ? fromTarget(pair, last.to) : turned(last.on)
}

/** Whether the last link finds one row by its time. Which one is known only where it is joined: then the rows are linked by the key of the row that was found. */
export const findsNearest = (link: Bridge['link']): boolean => asOfOf(lastOf(link).on) !== undefined

/** The rows of a bridge that the last link joins. */
function linkedRole({ rows, link }: Bridge): Role {
  if (findsNearest(link)) return roleAt(rows, link)
  const isOfPair = rows.context.graph.pairs.has(lastOf(link).from)
  return roleAt(rows, isOfPair ? [] : link.slice(0, -1))
}

/** The terms of a pair that is joined from outside at the object `near`. */
export const fromTarget = ({ left, on }: Pair, near: string): readonly Term<string>[] => (near === left ? on : turned(on))

/** The other object of such a pair. */
export const farOf = ({ left, right }: Pair, near: string): string => (near === left ? right : left)
