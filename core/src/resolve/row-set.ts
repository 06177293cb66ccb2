import { type DataType, isNumeric } from '../model/data-type.js'
import { type Expr, type FieldRef, leavesOf, mapLeaves } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import {
  type AggregateMetric,
  type ConversionMetric,
  type CumulativeMetric,
  componentsOf,
  type Measure,
  type Metric,
  type PeriodMetric,
  type WindowMetric,
} from '../model/semantic-model.js'
import { spend } from '../work.js'
import { type Ask, AtomSet, modifiedKey, modifiedName, whereTimeIs } from './atom-set.js'
import { conversionOf } from './conversions.js'
import { binary, coalesce, integer, nullOf } from './expressions.js'
import { foldType } from './folds.js'
import { InnerQueries } from './inner-queries.js'
import { find } from './lookup.js'
import type { Modifier } from './modifiers.js'
import { isOverTime } from './over-time.js'
import { type Along, compared, priorPeriod } from './periods.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Atom, Fold, MetricStep, Nested, ResolvedDimension, RowField } from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'
import { runningWindow } from './running.js'
import { timesNamed } from './time-dimension.js'
import { windowOf, windowType } from './windows.js'

/**
 * Collects the atoms and metric steps that a query needs, each once. `present` is decided by who asks: what a selected field reads
 * makes rows of the answer, what only having, order or another period read does not. A modifier is pushed to every atom below.
 */
export class RowSet {
  readonly #atoms: AtomSet
  readonly #inner: InnerQueries
  readonly #steps = new Map<string, MetricStep>()
  readonly #present = new Set<string>()

  constructor(private readonly context: RowSetContext) {
    this.#atoms = new AtomSet(context)
    this.#inner = new InnerQueries(context, (inner) => new RowSet(inner))
  }

  get atoms(): Atom[] {
    return this.#atoms.all
  }

  get folds(): Fold[] {
    return this.#inner.folds
  }

  get nested(): Nested[] {
    return this.#inner.nested
  }

  get steps(): MetricStep[] {
    return [...this.#steps.values()]
  }

  /** The measure or metric of this name; `undefined` when the model has none. */
  field(name: string, present: boolean, path: string, modifier?: Modifier): RowField | undefined {
    const { model } = this.context.graph
    const measure = find(name, model.measures)
    if (measure) return this.#measureField(measure, present, path, modifier)
    const metric = find(name, model.metrics)
    if (!metric) return undefined
    this.#below(metric, { present, path, modifier })
    return this.#metricField(metric, present, path, modifier)
  }

  /** Resolves what a formula is made of from the ground up, so that a long chain of metrics is no deep recursion. */
  #below(metric: Metric, { present, path, modifier }: Ask): void {
    const { model } = this.context.graph
    const visited = new Set<string>()
    const stack: { readonly name: string; readonly ready: boolean }[] = [{ name: metric.name, ready: false }]
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const at = find(top.name, model.metrics)
      if (top.ready || at?.type !== 'derived') {
        if (top.name === metric.name) continue
        if (at) this.#metricField(at, present, path, modifier)
        else this.#measureField(find(top.name, model.measures)!, present, path, modifier)
      } else if (!visited.has(top.name) && !this.#isDone(at, present, modifier)) {
        visited.add(top.name)
        stack.push({ name: top.name, ready: true })
        for (const name of componentsOf(at).toReversed()) stack.push({ name, ready: false })
      }
    }
  }

  #isDone({ name }: Metric, present: boolean, modifier: Modifier | undefined): boolean {
    const key = modifiedKey(name, modifier)
    return this.#steps.has(key) && (!present || this.#present.has(key))
  }

  #measureField(measure: Measure, present: boolean, path: string, modifier: Modifier | undefined): RowField {
    spend(10)
    const atom = this.#atoms.of(measure, { present, path, modifier })
    const { defaultNumericDataType } = this.context.graph.model.settings
    const displayAs = measure.dataType ?? (measure.aggregation === 'sum' ? defaultNumericDataType : undefined)
    const { type } = atom
    return { name: measure.name, expression: this.#atoms.read(atom), type, displayAs, format: measure.format, role: 'measure' }
  }

  #metricField(metric: Metric, present: boolean, path: string, modifier: Modifier | undefined): RowField {
    spend(10)
    const step = this.#step(metric, present, path, modifier)
    const { defaultNumericDataType } = this.context.graph.model.settings
    const displayAs = metric.dataType ?? (isNumeric(step.type) ? defaultNumericDataType : undefined)
    const expression = relationColumn('', step.name, step.type)
    return { name: metric.name, expression, type: step.type, displayAs, format: metric.format, role: 'metric' }
  }

  #step(metric: Metric, present: boolean, path: string, modifier: Modifier | undefined): MetricStep {
    const key = modifiedKey(metric.name, modifier)
    const known = this.#steps.get(key)
    // Walked once more when an input first met under having is now selected.
    if (known && this.#isDone(metric, present, modifier)) return known
    if (present) this.#present.add(key)
    const made = this.#makeStep(metric, { present, path, modifier })
    if (known) return known
    this.#steps.set(key, made)
    return made
  }

  #makeStep(metric: Metric, ask: Ask): MetricStep {
    switch (metric.type) {
      case 'derived':
        return this.#expressionStep(metric, this.#over(metric.expression, ask), ask)
      case 'period_over_period':
        return this.#periodStep(metric, ask)
      case 'window':
        return this.#windowStep(metric, ask)
      case 'cumulative':
        return this.#runningStep(metric, ask)
      case 'aggregate':
        return this.#aggregateStep(metric, ask)
      case 'conversion':
        return this.#conversionStep(metric, ask)
    }
  }

  /** An expression over fields as one over the row set. */
  #over(expression: Expr<FieldRef>, { present, path, modifier }: Ask): RowExpr {
    const names = new Set(leavesOf(expression).map((leaf) => leaf.name))
    const parts = new Map([...names].map((name) => [name, this.field(name, present, path, modifier)!]))
    return mapLeaves<FieldRef, RelationColumn>(expression, (ref) => parts.get(ref.name)!.expression)
  }

  #expressionStep(metric: Metric, expression: RowExpr, { path, modifier }: Ask): MetricStep {
    return {
      kind: 'expression',
      name: this.#column(metric.name, modifier),
      type: this.#typeOf(expression),
      expression,
      path,
    }
  }

  #periodStep(metric: PeriodMetric, ask: Ask): MetricStep {
    if (this.#isAbsent(metric.timeDimension)) {
      return this.#nullStep(
        metric,
        this.#typeOf(compared(metric, this.#over(metric.expression, ask), this.#over(metric.expression, ask))),
        ask,
      )
    }
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    const modifier = priorPeriod(metric, this.#along(ask))
    // The base at the row's own period makes the rows, whether the comparison shows it or not.
    const current = this.#over(metric.expression, ask)
    const prior = this.#over(metric.expression, { ...ask, present: false, modifier })
    return this.#expressionStep(
      metric,
      compared(
        metric,
        current,
        this.#atoms.isNullWithoutTime(prior, modifier) ? prior : whereTimeIs(modifier.shift.dimension, prior),
      ),
      ask,
    )
  }

  /** Where a metric over time is asked for. */
  #along({ path, modifier }: Ask): Along {
    const { dimensions, absent, where, graph, inner } = this.context
    const outer = modifier?.shift && { ...modifier, shift: modifier.shift }
    return { model: graph.model, dimensions, selected: [...dimensions, ...absent], where, path, clocks: inner.time, outer }
  }

  /** Whether its value at another period follows from the rows there, and is not computed as of that time. */
  #isFound(metric: Metric, { modifier }: Ask): boolean {
    const { model } = this.context.graph
    if (!modifier?.shift) return false
    if (metric.type === 'window') return true
    if (metric.type === 'aggregate') return isOverTime([metric.measure], model)
    const { dimension } = modifier.shift
    return 'timeDimension' in metric && !timesNamed(metric.timeDimension!, [dimension], model).includes(dimension)
  }

  /** The value that the metric has in a question of its own, in the row of the other period. */
  #foundStep(metric: Metric, ask: Ask): MetricStep {
    const { shift } = ask.modifier!
    const { name, type } = this.#inner.prior(metric, { ...ask.modifier!, shift: shift! }, ask.path)
    return this.#expressionStep(metric, relationColumn('', name, type), ask)
  }

  #windowStep(metric: WindowMetric, ask: Ask): MetricStep {
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    const field = this.field(metric.measure, ask.present, ask.path)!
    if (this.#isAbsent(metric.timeDimension)) return this.#nullStep(metric, windowType(metric, field.type), ask)
    const window = windowOf(metric, field, this.#along(ask))
    return { ...window, name: this.#column(metric.name, undefined), path: ask.path }
  }

  #runningStep(metric: CumulativeMetric, ask: Ask): MetricStep {
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    // The base at the row's own period makes the rows; at another one, it makes none.
    const base = ask.modifier ? undefined : this.field(metric.measure, ask.present, ask.path)!
    if (base && this.#isAbsent(metric.timeDimension)) {
      const { cumulativeType } = metric
      return this.#nullStep(metric, cumulativeType ? foldType(cumulativeType, base.type) : base.type, ask)
    }
    const modifier = runningWindow(metric, this.#along(ask))
    if (metric.cumulativeType === undefined) {
      return this.#expressionStep(metric, this.field(metric.measure, false, ask.path, modifier)!.expression, ask)
    }
    const fold = this.#inner.fold(metric, metric.cumulativeType, modifier, ask.path)
    const column = relationColumn('', fold.name, fold.type)
    const value =
      fold.aggregate === 'count' ? whereTimeIs(fold.window.time, coalesce<RelationColumn>(column, integer(0))) : column
    return this.#expressionStep(metric, value, ask)
  }

  #aggregateStep(metric: AggregateMetric, ask: Ask): MetricStep {
    if (this.#isFound(metric, ask)) return this.#foundStep(metric, ask)
    const { name, type, emptyIsZero, window } = this.#inner.groups(metric, ask)
    const column = relationColumn('', name, type)
    const value = emptyIsZero && window ? whereTimeIs(window.time, coalesce<RelationColumn>(column, integer(0))) : column
    return this.#expressionStep(metric, value, ask)
  }

  #conversionStep(metric: ConversionMetric, ask: Ask): MetricStep {
    const { measures } = this.context.graph.model
    const base = measures.get(metric.base)!
    const conversion = conversionOf(metric, base, measures.get(metric.conversion)!, this.context, ask.path)
    const counted = (name: string, converting: boolean): RowExpr =>
      this.#atoms.read(this.#atoms.of({ ...base, defaultValue: undefined }, ask, { name, conversion, converting }))
    const events = counted(`${metric.name} (events)`, false)
    const converted = counted(`${metric.name} (converted)`, true)
    return this.#expressionStep(metric, metric.calculation === 'count' ? converted : binary('/', converted, events), ask)
  }

  #isAbsent(timeDimension: string | undefined): boolean {
    const { dimensions, absent, graph } = this.context
    const has = (level: readonly ResolvedDimension[]): boolean => timesNamed(timeDimension!, level, graph.model).length > 0
    return timeDimension !== undefined && !has(dimensions) && has(absent)
  }

  /** A metric over time has no value where its time is summed up. */
  #nullStep(metric: Metric, type: DataType, ask: Ask): MetricStep {
    return this.#expressionStep(metric, { kind: 'cast', operand: nullOf(type), type }, ask)
  }

  #typeOf(expression: RowExpr): DataType {
    return typeOf(expression, (c: RelationColumn) => c.type, this.context.functions)
  }

  #column(name: string, modifier: Modifier | undefined): string {
    return this.context.columnName(modifiedKey(name, modifier), modifiedName(name, modifier))
  }
}
