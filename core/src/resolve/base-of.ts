import { fail } from '../errors.js'
import { leavesOf } from '../model/expression/ast.js'
import type { Measure } from '../model/semantic-model.js'
import type { JoinGraph } from './join-graph.js'

/** The object at whose rows a measure is evaluated. Throws `ANCHOR_REQUIRED`. */
export function baseOf(measure: Measure, graph: JoinGraph, path: string): string {
  if (measure.rowCountOf !== undefined) return measure.rowCountOf
  const read = readObjects(measure)
  const reachesAll = (object: string): boolean => read.every((r) => graph.reach(object).has(r))
  if (measure.anchor !== undefined && reachesAll(measure.anchor)) return measure.anchor
  if (read.length === 0) return refuse(measure, [...graph.model.dataObjects.keys()], path)
  const own = read.length === 1 ? read[0] : graph.lowest(read.filter(reachesAll), read)
  if (own) return own
  const shared = graph.nodes.filter((node) => !graph.pairs.has(node) && reachesAll(node))
  const base = graph.lowest(shared, read)
  if (base) return base
  if (shared.length === 0) return meetingPlace(measure, read, graph, path)
  return refuse(measure, shared, path)
}

/** "Reads" means columns, expression, withinGroup and orderBy; never filters or dimensions. */
export function readObjects({ inputs, orderBy, withinGroup }: Measure): string[] {
  const objects = new Set<string>()
  for (const input of inputs) for (const { object } of leavesOf(input)) objects.add(object)
  for (const { column } of orderBy) objects.add(column.object)
  if (withinGroup) objects.add(withinGroup.column.object)
  return [...objects]
}

function refuse(measure: Measure, candidates: readonly string[], path: string): never {
  if (candidates.length === 0) return refuseStrangers(measure, path)
  const named = candidates.slice(0, 5).map((c) => `'${c}'`)
  return fail(
    'ANCHOR_REQUIRED',
    `measure '${measure.name}' does not say whose rows it counts; give it an anchor, such as ${named.join(' or ')}`,
    {
      path,
      suggestions: candidates.slice(0, 5),
    },
  )
}

function refuseStrangers(measure: Measure, path: string): never {
  const read = readObjects(measure).map((object) => `'${object}'`)
  const message = `measure '${measure.name}' reads ${read.slice(0, 5).join(' and ')}, and no object is reached from all of them, so there is no anchor; declare joins that lead from each of them to one object, or a measure for each and a metric over these`
  return fail('ANCHOR_REQUIRED', message, { path })
}

/** Facts of which none reaches the others are joined at the anchor, or else at the nearest object that they share. */
function meetingPlace(measure: Measure, read: readonly string[], graph: JoinGraph, path: string): string {
  const meeting = graph.nodes.filter((node) => !graph.pairs.has(node) && read.every((r) => graph.reach(r).has(node)))
  if (measure.anchor !== undefined && meeting.includes(measure.anchor)) return measure.anchor
  const nearest = measure.anchor === undefined ? graph.nearest(meeting, read) : undefined
  return nearest ?? refuse(measure, meeting, path)
}
