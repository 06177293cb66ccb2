import { entryOf, firstOf } from '../../invariant.js'
import { type DraftTable, unused } from './draft.js'
import { nameOf } from './guess-keys.js'
import { stemOf } from './guess-links.js'
import type { Link, Structure } from './structure.js'
import { singular, titled } from './words.js'

/** A data object: a table, or one of the roles of a table. */
export interface ModelObject {
  readonly label: string
  readonly table: DraftTable
  /** The words of one of its rows: `origin airport`. */
  readonly row: readonly string[]
  /** The suffix that distinguishes it from the other roles of its table; empty for the only role. */
  readonly role: readonly string[]
  readonly joins: ObjectJoin[]
}

export interface ObjectJoin {
  readonly link: Link
  readonly to: ModelObject
  /** The name with which a query pins it, if it would close a cycle. */
  pathName?: string
}

/** The number of objects grows with the roles of tables, up to this limit. */
const MOST_PARTS = 4

/**
 * The data objects of a structure. A table that several foreign keys of another one refer to becomes an object for each role, and so does
 * one that is reached on two paths, so that every query is unambiguous.
 */
export function modelObjects(tables: readonly DraftTable[], { links }: Structure): readonly ModelObject[] {
  const taken = new Set(tables.map(({ label }) => label.toLowerCase()))
  const objects = new Map(tables.map((table) => [table, objectOf(table, [], table.label)]))
  const parts = [...objects.values()]
  const addPart = (of: ModelObject, role: readonly string[]): ModelObject => {
    const part = objectOf(of.table, role, unused(titled([...role, ...of.table.words]), taken))
    parts.push(part)
    return part
  }
  const copyPart = (of: ModelObject, role: readonly string[]): ModelObject => {
    const part = addPart(of, role)
    part.joins.push(...of.joins.map((join) => ({ ...join })))
    return part
  }
  for (const link of links.filter(({ from, to }) => from !== to))
    entryOf(objects, link.from).joins.push({ link, to: entryOf(objects, link.to) })
  for (const object of objects.values()) nameSecondWays(object)
  for (const object of objects.values()) splitByKeys(object, parts, copyPart)
  leaveOut(parts)
  for (const most = tables.length * MOST_PARTS; parts.length < most && splitByWays(parts, copyPart); ) leaveOut(parts)
  for (const part of [...parts]) joinItself(part, links, addPart)
  nameCircles(parts)
  return parts
}

type AddPart = (of: ModelObject, role: readonly string[]) => ModelObject

const objectOf = (table: DraftTable, role: readonly string[], label: string): ModelObject => ({
  label,
  table,
  role,
  row: [...role, ...singular(table.words)],
  joins: [],
})

/** Several foreign keys of one object refer to one table: each to a separate role, except the one that is named like the table. */
function splitByKeys(object: ModelObject, parts: readonly ModelObject[], addPart: AddPart): void {
  for (const target of new Set(object.joins.map(({ to }) => to))) {
    const joins = object.joins.filter(({ to }) => to === target)
    if (joins.length < 2) continue
    for (const join of joins) {
      const role = roleOf(join.link)
      if (role.length === 0) continue
      const part = addPart(target, role)
      replace(object, join, part)
      // Other objects that use the same name mean the same role.
      const name = nameOf(firstOf(join.link.columnsFrom))
      for (const other of parts.filter((each) => each !== object && each.table !== object.table)) {
        const alike = other.joins.filter(({ to, link }) => to === target && nameOf(firstOf(link.columnsFrom)) === name)
        for (const each of alike) replace(other, each, part)
      }
    }
  }
}

/** The role `ship` for `ship customer id` to customers. */
function roleOf({ columnsFrom, to }: Link): readonly string[] {
  const stem = stemOf(firstOf(columnsFrom))
  for (const name of [to.words, singular(to.words)])
    if (stem.slice(-name.length).join(' ') === name.join(' ')) return stem.slice(0, -name.length)
  return stem
}

function replace(object: ModelObject, join: ObjectJoin, to: ModelObject): void {
  object.joins.splice(object.joins.indexOf(join), 1, { ...join, to })
}

/** A self-reference leads to an object that ends there: the manager of an employee, but not the manager of the manager. */
function joinItself(part: ModelObject, links: readonly Link[], addPart: AddPart): void {
  for (const link of links.filter(({ from, to }) => from === part.table && to === part.table)) {
    const role = roleOf(link)
    part.joins.push({ link, to: addPart(part, [...part.role, ...(role.length > 0 ? role : ['parent'])]) })
  }
}

/** An object that is reached on two paths becomes a role for each of the objects that lead to it. False if there is none. */
function splitByWays(parts: readonly ModelObject[], addPart: AddPart): boolean {
  const reached = new Map<ModelObject, ReadonlySet<ModelObject>>()
  const reachedFrom = (part: ModelObject): ReadonlySet<ModelObject> => {
    const known = reached.get(part) ?? allReached(part)
    reached.set(part, known)
    return known
  }
  for (const from of parts) {
    const steps = stepsOf(from)
    if (steps.length < 2) continue
    // A direct step needs no choice.
    const hasWays = (to: ModelObject) => !steps.includes(to) && steps.filter((step) => reachedFrom(step).has(to)).length > 1
    const twice = parts.filter((to) => to !== from && hasWays(to))
    const first = twice.find((to) => !twice.some((nearer) => nearer !== to && reachedFrom(nearer).has(to)))
    if (first === undefined) continue
    const leading = parts.filter((part) => part.joins.some(({ to }) => to === first))
    const between = leading.filter((part) => reachedFrom(from).has(part))
    if (between.length < 2) continue
    const split = between.length === leading.length ? between : between.slice(1)
    for (const part of split) {
      const own = addPart(first, part.role.length > 0 ? part.role : singular(part.table.words))
      for (const join of part.joins.filter(({ to }) => to === first)) replace(part, join, own)
    }
    return true
  }
  return false
}

/**
 * A reference of several columns, one of which is a reference by itself: a row of stock refers to the product, as the order line does
 * itself.
 */
function nameSecondWays(object: ModelObject): void {
  for (const join of object.joins) {
    const { columnsFrom, columnsTo, to } = join.link
    const isSecond = columnsFrom.some((column, i) => {
      const there = join.to.joins.find(({ link }) => link.columnsFrom.length === 1 && link.columnsFrom[0] === columnsTo[i])
      return object.joins.some(
        ({ link }) => link.columnsFrom.length === 1 && link.columnsFrom[0] === column && link.to === there?.link.to,
      )
    })
    if (isSecond) join.pathName = to.words.join('_')
  }
}

/** The objects that the joins of an object lead to without a choice. */
const stepsOf = ({ joins }: ModelObject): readonly ModelObject[] => [
  ...new Set(joins.flatMap(({ to, pathName }) => (pathName === undefined ? [to] : []))),
]

/** The object itself, and all that its joins lead to. */
function allReached(from: ModelObject): ReadonlySet<ModelObject> {
  const seen = new Set([from])
  // A set is read to its end, with what is added meanwhile.
  for (const part of seen) for (const step of stepsOf(part)) seen.add(step)
  return seen
}

const reaches = (from: ModelObject, to: ModelObject): boolean => allReached(from).has(to)

/** A join that closes a cycle, or is a second path to the same object, becomes secondary: only its name selects it. */
function nameCircles(parts: readonly ModelObject[]): void {
  for (const part of parts) {
    const joins = part.joins.splice(0)
    for (const join of joins) {
      const again = part.joins.some(({ to, pathName }) => to === join.to && pathName === undefined)
      if (join.pathName === undefined && (again || reaches(join.to, part)))
        join.pathName = join.link.columnsFrom.map(({ name }) => name).join('_')
      part.joins.push(join)
    }
  }
}

/** Leaves out tables that their roles have replaced. */
function leaveOut(parts: ModelObject[]): void {
  const left = parts.filter(
    (part) =>
      part.role.length === 0 &&
      parts.some((other) => other !== part && other.table === part.table) &&
      !parts.some((other) => other.joins.some(({ to }) => to === part)),
  )
  for (const part of left) parts.splice(parts.indexOf(part), 1)
}
