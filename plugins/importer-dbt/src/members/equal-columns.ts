/** The condition of a join that is equalities of columns and nothing else. */
import { LeftOut } from '../draft.js'
import type { Place } from '../part.js'
import type { Owner } from './owner.js'

export interface ColumnPair {
  readonly own: string
  readonly other: string
}

/** The pairs of columns of a written condition, and the name of the other owner. Throws for every other condition. */
export function equalColumns(
  expression: string,
  own: Owner,
  place: Place,
): { readonly other: string; readonly pairs: readonly ColumnPair[] } {
  const pairs: ColumnPair[] = []
  const others = new Set<string>()
  const rest = expression.replaceAll(EQUALITY, (_whole, left: string, one: string, right: string, two: string) => {
    if (left === right || (left !== own.name && right !== own.name))
      throw new LeftOut(`it compares '${left}' and '${right}'`, place)
    pairs.push(left === own.name ? { own: one, other: two } : { own: two, other: one })
    others.add(left === own.name ? right : left)
    return '='
  })
  const [other, more] = others
  if (more !== undefined) throw new LeftOut('its condition is on several others', place, BY_HAND)
  if (other === undefined || !/^(=|\(=( AND =)*\))$/.test(rest))
    throw new LeftOut('its condition is more than equal columns', place, BY_HAND)
  return { other, pairs }
}

const EQUALITY = /\(\{\[([^[\]]+)\]\.\[([^[\]]+)\]\} = \{\[([^[\]]+)\]\.\[([^[\]]+)\]\}\)/g

const BY_HAND = 'Add the join by hand: a join over time is asOf or during.'

/** A column has the type of the column it is compared with: a number beside a whole one is whole. */
export function sameType(own: Owner, one: string, other: Owner, two: string): void {
  const [left, right] = [own.columns[one], other.columns[two]]
  if (left?.['code'] === undefined || right?.['code'] === undefined) return
  const types = [left['abstractType'], right['abstractType']]
  const isNumber = (type: unknown) => type === undefined || type === 'float' || type === 'int'
  if (types.includes('int') && types.every(isNumber)) {
    left['abstractType'] = 'int'
    right['abstractType'] = 'int'
  } else {
    left['abstractType'] ??= types[1]
    right['abstractType'] ??= types[0]
  }
}

/** Whether the columns of a join are all of the primary key. */
export function endsAtKey(columns: readonly string[], { columns: all }: Owner): boolean {
  const key = Object.entries(all).flatMap(([name, { primaryKey }]) => (primaryKey === true ? [name] : []))
  return key.length > 0 && key.every((each) => columns.includes(each))
}

/** What a join equates, in any order. */
export interface Equated {
  readonly columnsFrom: readonly string[]
  readonly columnsTo: readonly string[]
}

/** A join entry of the model, as it was written here. */
export interface JoinEntry extends Equated {
  readonly joinType: string
  readonly joinTo: string
  readonly secondary?: boolean
  readonly pathName?: string
}

export const joinsFrom = ({ entry }: Owner): readonly JoinEntry[] => (entry['joins'] as readonly JoinEntry[] | undefined) ?? []

/** The join of two owners that is already written with the same columns, from this side or from the other. */
export function sameJoin(entry: JoinEntry, from: Owner, to: Owner): { readonly same?: JoinEntry; readonly turned?: JoinEntry } {
  const same = joinsFrom(from).find((each) => each.joinTo === to.name && keyOf(each) === keyOf(entry))
  const turned = joinsFrom(to).find((each) => each.joinTo === from.name && keyOf(reversed(each)) === keyOf(entry))
  return { ...(same && { same }), ...(turned && { turned }) }
}

const reversed = ({ columnsFrom, columnsTo }: Equated): Equated => ({ columnsFrom: columnsTo, columnsTo: columnsFrom })

const keyOf = ({ columnsFrom, columnsTo }: Equated): string =>
  columnsFrom
    .map((column, at) => `${column}\0${columnsTo[at]}`)
    .toSorted()
    .join('\n')
