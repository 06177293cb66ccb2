import { type DataType, isNumeric } from '../model/data-type.js'
import { type Expr, type FieldRef, leavesOf, mapLeaves } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
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
import { acrossOf } from './across.js'
import { aggregateType } from './aggregate-type.js'
import { balanceOf, balanceType, hasTime } from './balance.js'
import { conversionOf, ofSomebody } from './conversions.js'
import { binary, coalesce, integer, isNotNull, nullOf } from './expressions.js'
import { declaredDimension } from './fields.js'
import { foldType, innerOutputs } from './folds.js'
import { homeOf } from './homes.js'
import type { JoinGraph } from './join-graph.js'
import { defaultLiteral } from './literals.js'
import { find } from './lookup.js'
import { conjunctsOf, grainOf, type Modifier } from './modifiers.js'
import { isOverRows } from './over-rows.js'
import { compared, priorPeriod } from './periods.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import {
  type AggregateQuery,
  type Atom,
  type Conjunct,
  type Conversion,
  type Fold,
  type MetricStep,
  type Nested,
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
  readonly inner: Omit<AggregateQuery, 'where' | 'dimensions' | 'atoms' | 'steps' | 'folds' | 'nested' | 'over' | 'outputs'>
  /** A name for a column of the row set, from what it holds and how it would like to be called. */
  readonly columnName: (key: string, name: string) => string
}

type Draft = Omit<Atom, 'present'> & { present: boolean }
type NestedDraft = Omit<Nested, 'present'> & { present: boolean }

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
  readonly #nested = new Map<string, NestedDraft>()
  readonly #reads = new Map<string, RowExpr>()

  constructor(private readonly context: RowSetContext) {}

  get atoms(): Atom[] {
    return [...this.#atoms.values()]
  }

  get folds(): readonly Fold[] {
    return this.#folds
  }

  get nested(): Nested[] {
    return [...this.#nested.values()]
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

  #atom(measure: Measure, present: boolean, path: string, modifier: Modifier | undefined, of?: EventsOf): Draft {
    const name = of?.name ?? measure.name
    const key = modifiedKey(name, modifier)
    const known = this.#atoms.get(key)
    if (known) {
      known.present ||= present
      return known
    }
    const { graph, dimensions, where } = this.context
    const seen = conjunctsOf(measure, where)
    const kept = modifier ? seen.flatMap((c) => modifier.conjunct(c) ?? []) : seen
    const window = modifier?.window
    const home = homeOf(measure, graph, path)
    const across = acrossOf(measure, home, this.context, path)
    const perTime = aggregateType(measure, this.context, path, across)
    const balance = balanceOf(measure, perTime, this.context, path)
    const atom: Draft = {
      name: this.#column(name, modifier),
      measure,
      home,
      type: balance ? balanceType(balance, this.#spec(measure.aggregation), this.#spec('sum')) : perTime,
      present,
      filters: of?.conversion.base.filters ?? measure.filters,
      dimensions: grainOf(measure, levelOf(dimensions, modifier), [...dimensions, ...this.context.absent], path),
      conjuncts: [...kept, ...(balance ? [hasTime(balance)] : []), ...(of ? [ofSomebody(of.conversion)] : [])],
      shift: modifier?.shift,
      window,
      balance,
      converts: of?.converting ? of.conversion : undefined,
      across,
      path,
    }
    this.#atoms.set(key, atom)
    return atom
  }

  /** One expression object per column, so that equal reads are the same object wherever they stand. */
  #read({ name, type, measure, shift, window, balance, dimensions }: Draft): RowExpr {
    const known = this.#reads.get(name)
    if (known) return known
    const column = relationColumn('', name, type)
    const { defaultValue } = measure
    const isCount = !shift && (window ?? balance) !== undefined && this.#spec(measure.aggregation).empty === 'zero'
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
    if (isOverRows(namesIn(metric.expression), this.context.graph.model)) {
      const { name, type } = this.#priorQuery(metric, modifier, ask)
      return this.#expressionStep(metric, compared(metric, current, relationColumn('', name, type)), ask)
    }
    const prior = this.#over(metric.expression, { ...ask, present: false, modifier })
    return this.#expressionStep(
      metric,
      compared(metric, current, this.#isNullWithoutTime(prior, modifier) ? prior : whereTimeIs(modifier.shift.dimension, prior)),
      ask,
    )
  }

  #windowStep(metric: WindowMetric, ask: Ask): MetricStep {
    const field = this.field(metric.measure, ask.present, ask.path)!
    if (this.#isAbsent(metric.timeDimension)) return this.#nullStep(metric, windowType(metric, field.type), ask)
    const window = windowOf(metric, field, this.context.dimensions, ask.path)
    return { ...window, name: this.#column(metric.name, undefined), size: 1, path: ask.path }
  }

  #runningStep(metric: CumulativeMetric, ask: Ask): MetricStep {
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
    const { columnName, where } = this.context
    const { window, conjunct } = modifier
    const query = this.#innerQuery(
      { dimensions: [window.period, ...window.partition], where: where.flatMap((c) => conjunct(c) ?? []), over: undefined },
      `${metric.name} (per period)`,
      (inner) => inner.field(metric.measure, true, path)!,
    )
    const fold: Fold = {
      name: columnName(`fold ${metric.name}`, `${metric.name} (folded)`),
      type: foldType(aggregate, query.outputs.at(-1)!.type),
      aggregate,
      window,
      query,
    }
    this.#folds.push(fold)
    return fold
  }

  /** The base of a comparison at all periods, as a query of its own, to be looked up at the prior one. */
  #priorQuery(metric: PeriodMetric, modifier: Modifier & { readonly shift: Shift }, { path }: Ask): Nested {
    return this.#once(metric, modifier, false, () => {
      const dimensions = levelOf(this.context.dimensions, modifier)
      const where = this.context.where.flatMap((c) => modifier.conjunct(c) ?? [])
      const query = this.#innerQuery({ dimensions, where, over: undefined }, `${metric.name} (at all periods)`, (inner) => {
        const expression = inner.#over(metric.expression, { present: true, path, modifier: undefined })
        return { expression, type: this.#typeOf(expression) }
      })
      const { type } = query.outputs.at(-1)!
      return { type, query, dimensions, aggregate: undefined, emptyIsZero: false, shift: modifier.shift, window: undefined, path }
    })
  }

  #aggregateStep(metric: AggregateMetric, ask: Ask): MetricStep {
    const { path, modifier } = ask
    const { name, type, emptyIsZero, window } = this.#once(metric, modifier, ask.present, () => this.#groups(metric, ask))
    const column = relationColumn('', name, type)
    const value = emptyIsZero && window ? whereTimeIs(window.time, coalesce<RelationColumn>(column, integer(0))) : column
    return this.#expressionStep(metric, value, { ...ask, path })
  }

  /** The base per group within each row, as a query of its own. Under a window, over the rows of each row's window. */
  #groups(metric: AggregateMetric, { path, modifier }: Ask): Omit<Nested, 'name' | 'present'> {
    const { dimensions: level, where } = this.context
    const outer = modifier?.window
    const dimensions = outer ? [outer.time, ...outer.partition, ...outer.apart] : level
    const apart = metric.per.flatMap((name) => this.#groupDimensions(name, path)).filter((d) => !dimensions.includes(d))
    const over = outer && { ...outer, apart: [...outer.apart, ...apart] }
    const within = modifier && { ...modifier, key: `${modifier.key} in ${metric.name}`, window: over }
    const query = this.#innerQuery(
      { dimensions: [...dimensions, ...apart], where: within ? where.flatMap((c) => within.conjunct(c) ?? []) : where, over },
      `${metric.name} (per group)`,
      (inner) => inner.field(metric.measure, true, path, within)!,
    )
    const spec = this.#spec(metric.aggregation)
    return {
      type: spec.result([query.outputs.at(-1)!.type]),
      query,
      dimensions,
      aggregate: metric.aggregation,
      emptyIsZero: spec.empty === 'zero',
      shift: undefined,
      window: outer,
      path,
    }
  }

  /** A dimension of groups: as it is selected, at whatever grains; else as it is declared. */
  #groupDimensions(name: string, path: string): readonly ResolvedDimension[] {
    const { dimensions, absent, graph, columnName } = this.context
    const selected = [...dimensions, ...absent].filter((d) => nameOfDimension(d) === name)
    if (selected.length > 0) return selected
    return [{ ...declaredDimension(name, graph.model, path), name: columnName(`group ${name}`, name) }]
  }

  #conversionStep(metric: ConversionMetric, { present, path, modifier }: Ask): MetricStep {
    const { measures } = this.context.graph.model
    const base = measures.get(metric.base)!
    const conversion = conversionOf(metric, base, measures.get(metric.conversion)!, this.context, path)
    const counted = (name: string, converting: boolean): RowExpr =>
      this.#read(this.#atom({ ...base, defaultValue: undefined }, present, path, modifier, { name, conversion, converting }))
    const events = counted(`${metric.name} (events)`, false)
    const converted = counted(`${metric.name} (converted)`, true)
    const value = metric.calculation === 'count' ? converted : binary('/', converted, events)
    return this.#expressionStep(metric, value, { present, path, modifier })
  }

  /** A query within the query, once however often it is read. */
  #once(
    { name }: Metric,
    modifier: Modifier | undefined,
    present: boolean,
    make: () => Omit<Nested, 'name' | 'present'>,
  ): NestedDraft {
    const key = modifiedKey(name, modifier)
    const known = this.#nested.get(key)
    if (known) {
      known.present ||= present
      return known
    }
    const label = modifier ? `${name} (${modifier.label}, found)` : `${name} (found)`
    const made = { ...make(), name: this.context.columnName(`nested ${key}`, label), present }
    this.#nested.set(key, made)
    return made
  }

  #innerQuery(
    { dimensions, where, over }: Pick<AggregateQuery, 'dimensions' | 'where' | 'over'>,
    label: string,
    read: (inner: RowSet) => Pick<RowField, 'expression' | 'type'>,
  ): AggregateQuery {
    const { dimensions: all, absent, columnName } = this.context
    const others = [...all, ...absent].filter((d) => !dimensions.some((kept) => kept.name === d.name))
    const inner = new RowSet({ ...this.context, absent: others, dimensions, where })
    const value = read(inner)
    const { atoms, steps, folds, nested } = inner
    const outputs = innerOutputs(dimensions, value, columnName(`inner ${label}`, label))
    return { ...this.context.inner, where, dimensions, atoms, steps, folds, nested, over, outputs }
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
    const { dimensions, absent } = this.context
    const isIt = (d: ResolvedDimension): boolean => nameOfDimension(d) === timeDimension
    return timeDimension !== undefined && !dimensions.some(isIt) && absent.some(isIt)
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

const namesIn = (expression: Expr<FieldRef>): readonly string[] => leavesOf(expression).map((leaf) => leaf.name)

/** Rows without a time are in no window and have no other period. */
const whereTimeIs = (time: ResolvedDimension, value: RowExpr): RowExpr => ({
  kind: 'case',
  branches: [{ when: isNotNull<RelationColumn>(relationColumn('', time.name, time.type)), then: value }],
  otherwise: undefined,
})

/** What an atom under a modifier is grouped by where it has no grain of its own. */
function levelOf(dimensions: readonly ResolvedDimension[], modifier: Modifier | undefined): readonly ResolvedDimension[] {
  const { window, shift } = modifier ?? {}
  if (window) return [window.period, ...window.partition, ...window.apart]
  if (!shift) return dimensions
  return dimensions.filter((d) => !shift.along.includes(d)).map((d) => (d === shift.dimension ? shift.period : d))
}

interface EventsOf {
  readonly name: string
  readonly conversion: Conversion
  readonly converting: boolean
}

interface Ask {
  readonly present: boolean
  readonly path: string
  readonly modifier: Modifier | undefined
}

const modifiedKey = (name: string, modifier: Modifier | undefined): string => (modifier ? `${modifier.key}\u0000${name}` : name)
