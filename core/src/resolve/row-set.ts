import { fail } from '../errors.js'
import { BOOLEAN, type DataType, INT, isNumeric, STRING } from '../model/data-type.js'
import { type ColumnRef, type Expr, type FieldRef, leavesOf, mapLeaves } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Measure, Metric, SemanticModel } from '../model/semantic-model.js'
import { numberLiteral } from './conditions.js'
import { coalesce, literal } from './expressions.js'
import { homeOf } from './homes.js'
import type { JoinGraph } from './join-graph.js'
import { find } from './lookup.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import { type Atom, columnOf, type MetricStep } from './resolved-query.js'

/** A measure or metric as the rows of the answer know it. */
export interface RowField {
  readonly name: string
  /** Reads the value, with the measure's `defaultValue` in place of NULL. */
  readonly expression: RowExpr
  readonly type: DataType
  readonly displayAs: DataType | undefined
  readonly format: string | undefined
  readonly role: 'measure' | 'metric'
}

interface Draft {
  readonly measure: Measure
  readonly home: string
  readonly type: DataType
  readonly path: string
  present: boolean
}

/**
 * Collects the atoms and metric steps that a query needs, each once. `present` is decided by who asks: what a selected field reads
 * makes rows of the answer, what only having or order read does not.
 */
export class RowSet {
  readonly #atoms = new Map<string, Draft>()
  readonly #steps = new Map<string, MetricStep>()
  readonly #present = new Set<string>()
  readonly #sizes = new Map<string, number>()

  constructor(
    private readonly graph: JoinGraph,
    private readonly functions: ReadonlyMap<string, FunctionSpec>,
    private readonly aggregates: ReadonlyMap<string, AggregateSpec>,
    private readonly columnName: (name: string) => string,
  ) {}

  get atoms(): Atom[] {
    return [...this.#atoms.values()].map(({ measure, home, type, present, path }) => ({
      name: this.columnName(measure.name),
      measure,
      home,
      type,
      present,
      filters: measure.filters,
      path,
    }))
  }

  get steps(): MetricStep[] {
    return [...this.#steps.values()]
  }

  /** The measure or metric of this name; `undefined` when the model has none. */
  field(name: string, present: boolean, path: string): RowField | undefined {
    const { model } = this.graph
    const measure = find(name, model.measures)
    if (measure) return this.#measureField(measure, present, path)
    const metric = find(name, model.metrics)
    return metric && this.#metricField(metric, present, path)
  }

  #measureField(measure: Measure, present: boolean, path: string): RowField {
    const type = this.#atom(measure, present, path)
    const { defaultNumericDataType } = this.graph.model.settings
    const displayAs = measure.dataType ?? (measure.aggregation === 'sum' ? defaultNumericDataType : undefined)
    return { name: measure.name, expression: this.#read(measure, type), type, displayAs, format: measure.format, role: 'measure' }
  }

  #metricField(metric: Metric, present: boolean, path: string): RowField {
    const step = this.#step(metric, present, path)
    const { defaultNumericDataType } = this.graph.model.settings
    const displayAs = metric.dataType ?? (isNumeric(step.type) ? defaultNumericDataType : undefined)
    const expression = relationColumn('', step.name, step.type)
    return { name: metric.name, expression, type: step.type, displayAs, format: metric.format, role: 'metric' }
  }

  #atom(measure: Measure, present: boolean, path: string): DataType {
    const known = this.#atoms.get(measure.name)
    if (known) {
      known.present ||= present
      return known.type
    }
    refuseLater(measure, path)
    const home = homeOf(measure, this.graph, path)
    const type = this.#aggregateType(measure, path)
    this.#atoms.set(measure.name, { measure, home, type, present, path })
    return type
  }

  #aggregateType(measure: Measure, path: string): DataType {
    const spec = this.aggregates.get(measure.aggregation)
    if (!spec) fail('UNSUPPORTED_AGGREGATION', `'${measure.aggregation}' is not an aggregation that is loaded here`, { path })
    const { model } = this.graph
    if (measure.aggregation === 'sum' && sumsToInt(measure.inputs[0]!, model)) return INT
    return spec.result(
      measure.inputs.map((input) => typeOf(input, (ref: ColumnRef) => columnOf(model, ref).type, this.functions)),
    )
  }

  #read(measure: Measure, type: DataType): RowExpr {
    const column = relationColumn('', this.columnName(measure.name), type)
    const { defaultValue } = measure
    return defaultValue === undefined ? column : coalesce<RelationColumn>(column, defaultLiteral(defaultValue))
  }

  #step(metric: Metric, present: boolean, path: string): MetricStep {
    const known = this.#steps.get(metric.name)
    if (metric.type !== 'derived') {
      return fail(
        'UNSUPPORTED_FEATURE',
        `metric '${metric.name}' is ${KIND[metric.type]}, which this version does not plan yet`,
        { path },
      )
    }
    // Walked once more when an input first met under having is now selected.
    if (known && (!present || this.#present.has(metric.name))) return known
    if (present) this.#present.add(metric.name)
    const names = new Set(leavesOf(metric.expression).map((leaf) => leaf.name))
    const parts = new Map([...names].map((name) => [name, this.field(name, present, path)!]))
    if (known) return known
    const expression = mapLeaves<FieldRef, RelationColumn>(metric.expression, (ref) => parts.get(ref.name)!.expression)
    const size = leavesOf(expression).reduce((sum, leaf) => sum + 1 + (this.#sizes.get(leaf.name) ?? 0), 0)
    const step: MetricStep = {
      name: this.columnName(metric.name),
      type: typeOf(expression, (c: RelationColumn) => c.type, this.functions),
      expression,
      size,
      path,
    }
    this.#steps.set(metric.name, step)
    this.#sizes.set(step.name, size)
    return step
  }
}

const KIND = {
  cumulative: 'a cumulative metric',
  period_over_period: 'a period-over-period metric',
  window: 'a window metric',
  aggregate: 'an aggregate of an aggregate',
  conversion: 'a conversion metric',
} as const

function refuseLater(measure: Measure, path: string): void {
  const feature =
    measure.total || measure.grain
      ? 'a grain of its own'
      : measure.filterContext
        ? 'a filterContext'
        : measure.semiAdditive
          ? 'semiAdditive'
          : undefined
  if (feature)
    fail('UNSUPPORTED_FEATURE', `measure '${measure.name}' has ${feature}, which this version does not plan yet`, { path })
}

const NARROW = /^(tinyint|smallint|int2|int4|int|integer|mediumint|int8_t|utinyint|usmallint)\b/i

/** Sums of values that are at most 32 bits wide cannot overflow 64 bits. */
function sumsToInt(input: Expr<ColumnRef>, model: SemanticModel): boolean {
  if ((input as ColumnRef).kind !== 'column') return false
  const column = columnOf(model, input as ColumnRef)
  return column.type.kind === 'int' && column.sqlType !== undefined && NARROW.test(column.sqlType.trim())
}

function defaultLiteral(value: string | number | boolean): RowExpr {
  if (typeof value === 'boolean') return literal(value, BOOLEAN)
  return typeof value === 'number' ? numberLiteral(String(value)) : literal(value, STRING)
}
