import { entryOf } from '../../invariant.js'
import { DATE, type DataType, FLOAT, INT, TIMESTAMP } from '../data-type.js'
import type { ColumnDocument, MeasureDocument, MetricDocument } from '../document.js'
import { type ColumnRef, type Expr, type FieldRef, leavesOf } from '../expression/ast.js'
import { valueType } from '../expression/value-type.js'
import { Faults } from '../faults.js'
import { AGGREGATE_ALIASES } from '../functions/aggregates.js'
import type { Grain } from '../grain.js'
import type { Segments } from '../parse/locate.js'
import type { MeasureSource } from '../semantic-model.js'
import { sumsToInt } from '../sums-to-int.js'
import { grainOf } from './calendars.js'
import {
  type Context,
  columnExpression,
  columnOfPair,
  columnType,
  expression,
  keysOf,
  splitReference,
  typedExpression,
  typedOverColumns,
} from './context.js'
import { countName } from './row-counts.js'

/** The measure of a column; `undefined` if the model has no such measure, which is reported. */
export function measureSource(
  { measure, grain, usePathNames = [] }: ColumnDocument & { readonly measure: string },
  segments: Segments,
  context: Context,
): MeasureSource | undefined {
  const { measures = {}, metrics = {}, dimensions = {} } = context.document
  if (!Object.hasOwn(measures, measure) && !Object.hasOwn(metrics, measure) && !rowCounts(context).has(measure)) {
    const what = Object.hasOwn(dimensions, measure) ? 'is a dimension, not a measure' : 'is not a measure or metric of this model'
    const known = [...keysOf(measures), ...keysOf(metrics), ...rowCounts(context)]
    context.faults.unknown('UNKNOWN_MEASURE_REF', [...segments, 'measure'], {
      message: `'${measure}' ${what}`,
      name: measure,
      known,
    })
    return undefined
  }
  return { kind: 'measure', measure, grain: grainOf(grain, [...segments, 'grain'], context), pins: usePathNames, parameters: [] }
}

/** The names of the counts of rows that the model offers. */
function rowCounts({ document }: Context): ReadonlySet<string> {
  if (document.exposeCounts === false) return new Set()
  const objects = Object.entries(document.dataObjects ?? {}).filter(([, { countable }]) => countable !== false)
  return new Set(objects.map(([name, { countLabel }]) => countName(name, countLabel, document)))
}

/** The columns from whose types the type of a measure follows. */
export const inputsOf = (measure: string, context: Context): readonly ColumnRef[] => new MeasureTypes(context).inputsOf(measure)

/** The type of a measure column; `undefined` if the measure, or a column that it reads, has an error, which is reported where it is declared. */
export function typeOfMeasured(
  { measure, grain }: Pick<MeasureSource, 'measure' | 'grain'>,
  context: Context,
): DataType | undefined {
  const type = new MeasureTypes(context).of(measure)
  return type && grain ? periodType(grain) : type
}

const WITH_CLOCK: ReadonlySet<unknown> = new Set(['second', 'minute', 'hour'])
const periodType = (grain: Grain): DataType => (WITH_CLOCK.has(grain) ? TIMESTAMP : DATE)

/**
 * The types of measures before measures are read: columns come first. Errors in measures are reported when they are read; here they only leave a
 * type unknown.
 */
class MeasureTypes {
  readonly #context: Context
  /** The fields that are being typed: a circle of metrics is reported elsewhere. */
  readonly #open = new Set<string>()

  constructor(context: Context) {
    this.#context = { ...context, faults: new Faults() }
  }

  inputsOf(name: string): readonly ColumnRef[] {
    const { measure, metric } = this.#entryOf(name)
    if (measure) return (this.#inputs(measure) ?? []).flatMap((input) => leavesOf<ColumnRef>(input))
    return metric ? this.#within(name, () => this.#componentsOf(metric).flatMap((one) => this.inputsOf(one)), []) : []
  }

  of(name: string): DataType | undefined {
    const { measure, metric } = this.#entryOf(name)
    if (measure) return this.#typeOfMeasure(measure)
    return metric ? this.#within(name, () => this.#typeOfMetric(metric), undefined) : INT
  }

  #within<T>(name: string, read: () => T, otherwise: T): T {
    if (this.#open.has(name)) return otherwise
    this.#open.add(name)
    const found = read()
    this.#open.delete(name)
    return found
  }

  #entryOf(name: string): { readonly measure?: MeasureDocument | undefined; readonly metric?: MetricDocument | undefined } {
    const { measures = {}, metrics = {} } = this.#context.document
    if (Object.hasOwn(measures, name)) return { measure: measures[name] }
    return Object.hasOwn(metrics, name) ? { metric: metrics[name] } : {}
  }

  #inputs(entry: MeasureDocument): readonly Expr<ColumnRef>[] | undefined {
    if (entry.expression !== undefined) {
      const written = columnExpression(entry.expression, [], undefined, this.#context)
      return written && [written]
    }
    const refs = (entry.columns ?? []).map((pair) => columnOfPair(pair, [], this.#context))
    return refs.every((ref) => ref !== undefined) ? refs : undefined
  }

  #typeOfMeasure(entry: MeasureDocument): DataType | undefined {
    const { aggregates, functions, objects } = this.#context
    const spelled = entry.aggregation.toLowerCase()
    const canonical = AGGREGATE_ALIASES.get(spelled) ?? spelled
    const spec = aggregates.get(canonical === 'count' && entry.distinct ? 'count_distinct' : canonical)
    const inputs = this.#inputs(entry)?.map((input) => typedOverColumns(input, [], undefined, this.#context)?.expression)
    if (!spec || !inputs?.every((input) => input !== undefined)) return undefined
    const isKnown = inputs.every((input) =>
      leavesOf<ColumnRef>(input).every(({ object, column }) => objects.get(object)?.columns.has(column)),
    )
    if (!isKnown) return undefined
    const [first] = inputs
    const isInt = canonical === 'sum' && first && sumsToInt(first, (ref) => objects.get(ref.object)?.columns.get(ref.column))
    const types = inputs.map((input) => valueType<ColumnRef>(input, (ref) => columnType(ref, this.#context), functions))
    const plain = isInt ? INT : spec.result(types)
    const { take } = entry.semiAdditive ?? {}
    if (take === undefined) return plain
    return take === 'avg' ? FLOAT : spec.empty === 'zero' ? plain : entryOf(aggregates, 'sum').result([plain])
  }

  #typeOfMetric(metric: MetricDocument): DataType | undefined {
    const { aggregates, functions } = this.#context
    if (metric.type === 'conversion' || metric.type === 'funnel') return metric.calculation === 'count' ? INT : FLOAT
    if (metric.type === 'aggregate') {
      const type = metric.measure === undefined ? undefined : this.of(metric.measure)
      const spelled = metric.aggregation?.toLowerCase() ?? ''
      return type && aggregates.get(AGGREGATE_ALIASES.get(spelled) ?? spelled)?.result([type])
    }
    // That it depends on other rows of an answer is reported later.
    if (metric.type !== undefined && metric.type !== 'derived')
      return metric.measure === undefined ? FLOAT : this.of(metric.measure)
    const parsed = this.#formula(metric)
    if (!parsed) return undefined
    const types = new Map(leavesOf<FieldRef>(parsed).map(({ name }) => [name, this.of(name)] as const))
    const found = typedExpression<FieldRef>(parsed, [], this.#context, {
      typeOfLeaf: ({ name }) => types.get(name),
      nameOfLeaf: ({ name }) => name,
    })
    if (!found || [...types.values()].includes(undefined)) return undefined
    return valueType<FieldRef>(found.expression, ({ name }) => types.get(name)!, functions)
  }

  #formula({ expression: text }: MetricDocument): Expr<FieldRef> | undefined {
    if (text === undefined) return undefined
    const leaf = (reference: string): FieldRef | undefined => {
      const parts = splitReference(reference)
      return parts && parts.object === undefined ? { kind: 'field', name: parts.name } : undefined
    }
    return expression<FieldRef>(text, [], this.#context, { leaf })
  }

  #componentsOf(metric: MetricDocument): readonly string[] {
    if (metric.type === 'aggregate') return metric.measure === undefined ? [] : [metric.measure]
    const formula = this.#formula(metric)
    return formula ? leavesOf<FieldRef>(formula).map(({ name }) => name) : []
  }
}
