import { entryOf, itemAt } from '../../invariant.js'
import { columnsBelow, columnsOfColumn, columnsOfCondition, type Fields, fieldsBelow, isOfOtherRows } from '../columns-read.js'
import { type ColumnRef, leavesOf } from '../expression/ast.js'
import { reachable } from '../graph.js'
import { asOfOf } from '../join-term.js'
import type { ExistsSource, Measure, ModelCondition, StaticFilter } from '../semantic-model.js'
import { type Hop, shortestWays } from '../shortest-ways.js'
import type { Context } from './context.js'
import { forwardGraph } from './join-graph.js'

/**
 * Refuses a static filter that reads a column which counts or finds only rows that this filter leaves: a fixed point need not exist. A filter of its object that
 * reads a window function is applied to its result.
 */
export function refuseCyclicFilters(fields: Fields, filters: readonly StaticFilter[], { faults }: Context): void {
  const reading = filters.map((filter) => measuredIn(columnsOfCondition(filter.condition), fields))
  if (reading.every((columns) => columns.length === 0)) return
  const reach = reachOf(fields)
  const columns = new Map<string, ColumnRef>()
  const named = (read: readonly ColumnRef[]): readonly string[] =>
    read.map((ref) => {
      const name = `${ref.object}.${ref.column}`
      columns.set(name, ref)
      return name
    })
  const counted = new Map<string, ReadonlySet<string>>()
  const countedIn = (name: string): ReadonlySet<string> => {
    const known = counted.get(name) ?? objectsCounted(columns.get(name), fields, reach)
    counted.set(name, known)
    return known
  }
  const applies = (i: number, name: string): boolean => {
    const { dataObject } = itemAt(filters, i)
    return countedIn(name).has(dataObject) && !isOfResult(dataObject, columns.get(name), itemAt(reading, i), fields)
  }
  const readBy = (name: string): readonly string[] => {
    const ref = columns.get(name)
    const own = ref ? named(measuredIn(columnsOfColumn(ref, fields), fields)) : []
    return [...own, ...filters.flatMap((_, i) => (applies(i, name) ? named(reading[i] ?? []) : []))]
  }
  for (const [i, { dataObject }] of filters.entries()) {
    const read = named(reading[i] ?? []).find((name) => [...reachable(name, readBy)].some((one) => applies(i, one)))
    if (read === undefined) continue
    const message = `The filter on '${dataObject}' reads '${read}', a column that counts or finds only rows that this filter leaves. Put the condition into the where of a query, a segment, or the filters of a measure`
    faults.error('CYCLIC_FILTER', ['filters', i], message)
  }
}

/** Whether a filter of an object is applied to what a window function makes of the rows that others leave, because it reads the function. */
const isOfResult = (object: string, column: ColumnRef | undefined, read: readonly ColumnRef[], fields: Fields): boolean =>
  column?.object === object &&
  fields.dataObjects.get(object)?.columns.get(column.column)?.source.kind === 'window' &&
  read.some((ref) => ref.object === object && ref.column === column.column)

const measuredIn = (columns: readonly ColumnRef[], fields: Fields): readonly ColumnRef[] =>
  columnsBelow(columns, fields).filter((ref) => isOfOtherRows(ref, fields))

/** The objects, and the pairs of a many-to-many join, with what each reaches by primary joins. */
type Reach = ReadonlyMap<string, ReadonlySet<string>>

function reachOf({ dataObjects }: Fields): Reach {
  const joins = [...dataObjects.values()].flatMap((object) => object.joins).filter(({ secondary }) => !secondary)
  const { forward: byJoins } = forwardGraph(joins, false)
  const forward = (name: string): readonly string[] => [
    ...byJoins(name),
    ...[dataObjects.get(name)?.closure?.dataObject ?? []].flat(),
  ]
  const pairs = joins.filter(({ cardinality }) => cardinality === 'many-to-many')
  return new Map([
    ...[...dataObjects.keys()].map((name) => [name, reachable(name, forward)] as const),
    ...pairs.map(
      ({ from, to }) => [`${from} with ${to}`, new Set([...reachable(from, forward), ...reachable(to, forward)])] as const,
    ),
  ])
}

/** The objects whose static filters decide which rows a column counts or finds. */
function objectsCounted(column: ColumnRef | undefined, fields: Fields, reach: Reach): ReadonlySet<string> {
  const source = column && fields.dataObjects.get(column.object)?.columns.get(column.column)?.source
  if (source?.kind === 'exists' && column) return reached(soughtFrom(column.object, source, fields.dataObjects), reach)
  if (source?.kind === 'window' && column) return reach.get(column.object) ?? new Set()
  if (!column || source?.kind !== 'measure') return new Set()
  const measures = fieldsBelow(source.measure, fields).flatMap((name) => fields.measures.get(name) ?? [])
  return new Set(measures.flatMap((measure) => objectsOf(measure, column.object, fields, reach)))
}

/** What its rows are and reach, and the rows of bridges by which they belong to a key or meet a filter. */
function objectsOf(measure: Measure, entity: string, { dataObjects }: Fields, reach: Reach): readonly string[] {
  const { inputs, filters, anchor, rowCountOf } = measure
  const read = [...inputs.flatMap((input) => leavesOf<ColumnRef>(input)).map(({ object }) => object), rowCountOf ?? []].flat()
  const home = anchor ?? read.find((one) => read.every((other) => reach.get(one)?.has(other)))
  const connected = [entity, ...filters.flatMap(fieldsRead)]
  const bridges = home === undefined ? [] : connected.flatMap((object) => bridgeBetween(home, object, dataObjects, reach) ?? [])
  const sought = filters.flatMap((filter) => soughtIn(filter, dataObjects))
  return [...reached([...read, anchor ?? [], bridges, sought].flat(), reach)]
}

const reached = (objects: readonly string[], reach: Reach): ReadonlySet<string> =>
  new Set(objects.flatMap((object) => [...(reach.get(object) ?? [])]))

/** The object of a hop of which a time finds one row. */
function foundByTime({ on, ...ends }: Hop): readonly string[] {
  const asOf = asOfOf(on)
  return asOf ? [ends[asOf.found]] : []
}

function soughtIn(condition: ModelCondition, dataObjects: Fields['dataObjects']): readonly string[] {
  if (condition.kind === 'group') return condition.filters.flatMap((filter) => soughtIn(filter, dataObjects))
  return condition.kind === 'exists' ? soughtFrom(condition.subject.object, condition, dataObjects) : []
}

/** The object whose rows are looked for, and those on the way of which a time finds one row among the rows that filters leave. */
function soughtFrom(
  subject: string,
  { target, pathName }: Pick<ExistsSource, 'target' | 'pathName'>,
  dataObjects: Fields['dataObjects'],
): readonly string[] {
  const joins = [...dataObjects.values()].flatMap((one) => one.joins.filter((j) => !j.secondary || j.pathName === pathName))
  const [way = []] = shortestWays(subject, target, { joins, pathName })
  return [target, ...way.flatMap(foundByTime)]
}

/** The objects that a condition reads on rows of the measure, or on their connections. */
function fieldsRead(condition: ModelCondition): readonly string[] {
  if (condition.kind === 'exists') return [condition.subject.object]
  if (condition.kind === 'group') return condition.filters.flatMap(fieldsRead)
  return columnsOfCondition(condition).map(({ object }) => object)
}

/** What connects rows with an object that they do not reach. */
function bridgeBetween(home: string, object: string, dataObjects: Fields['dataObjects'], reach: Reach): string | undefined {
  const own = entryOf(reach, home)
  if (own.has(object)) return undefined
  const both = [...reach].filter(([, reached]) => reached.has(home) && reached.has(object))
  const [nearest] = both.find(([one]) => both.every(([other, reached]) => other === one || reached.has(one))) ?? []
  if (nearest !== undefined) return nearest
  const declared = [...reach].find(
    ([one, reached]) => dataObjects.get(one)?.bridge && reached.has(object) && [...own].some((shared) => reached.has(shared)),
  )
  return declared?.[0]
}
