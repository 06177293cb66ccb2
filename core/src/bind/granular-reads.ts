/** What fields say about the times of coarse data, as seen from the rows of a block: whether they are functions of whole periods of the data. */
import { type ColumnRef, type Expr, isInner, isLiteral, leavesOf, operandsOf } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import { consistsOf, type Granularity } from '../model/granularity.js'
import { comparedOf, equalityOf } from '../model/join-term.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Edge, JoinGraph } from '../resolve/join-graph.js'
import { columnOf, type FieldSource } from '../resolve/resolved-query.js'

/** A field that reads the time of coarse data. */
export interface GranularRead {
  /** The time column of the fact. */
  readonly time: ColumnRef
  readonly granularity: Granularity
  /** `whole`: a function of whole periods. `day`: the time itself, as a day. `finer`: anything else about a day. */
  readonly says: 'whole' | 'day' | 'finer'
}

const granular = new WeakMap<SemanticModel, boolean>()

/** Whether a fact of the model has coarse data. */
export function hasCoarseData(model: SemanticModel): boolean {
  const known = granular.get(model)
  if (known !== undefined) return known
  const found = [...model.dataObjects.values()].some(({ columns }) => [...columns.values()].some((c) => c.granularity))
  granular.set(model, found)
  return found
}

/** How a field that is read from the rows of `node` reads coarse data, in periods of `grain` if it is grouped by these; `undefined` if it does not. */
export function granularRead(
  { object, via, expression }: Pick<FieldSource, 'object' | 'via' | 'expression'>,
  node: string,
  grain: Grain | undefined,
  graph: JoinGraph,
): GranularRead | undefined {
  const reads = leavesOf<ColumnRef>(expression).flatMap(
    (ref) => readOf(ref, edgesTo(ref, { object, via }, node, graph), graph) ?? [],
  )
  const [first] = reads
  if (!first) return undefined
  const { time, granularity } = first
  const isWhole = isOfPeriods(expression, grain, (ref, cut) =>
    isWholeRead(readOf(ref, edgesTo(ref, { object, via }, node, graph), graph), cut),
  )
  if (isWhole) return { time, granularity, says: 'whole' }
  return {
    time,
    granularity,
    says: !isInner<ColumnRef>(expression) && reads.every(({ says }) => says === 'day') ? 'day' : 'finer',
  }
}

const isWholeRead = (read: GranularRead | undefined, cut: Grain | undefined): boolean =>
  read === undefined ||
  read.says === 'whole' ||
  (read.says === 'day' && cut !== undefined && consistsOf(cut, read.granularity.grain))

/** The joins from a node to the object of a column. */
function edgesTo(
  ref: ColumnRef,
  { object, via }: Pick<FieldSource, 'object' | 'via'>,
  node: string,
  graph: JoinGraph,
): readonly Edge[] {
  const own = pathOf(node, object, via, graph)
  return ref.object === object ? own : [...own, ...pathOf(object, ref.object, undefined, graph)]
}

function pathOf(from: string, to: string, via: string | undefined, graph: JoinGraph): readonly Edge[] {
  const path = graph.path(from, to, via)
  return path.kind === 'path' ? path.edges : []
}

function readOf(ref: ColumnRef, edges: readonly Edge[], graph: JoinGraph): GranularRead | undefined {
  const { model } = graph
  const at = edges.findIndex((edge) => joiningTime(edge, model) !== undefined)
  const edge = edges[at]
  if (!edge) return readOfTime(ref, model)
  const { time, granularity } = joiningTime(edge, model)!
  const next = edges[at + 1]
  // Beyond the calendar, what is found depends on what joins it there.
  const columns = next ? comparedOf(next.on, 'from') : [ref.column]
  const says = columns.map((column) => saysOf(column, edge.to, granularity, model))
  if (!next && says[0] === 'day') return { time, granularity, says: 'day' }
  return { time, granularity, says: says.every((one) => one === 'whole') ? 'whole' : 'finer' }
}

/** The time column by which a join finds the days of a calendar. */
function joiningTime({ from, to, on, kind }: Edge, model: SemanticModel): Pick<GranularRead, 'time' | 'granularity'> | undefined {
  if (kind !== 'join' || !model.dataObjects.get(to)?.calendar) return undefined
  const [equal] = equalityOf(on) ?? []
  if (!equal) return undefined
  const time: ColumnRef = { kind: 'column', object: from, column: equal.from }
  const { granularity } = columnOf(model, time)
  return granularity && { time, granularity }
}

/** What a column of a calendar says about a day that represents a period of the data. */
function saysOf(column: string, calendar: string, { grain }: Granularity, model: SemanticModel): GranularRead['says'] {
  const { key, periods } = model.dataObjects.get(calendar)!.calendar!
  if (column === key) return 'day'
  const period = periods.get(column)
  return period && consistsOf(period.grain, grain) ? 'whole' : 'finer'
}

/** A time column of a fact, or a column that is computed of one. */
function readOfTime(ref: ColumnRef, model: SemanticModel): GranularRead | undefined {
  const { granularity, source } = columnOf(model, ref)
  if (granularity) return { time: ref, granularity, says: 'day' }
  if (source.kind !== 'expression') return undefined
  const reads = leavesOf<ColumnRef>(source.expression).flatMap((leaf) =>
    leaf.object === ref.object ? (readOfTime(leaf, model) ?? []) : [],
  )
  const [first] = reads
  if (!first) return undefined
  const isWhole = isOfPeriods(source.expression, undefined, (leaf, cut) =>
    isWholeRead(leaf.object === ref.object ? readOfTime(leaf, model) : undefined, cut),
  )
  return { ...first, says: isWhole ? 'whole' : 'finer' }
}

/** Whether an expression is a function of what `isWhole` accepts, of a time only where it is cut to a period. */
function isOfPeriods(
  expression: Expr<ColumnRef>,
  cut: Grain | undefined,
  isWhole: (ref: ColumnRef, cut: Grain | undefined) => boolean,
): boolean {
  if (!isInner<ColumnRef>(expression)) return isWhole(expression, cut)
  if (expression.kind === 'cast') return isOfPeriods(expression.operand, cut, isWhole)
  if (expression.kind === 'call' && CUTS.has(expression.name)) {
    const [unit, ...rest] = expression.args
    const period = unit && isLiteral(unit) ? PERIODS[String(unit.value).toLowerCase()] : undefined
    if (period !== undefined) return rest.every((one) => isOfPeriods(one, period, isWhole))
  }
  return operandsOf(expression).every((one) => isOfPeriods(one, undefined, isWhole))
}

/** The functions whose value is that of a period. */
const CUTS: ReadonlySet<string> = new Set(['date_trunc', 'extract'])
/** `extract` returns the week of an ISO year, which begins with a week. */
const PERIODS: Readonly<Record<string, Grain>> = { month: 'month', quarter: 'quarter', year: 'year' }
