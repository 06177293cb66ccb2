/** What fields say about the days of a calendar table, and which of them say the same time. */

import type { ColumnRef } from '../model/expression/ast.js'
import { type Expr, isInner, leavesOf } from '../model/expression/ast.js'
import { equalityOf } from '../model/join-term.js'
import type { Join, SemanticModel } from '../model/semantic-model.js'
import type { JoinGraph } from './join-graph.js'
import type { FieldSource } from './resolved-query.js'

/** A field that says something about the days of a calendar. */
export interface DaysOf {
  readonly calendar: string
  readonly via: string | undefined
  /** For a column of a fact: the column by which the fact joins the calendar. */
  readonly joinedBy: ColumnRef | undefined
  readonly says: 'day' | 'period' | 'attribute'
}

/** What a field says about days, in each calendar that knows it: a column of a fact may join several. */
export function daysOf(source: FieldSource, model: SemanticModel): readonly DaysOf[] {
  if (!hasCalendars(model)) return []
  const calendar = model.dataObjects.get(source.object)?.calendar
  return calendar ? [ofCalendar(source, model)] : ofFact(source, model)
}

const calendars = new WeakMap<SemanticModel, boolean>()

function hasCalendars(model: SemanticModel): boolean {
  const known = calendars.get(model)
  if (known !== undefined) return known
  const found = [...model.dataObjects.values()].some(({ calendar }) => calendar !== undefined)
  calendars.set(model, found)
  return found
}

function ofCalendar({ object, via, expression }: FieldSource, model: SemanticModel): DaysOf {
  const { key, periods } = model.dataObjects.get(object)!.calendar!
  const read = leavesOf<ColumnRef>(expression)
  const days = { calendar: object, via, joinedBy: undefined }
  if (!isInner<ColumnRef>(expression) && expression.column === key) return { ...days, says: 'day' }
  const isOfPeriods =
    read.length > 0 && read.every((ref) => ref.object === object && (ref.column === key || periods.has(ref.column)))
  return { ...days, says: isOfPeriods ? 'period' : 'attribute' }
}

/** A column by which a fact joins the key of calendars, or the time of which that column is the day. */
function ofFact({ object, expression }: FieldSource, model: SemanticModel): readonly DaysOf[] {
  if (isInner<ColumnRef>(expression) || expression.object !== object) return []
  return (model.dataObjects.get(object)?.joins ?? []).flatMap((join): readonly DaysOf[] => {
    const column = joiningColumn(join, model)
    if (column === undefined) return []
    if (column !== expression.column && dayUnder(object, column, model) !== expression.column) return []
    return [{ calendar: join.to, via: undefined, joinedBy: { kind: 'column', object, column }, says: 'day' }]
  })
}

/** The column of a join that ends at the key of a calendar alone. */
function joiningColumn({ to, on }: Pick<Join, 'to' | 'on'>, model: SemanticModel): string | undefined {
  const key = model.dataObjects.get(to)?.calendar?.key
  const [equal, ...others] = (key === undefined ? undefined : equalityOf(on)) ?? []
  return equal?.to === key && others.length === 0 ? equal?.from : undefined
}

/** The column of which a computed column is the day alone. */
function dayUnder(object: string, column: string, model: SemanticModel): string | undefined {
  const source = model.dataObjects.get(object)?.columns.get(column)?.source
  if (source?.kind !== 'expression') return undefined
  const { expression } = source
  const inner = withinDay(expression)
  return inner && !isInner<ColumnRef>(inner) && inner.object === object ? inner.column : undefined
}

function withinDay(expression: Expr<ColumnRef>): Expr<ColumnRef> | undefined {
  if (expression.kind === 'cast') return expression.type.kind === 'date' ? expression.operand : undefined
  if (expression.kind !== 'call' || expression.name !== 'date_trunc') return undefined
  const [unit, time] = expression.args
  return unit?.kind === 'literal' && String(unit.value).toLowerCase() === 'day' ? time : undefined
}

/**
 * Whether two fields say days of one calendar in one role, or of two calendars that are joined by one column, as seen from `base`, or from the fact
 * that has one of them.
 */
export function isSameTime(a: DaysOf, b: DaysOf, graph: JoinGraph, base?: string): boolean {
  if (a.calendar !== b.calendar) return !a.joinedBy && !b.joinedBy && areJoinedByOneColumn(a, b, graph, base)
  if (!a.joinedBy && !b.joinedBy) return a.via === b.via
  if (a.joinedBy && b.joinedBy) return a.joinedBy.object === b.joinedBy.object && a.joinedBy.column === b.joinedBy.column
  const [fact, { via }] = a.joinedBy ? [a.joinedBy, b] : [b.joinedBy!, a]
  const from = base === undefined ? fact.object : nodeFor(base, a.calendar, via, graph)
  const path = graph.path(from ?? fact.object, a.calendar, via)
  const last = path.kind === 'path' ? path.edges.at(-1) : undefined
  return last?.from === fact.object && joiningColumn(last, graph.model) === fact.column
}

/** Whether whatever reaches both calendars reaches them by one column. */
function areJoinedByOneColumn(a: DaysOf, b: DaysOf, graph: JoinGraph, base: string | undefined): boolean {
  const bases = base === undefined ? [...graph.model.dataObjects.keys()] : [base]
  const ends = bases.flatMap((from) => {
    const [one, other] = [joiningEdge(a, graph, from), joiningEdge(b, graph, from)]
    return one && other ? [one === other] : []
  })
  return ends.length > 0 && ends.every((isOne) => isOne)
}

/** The column by which the last object on the way to a calendar joins it; `undefined` if it is not reached at its key. */
function joiningEdge({ calendar, via }: DaysOf, graph: JoinGraph, base: string): string | undefined {
  const from = nodeFor(base, calendar, via, graph)
  const path = from === undefined || !graph.reaches(from, calendar, via) ? undefined : graph.path(from, calendar, via)
  const last = path?.kind === 'path' ? path.edges.at(-1) : undefined
  const column = last && joiningColumn(last, graph.model)
  return column === undefined ? undefined : JSON.stringify([last!.from, column])
}

/** The object from which the calendar is read: the base, or the bridge to it. */
function nodeFor(base: string, calendar: string, via: string | undefined, graph: JoinGraph): string | undefined {
  if (graph.reaches(base, calendar, via)) return base
  const bridge = graph.bridge(base, calendar, via)
  return bridge === 'ambiguous' ? undefined : bridge
}
