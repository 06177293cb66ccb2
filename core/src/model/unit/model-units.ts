import { isHiddenName } from '../../hidden-name.js'
import { type ColumnRef, type Expr, type FieldRef, leavesOf } from '../expression/ast.js'
import { equalTerms } from '../join-term.js'
import { isReference } from '../parameter.js'
import {
  type Column,
  componentsOf,
  type Measure,
  type Metric,
  type ModelCondition,
  type SemanticModel,
} from '../semantic-model.js'
import { inverse, isSameUnit, mapSymbols, multiplied, named, RATIO, type Unit, type UnitSymbol } from './unit.js'
import { unitOfAggregate } from './unit-of-aggregate.js'
import { NO_UNIT, type UnitFound, type UnitReading, unitOfExpression } from './unit-of-expression.js'

export type UnitsOf = Pick<SemanticModel, 'dataObjects' | 'dimensions' | 'measures' | 'metrics' | 'parameters' | 'filters'>
type Found = UnitFound<UnitSymbol>

/** Two units that meet in the definition of something in the model although they differ. */
export interface UnitConflict {
  readonly of: UnitOwner
  readonly units: readonly [Unit, Unit]
  /** The first one is declared, and the other follows from the definition. */
  readonly isDeclared: boolean
}

export type UnitOwner =
  | { readonly kind: 'column'; readonly object: string; readonly name: string }
  | { readonly kind: 'dimension' | 'measure' | 'metric'; readonly name: string }

type Place = { readonly kind: 'column'; readonly ref: ColumnRef } | { readonly kind: 'field'; readonly name: string }

const known = new WeakMap<UnitsOf, ModelUnits>()

/** The units of a model, found once. */
export function unitsOfModel(model: UnitsOf): ModelUnits {
  const found = known.get(model) ?? new ModelUnits(model)
  known.set(model, found)
  return found
}

/**
 * The units in a model, declared or derived. Columns that joins compare are one symbol here, whatever way leads to them: what this refuses is wrong in every
 * query. Which unit a number of an answer has is decided for each query.
 */
export class ModelUnits {
  readonly #found = new Map<string, Found>()
  readonly #equal: ReadonlyMap<string, string>
  /** Whether nothing in the model has a unit. */
  readonly isEmpty: boolean

  constructor(
    private readonly model: UnitsOf,
    private readonly conflict: (conflict: UnitConflict) => void = () => undefined,
  ) {
    this.isEmpty = !hasUnits(model)
    this.#equal = this.isEmpty ? new Map() : equalColumns(model)
  }

  ofColumn(ref: ColumnRef): Found {
    return this.#settled({ kind: 'column', ref })
  }

  /** Of a measure or metric. */
  ofField(name: string): Found {
    return this.#settled({ kind: 'field', name })
  }

  /** The unit of an expression over columns. */
  ofExpression(expression: Expr<ColumnRef>, of: UnitOwner): Found {
    for (const ref of leavesOf<ColumnRef>(expression)) this.ofColumn(ref)
    return this.#derived(expression, of)
  }

  /** Looks through everything, so that every conflict is reported. */
  *all(): Generator<undefined> {
    const { dataObjects, dimensions, measures, metrics } = this.model
    for (const { name: object, columns } of dataObjects.values())
      for (const column of columns.keys()) {
        this.ofColumn({ kind: 'column', object, column })
        yield
      }
    for (const { name, expression } of dimensions.values()) {
      this.ofExpression(expression, { kind: 'dimension', name })
      yield
    }
    for (const name of [...measures.keys(), ...metrics.keys()]) {
      this.ofField(name)
      yield
    }
  }

  /** Finds what a place reads before the place itself, without recursion: chains may be of any length. */
  #settled(wanted: Place): Found {
    const stack = [wanted]
    const open = new Set<string>()
    for (let place = stack.at(-1); place !== undefined; place = stack.at(-1)) {
      const key = keyOf(place)
      const ahead = this.#found.has(key) || open.has(key) ? [] : this.#readBy(place).filter((one) => !this.#found.has(keyOf(one)))
      open.add(key)
      if (ahead.length > 0) stack.push(...ahead)
      else {
        if (!this.#found.has(key)) this.#found.set(key, this.#make(place))
        stack.pop()
      }
    }
    return this.#found.get(keyOf(wanted)) ?? NO_UNIT
  }

  #readBy(place: Place): readonly Place[] {
    const columns = (refs: readonly ColumnRef[]): readonly Place[] => refs.map((ref) => ({ kind: 'column', ref }))
    const fields = (names: readonly string[]): readonly Place[] => names.map((name) => ({ kind: 'field', name }))
    if (place.kind === 'column') {
      const source = this.#column(place.ref)?.source
      if (source?.kind === 'expression') return columns(leavesOf<ColumnRef>(source.expression))
      if (source?.kind === 'window') return source.column ? columns([source.column]) : []
      return source?.kind === 'measure' ? fields([source.measure]) : []
    }
    const measure = this.model.measures.get(place.name)
    const metric = this.model.metrics.get(place.name)
    if (measure) return columns([...measure.inputs, ...expressionsIn(measure.filters)].flatMap((one) => leavesOf<ColumnRef>(one)))
    return metric ? fields(componentsOf(metric)) : []
  }

  #make(place: Place): Found {
    if (place.kind === 'column') return this.#makeColumn(place.ref)
    const measure = this.model.measures.get(place.name)
    const metric = this.model.metrics.get(place.name)
    return measure ? this.#makeMeasure(measure) : metric ? this.#makeMetric(metric) : NO_UNIT
  }

  #makeColumn(ref: ColumnRef): Found {
    const column = this.#column(ref)
    if (!column) return NO_UNIT
    const { source, unit } = column
    const of: UnitOwner = { kind: 'column', object: ref.object, name: ref.column }
    return this.#declaredOver(unit, this.#derivedColumn(source, of), of, this.#agree)
  }

  #derivedColumn(source: Column['source'], of: UnitOwner): Found {
    if (source.kind === 'expression') return this.#derived(source.expression, of)
    if (source.kind === 'measure') return this.#known({ kind: 'field', name: source.measure })
    const read = source.kind === 'window' && !COUNTING.has(source.function) ? source.column : undefined
    return read ? this.#known({ kind: 'column', ref: read }) : NO_UNIT
  }

  #makeMeasure(measure: Measure): Found {
    const of: UnitOwner = { kind: 'measure', name: measure.name }
    const fixed = valuesFixed([...this.model.filters.map(({ condition }) => condition), ...measure.filters])
    const reading = this.#reading(of, fixed)
    for (const condition of expressionsIn(measure.filters)) unitOfExpression<ColumnRef, UnitSymbol>(condition, reading)
    const inputs = measure.inputs.map((input) => unitOfExpression<ColumnRef, UnitSymbol>(input, reading))
    const declared = measure.unit && withValues(measure.unit, fixed)
    return this.#declaredOver(declared, this.#simplest(unitOfAggregate(measure.aggregation, inputs)), of, this.#agree)
  }

  #makeMetric(metric: Metric): Found {
    const of: UnitOwner = { kind: 'metric', name: metric.name }
    return this.#declaredOver(metric.unit, this.#derivedMetric(metric, of), of, isAlikeUnit)
  }

  #derivedMetric(metric: Metric, of: UnitOwner): Found {
    const field = (name: string): Found => this.#known({ kind: 'field', name })
    const ofFormula = (expression: Expr<FieldRef>): Found =>
      unitOfExpression<FieldRef, UnitSymbol>(expression, {
        ...this.#reading(of),
        ofLeaf: ({ name }) => field(name),
        agree: isAlikeUnit,
      })
    switch (metric.type) {
      case 'derived':
        return ofFormula(metric.expression)
      case 'period_over_period': {
        const base = ofFormula(metric.expression)
        const isValue = metric.comparison === 'previousValue' || metric.comparison === 'difference'
        return isValue ? base : { unit: RATIO, isScaled: false }
      }
      case 'cumulative':
        return metric.cumulativeType === 'count' ? NO_UNIT : field(metric.measure)
      case 'window':
        return VALUES.has(metric.function) ? field(metric.measure) : NO_UNIT
      case 'aggregate':
        return unitOfAggregate(metric.aggregation, [field(metric.measure)])
      case 'conversion':
      case 'funnel':
        return metric.calculation === 'count' ? NO_UNIT : { unit: RATIO, isScaled: false }
    }
  }

  /** A declared unit is what the author says; of a number without a unit among the factors it may be another one than that of the rest. */
  #declaredOver(declared: Unit | undefined, derived: Found, of: UnitOwner, agree: Agree): Found {
    if (declared === undefined) return derived
    if (derived.unit !== undefined && !derived.isScaled && !agree(declared, derived.unit))
      this.conflict({ of, units: [declared, derived.unit], isDeclared: true })
    return { unit: declared, isScaled: false }
  }

  #derived(expression: Expr<ColumnRef>, of: UnitOwner): Found {
    return this.#simplest(unitOfExpression<ColumnRef, UnitSymbol>(expression, this.#reading(of)))
  }

  /** `fixed`: the only value of a column, by its key. */
  #reading(of: UnitOwner, fixed: Fixed = NOTHING): UnitReading<ColumnRef, UnitSymbol> {
    return {
      ofLeaf: (ref) => {
        const { unit, isScaled } = this.#known({ kind: 'column', ref })
        return { unit: unit && withValues(unit, fixed), isScaled }
      },
      ofParameter: (name) => ({ unit: this.model.parameters.get(name)?.unit, isScaled: false }),
      differ: (a, b) => this.conflict({ of, units: [a, b], isDeclared: false }),
      agree: this.#agree,
    }
  }

  /** Units over columns of one row: two columns of one object are two units, though joins compare both with the same column. */
  readonly #agree: Agree = (a, b) => {
    const others = multiplied([a, inverse(b)]).flatMap(({ of }) => (of.kind === 'column' ? [of.object] : []))
    return isSameUnit(this.#canonical(a), this.#canonical(b)) && new Set(others).size === others.length
  }

  /** Without columns that a join compares, if they are one above and one below the line. */
  #simplest({ unit, isScaled }: Found): Found {
    const canonical = unit && this.#canonical(unit)
    return { unit: canonical && canonical.length < unit.length ? canonical : unit, isScaled }
  }

  #canonical(unit: Unit): Unit {
    return mapSymbols(unit, (symbol) => {
      if (symbol.kind !== 'column') return symbol
      const [object = '', column = ''] = (this.#equal.get(columnKey(symbol)) ?? columnKey(symbol)).split('\0')
      return { kind: 'column', object, column }
    })
  }

  #known(place: Place): Found {
    return this.#found.get(keyOf(place)) ?? NO_UNIT
  }

  #column({ object, column }: ColumnRef) {
    return this.model.dataObjects.get(object)?.columns.get(column)
  }
}

/** Most models have no units. */
export const hasUnits = ({ dataObjects, measures, metrics, parameters }: UnitsOf): boolean =>
  [...dataObjects.values()].some(({ columns }) => [...columns.values()].some(({ unit }) => unit !== undefined)) ||
  [measures, metrics, parameters].some((fields) => [...fields.values()].some(({ unit }) => unit !== undefined))

type Agree = (a: Unit, b: Unit) => boolean
type Fixed = ReadonlyMap<string, UnitSymbol>
const NOTHING: Fixed = new Map()

/** Functions over the rows of an object whose value is a number of rows. */
const COUNTING: ReadonlySet<string> = new Set(['row_number', 'rank', 'dense_rank', 'count'])

const VALUES: ReadonlySet<string> = new Set(['lag', 'lead', 'first_value', 'last_value'])

const columnKey = ({ object, column }: Pick<ColumnRef, 'object' | 'column'>): string => `${object}\0${column}`
const keyOf = (place: Place): string => (place.kind === 'column' ? `column\0${columnKey(place.ref)}` : `field\0${place.name}`)

const withValues = (unit: Unit, fixed: Fixed): Unit =>
  fixed.size === 0
    ? unit
    : mapSymbols(unit, (symbol) => (symbol.kind === 'column' ? (fixed.get(columnKey(symbol)) ?? symbol) : symbol))

/** Units of metrics: which column names a unit does not matter, because a query decides whether their values are the same. */
export const isAlikeUnit: Agree = (a, b) => isSameUnit(withoutColumns(a), withoutColumns(b))

const ANY_COLUMN: UnitSymbol = { kind: 'column', object: '', column: '' }
const withoutColumns = (unit: Unit): Unit => mapSymbols(unit, (symbol) => (symbol.kind === 'column' ? ANY_COLUMN : symbol))

/** The expressions among conditions. */
const expressionsIn = (conditions: readonly ModelCondition[]): readonly Expr<ColumnRef>[] =>
  conditions.flatMap((condition) => {
    if (condition.kind === 'expression') return [condition.expression]
    return condition.kind === 'leaf' ? [] : expressionsIn(condition.filters)
  })

/** The columns for which conditions leave one value, by their keys. */
function valuesFixed(conditions: readonly ModelCondition[]): Fixed {
  const fixed = new Map<string, UnitSymbol>()
  for (const condition of conditions) {
    if (condition.kind === 'group' && condition.logic === 'and' && !condition.negated)
      for (const [key, symbol] of valuesFixed(condition.filters)) fixed.set(key, symbol)
    // A value of a column that is hidden names nothing.
    if (condition.kind !== 'leaf' || condition.orMissing || isHiddenName(condition.column.column)) continue
    const [value, ...others] = condition.values
    if ((condition.operator !== 'eq' && condition.operator !== 'in') || others.length > 0) continue
    const symbol: UnitSymbol | undefined = isReference(value)
      ? { kind: 'parameter', name: value.parameter }
      : typeof value === 'string'
        ? named(value)
        : undefined
    if (symbol) fixed.set(columnKey(condition.column), symbol)
  }
  return fixed
}

/** One key for all columns that joins compare with each other. */
function equalColumns({ dataObjects }: Pick<UnitsOf, 'dataObjects'>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) root = next
    return root
  }
  const all = [...dataObjects.values()].flatMap(({ joins }) =>
    joins.flatMap(({ from, to, on }) =>
      equalTerms(on).map(
        (term) => [columnKey({ object: from, column: term.from }), columnKey({ object: to, column: term.to })] as const,
      ),
    ),
  )
  for (const [left, right] of all) {
    const [a, b] = [rootOf(left), rootOf(right)].toSorted()
    parents.set(b!, a!)
  }
  return new Map(all.flat().map((key) => [key, rootOf(key)]))
}
