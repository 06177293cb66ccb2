/** Relationships → joins. */
import { type Draft, type Entry, LeftOut } from '../draft.js'
import { columnNamed, type ModelObject, type Objects, physical, sameType } from './objects.js'
import type { Relationship, RelationshipColumn, View } from './view.js'

/** Names of the relationships that a query takes unless it pins others. */
export async function joinsOf(view: View, objects: Objects, draft: Draft): Promise<ReadonlySet<string>> {
  const primary = new Set<string>()
  const beside = new Map<string, number>()
  for (const relationship of view.relationships) {
    const pair = pairKey(relationship, objects)
    beside.set(pair, (beside.get(pair) ?? 0) + 1)
  }
  for (const relationship of view.relationships) {
    const what = `The relationship '${relationship.name}'`
    const isOneOfMany = !objects.format.takesFirstJoin && (beside.get(pairKey(relationship, objects)) ?? 0) > 1
    await draft.attempt(what, relationship.place, () => {
      if (join({ ...relationship, isOneOfMany }, objects, draft)) primary.add(relationship.key)
    })
  }
  return primary
}

/** Equal for relationships between the same two tables. */
const pairKey = ({ left, right }: Relationship, { format }: Objects): string =>
  [left, right]
    .map((name) => format.key(format.stored(name)))
    .toSorted()
    .join('\0')

/** The columns of a relationship, by their names in the model. */
type Pair = RelationshipColumn

const JOIN_TYPES = /^(left_outer|left|inner)$/i

/** Adds the join. Returns whether it is the first between its two objects. */
function join(relationship: Relationship & { readonly isOneOfMany: boolean }, objects: Objects, draft: Draft): boolean {
  const { name, pathName, place } = relationship
  const [left, right] = [objectNamed(relationship.left, objects), objectNamed(relationship.right, objects)]
  if (left === right)
    throw new LeftOut(`'${left.name}' joins itself`, place, 'Declare a second table over the same rows, and join to that.')
  check(relationship, draft)
  const pairs = relationship.columns.map((pair) => pairOf(pair, left, right, objects, draft))
  const [time, more] = pairs.filter(isOfTime)
  if (more) throw new LeftOut('it has two times', place)
  const isTurned = !time && isFromOne(relationship, pairs, left, right)
  const [from, to] = isTurned ? [right, left] : [left, right]
  const keys = pairs.filter((pair) => !isOfTime(pair))
  const columnsFrom = keys.map((pair) => (isTurned ? pair.right : pair.left))
  const columnsTo = keys.map((pair) => (isTurned ? pair.left : pair.right))
  const isSecond = relationship.isOneOfMany || hasJoin(from, to) || hasJoin(to, from)
  const joinType = time ? 'many-to-one' : cardinality(relationship, from, to, columnsFrom, columnsTo, draft)
  const joins = joinsFrom(from)
  joins.push({
    ...{ joinType, joinTo: to.name, columnsFrom, columnsTo },
    ...(time && timeOf(time, left, right)),
    ...(relationship.isRequired && { required: true }),
    ...(isSecond ? { secondary: true, pathName: name } : pathName !== undefined && { pathName }),
  })
  from.entry['joins'] = joins
  const path = ['dataObjects', from.name, 'joins', joins.length - 1]
  draft.places.push({ path, place })
  if (isSecond)
    draft.lose(
      'rewritten',
      `'${name}' is ${relationship.isOneOfMany ? 'one of several joins' : 'the second join'} of its tables: a query takes it only by its name.`,
      place,
      {
        hint: 'Name it in usePathNames.',
        path,
      },
    )
  return !isSecond
}

function check({ name, odd, joinType, columns, place }: Relationship, draft: Draft): void {
  if (odd !== undefined) throw new LeftOut(`'${odd}' has no place in a join of the model`, place, 'Add the join by hand.')
  if (columns.length === 0) throw new LeftOut('it has no columns', place)
  if (joinType !== undefined && !JOIN_TYPES.test(joinType))
    throw new LeftOut(`a join '${joinType}' has no place in the model`, place)
  if (joinType !== undefined && /inner/i.test(joinType))
    draft.lose('rewritten', `'${name}' keeps rows without a match, as in semantic views: they are under NULL.`, place)
}

function pairOf(pair: RelationshipColumn, left: ModelObject, right: ModelObject, objects: Objects, draft: Draft): Pair {
  const { stored, alone } = objects.format
  // Where names alone are of one table, those of a condition are columns and no fields.
  const named = (name: string, object: ModelObject) =>
    alone === undefined ? columnNamed(stored(name), object, objects, draft) : physical(stored(name), object)
  const columns = { left: named(pair.left, left), right: named(pair.right, right), isAsOf: pair.isAsOf }
  const [one, other] = [left.columns[columns.left], right.columns[columns.right]]
  if (one && other) objects.compared.push([one, other])
  sameType(one, other)
  return pair.until === undefined ? columns : { ...columns, until: named(pair.until, right) }
}

const isOfTime = ({ isAsOf, until }: Pair): boolean => isAsOf || until !== undefined

/** The last row before a time, or the row whose period contains it. */
function timeOf({ left: time, right: start, until }: Pair, left: ModelObject, right: ModelObject): Entry {
  atTime(left, time)
  for (const column of [start, ...(until === undefined ? [] : [until])]) atTime(right, column)
  return until === undefined ? { asOf: { time, to: start } } : { during: { time, from: start, to: until } }
}

function objectNamed(name: string, { all, format }: Objects): ModelObject {
  const object = all.get(format.key(format.stored(name)))
  if (!object) throw new LeftOut(`there is no table '${name}'`)
  return object
}

const joinsFrom = ({ entry }: ModelObject): Entry[] => (entry['joins'] as Entry[] | undefined) ?? []

const hasJoin = (from: ModelObject, to: ModelObject): boolean => joinsFrom(from).some(({ joinTo }) => joinTo === to.name)

export function atTime({ columns }: ModelObject, column: string): void {
  const entry = columns[column]
  if (entry?.['code'] !== undefined && entry['abstractType'] === undefined) entry['abstractType'] = 'timestamp'
}

/** A model before semantic views may begin at the side with one row; a join of the model begins at the other. */
function isFromOne({ cardinality }: Relationship, pairs: readonly Pair[], left: ModelObject, right: ModelObject): boolean {
  if (cardinality !== undefined) return /^one_to_many$/i.test(cardinality)
  const [from, to] = [pairs.map((pair) => pair.left), pairs.map((pair) => pair.right)]
  return isKey(from, left) && !isKey(to, right)
}

/** How many rows meet how many: as it is written, or else as the keys of both ends say. */
function cardinality(
  { cardinality: written, name, place }: Relationship,
  from: ModelObject,
  to: ModelObject,
  columnsFrom: readonly string[],
  columnsTo: readonly string[],
  draft: Draft,
): string {
  if (written !== undefined && /^many_to_many$/i.test(written)) return 'many-to-many'
  if (!isKey(columnsTo, to)) draft.assumeKey(`'${name}' is read as many-to-one: '${to.name}' declares no key for it.`, place)
  return /^one_to_one$/i.test(written ?? '') || (written === undefined && isKey(columnsFrom, from) && isKey(columnsTo, to))
    ? 'one-to-one'
    : 'many-to-one'
}

/** Whether the columns contain a key. */
function isKey(columns: readonly string[], { columns: all, entry }: ModelObject): boolean {
  const primary = Object.entries(all).flatMap(([name, column]) => (column['primaryKey'] === true ? [name] : []))
  const others = (entry['uniqueKeys'] as readonly (readonly string[])[] | undefined) ?? []
  return [primary, ...others].some((key) => key.length > 0 && key.every((each) => columns.includes(each)))
}
