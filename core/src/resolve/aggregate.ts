import { fail } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { unitsOfModel } from '../model/unit/model-units.js'
import type { QueryFilter, QueryObject } from '../query/query-object.js'
import { adHoc, type NamedValue, refuseType } from './ad-hoc.js'
import { baseOf } from './base-of.js'
import { onClocks } from './bucket.js'
import type { CalendarTimes } from './calendar-times.js'
import type { TimeContext } from './clock.js'
import { knownCondition } from './conditions.js'
import { absentOutput, dimensionOutput, othersOutputs, shownDimension } from './dimension-output.js'
import { allOf } from './expressions.js'
import { fillAt } from './fill.js'
import { asCondition, comparisonOf, resolveTree } from './filters.js'
import { gapRange } from './gap-range.js'
import { find, refuseTwice } from './lookup.js'
import { warnNaiveCompared } from './naive.js'
import { inRankOrder, resolveOrder } from './order.js'
import type { RelationColumn, RowExpr } from './relation-column.js'
import {
  type AggregateQuery,
  type Fill,
  type GapRange,
  hasDimension,
  type MetricStep,
  type Output,
  type QueryBase,
  type ResolveContext,
  type ResolvedDimension,
  type ResolveOptions,
  type RowField,
} from './resolved-query.js'
import { conditionsOf } from './row-conditions.js'
import { type MeasureSeen, RowSet } from './row-set.js'
import type { RowSetContext } from './row-set-context.js'
import { timeRangesOf } from './time-ranges.js'
import { unknownMeasure } from './unknown-field.js'

export interface AggregateRequest {
  readonly query: QueryObject
  readonly context: ResolveContext
  readonly options: ResolveOptions
  /** Selected measures and metrics, with their places in the query. */
  readonly measures: readonly { readonly name: string; readonly path: string }[]
  readonly base: Omit<QueryBase, 'order'>
  /** The grouping dimensions: all selected ones, or those of one subtotal level. */
  readonly dimensions: readonly ResolvedDimension[]
  /** All selected dimensions, if this is a subtotal level: those that do not group are NULL. */
  readonly selected?: readonly ResolvedDimension[]
  readonly fill: Fill | undefined
  readonly calendarTimes: CalendarTimes
  readonly columnName: (key: string, name: string) => string
}

/** Measures and metrics by dimensions, at one level. */
export function resolveAggregate(request: AggregateRequest): AggregateQuery {
  const { query, context, options, base, dimensions: selected, measures, columnName, calendarTimes } = request
  const all = request.selected ?? selected
  const absent = all.filter((d) => !selected.includes(d))
  const dimensions = [...selected, ...calendarTimes(selected)]
  const elsewhere = [...absent, ...calendarTimes(all).filter((d) => !hasDimension(dimensions, d))]
  const fill = fillAt(request.fill, dimensions, context.graph)
  const rows: RowSetContext = {
    graph: context.graph,
    functions: options.functions,
    aggregates: options.aggregates,
    dimensions,
    shown: dimensions,
    absent: elsewhere,
    outerDimensions: [],
    where: base.where,
    conditions: conditionsOf(base.where),
    inner: {
      kind: 'aggregate',
      fill,
      order: [],
      having: undefined,
      fanOut: query.allow_fan_out,
      everyRowOf: undefined,
      ...base,
      limit: undefined,
      offset: undefined,
      rowsOf: undefined,
    },
    warn: context.warn,
    readClock: context.readClock,
    columnName: (key, name) => columnName(`field ${key}`, name),
  }
  const rowSet = new RowSet(rows)
  const requested = measures.map(({ name, path }) => selectedField(name, rowSet, context.model, path))
  refuseTwice(
    requested.map((field) => field.name),
    'select.measures',
  )
  const gaps = fill && query.fill_gaps === 'range' ? gapsOf(fill.time, rowSet, request) : undefined
  const fields = [...requested.map((field) => fieldOutput(field, base.time)), ...othersOutputs(all, absent)]
  const outputs = [...selected.map(shownDimension), ...fields]
  const having = allOf(query.having.map((filter) => resolveHaving(filter, rowSet, request)))
  const shown = [...all.map((d) => (absent.includes(d) ? absentOutput(d) : dimensionOutput(d))), ...fields]
  // Any rows may be on a page without an order; a default order would read all of them.
  const everyRowOf = options.everyRowOf
  // The rows of one cell have no rank, and another measure has other rows.
  const ranked = options.behind ? query : inRankOrder(query, all)
  const { order, sorts } =
    everyRowOf === undefined
      ? resolveOrder(ranked, { outputs: shown, dimensions: all, absent, rowSet, context: rows }, base)
      : { order: [], sorts: [] }
  return {
    kind: 'aggregate',
    dimensions,
    aggregates: rowSet.aggregates,
    steps: gaps ? rowSet.steps.map((step) => gaps.inWindow(step)) : rowSet.steps,
    folds: rowSet.folds,
    nested: rowSet.nested,
    sorts: sorts.filter(({ dimensions: by }) => by.every((d) => hasDimension(dimensions, d))),
    over: undefined,
    fill: gaps ? { ...fill!, range: gaps.ofAll } : fill,
    outputs,
    having,
    order,
    fanOut: query.allow_fan_out,
    everyRowOf,
    ...base,
    timeRanges: timeRangesOf(
      measures.map(({ name }) => name),
      {
        graph: context.graph,
        clocks: base.time,
        dimensions,
        absent: elsewhere,
        measuresSeen: (names) => rowSet.measuresSeen(names),
      },
    ),
  }
}

/** The times whose periods are reported for all selected fields, and for the measure of each window alone. */
function gapsOf(time: ResolvedDimension, rowSet: RowSet, { measures, base, context: { model, graph } }: AggregateRequest) {
  const within = { model, graph, clocks: base.time }
  const rangeOf = (seen: readonly MeasureSeen[]): GapRange => {
    const read = seen.map(({ measure, where }) => ({ where, base: baseOf(measure, graph, 'fill_gaps') }))
    return gapRange(time, read.length === 0 ? [base] : read, within)
  }
  const ofAll = rangeOf(rowSet.measuresSeen(measures.map(({ name }) => name)))
  const inWindow = (step: MetricStep): MetricStep =>
    step.kind === 'window' ? { ...step, gaps: rangeOf(rowSet.seenByWindow(step.name)) } : step
  return { ofAll, inWindow }
}

/** A time that is shown as another type is shown by the clocks of the query. */
function fieldOutput({ name, expression, type, displayAs, format, role }: RowField, time: TimeContext): Output {
  if (displayAs === undefined || displayAs.kind === type.kind) return { name, role, type, expression, displayAs, format }
  const shown = onClocks<RelationColumn>(expression, type, time)
  return { name, role, type: shown.type, expression: shown.value, displayAs, format }
}

function selectedField(name: string, rowSet: RowSet, model: SemanticModel, path: string): RowField {
  const field = rowSet.field(name, true, path)
  if (field) return field
  if (find(name, model.dimensions)) {
    return fail('UNKNOWN_MEASURE', `'${name}' is a dimension, not a measure; move it to select.dimensions`, { path })
  }
  return unknownMeasure('UNKNOWN_MEASURE', name, model, path)
}

function resolveHaving(filter: QueryFilter, rowSet: RowSet, request: AggregateRequest): RowExpr {
  const { context } = request
  return resolveTree<RelationColumn>(filter, (single) => {
    if (single.kind === 'expression') {
      const path = `${single.path}.expression`
      const found = adHoc<RelationColumn>(single.expression, path, context, (name) => shownField(name, path, rowSet, request))
      return found.type.kind === 'boolean' ? asCondition(found.expression) : refuseType(found.type, path)
    }
    const { name, type, expression } = answerField(single.field, `${single.path}.field`, rowSet, request)
    warnNaiveCompared(single, { name, type }, context)
    return knownCondition({ expression, type, grain: undefined, name }, comparisonOf(single, context), context.time)
  })
}

/** The field in an expression: a time as clocks in the zone of the query show it. */
function shownField(name: string, path: string, rowSet: RowSet, request: AggregateRequest): NamedValue<RelationColumn> {
  const { expression, type } = answerField(name, path, rowSet, request)
  const shown = onClocks<RelationColumn>(expression, type, request.context.time)
  return { expression: shown.value, type: shown.type, unit: unitsOfModel(request.context.model).ofField(name).unit }
}

/** A column of the answer, or any measure or metric of the model. */
function answerField(
  name: string,
  path: string,
  rowSet: RowSet,
  { dimensions, selected = dimensions, context: { model } }: AggregateRequest,
): Pick<Output, 'name' | 'type' | 'expression'> {
  const dimension = selected.find((d) => d.label === name)
  if (dimension) return dimensions.includes(dimension) ? dimensionOutput(dimension) : absentOutput(dimension)
  const field = rowSet.field(name, false, path)
  if (field) return field
  if (find(name, model.dimensions)) {
    fail('UNKNOWN_FILTER_FIELD', `'${name}' is a dimension; a condition on it belongs in where`, {
      path,
      hint: 'move this filter to where',
    })
  }
  return unknownMeasure('UNKNOWN_FILTER_FIELD', name, model, path)
}

/**
 * The detail rows that the answer shows: what `having`, `top` and an explicit limit leave, judged by the values of all rows. They have the times by
 * which the rows of `levels` differ.
 */
export function resolveShown(request: AggregateRequest, levels: readonly (readonly ResolvedDimension[])[]): AggregateQuery {
  const { grouping: _, ...query }: QueryObject = request.query.shownBy ?? request.query
  const { measures } = query.select
  // A level may identify longer periods than the detail rows, and each of these is in one of them.
  const times = new Map([request.dimensions, ...levels].flatMap(request.calendarTimes).map((time) => [time.name, time]))
  const detail = resolveAggregate({
    ...request,
    query,
    calendarTimes: () => [...times.values()],
    measures: measures.map((name, i) => ({ name, path: `select.measures[${i}]` })),
    base: { ...request.base, limit: query.limit, offset: query.offset },
  })
  // Columns of periods can identify a time, which also distinguishes the rows of the levels.
  const all = [...request.dimensions, ...detail.dimensions.filter((d) => !hasDimension(request.dimensions, d))]
  return { ...detail, outputs: all.map((d) => ({ ...dimensionOutput(d), name: d.name })) }
}
