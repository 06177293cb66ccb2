import { type Expr, type FieldRef, isLiteral } from '../model/expression/ast.js'
import { nameOfGrain } from '../model/grain.js'
import { type CumulativeMetric, componentsOf, type Measure, type Metric, type PeriodMetric } from '../model/semantic-model.js'
import { undeclaredCalendar } from './beside-a-calendar.js'
import type { TimeContext } from './clock.js'
import { relativeSpan } from './conditions.js'
import { declaredDimension, sourceOf } from './fields.js'
import { knownLeft } from './known-left.js'
import { find } from './lookup.js'
import { namesPeriod } from './named-periods.js'
import { isRangeable } from './over-time.js'
import { conjunctsOnTime, timeConjuncts } from './periods.js'
import { type Conjunct, type ResolveContext, type ResolvedDimension, timedParts, type WhereLeaf } from './resolved-query.js'
import { restrictedRange } from './restricted-ranges.js'
import { dateText, floor, MICROS_PER_DAY, type Micros, parseTime } from './time.js'
import { timeComparer } from './time-comparison.js'
import type { TimeCondition } from './time-condition.js'
import { finest, timesNamed } from './time-dimension.js'

/** Warnings about the selected metrics over time, whose numbers a reader could misunderstand. */
export function warnOverTime(
  selected: readonly { readonly name: string; readonly path: string }[],
  dimensions: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  context: ResolveContext,
): void {
  for (const { name, path } of selected) {
    for (const metric of metricsBelow(name, context)) {
      if (metric.type === 'cumulative') warnRecomputed(metric, path, context)
      if (metric.type === 'period_over_period') warnPartial(metric, dimensions, where, context)
      if (metric.type === 'period_over_period') warnRestricted({ metric, path }, dimensions, where, context)
      if (metric.type === 'cumulative' || metric.type === 'period_over_period')
        warnBesideCalendar({ metric, path }, dimensions, where, context)
    }
  }
}

function metricsBelow(name: string, { model }: ResolveContext): ReadonlySet<Metric> {
  const found = new Set<Metric>()
  const add = (field: string): void => {
    const metric = find(field, model.metrics)
    if (metric) found.add(metric)
  }
  add(name)
  for (const metric of found) for (const component of componentsOf(metric)) add(component)
  return found
}

/** Without a fold the base is evaluated over the rows of the window, which is the sum of its values only if it is additive. */
function warnRecomputed(metric: CumulativeMetric, path: string, context: ResolveContext): void {
  if (metric.cumulativeType !== undefined || addsUp(metric.measure, context)) return
  context.warn(
    'CUMULATIVE_RECOMPUTED',
    `'${metric.name}' is '${metric.measure}' over the rows of each window, not the sum of its values, which do not add up`,
    { path, hint: 'give the metric a cumulativeType to fold the values of the periods instead' },
  )
}

function addsUp(name: string, context: ResolveContext): boolean {
  const { model, aggregates } = context
  const measure = find(name, model.measures)
  if (measure) return isAdditive(measure, aggregates.get(measure.aggregation)?.additivity)
  const metric = find(name, model.metrics)
  return metric?.type === 'derived' && isSum(metric.expression, (field) => addsUp(field, context))
}

const isAdditive = ({ distinct, semiAdditive }: Measure, additivity: string | undefined): boolean =>
  additivity === 'additive' && !distinct && semiAdditive === undefined

/** Sums and differences of additive values are additive. */
function isSum(expression: Expr<FieldRef>, adds: (field: string) => boolean): boolean {
  if (expression.kind === 'field') return adds(expression.name)
  if (expression.kind === 'unary') return expression.operator === '-' && isSum(expression.operand, adds)
  if (expression.kind !== 'binary' || (expression.operator !== '+' && expression.operator !== '-')) return false
  return isSum(expression.left, adds) && isSum(expression.right, adds)
}

/** A condition or a group on a table of days that no calendar is declared for. */
function warnBesideCalendar(
  { metric, path }: { readonly metric: CumulativeMetric | PeriodMetric; readonly path: string },
  dimensions: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  { model, warn }: ResolveContext,
): void {
  const time = model.dimensions.get(metric.timeDimension)
  if (!time) return
  const filtered = where.flatMap(({ leaves }) => leaves.flatMap((leaf) => (leaf.kind === 'where-field' ? leaf.members : [])))
  const found = undeclaredCalendar(sourceOf(time), [...filtered, ...dimensions.flatMap(({ members }) => members)], model)
  if (!found) return
  const { field, table, day } = found
  warn(
    'TIME_BESIDE_A_CALENDAR',
    `'${metric.name}' runs along '${metric.timeDimension}', by which '${table}' is joined, and takes '${field}' for an ordinary field, not for time: if '${table}' has one row a day, declare calendar: { key: ${day}, periods: { … } } on it`,
    { path, hint: `declare '${table}' as a calendar` },
  )
}

/** Conditions that no query can remove hold in the compared range, too, and leave a part of it. */
function warnRestricted(
  { metric, path }: { readonly metric: PeriodMetric; readonly path: string },
  dimensions: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  { model, graph, time: clocks, warn }: ResolveContext,
): void {
  if (model.filters.length === 0 && !model.restriction) return
  const shown = finest(timesNamed(metric.timeDimension, dimensions, graph))
  const time = shown ?? declaredDimension(metric.timeDimension, model, path)
  const onTime = conjunctsOnTime(time, where, graph)
  const left = knownLeft(onTime, { time, clocks, model })
  const found = left && restrictedRange(metric, { time, isShown: shown !== undefined, left, graph, clocks })
  if (!found) return
  const { by, range } = found
  warn(
    'COMPARED_RANGE_RESTRICTED',
    `'${metric.name}' compares with ${range}, and ${by} leaves a part of this range: the rows that it removes are missing there`,
    {
      path,
      hint: `filter '${metric.timeDimension}' so that the compared range is within the times that are left`,
      context: { metric: metric.name },
    },
  )
}

/** A period that a filter cuts is compared with a whole one, if the metric says so or depends on other rows. */
function warnPartial(
  metric: PeriodMetric,
  dimensions: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  context: ResolveContext,
): void {
  const { time, warn, model } = context
  const dimension = finest(timesNamed(metric.timeDimension, dimensions, context.graph))
  if (!dimension) return
  const grain = dimension.grain ?? metric.grain ?? 'day'
  const name = nameOfGrain(grain)
  const past = timeConjuncts(metric.name, dimension, where, context.graph)
  if (metric.compare === 'elapsed' && isRangeable(metric, model)) return
  for (const conjunct of past) {
    if (namesPeriod(conjunct, model)) continue
    const cut = edgesOf(conjunct.expression, timedParts(conjunct.times), time).find(
      (edge) => floor(edge, grain, time.weekStart) !== edge,
    )
    if (cut === undefined) continue
    const start = dateText(floor(cut, grain, time.weekStart))
    warn(
      'PARTIAL_PERIOD',
      `the filter on '${conjunct.fields[0]}' cuts the ${name} of ${start}: '${metric.name}' compares a part of it with a whole ${name}`,
      { path: conjunct.path, context: { metric: metric.name, period: start } },
    )
    return
  }
}

/** Which periods of a table a filter on days cuts is known to the table alone, so that whole periods are compared. */
export function warnOfWholePeriods(
  selected: readonly { readonly name: string }[],
  times: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  context: ResolveContext,
): void {
  for (const metric of selected.flatMap(({ name }) => [...metricsBelow(name, context)])) {
    if (metric.type !== 'period_over_period' || metric.compare === 'whole') continue
    const time = finest(timesNamed(metric.timeDimension, times, context.graph))
    if (!time?.ofTable) continue
    const cut = timeConjuncts(metric.name, time, where, context.graph).find((c) => !namesPeriod(c, context.model))
    if (!cut) continue
    context.warn(
      'PARTIAL_PERIOD',
      `the filter on '${cut.fields[0]}' may cut a period of '${time.ofTable.column}': '${metric.name}' compares with whole periods, because only the table '${time.ofTable.calendar}' knows their days`,
      { path: cut.path, context: { metric: metric.name } },
    )
  }
}

/** The times at which a condition on time begins or ends to be true, in the zone of the query. */
function edgesOf(expression: Expr<WhereLeaf>, times: ReturnType<typeof timedParts>, time: TimeContext): readonly Micros[] {
  const known = times.get(expression)
  if (known) return known.kind === 'compared' ? edgesOfCondition(known, time) : []
  if (expression.kind === 'unary') return edgesOf(expression.operand, times, time)
  if (expression.kind !== 'binary') return []
  const { operator, left, right } = expression
  if (operator === 'and' || operator === 'or') return [...edgesOf(left, times, time), ...edgesOf(right, times, time)]
  const [from, to] = within(right)
  if (from === undefined || to === undefined) return []
  if (operator === '<' || operator === '>=') return [from]
  return operator === '=' || operator === '<>' ? [from, to] : [to]
}

function edgesOfCondition(
  { subject, comparison: { operator, values, relative, path } }: TimeCondition<WhereLeaf> & { kind: 'compared' },
  time: TimeContext,
): readonly Micros[] {
  if (relative) return relativeSpan(relative, subject, time)
  const { walls } = timeComparer(subject, path, time)
  const edges = values.flatMap((value) => (value === null ? [] : [walls(value)]))
  const [low, high] = edges
  if (operator === 'between' || operator === 'not_between') return low && high ? [low[0], high[1]] : []
  if (operator === 'lt' || operator === 'gte') return edges.map(([from]) => from)
  return operator === 'lte' || operator === 'gt' ? edges.map(([, until]) => until) : edges.flat()
}

/** From the first instant that a literal of an expression covers to the first after it: a day, or a point in time. */
function within(expression: Expr<WhereLeaf>): readonly Micros[] {
  const at = isLiteral(expression) ? parseTime(String(expression.value))?.micros : undefined
  if (at === undefined || !isLiteral(expression)) return []
  return [at, expression.type.kind === 'date' ? at + MICROS_PER_DAY : at + 1n]
}
