import { entryOf, firstOf } from '../invariant.js'
import { type DataType, isNumeric } from '../model/data-type.js'
import { type Expr, type FieldRef, leavesOf } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import { valueType } from '../model/expression/value-type.js'
import {
  type AggregateMetric,
  type ConversionMetric,
  type CumulativeMetric,
  componentsOf,
  type FunnelMetric,
  type Measure,
  type Metric,
  type PeriodMetric,
  type WindowMetric,
} from '../model/semantic-model.js'
import { spend } from '../work.js'
import { AggregateSet, type Ask, levelOf, modifiedKey, modifiedName, whereTimeIs } from './aggregate-set.js'
import { checkComparison } from './check-comparison.js'
import { conversionOf } from './conversions.js'
import { cumulativeWindow, lackOfUnit, type RunningModifier } from './cumulative.js'
import { allOf, anyOf, binary, coalesce, FALSE, integer, not, typedNull } from './expressions.js'
import { isFiner } from './finer-window.js'
import { grainOfFirst, isFullFrom, unitOfFull, whenFull } from './full-windows.js'
import { entitiesOf, funnelOf } from './funnels.js'
import { inClocks } from './in-clocks.js'
import { foldType, InnerQueries } from './inner-queries.js'
import { find } from './lookup.js'
import type { Modifier } from './modifiers.js'
import type { Span } from './moved-range.js'
import { refuseInPlaces } from './other-units.js'
import {
  adviceForTotal,
  atPeriod,
  inWindow,
  isOfPeriod,
  lackOf,
  movedFurther,
  noValue,
  overRange,
  readApart,
  refuseLack,
  rowsApart,
} from './over-range.js'
import { countedBelow, isOverTime, isRangeable, measuresBelow } from './over-time.js'
import { type Along, compared, lackOfFiner, lackOfPeriods, priorPeriod } from './periods.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type {
  Conjunct,
  Fold,
  MetricStep,
  Nested,
  ResolvedAggregate,
  ResolvedDimension,
  RowField,
  Shift,
} from './resolved-query.js'
import type { Change } from './row-conditions.js'
import type { RowSetContext } from './row-set-context.js'
import { shownAtOtherTimes } from './shown-tuples.js'
import { sortKeysOf } from './sort-columns.js'
import { timesNamed } from './time-dimension.js'
import { type TimesRead, withoutTimes } from './times-read.js'
import { endsNow, hasBegun, UntilNow } from './until-now.js'
import { windowOf, windowType } from './windows.js'

/** A measure with the conditions that it sees. */
export interface MeasureSeen {
  readonly measure: Measure
  readonly where: readonly Conjunct[]
}

/**
 * Collects the aggregates and metric steps that a query needs, each once. `contributesRows` depends on the request: selected fields create
 * rows of the answer, and fields that only having, order or another period reads do not. A modifier applies to every aggregate below.
 */
export class RowSet {
  readonly #aggregates: AggregateSet
  readonly #inner: InnerQueries
  readonly #untilNow: UntilNow<RowSet>
  readonly #steps = new Map<string, MetricStep>()
  readonly #compared = new Map<string, readonly string[]>()
  /** What each window runs over, by its column. */
  readonly #windowed = new Map<string, string>()
  /** The columns of values over ranges, whose rows are rows of the answer without a period. */
  readonly #overRanges = new Set<string>()
  /** The selected fields and those below them whose comparisons are known. */
  readonly #asked = new Set<string>()

  constructor(private readonly context: RowSetContext) {
    this.#aggregates = new AggregateSet(context)
    this.#inner = new InnerQueries(context, (inner) => new RowSet(inner))
    this.#untilNow = new UntilNow(context, (cut) => new RowSet(cut))
  }

  get aggregates(): ResolvedAggregate[] {
    return [...this.#aggregates.all, ...this.#untilNow.all.flatMap((cut) => cut.aggregates)]
  }

  /** The measures whose times are those of these fields, with the conditions that each sees where it is evaluated. */
  measuresSeen(names: readonly string[]): readonly MeasureSeen[] {
    const { measures, metrics } = this.context.graph.model
    const ahead = new Set(names)
    const found: MeasureSeen[] = []
    // The set grows while it is read.
    for (const name of ahead) {
      const metric = metrics.get(name)
      const cut = metric && this.#untilNow.rowsOf(metric, '')
      if (cut) found.push(...cut.measuresSeen([name]))
      else if (metric) for (const below of countedBelow(metric)) ahead.add(below)
      else found.push(this.#seen(entryOf(measures, name)))
    }
    return found
  }

  #seen(measure: Measure): MeasureSeen {
    return { measure, where: this.#aggregates.conjunctsSeen(measure, '') }
  }

  /** The same for what a window runs over. */
  seenByWindow(step: string): readonly MeasureSeen[] {
    const name = this.#windowed.get(step)
    return name === undefined ? this.#untilNow.all.flatMap((cut) => cut.seenByWindow(step)) : this.measuresSeen([name])
  }

  get folds(): Fold[] {
    return [...this.#inner.folds, ...this.#untilNow.all.flatMap((cut) => cut.folds)]
  }

  get nested(): Nested[] {
    return [...this.#inner.nested, ...this.#untilNow.all.flatMap((cut) => cut.nested)]
  }

  get steps(): MetricStep[] {
    return [...this.#untilNow.all.flatMap((cut) => cut.steps), ...this.#steps.values()]
  }

  /** The measure or metric of this name; `undefined` if the model has none. */
  field(name: string, contributesRows: boolean, path: string, modifier?: Modifier): RowField | undefined {
    const field = this.#field(name, contributesRows, path, modifier)
    if (field && contributesRows && !modifier)
      for (const metric of this.#comparisonsBelow([name], this.#asked))
        this.#valuesAtPeriodOf(metric, { contributesRows, path, modifier })
    return field
  }

  #field(name: string, contributesRows: boolean, path: string, modifier?: Modifier): RowField | undefined {
    const { model } = this.context.graph
    const measure = find(name, model.measures)
    if (measure) return this.#measureField(measure, contributesRows, path, modifier)
    const metric = find(name, model.metrics)
    if (!metric) return undefined
    this.#below(metric, { contributesRows, path, modifier })
    return this.#metricField(metric, contributesRows, path, modifier)
  }

  /** Resolves the components of a formula bottom-up, so that a long chain of metrics causes no deep recursion. */
  #below(metric: Metric, { contributesRows, path, modifier }: Ask): void {
    const { model } = this.context.graph
    const visited = new Set<string>()
    const stack: { readonly name: string; readonly ready: boolean }[] = [{ name: metric.name, ready: false }]
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const at = find(top.name, model.metrics)
      if (top.ready || at?.type !== 'derived') {
        if (top.name === metric.name) continue
        if (at) this.#metricField(at, contributesRows, path, modifier)
        else this.#measureField(find(top.name, model.measures)!, contributesRows, path, modifier)
      } else if (!visited.has(top.name) && !this.#steps.has(modifiedKey(top.name, modifier))) {
        visited.add(top.name)
        stack.push({ name: top.name, ready: true })
        for (const name of componentsOf(at).toReversed()) stack.push({ name, ready: false })
      }
    }
  }

  #measureField(measure: Measure, contributesRows: boolean, path: string, modifier: Modifier | undefined): RowField {
    spend(10)
    const aggregate = this.#aggregates.of(measure, { contributesRows, path, modifier })
    const { defaultNumericDataType } = this.context.graph.model.settings
    const displayAs = measure.dataType ?? (measure.aggregation === 'sum' ? defaultNumericDataType : undefined)
    const { type } = aggregate
    return {
      name: measure.name,
      expression: this.#aggregates.read(aggregate),
      type,
      displayAs,
      format: measure.format,
      role: 'measure',
    }
  }

  #metricField(metric: Metric, contributesRows: boolean, path: string, modifier: Modifier | undefined): RowField {
    spend(20)
    const step = this.#step(metric, contributesRows, path, modifier)
    const { defaultNumericDataType } = this.context.graph.model.settings
    const displayAs = metric.dataType ?? (isNumeric(step.type) ? defaultNumericDataType : undefined)
    const expression = relationColumn('', step.name, step.type)
    return { name: metric.name, expression, type: step.type, displayAs, format: metric.format, role: 'metric' }
  }

  #step(metric: Metric, contributesRows: boolean, path: string, modifier: Modifier | undefined): MetricStep {
    const key = modifiedKey(metric.name, modifier)
    const known = this.#steps.get(key)
    // What is selected comes before what only having or the order reads, so that its first reader says whether it adds rows.
    if (known) return known
    const made = this.#makeStep(metric, { contributesRows, path, modifier })
    this.#steps.set(key, made)
    return made
  }

  #makeStep(metric: Metric, ask: Ask): MetricStep {
    const cut = ask.modifier ? undefined : this.#untilNow.rowsOf(metric, ask.path)
    if (cut) return this.#untilNowStep(metric, cut, ask)
    switch (metric.type) {
      case 'derived':
        return this.#expressionStep(metric, this.#over(metric.expression, ask), ask)
      case 'period_over_period':
        return this.#periodStep(metric, ask)
      case 'window':
        return this.#windowStep(metric, ask)
      case 'cumulative':
        return this.#cumulativeStep(metric, ask)
      case 'aggregate':
        return this.#aggregateStep(metric, ask)
      case 'conversion':
        return this.#conversionStep(metric, ask)
      case 'funnel':
        return this.#funnelStep(metric, ask)
    }
  }

  /** An expression over fields as one over the row set. */
  #over(expression: Expr<FieldRef>, { contributesRows, path, modifier }: Ask): RowExpr {
    const names = new Set(leavesOf(expression).map((leaf) => leaf.name))
    const parts = new Map([...names].map((name) => [name, this.#field(name, contributesRows, path, modifier)!]))
    const { functions, inner } = this.context
    const type = valueType(expression, ({ name }: FieldRef) => entryOf(parts, name).type, functions)
    return inClocks<FieldRef, RelationColumn>({ expression, type }, { time: inner.time, functions }, ({ name }) =>
      entryOf(parts, name),
    )
  }

  #expressionStep(metric: Metric, expression: RowExpr, { path, modifier }: Ask): MetricStep {
    return {
      kind: 'expression',
      name: this.#column(metric.name, modifier),
      type: this.#typeOf(expression),
      expression,
      path,
      unit: metric.unit,
    }
  }

  /** The value in rows whose times end at the clock; periods that begin later have none. */
  #untilNowStep(metric: Metric, cut: RowSet, ask: Ask): MetricStep {
    const { expression } = cut.field(metric.name, ask.contributesRows, ask.path)!
    const isOver = metric.type === 'period_over_period' || metric.type === 'cumulative'
    const begun = isOver && endsNow(metric, cut.context, ask.path) ? hasBegun(metric, cut.context) : undefined
    return this.#expressionStep(metric, begun ? whenFull(begun, expression) : expression, ask)
  }

  #periodStep(metric: PeriodMetric, ask: Ask): MetricStep {
    if (this.#isRanged(metric, ask)) return this.#rangedPeriodStep(metric, ask)
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    if (this.#isUnitLacking(metric, ask)) {
      const base = this.#over(metric.expression, ask)
      return this.#nullStep(metric, this.#typeOf(this.#comparison(metric, base, base, ask)), ask)
    }
    const { modifier } = this.#priorOf(metric, ask)
    // The base at the row's own period creates the rows, whether or not the comparison shows it.
    const current = this.#over(metric.expression, ask)
    const prior = this.#over(metric.expression, { ...ask, contributesRows: false, modifier })
    return this.#expressionStep(
      metric,
      this.#comparison(
        metric,
        current,
        this.#ofCutPeriods(
          metric,
          modifier,
          ask,
          this.#aggregates.isNullWithoutTime(prior, modifier) ? prior : whereTimeIs(modifier.shift.dimension, prior),
        ),
        ask,
      ),
      ask,
    )
  }

  /** Whether a comparison has no value at this level, because an offset is finer than its periods, or counts others of a table. It is refused if it has none at any level. */
  #isUnitLacking(metric: PeriodMetric, ask: Ask): boolean {
    const along = this.#along(ask)
    const lack = lackOfPeriods(metric, along) ?? (ask.modifier ? undefined : lackOfFiner(metric, along))
    if (lack === undefined) return false
    this.#warnOfSubtotals(lack, ask)
    return true
  }

  #warnOfSubtotals(lack: string, { path }: Ask): void {
    this.context.warn('NO_VALUE_FOR_TOTAL', `${lack}, so it has no value in these subtotals`, { path })
  }

  /** The prior value; in a row whose period the query cuts, that of the moved part, if it must be read apart. */
  #ofCutPeriods(metric: PeriodMetric, modifier: ReturnType<typeof priorPeriod>, ask: Ask, prior: RowExpr): RowExpr {
    const times = this.#timesOfParts(metric, modifier, ask)
    const periods = times ? readApart(metric, this.context.graph.model, times, this.context.where) : []
    if (periods.length === 0) return prior
    const branches = periods.map((period) => ({
      when: isOfPeriod(modifier, period),
      then: this.#over(metric.expression, {
        ...ask,
        contributesRows: false,
        modifier: atPeriod(modifier, period),
      }),
    }))
    return { kind: 'case', branches, otherwise: prior }
  }

  /** The modifier of a comparison at the period of a row, and the periods that the query cuts whose parts have other rows. */
  #priorOf(
    metric: PeriodMetric,
    ask: Ask,
  ): { readonly modifier: Modifier & { readonly shift: Shift }; readonly cut: readonly Span[] } {
    const modifier = priorPeriod(metric, this.#along(ask))
    const times = this.#timesOfParts(metric, modifier, ask)
    const cut = times ? rowsApart(metric, this.context.graph.model, times, this.context.where) : []
    const isLater = ask.modifier || !endsNow(metric, this.context, ask.path) ? undefined : hasBegun(metric, this.context)
    if (cut.length === 0 && !isLater) return { modifier, cut }
    const apart = anyOf([...cut.map((period) => isOfPeriod(modifier, period)), ...(isLater ? [not(isLater)] : [])])
    return { modifier: { ...modifier, key: `${modifier.key} apart`, shift: { ...modifier.shift, apart } }, cut }
  }

  /** The times of a comparison that reads parts of the periods that the query cuts. */
  #timesOfParts(metric: PeriodMetric, { times }: Modifier, { modifier }: Ask): TimesRead | undefined {
    return !modifier && !times?.isWhole && isRangeable(metric, this.context.graph.model) ? times : undefined
  }

  /** Whether a metric over time is evaluated over a range of times that is known, and not at the period of a row. */
  #isRanged({ timeDimension }: PeriodMetric | CumulativeMetric, { modifier }: Ask): boolean {
    if (modifier) return modifier.ranged !== undefined
    return timesNamed(timeDimension, this.context.dimensions, this.context.graph).length === 0
  }

  /** At a level that does not show the time, the times that the query leaves are compared with the same times moved. */
  #rangedPeriodStep(metric: PeriodMetric, ask: Ask): MetricStep {
    const current = this.#over(metric.expression, ask)
    if (this.#lacksValue(metric, ask))
      return this.#nullStep(metric, this.#typeOf(this.#comparison(metric, current, current, ask)), ask)
    // The rows of the moved range are added once, for the selected field.
    const moved = { ...ask, contributesRows: false, modifier: this.#movedRange(metric, ask) }
    return this.#expressionStep(metric, this.#comparison(metric, current, this.#over(metric.expression, moved), ask), ask)
  }

  #comparison(metric: PeriodMetric, current: RowExpr, prior: RowExpr, { path }: Ask): RowExpr {
    checkComparison(metric, this.#typeOf(current), this.context.graph.model, path)
    return compared(metric, current, prior)
  }

  #movedRange(metric: PeriodMetric, { path, modifier }: Ask): Modifier {
    return modifier?.times
      ? movedFurther(metric, modifier)
      : overRange(metric, this.#along({ contributesRows: false, path, modifier: undefined }))
  }

  /** Whether a metric has no value at a level, or in an inner query, that does not have its time. It is refused if the whole query does not show it. */
  #lacksValue(metric: PeriodMetric | CumulativeMetric, { path, modifier }: Ask): boolean {
    if (modifier?.ranged) return false
    const { graph, absent, outerDimensions, dimensions, warn } = this.context
    const along = this.#along({ contributesRows: false, path, modifier: undefined })
    const conjunctsSeen = (name: string) => this.#aggregates.conjunctsSeen(entryOf(graph.model.measures, name), path)
    const lack = lackOf(metric, along, conjunctsSeen)
    if (!lack) return false
    const isShown = (elsewhere: readonly ResolvedDimension[]): boolean =>
      timesNamed(metric.timeDimension, elsewhere, graph).length > 0
    if (!isShown(absent) && !isShown(outerDimensions)) return refuseLack(metric, lack, along)
    const hint = adviceForTotal(metric, lack) ?? 'nothing to do: no total depends on one order of times'
    warn('NO_VALUE_FOR_TOTAL', noValue(metric, lack, { dimensions, isInner: !isShown(absent) }), { path, hint })
    return true
  }

  /** The place in the query where a metric over time is selected. */
  #along({ path, modifier }: Ask): Along {
    const { dimensions, absent, where, moved, graph, inner } = this.context
    const outer = modifier?.shift && { ...modifier, shift: modifier.shift }
    const selected = [...dimensions, ...absent]
    return { model: graph.model, graph, dimensions, selected, where, moved, path, clocks: inner.time, outer }
  }

  /** Whether its value at another period depends on the rows there, and is not computed as of that time. */
  #isFound(metric: Metric, { modifier }: Ask): boolean {
    const { graph } = this.context
    if (!modifier?.shift) return false
    if (metric.type === 'window') return true
    if (metric.type === 'aggregate') return isOverTime([metric.measure], graph.model)
    const { dimension } = modifier.shift
    return 'timeDimension' in metric && !timesNamed(metric.timeDimension!, [dimension], graph).includes(dimension)
  }

  /** The value of the metric in a separate query, in the row of the other period. */
  #foundStep(metric: Metric, ask: Ask): MetricStep {
    refuseInPlaces(metric, ask)
    const { name, type } = this.#foundAt(metric, { ...ask, contributesRows: false })
    return this.#expressionStep(metric, relationColumn('', name, type), ask)
  }

  #windowStep(metric: WindowMetric, ask: Ask): MetricStep {
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    const field = this.#field(metric.measure, ask.contributesRows, ask.path)!
    if (this.#isAbsent(metric.timeDimension)) return this.#nullStep(metric, windowType(metric, field.type), ask)
    const keysOf = (d: ResolvedDimension) => sortKeysOf(d, this.context)
    const window = windowOf(metric, field, { ...this.#along(ask), keysOf })
    // Rows are added by what is selected: a comparison that does not read the window at the own period adds none of its compared periods there.
    const own = { ...ask, contributesRows: false, modifier: undefined }
    const read = this.#comparedValues([metric.measure], own)
    const name = this.#column(metric.name, undefined)
    this.#windowed.set(name, metric.measure)
    return {
      ...window,
      name,
      path: ask.path,
      unit: metric.unit,
      rowsOf: [...this.#valuesBelow([metric.measure], own), ...read.filter((name) => this.#isOverRange(name))],
      rowsComparedWith: read.filter((name) => !this.#isOverRange(name)),
      addsRows: ask.contributesRows,
    }
  }

  /** The columns of the aggregates and inner queries below fields, at the period of the row or another one. */
  #valuesBelow(fields: readonly string[], ask: Ask): readonly string[] {
    const { model } = this.context.graph
    const found = new Set<string>()
    const seen = new Set(fields)
    // The set grows while it is read.
    for (const name of seen) {
      const metric = find(name, model.metrics)
      if (!metric) found.add(this.#aggregates.of(entryOf(model.measures, name), ask).name)
      else if (!ask.modifier && this.#untilNow.rowsOf(metric, ask.path))
        for (const value of this.#untilNow.rowsOf(metric, ask.path)!.#valuesBelow([name], ask)) found.add(value)
      else if (metric.type === 'aggregate') found.add(this.#groupsOf(metric, ask).name)
      else if (metric.type === 'conversion') found.add(this.#eventsOf(metric, ask).name)
      else if (metric.type === 'funnel') found.add(this.#reaching(metric, 1, ask).name)
      else for (const component of componentsOf(metric)) seen.add(component)
    }
    return [...found]
  }

  /** The columns of the aggregates and inner queries whose rows at other periods create rows of the answer, because comparisons read them there. */
  #comparedValues(fields: readonly string[], ask: Ask): readonly string[] {
    const own = this.#comparisonsBelow(fields).flatMap((metric) => this.#valuesAtPeriodOf(metric, ask))
    const cut = ask.modifier ? [] : this.#untilNowBelow(fields, ask.path)
    return [...new Set([...own, ...cut.flatMap(([rows, name]) => rows.#comparedValues([name], ask))])]
  }

  /**
   * The comparisons among fields and below their derived and window metrics, and below these comparisons if they read their base at the period
   * of the row. `seen` grows, and what is in it is left out.
   */
  #comparisonsBelow(fields: readonly string[], seen: Set<string> = new Set()): readonly (PeriodMetric | CumulativeMetric)[] {
    const { model } = this.context.graph
    const found: (PeriodMetric | CumulativeMetric)[] = []
    const ahead = new Set(fields)
    const bases = new Set<string>()
    // The set grows while it is read.
    for (const name of ahead) {
      if (seen.has(name)) continue
      seen.add(name)
      const metric = find(name, model.metrics)
      if (metric && this.#untilNow.rowsOf(metric, '')) continue
      const isCompared = metric?.type === 'period_over_period' && metric.rows !== 'current'
      if (isCompared) found.push(metric)
      if (metric?.type === 'cumulative' && this.#isWithoutTime(metric)) found.push(metric)
      const isRead =
        metric?.type === 'derived' || metric?.type === 'window' || (isCompared && metric.comparison !== 'previousValue')
      if (isRead) for (const below of componentsOf(metric)) ahead.add(below)
      else if (metric?.type === 'period_over_period') for (const below of componentsOf(metric)) bases.add(below)
    }
    return [...new Set([...found, ...this.#runningBelow(bases)])]
  }

  /** The metrics of a row, or of its windows, that are evaluated in rows whose times end at the clock. */
  #untilNowBelow(fields: readonly string[], path: string): readonly (readonly [RowSet, string])[] {
    const { model } = this.context.graph
    return fields.flatMap((name): readonly (readonly [RowSet, string])[] => {
      const metric = find(name, model.metrics)
      const cut = metric && this.#untilNow.rowsOf(metric, path)
      if (cut) return [[cut, name]]
      const isRow = metric?.type === 'derived' || metric?.type === 'window'
      return isRow ? this.#untilNowBelow(componentsOf(metric), path) : []
    })
  }

  #isOverRange(name: string): boolean {
    return this.#overRanges.has(name) || this.#untilNow.all.some((cut) => cut.#isOverRange(name))
  }

  /** The running values without their time in the base of a comparison, whose rows at the own period are rows of the answer though it reads none there. */
  #runningBelow(bases: ReadonlySet<string>): readonly CumulativeMetric[] {
    const { metrics } = this.context.graph.model
    const ahead = new Set(bases)
    const found: CumulativeMetric[] = []
    // The set grows while it is read.
    for (const name of ahead) {
      const metric = find(name, metrics)
      if (metric?.type === 'cumulative' && this.#isWithoutTime(metric)) found.push(metric)
      const isRow = metric?.type === 'derived' || metric?.type === 'window' || metric?.type === 'period_over_period'
      if (isRow) for (const below of componentsOf(metric)) ahead.add(below)
    }
    return found
  }

  /** A running value adds the rows in its window where the level does not show the time. */
  #isWithoutTime({ timeDimension }: PeriodMetric | CumulativeMetric): boolean {
    return timesNamed(timeDimension, this.context.dimensions, this.context.graph).length === 0
  }

  /** Those of one comparison, each once: a chain of comparisons reaches a period in many ways. */
  #valuesAtPeriodOf(metric: PeriodMetric | CumulativeMetric, ask: Ask): readonly string[] {
    if (this.#isRanged(metric, ask)) return this.#valuesInRangeOf(metric, ask)
    if (this.#isFound(metric, ask)) return this.#isWithoutTime(metric) ? [this.#foundAt(metric, ask).name] : []
    if (metric.type === 'cumulative' || this.#isUnitLacking(metric, ask)) return []
    const key = `${ask.contributesRows} ${modifiedKey(metric.name, ask.modifier)}`
    const known = this.#compared.get(key)
    if (known) return known
    spend(10)
    const { modifier, cut } = this.#priorOf(metric, ask)
    const parts = cut.map((period) => atPeriod(modifier, period))
    const read = componentsOf(metric)
    const found = [...new Set([modifier, ...parts].flatMap((one) => this.#valuesAt(read, { ...ask, modifier: one })))]
    this.#compared.set(key, found)
    return found
  }

  #valuesAt(read: readonly string[], there: Ask): readonly string[] {
    return [...this.#valuesBelow(read, there), ...this.#comparedValues(read, there)]
  }

  /** The same at a level that does not show the time: the values in the moved range, or in the window. */
  #valuesInRangeOf(metric: PeriodMetric | CumulativeMetric, ask: Ask): readonly string[] {
    if (this.#lacksValue(metric, ask)) return []
    if (metric.type === 'cumulative') {
      const there = { ...ask, modifier: this.#windowRange(metric, ask) }
      if (metric.cumulativeType) return this.#noted([this.#inner.foldInRange(metric, metric.cumulativeType, there).name])
      return this.#noted(this.#valuesBelow([metric.measure], there))
    }
    const there = { ...ask, modifier: this.#movedRange(metric, ask) }
    const read = componentsOf(metric)
    const found = [...new Set(this.#valuesAt(read, there))]
    return ask.modifier?.ranged?.at ? found : this.#noted(found)
  }

  #noted(names: readonly string[]): readonly string[] {
    for (const name of names) this.#overRanges.add(name)
    return names
  }

  /** The inner query of an aggregate of aggregates; of the whole metric, if its groups at another period depend on the rows there. */
  #groupsOf(metric: AggregateMetric, ask: Ask): Nested {
    return this.#isFound(metric, ask) ? this.#foundAt(metric, ask) : this.#inner.groups(metric, ask)
  }

  #foundAt(metric: Metric, ask: Ask): Nested {
    const { shift } = ask.modifier!
    return this.#inner.prior(metric, { ...ask.modifier!, shift: shift! }, ask)
  }

  #cumulativeStep(metric: CumulativeMetric, ask: Ask): MetricStep {
    if (this.#isRanged(metric, ask)) return this.#rangedCumulativeStep(metric, ask)
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    // The base at the row's own period creates the rows; at another one, it creates none.
    const base = ask.modifier ? undefined : this.#field(metric.measure, ask.contributesRows, ask.path)
    const along = this.#along(ask)
    const modifier = cumulativeWindow(metric, along)
    const lack = lackOfUnit(metric, along)
    if (lack !== undefined) {
      this.#warnOfSubtotals(lack, ask)
      const { type } = base ?? this.#field(metric.measure, false, ask.path, ask.modifier)!
      return this.#nullStep(metric, typeInWindow(metric, type), ask)
    }
    const value = this.#valueInWindow(metric, modifier, ask)
    return this.#expressionStep(metric, metric.onlyFull ? this.#whenFull(metric, modifier, value, ask) : value, ask)
  }

  #valueInWindow(metric: CumulativeMetric, modifier: RunningModifier, { path }: Ask): RowExpr {
    if (metric.cumulativeType === undefined) return this.#field(metric.measure, false, path, modifier)!.expression
    const fold = this.#inner.fold(metric, metric.cumulativeType, modifier, path)
    const column = relationColumn('', fold.name, fold.type)
    return fold.aggregate === 'count' ? whereTimeIs(fold.window.time, coalesce<RelationColumn>(column, integer(0))) : column
  }

  /** A value of a row if its window is full. */
  #whenFull(metric: CumulativeMetric, modifier: RunningModifier, value: RowExpr, { path }: Ask): RowExpr {
    const { time, partition, period } = modifier.window
    const grain = period.grain!
    const under = this.#ofFirst(modifier, modifier.always)
    const first = this.#inner.firstPeriod(metric, { modifier, dimensions: partition, time, grain, under }, path)
    return whenFull(modifier.isFull({ ...first, grain }), value)
  }

  /** The conditions of the first rows, whatever their times. */
  #ofFirst({ shift, window, times }: Modifier, always: RunningModifier['always']): Change {
    const all = { shift, window, times }
    const conjuncts: Change['conjuncts'] = (seen, base) => shownAtOtherTimes(always(seen, base), all, this.context.graph)
    return { conjuncts, shift: undefined, window: undefined }
  }

  /** The base over the window that ends with the range. */
  #rangedCumulativeStep(metric: CumulativeMetric, ask: Ask): MetricStep {
    if (!ask.modifier) {
      const base = this.#field(metric.measure, ask.contributesRows, ask.path)!
      if (this.#lacksValue(metric, ask)) return this.#nullStep(metric, typeInWindow(metric, base.type), ask)
    }
    const modifier = this.#windowRange(metric, ask)
    const value = this.#valueInRange(metric, { ...ask, modifier })
    return this.#expressionStep(metric, metric.onlyFull ? this.#whenRangeFull(metric, modifier, value, ask) : value, ask)
  }

  #valueInRange(metric: CumulativeMetric, ask: Ask): RowExpr {
    const { cumulativeType: fold } = metric
    if (fold === undefined) return this.#field(metric.measure, ask.contributesRows, ask.path, ask.modifier)!.expression
    const { name, type } = this.#inner.foldInRange(metric, fold, ask)
    const column = relationColumn('', name, type)
    return fold === 'count' ? coalesce<RelationColumn>(column, integer(0)) : column
  }

  /** A value if the window that ends with its range is full for every measure that reads the time. */
  #whenRangeFull(metric: CumulativeMetric, modifier: Modifier, value: RowExpr, { path }: Ask): RowExpr {
    const { graph, dimensions } = this.context
    const { model } = graph
    const { time, level, window } = modifier.times!
    const shown = isFiner(metric, level.grain) ? undefined : level.grain
    const grain = shown ?? grainOfFirst(metric)
    const others = levelOf(dimensions, modifier)
    const rows = {
      modifier,
      dimensions: others,
      time,
      grain,
      under: this.#ofFirst(modifier, (seen, base) => withoutTimes(modifier.times!, seen, base)),
    }
    const first = { ...this.#inner.firstPeriod(metric, rows, path), grain }
    const read = measuresBelow([metric.measure], model).map((name) =>
      this.#aggregates.rangeOf(entryOf(model.measures, name), modifier, path),
    )
    const timed = read.some(({ isTimed }) => isTimed) ? read.filter(({ isTimed }) => isTimed) : read
    const tests = timed.map(({ range }): RowExpr => {
      const begin = range && window!(range).from
      if (!range || begin === undefined) return FALSE
      return isFullFrom(begin, shown ?? unitOfFull(metric, range, level.weekStart), first, level.weekStart)
    })
    return whenFull(allOf(tests) ?? FALSE, value)
  }

  #windowRange(metric: CumulativeMetric, { path, modifier }: Ask): Modifier {
    const whole = modifier?.times
      ? modifier
      : overRange(metric, this.#along({ contributesRows: false, path, modifier: undefined }))
    return inWindow(metric, whole, this.context.dimensions)
  }

  #aggregateStep(metric: AggregateMetric, ask: Ask): MetricStep {
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    const { name, type, emptyIsZero, window } = this.#inner.groups(metric, ask)
    const column = relationColumn('', name, type)
    const value = emptyIsZero && window ? whereTimeIs(window.time, coalesce<RelationColumn>(column, integer(0))) : column
    return this.#expressionStep(metric, value, ask)
  }

  #conversionStep(metric: ConversionMetric, ask: Ask): MetricStep {
    const events = this.#aggregates.read(this.#eventsOf(metric, ask))
    const converted = this.#aggregates.read(this.#eventsOf(metric, ask, true))
    return this.#expressionStep(metric, metric.calculation === 'count' ? converted : binary('/', converted, events), ask)
  }

  /** The count of the base events of a conversion, or of those that convert. */
  #eventsOf(metric: ConversionMetric, ask: Ask, converting = false): ResolvedAggregate {
    const { measures } = this.context.graph.model
    const base = entryOf(measures, metric.base)
    const conversion = conversionOf({ metric, base, conversion: entryOf(measures, metric.conversion) }, this.context, ask.path)
    const name = `${metric.name} (${converting ? 'converted' : 'events'})`
    return this.#aggregates.of({ ...base, defaultValue: undefined }, ask, { name, conversion, converting })
  }

  #funnelStep(metric: FunnelMetric, ask: Ask): MetricStep {
    const at = (step: number): RowExpr => this.#aggregates.read(this.#reaching(metric, step, ask))
    const [events, arrivals] = [at(1), at(metric.step)]
    if (metric.calculation === 'count') return this.#expressionStep(metric, arrivals, ask)
    const before = metric.calculation === 'rate' || metric.step === 1 ? events : at(metric.step - 1)
    return this.#expressionStep(metric, binary('/', arrivals, before), ask)
  }

  /** The count of the first events of a funnel, or of their entities, that reach a step. */
  #reaching(metric: FunnelMetric, step: number, ask: Ask): ResolvedAggregate {
    const measures = metric.steps.map(({ measure }) => entryOf(this.context.graph.model.measures, measure))
    const conversion = funnelOf({ metric, measures, step }, this.context, ask.path)
    const first = { ...firstOf(measures), defaultValue: undefined }
    const counted = metric.distinct ? entitiesOf(conversion, first) : first
    return this.#aggregates.of(counted, ask, {
      name: `${metric.name} (step ${step})`,
      conversion,
      converting: step > 1,
      ...(metric.distinct && { ofEntities: metric.name }),
    })
  }

  #isAbsent(timeDimension: string | undefined): boolean {
    const { dimensions, absent, graph } = this.context
    const has = (level: readonly ResolvedDimension[]): boolean => timesNamed(timeDimension!, level, graph).length > 0
    return timeDimension !== undefined && !has(dimensions) && has(absent)
  }

  /** A metric over time has no value if its time is aggregated. */
  #nullStep(metric: Metric, type: DataType, ask: Ask): MetricStep {
    return this.#expressionStep(metric, typedNull(type), ask)
  }

  #typeOf(expression: RowExpr): DataType {
    return typeOf(expression, (c: RelationColumn) => c.type, this.context.functions)
  }

  #column(name: string, modifier: Modifier | undefined): string {
    return this.context.columnName(modifiedKey(name, modifier), modifiedName(name, modifier))
  }
}

/** The type of a running value over a base of a type. */
const typeInWindow = ({ cumulativeType: fold }: CumulativeMetric, type: DataType): DataType =>
  fold ? foldType(fold, type) : type
