/** Rows that policies look for: there is one way to them, and who is bound does not see their object. */
import { firstOf } from '../../invariant.js'
import { generatedDays } from '../calendar-table.js'
import { columnsBelow, columnsOfCondition, isOfOtherRows, objectsSought } from '../columns-read.js'
import { reachable } from '../graph.js'
import { HIDES_NOTHING, withReaders } from '../hidden-fields.js'
import { asOfOf, equalityOf } from '../join-term.js'
import { mayShareTable } from '../may-share-table.js'
import { parametersInCondition } from '../parameters-in.js'
import type { Segments } from '../parse/locate.js'
import type { DataObject, ExistsCondition, HiddenNames, ModelCondition, StaticFilter } from '../semantic-model.js'
import { type Hop, severalWays, shortestWays } from '../shortest-ways.js'
import type { Context } from './context.js'
import type { Declared } from './field-rules.js'
import { forwardGraph } from './join-graph.js'

interface Ground {
  readonly dataObjects: ReadonlyMap<string, DataObject>
  readonly filters: readonly StaticFilter[]
}

/** Reports tests for rows by no way or by several, conditions that these rows do not reach, and whatever a query could decide about them. */
export function checkSought({ dataObject, condition }: StaticFilter, at: Segments, ground: Ground, context: Context): boolean {
  return testsIn(condition)
    .map((test) => checkWay(dataObject, test, at, ground, context) && checkFilters(test, at, ground, context))
    .every(Boolean)
}

const testsIn = (condition: ModelCondition): readonly ExistsCondition[] =>
  condition.kind === 'group' ? condition.filters.flatMap(testsIn) : condition.kind === 'exists' ? [condition] : []

function checkWay(
  subject: string,
  { target, pathName }: ExistsCondition,
  at: Segments,
  { dataObjects }: Ground,
  { faults }: Context,
): boolean {
  if (subject === target) {
    const message = `The policy looks for rows of '${target}', whose own rows it removes; look for rows of another object, which lists who may see them`
    faults.error('INVALID_FILTER_VALUE', at, message)
    return false
  }
  const joins = [...dataObjects.values()].flatMap((one) => one.joins.filter((j) => !j.secondary || j.pathName === pathName))
  const ways = shortestWays(subject, target, { joins, pathName })
  const [way, ...others] = ways
  const through = pathName === undefined ? '' : ` through the join '${pathName}'`
  if (!way) faults.error('NO_JOIN_PATH', at, `'${subject}' and '${target}' are not connected by joins${through}`)
  else if (others.length > 0) {
    const message = `'${subject}' connects with '${target}' in several equally short ways, ${severalWays(ways, 'pathName')}`
    faults.error('AMBIGUOUS_JOIN', at, message)
  } else return checkHops(way, target, at, dataObjects, faults)
  return false
}

/** Rows are found by equal columns, or by the key of the row for which they are looked for. */
function checkHops(
  way: readonly Hop[],
  target: string,
  at: Segments,
  dataObjects: Ground['dataObjects'],
  faults: Context['faults'],
): boolean {
  const { from, to, on } = firstOf(way)
  if (equalityOf(on) === undefined && (dataObjects.get(from)?.key ?? []).length === 0) {
    faults.error('KEY_REQUIRED', at, `A test for rows of '${to}' needs a primaryKey of '${from}'`)
    return false
  }
  const endless = way.flatMap((hop) => [hop.from, hop.to]).find((name) => isEndless(dataObjects.get(name)))
  if (endless !== undefined) {
    const message = `'${from}' and '${target}' are connected by the days of '${endless}', a calendar without 'from' and 'to'; declare its first and last day`
    faults.error('CALENDAR_RANGE_REQUIRED', at, message)
    return false
  }
  const timed = way.find((hop) => joinsDaysByTime(hop, dataObjects))
  if (timed) {
    const message = `'${timed.from}' and '${timed.to}' are joined by the day of a time, which each query reads in its own time zone; join the calendar by a column that is a date`
    faults.error('INVALID_FILTER_VALUE', at, message)
    return false
  }
  const finding = new Set(way.flatMap((hop) => asOfOf(hop.on)?.found ?? []))
  if (finding.size < 2) return true
  const message = `'${from}' and '${target}' are connected by joins with asOf in both directions; look for rows of an object between them`
  faults.error('NO_JOIN_PATH', at, message)
  return false
}

/** Whether one side is a day of a generated calendar and the other one a time. */
const joinsDaysByTime = ({ from, to, on }: Hop, dataObjects: Ground['dataObjects']): boolean => {
  const [one, other] = [dataObjects.get(from), dataObjects.get(to)]
  if (![one, other].some((object) => object && generatedDays(object) !== undefined)) return false
  return (equalityOf(on) ?? []).some(
    (term) => one?.columns.get(term.from)?.type.kind !== 'date' || other?.columns.get(term.to)?.type.kind !== 'date',
  )
}

const isEndless = (object: DataObject | undefined): boolean => {
  const days = object && generatedDays(object)
  return days !== undefined && (days.from === undefined || days.to === undefined)
}

/** Their conditions are on the target and what it reaches, and no filter of the model there depends on a query or on what policies leave. */
function checkFilters(
  { target, filters }: ExistsCondition,
  at: Segments,
  { dataObjects, filters: ofModel }: Ground,
  { faults }: Context,
): boolean {
  const joins = [...dataObjects.values()].flatMap((one) => one.joins.filter(({ secondary }) => !secondary))
  const reached = reachable(target, forwardGraph(joins, false).forward)
  const far = filters.flatMap(columnsOfCondition).find((ref) => !reached.has(ref.object))
  if (far) {
    const message = `'${target}' does not reach '${far.object}' by its primary joins; look for rows of an object that does`
    faults.error('NO_JOIN_PATH', at, message)
    return false
  }
  const own = ofModel.filter(({ dataObject }) => reached.has(dataObject))
  const [parameter] = own.flatMap(({ condition }) => [...parametersInCondition(condition, dataObjects)])
  if (parameter !== undefined) {
    const message = `The rows of '${target}' that the policy looks for are those of a filter of the model with the parameter '${parameter}', which every query may set`
    faults.error('PARAMETER_IN_POLICY', at, message)
    return false
  }
  const fields = { dataObjects, dimensions: new Map(), measures: new Map(), metrics: new Map() }
  const counted = columnsBelow(
    own.flatMap(({ condition }) => columnsOfCondition(condition)),
    fields,
  ).find((ref) => isOfOtherRows(ref, fields))
  if (!counted) return true
  const message = `The rows of '${target}' that the policy looks for are those of a filter of the model on '${counted.object}.${counted.column}', a column that counts or finds only rows that policies leave`
  faults.error('CYCLIC_FILTER', at, message)
  return false
}

/** The objects whose rows a policy looks for, other objects with their rows, and all that reads them. */
export function hiddenBySought(condition: ModelCondition, declared: Declared): HiddenNames {
  const { dataObjects } = declared
  const objects = new Set(objectsSought(condition))
  if (objects.size === 0) return HIDES_NOTHING
  const tables = [...objects].map((name) => rowsOf(name, dataObjects))
  for (const name of dataObjects.keys()) {
    const own = rowsOf(name, dataObjects)
    if (tables.some((one) => one === own || (one && own && mayShareTable(one, own)))) objects.add(name)
  }
  return withReaders({ ...HIDES_NOTHING, objects }, [], declared)
}

/** The object, or the one whose rows have its elements or pairs. */
function rowsOf(name: string, dataObjects: Ground['dataObjects']): DataObject | undefined {
  const object = dataObjects.get(name)
  const of = object?.nestedIn?.dataObject ?? object?.closure?.dataObject
  return of === undefined ? object : rowsOf(of, dataObjects)
}
