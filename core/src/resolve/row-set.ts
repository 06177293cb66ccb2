import { type DataType, isNumeric } from '../model/data-type.js'
import { type Expr, type FieldRef, leavesOf, mapLeaves } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import {
  type CumulativeMetric,
  componentsOf,
  type Measure,
  type Metric,
  type PeriodMetric,
  type WindowMetric,
} from '../model/semantic-model.js'
import { aggregateType } from './aggregate-type.js'
import { balanceOf, balanceType, hasTime } from './balance.js'
import { coalesce, integer, isNotNull, nullOf } from './expressions.js'
import { foldType, PER_PERIOD, perPeriodOutputs } from './folds.js'
import { homeOf } from './homes.js'
import type { JoinGraph } from './join-graph.js'
import { refuseKind, refuseNested } from './later-kinds.js'
import { defaultLiteral } from './literals.js'
import { find } from './lookup.js'
import { conjunctsOf, grainOf, type Modifier } from './modifiers.js'
import { compared, priorPeriod } from './periods.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import {
  type AggregateQuery,
  type Atom,
  type Conjunct,
  type Fold,
  type MetricStep,
  nameOfDimension,
  type PeriodWindow,
  type ResolvedDimension,
  type RowField,
  type Shift,
} from './resolved-query.js'
import { runningWindow } from './running.js'
import { isStrict } from './strict.js'
import { windowOf, windowType } from './windows.js'

export interface RowSetContext {
  readonly graph: JoinGraph
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly dimensions: readonly ResolvedDimension[]
  /** Selected dimensions that this subtotal level is not grouped by. */
  readonly absent: readonly ResolvedDimension[]
  readonly where: readonly Conjunct[]
  /** What a query within this one has in common with it. */
  readonly inner: Omit<AggregateQuery, 'where' | 'dimensions' | 'atoms' | 'steps' | 'folds' | 'outputs'>
  /** A name for a column of the row set, from what it holds and how it would like to be called. */
  readonly columnName: (key: string, name: string) => string
}

type Draft = Omit<Atom, 'present'> & { present: boolean }

/**
 * Collects the atoms and metric steps that a query needs, each once. `present` is decided by who asks: what a selected field reads
 * makes rows of the answer, what only having, order or another period read does not. A modifier is pushed to every atom below.
 */
export class RowSet {
  readonly #atoms = new Map<string, Draft>()
  readonly #steps = new Map<string, MetricStep>()
  readonly #present = new Set<string>()
  readonly #sizes = new Map<string, number>()
  readonly #folds: Fold[] = []
  readonly #reads = new Map<string, RowExpr>()

  constructor(private readonly context: RowSetContext) {}

  get atoms(): Atom[] {
    return [...this.#atoms.values()]
  }

  get folds(): readonly Fold[] {
    return this.#folds
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
    const atom = this.#atom(measure, present, path, modifier)
    const { defaultNumericDataType } = this.context.graph.model.settings
    const displayAs = measure.dataType ?? (measure.aggregation === 'sum' ? defaultNumericDataType : undefined)
    const { type } = atom
    return { name: measure.name, expression: this.#read(atom), type, displayAs, format: measure.format, role: 'measure' }
  }

  #metricField(metric: Metric, present: boolean, path: string, modifier: Modifier | undefined): RowField {
    const step = this.#step(metric, present, path, modifier)
    const { defaultNumericDataType } = this.context.graph.model.settings
    const displayAs = metric.dataType ?? (isNumeric(step.type) ? defaultNumericDataType : undefined)
    const expression = relationColumn('', step.name, step.type)
    return { name: metric.name, expression, type: step.type, displayAs, format: metric.format, role: 'metric' }
  }

  #atom(measure: Measure, present: boolean, path: string, modifier: Modifier | undefined): Draft {
    const key = modifiedKey(measure.name, modifier)
    const known = this.#atoms.get(key)
    if (known) {
      known.present ||= present
      return known
    }
    const { graph, dimensions, where } = this.context
    const seen = conjunctsOf(measure, where)
    const kept = modifier ? seen.flatMap((c) => modifier.conjunct(c) ?? []) : seen
    const window = modifier?.window
    const perTime = aggregateType(measure, this.context, path)
    const balance = balanceOf(measure, perTime, this.context, path)
    const atom: Draft = {
      name: this.#column(measure.name, modifier),
      measure,
      home: homeOf(measure, graph, path),
      type: balance ? balanceType(balance, this.#spec(measure.aggregation), this.#spec('sum')) : perTime,
      present,
      filters: measure.filters,
      dimensions: grainOf(measure, levelOf(dimensions, modifier), [...dimensions, ...this.context.absent], path),
      conjuncts: balance ? [...kept, hasTime(balance)] : kept,
      shift: modifier?.shift,
      window,
      balance,
      path,
    }
    this.#atoms.set(key, atom)
    return atom
  }

  /** One expression object per column, so that equal reads are the same object wherever they stand. */
  #read({ name, type, measure, window, balance, dimensions }: Draft): RowExpr {
    const known = this.#reads.get(name)
    if (known) return known
    const column = relationColumn('', name, type)
    const { defaultValue } = measure
    const isCount = (window ?? balance) !== undefined && this.#spec(measure.aggregation).empty === 'zero'
    const present = isCount ? coalesce<RelationColumn>(column, integer(0)) : column
    const filled = defaultValue === undefined ? present : coalesce<RelationColumn>(present, defaultLiteral(defaultValue))
    const timeless = window !== undefined && !dimensions.includes(window.period)
    const read = window && (timeless || filled !== column) ? whereTimeIs(window.time, filled) : filled
    this.#reads.set(name, read)
    return read
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
    this.#sizes.set(made.name, made.size)
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
      default:
        return refuseKind(metric, ask.path)
    }
  }

  /** An expression over fields as one over the row set. */
  #over(expression: Expr<FieldRef>, { present, path, modifier }: Ask): RowExpr {
    const names = new Set(leavesOf(expression).map((leaf) => leaf.name))
    const parts = new Map([...names].map((name) => [name, this.field(name, present, path, modifier)!]))
    return mapLeaves<FieldRef, RelationColumn>(expression, (ref) => parts.get(ref.name)!.expression)
  }

  #expressionStep(metric: Metric, expression: RowExpr, { path, modifier }: Ask): MetricStep {
    const size = leavesOf(expression).reduce((sum, leaf) => sum + 1 + (this.#sizes.get(leaf.name) ?? 0), 0)
    return {
      kind: 'expression',
      name: this.#column(metric.name, modifier),
      type: this.#typeOf(expression),
      expression,
      size,
      path,
    }
  }

  #periodStep(metric: PeriodMetric, ask: Ask): MetricStep {
    refuseNested(metric, ask.modifier, ask.path)
    const { dimensions, where } = this.context
    if (this.#isAbsent(metric.timeDimension)) {
      return this.#nullStep(
        metric,
        this.#typeOf(compared(metric, this.#over(metric.expression, ask), this.#over(metric.expression, ask))),
        ask,
      )
    }
    const modifier = priorPeriod(metric, dimensions, where, ask.path)
    // The base at the row's own period makes the rows, whether the comparison shows it or not.
    const current = this.#over(metric.expression, ask)
    const prior = this.#over(metric.expression, { ...ask, present: false, modifier })
    return this.#expressionStep(
      metric,
      compared(metric, current, this.#isNullWithoutTime(prior, modifier) ? prior : whereTimeIs(modifier.shift.dimension, prior)),
      ask,
    )
  }

  #windowStep(metric: WindowMetric, ask: Ask): MetricStep {
    refuseNested(metric, ask.modifier, ask.path)
    const field = this.field(metric.measure, ask.present, ask.path)!
    if (this.#isAbsent(metric.timeDimension)) return this.#nullStep(metric, windowType(metric, field.type), ask)
    const window = windowOf(metric, field, this.context.dimensions, ask.path)
    return { ...window, name: this.#column(metric.name, undefined), size: 1, path: ask.path }
  }

  #runningStep(metric: CumulativeMetric, ask: Ask): MetricStep {
    refuseNested(metric, ask.modifier, ask.path)
    // The base at the row's own period makes the rows.
    const base = this.field(metric.measure, ask.present, ask.path)!
    if (this.#isAbsent(metric.timeDimension)) {
      const { cumulativeType } = metric
      return this.#nullStep(metric, cumulativeType ? foldType(cumulativeType, base.type) : base.type, ask)
    }
    const { dimensions, where } = this.context
    const modifier = runningWindow(metric, dimensions, where, ask.path)
    if (metric.cumulativeType === undefined) {
      return this.#expressionStep(metric, this.field(metric.measure, false, ask.path, modifier)!.expression, ask)
    }
    const fold = this.#fold(metric, metric.cumulativeType, modifier, ask.path)
    const column = relationColumn('', fold.name, fold.type)
    const value =
      fold.aggregate === 'count' ? whereTimeIs(fold.window.time, coalesce<RelationColumn>(column, integer(0))) : column
    return this.#expressionStep(metric, value, ask)
  }

  /** The base per period and partition, as a query of its own, to be folded over each row's window. */
  #fold(
    metric: CumulativeMetric,
    aggregate: Fold['aggregate'],
    modifier: Modifier & { readonly window: PeriodWindow },
    path: string,
  ): Fold {
    const { dimensions: all, where: asked, absent, columnName, ...rest } = this.context
    const { window, conjunct } = modifier
    const dimensions = [window.period, ...window.partition]
    const where = asked.flatMap((c) => conjunct(c) ?? [])
    const others = [...all, ...absent].filter((d) => !dimensions.some((kept) => kept.name === d.name))
    const inner = new RowSet({ ...rest, columnName, absent: others, dimensions, where })
    const value = inner.field(metric.measure, true, path, PER_PERIOD)!
    const { atoms, steps, folds } = inner
    const outputs = perPeriodOutputs(dimensions, value, columnName(`per period ${metric.name}`, `${metric.name} (per period)`))
    const fold: Fold = {
      name: columnName(`fold ${metric.name}`, `${metric.name} (folded)`),
      type: foldType(aggregate, value.type),
      aggregate,
      window,
      query: { ...this.context.inner, where, dimensions, atoms, steps, folds, outputs },
    }
    this.#folds.push(fold)
    return fold
  }

  /** Whether the prior value is NULL by itself where the time is missing: every part of it is found by the time. */
  #isNullWithoutTime(prior: RowExpr, { key, shift }: Modifier & { readonly shift: Shift }): boolean {
    const found = new Set<string>()
    for (const [name, atom] of this.#atoms) {
      if (name.startsWith(`${key}\u0000`) && atom.dimensions.includes(shift.period)) found.add(atom.name)
    }
    return isStrict(prior) && leavesOf<RelationColumn>(prior).every((leaf) => found.has(leaf.name))
  }

  #isAbsent(timeDimension: string | undefined): boolean {
    return timeDimension !== undefined && this.context.absent.some((d) => nameOfDimension(d) === timeDimension)
  }

  /** A metric over time has no value where its time is summed up. */
  #nullStep(metric: Metric, type: DataType, ask: Ask): MetricStep {
    return this.#expressionStep(metric, { kind: 'cast', operand: nullOf(type), type }, ask)
  }

  #spec(aggregation: string): AggregateSpec {
    return this.context.aggregates.get(aggregation)!
  }

  #typeOf(expression: RowExpr): DataType {
    return typeOf(expression, (c: RelationColumn) => c.type, this.context.functions)
  }

  #column(name: string, modifier: Modifier | undefined): string {
    return this.context.columnName(modifiedKey(name, modifier), modifier ? `${name} (${modifier.label})` : name)
  }
}

/** Rows without a time are in no window and have no other period. */
const whereTimeIs = (time: ResolvedDimension, value: RowExpr): RowExpr => ({
  kind: 'case',
  branches: [{ when: isNotNull<RelationColumn>(relationColumn('', time.name, time.type)), then: value }],
  otherwise: undefined,
})

/** What an atom under a modifier is grouped by where it has no grain of its own. */
function levelOf(dimensions: readonly ResolvedDimension[], modifier: Modifier | undefined): readonly ResolvedDimension[] {
  const { window, shift } = modifier ?? {}
  if (window) return [window.period, ...window.partition]
  if (!shift) return dimensions
  return dimensions.filter((d) => !shift.along.includes(d)).map((d) => (d === shift.dimension ? shift.period : d))
}

interface Ask {
  readonly present: boolean
  readonly path: string
  readonly modifier: Modifier | undefined
}

const modifiedKey = (name: string, modifier: Modifier | undefined): string => (modifier ? `${modifier.key}\u0000${name}` : name)
