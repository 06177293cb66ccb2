import { entryOf, firstOf } from '../../invariant.js'
import { type DraftTable, unused } from './draft.js'
import { counted, nameOf } from './guess-keys.js'
import { stemOf } from './guess-links.js'
import { allReached, type ModelObject, type Parts, pathNameOf, replaceJoin } from './model-object.js'
import type { Link, Probe, Structure } from './structure.js'
import { leaveOut, splitByWays } from './ways.js'
import { singular, titled } from './words.js'

/**
 * The data objects of a structure. A table that several foreign keys of another one refer to becomes an object for each role, and so does
 * one that is reached on two paths, so that every query is unambiguous.
 */
export async function modelObjects(
  tables: readonly DraftTable[],
  { links }: Structure,
  probe: Probe,
): Promise<readonly ModelObject[]> {
  const objects = new Map(tables.map((table) => [table, objectOf(table, [], table.label)]))
  const parts = partsOf([...objects.values()])
  for (const link of links.filter(({ from, to }) => from !== to))
    entryOf(objects, link.from).joins.push({ link, to: entryOf(objects, link.to) })
  for (const object of objects.values()) nameSecondWays(object)
  for (const object of objects.values()) endCircles(object, parts)
  for (const object of objects.values()) splitByKeys(object, parts)
  nameCircles(parts.list)
  leaveOut(parts.list)
  for (const object of objects.values()) await nameSameWays(object, probe)
  await splitByWays(parts, tables.length, probe)
  for (const part of [...parts.list]) joinItself(part, links, parts)
  return parts.list
}

function partsOf(list: ModelObject[]): Parts {
  const taken = new Set(list.map(({ label }) => label.toLowerCase()))
  const add = (of: ModelObject, role: readonly string[], isEnd: boolean): ModelObject => {
    const part = objectOf(of.table, role, unused(titled([...role, ...of.table.words]), taken), isEnd)
    list.push(part)
    return part
  }
  return {
    list,
    addEnd: (of, role) => add(of, role, true),
    copy: (of, role) => {
      const part = add(of, role, of.isEnd === true)
      part.joins.push(...of.joins.map((join) => ({ ...join })))
      return part
    },
  }
}

const objectOf = (table: DraftTable, role: readonly string[], label: string, isEnd = false): ModelObject => ({
  label,
  table,
  role,
  row: [...role, ...singular(table.words)],
  ...(isEnd && { isEnd }),
  joins: [],
})

/** A join that closes a cycle and names a role leads to an object that ends there: the manager of a store, but not the manager's store. */
function endCircles(object: ModelObject, parts: Parts): void {
  for (const join of [...object.joins]) {
    const role = roleOf(join.link)
    if (join.pathName === undefined && role.length > 0 && reaches(join.to, object))
      replaceJoin(object, join, parts.addEnd(join.to, role))
  }
}

/** Several foreign keys of one object refer to one table: each to a separate role, except the one that is named like the table. */
function splitByKeys(object: ModelObject, parts: Parts): void {
  for (const target of new Set(object.joins.map(({ to }) => to))) {
    const joins = object.joins.filter(({ to }) => to === target)
    if (joins.length < 2) continue
    for (const join of joins) {
      const role = roleOf(join.link)
      if (role.length === 0) continue
      const part = parts.copy(target, role)
      replaceJoin(object, join, part)
      // Other objects that use the same name mean the same role.
      const name = nameOf(firstOf(join.link.columnsFrom))
      for (const other of parts.list.filter((each) => each !== object && each.table !== object.table)) {
        const alike = other.joins.filter(({ to, link }) => to === target && nameOf(firstOf(link.columnsFrom)) === name)
        for (const each of alike) replaceJoin(other, each, part)
      }
    }
  }
}

/** The role `ship` for `ship customer id` to customers, and `manager` for `reports to`. */
function roleOf({ columnsFrom, to }: Link): readonly string[] {
  if (nameOf(firstOf(columnsFrom)) === 'reports to') return ['manager']
  const stem = stemOf(firstOf(columnsFrom))
  for (const name of [to.words, singular(to.words)])
    if (stem.slice(-name.length).join(' ') === name.join(' ')) return stem.slice(0, -name.length)
  return stem
}

/** A self-reference leads to an object that ends there: the manager of an employee, but not the manager of the manager. */
function joinItself(part: ModelObject, links: readonly Link[], parts: Parts): void {
  if (part.isEnd) return
  for (const link of links.filter(({ from, to }) => from === part.table && to === part.table)) {
    const role = roleOf(link)
    part.joins.push({ link, to: parts.addEnd(part, [...part.role, ...(role.length > 0 ? role : ['parent'])]) })
  }
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

/**
 * A direct join whose reference is, on every row, the one that a longer path finds: the customer of a payment is the customer of its
 * rental. Queries use the longer path, and the direct join has a name.
 */
async function nameSameWays(object: ModelObject, probe: Probe): Promise<void> {
  for (const direct of [...object.joins].filter(({ pathName }) => pathName === undefined)) {
    for (const first of object.joins.filter(({ to, pathName }) => to !== direct.to && pathName === undefined)) {
      const second = first.to.joins.find(({ to, pathName }) => to === direct.to && pathName === undefined)
      if (second === undefined || second.link.columnsTo.join() !== direct.link.columnsTo.join()) continue
      const found = await probe.agree(direct.link, first.link, second.link)
      if (found === undefined || found.rows === 0 || found.alike < found.rows) continue
      const why = `by the data: on each of ${counted(found.rows)} rows this is the ${singular(direct.to.table.words).join(' ')} that the path through '${first.to.label}' finds`
      object.joins.splice(object.joins.indexOf(direct), 1, { ...direct, pathName: pathNameOf(direct), why })
      break
    }
  }
}

const reaches = (from: ModelObject, to: ModelObject): boolean => allReached(from).has(to)

/** A join that closes a cycle, or is a second path to the same object, becomes secondary: only its name selects it. */
function nameCircles(parts: readonly ModelObject[]): void {
  for (const part of parts) {
    const joins = part.joins.splice(0)
    for (const join of joins) {
      const again = part.joins.some(({ to, pathName }) => to === join.to && pathName === undefined)
      if (join.pathName === undefined && (again || reaches(join.to, part))) join.pathName = pathNameOf(join)
      part.joins.push(join)
    }
  }
}
