import { allReached, type ModelObject, type ObjectJoin, type Parts, pathNameOf, replaceJoin, stepsOf } from './model-object.js'
import type { Probe } from './structure.js'
import { singular } from './words.js'

/** A role keeps the joins of its table if they lead to no more objects than an address with its city and country. */
const MOST_COPIED = 3
/** A table with as many references is a fact, even if others refer to it. */
const JOINS_OF_FACT = 3
/** The number of objects for each table, beyond which second paths get names and not objects. */
const MOST_PARTS = 4

/**
 * Every object reaches every other one on one path at most. One that is reached on two becomes a role for each of the objects that lead
 * to it; a large one stays for the lead with the most rows, and the others read a role that ends there.
 */
export async function splitByWays(parts: Parts, tables: number, probe: Probe): Promise<void> {
  const rows = await rowCounts(parts.list, probe)
  for (const from of targetsFirst(parts.list)) {
    for (let twice = twiceReached(from); twice !== undefined; twice = twiceReached(from)) {
      splitLeads(from, twice, { parts, rows, hasRoom: parts.list.length < tables * MOST_PARTS })
      leaveOut(parts.list)
    }
  }
}

async function rowCounts(parts: readonly ModelObject[], probe: Probe): Promise<ReadonlyMap<ModelObject, number>> {
  const counts = new Map<ModelObject, number>()
  for (const part of parts) {
    const [column] = part.table.columns
    const facts = column && part.joins.length > 0 ? await probe.facts({ table: part.table, column }) : undefined
    counts.set(part, facts?.rows ?? 0)
  }
  return counts
}

/** The objects, each after all that its joins lead to. */
function targetsFirst(parts: readonly ModelObject[]): readonly ModelObject[] {
  const done = new Set<ModelObject>()
  const visit = (part: ModelObject, above: ReadonlySet<ModelObject>): void => {
    if (done.has(part) || above.has(part)) return
    for (const step of stepsOf(part)) visit(step, new Set([...above, part]))
    done.add(part)
  }
  for (const part of parts) visit(part, new Set())
  return [...done]
}

/** The nearest object that several joins of this one lead to; `undefined` if each leads to others. */
function twiceReached(from: ModelObject): ModelObject | undefined {
  const steps = stepsOf(from)
  if (steps.length < 2) return undefined
  const seen = new Set<ModelObject>()
  const twice = new Set<ModelObject>()
  for (const step of steps) for (const to of allReached(step)) (seen.has(to) ? twice : seen).add(to)
  return [...twice].find((to) => ![...twice].some((nearer) => nearer !== to && allReached(nearer).has(to)))
}

interface Room {
  readonly parts: Parts
  readonly rows: ReadonlyMap<ModelObject, number>
  readonly hasRoom: boolean
}

function splitLeads(from: ModelObject, to: ModelObject, { parts, rows, hasRoom }: Room): void {
  const reached = allReached(from)
  const everywhere = parts.list.filter((part) => stepsOf(part).includes(to))
  const leads = everywhere.filter((part) => reached.has(part))
  const isSmall = allReached(to).size <= MOST_COPIED
  // A small table has a role for each lead; facts outside that refer to it share the table itself.
  const split =
    isSmall && hasRoom
      ? everywhere.filter((part) => reached.has(part) || isLed(part, parts.list))
      : leads.toSorted((a, b) => (rows.get(b) ?? 0) - (rows.get(a) ?? 0)).slice(1)
  for (const lead of split) {
    const joins = lead.joins.filter((join) => join.to === to && join.pathName === undefined)
    const part = hasRoom ? rolePart(lead, to, parts) : undefined
    for (const join of joins) {
      if (part === undefined) named(lead, join)
      else replaceJoin(lead, join, part)
    }
  }
}

const isLed = (part: ModelObject, parts: readonly ModelObject[]): boolean => parts.some((other) => stepsOf(other).includes(part))

/** A role of `to` for one lead. A small table keeps its joins; a large one keeps those to small ones, if the lead is a fact. */
function rolePart(lead: ModelObject, to: ModelObject, parts: Parts): ModelObject {
  const role = lead.role.length > 0 ? lead.role : singular(lead.table.words)
  if (allReached(to).size <= MOST_COPIED) return parts.copy(to, role)
  const part = parts.addEnd(to, role)
  const isFact = stepsOf(lead).length >= JOINS_OF_FACT || !isLed(lead, parts.list)
  for (const join of isFact ? to.joins : [])
    if (join.pathName === undefined && allReached(join.to).size <= MOST_COPIED)
      part.joins.push({ ...join, to: chainCopy(join.to, role, parts) })
  return part
}

/** A copy of a small table and of all that it leads to. */
function chainCopy(of: ModelObject, role: readonly string[], parts: Parts): ModelObject {
  const part = parts.addEnd(of, [...role, ...of.role])
  for (const join of of.joins) if (join.pathName === undefined) part.joins.push({ ...join, to: chainCopy(join.to, role, parts) })
  return part
}

const named = (lead: ModelObject, join: ObjectJoin): void => {
  lead.joins.splice(lead.joins.indexOf(join), 1, { ...join, pathName: pathNameOf(join) })
}

/** Leaves out tables that their roles have replaced, with what only these led to. */
export function leaveOut(parts: ModelObject[]): void {
  const led = new Set(parts.flatMap(({ joins }) => joins.map(({ to }) => to)))
  const roles = new Set(parts.flatMap(({ table, role, isEnd }) => (role.length > 0 && !isEnd ? [table] : [])))
  const left = parts.filter((part) => part.role.length === 0 && roles.has(part.table) && !led.has(part))
  for (const part of left) parts.splice(parts.indexOf(part), 1)
  if (left.length > 0) leaveOut(parts)
}
