/** Which measures and metrics are numbers. */
import type { SemanticModel } from '@grainline/core'
import type { DataType, Measure } from '@grainline/core/language'
import type { ColumnRef } from './condition-sql.js'
import { type Metric, namesReadBy } from './in-order.js'
import { isNumber } from './is-number.js'

/** Aggregates whose value is a number, whatever they aggregate. */
const NUMBERS = new Set(
  'count count_distinct approx_count_distinct count_if sum avg median percentile stddev_samp stddev_pop var_samp var_pop corr'.split(
    ' ',
  ),
)
/** Aggregates that give one of their values. */
const VALUES = new Set('min max any_value mode first last'.split(' '))

/** Which measures and metrics are numbers. A metric is added after those that it reads. */
export class FieldTypes {
  readonly #model: SemanticModel
  readonly #numbers = new Set<string>()

  constructor(model: SemanticModel) {
    this.#model = model
  }

  add(metric: Metric): void {
    const isOfNumbers =
      metric.type === 'derived'
        ? isNumber(metric.expression, this.typeOf)
        : namesReadBy(metric).every((name) => this.typeOf({ name }) !== undefined)
    if (isOfNumbers) this.#numbers.add(metric.name)
  }

  /** That of a double for a number. */
  readonly typeOf = ({ name }: { readonly name: string }): DataType | undefined => {
    const measure = this.#model.measures.get(name)
    return (measure ? this.#isNumber(measure) : this.#numbers.has(name)) ? { kind: 'float' } : undefined
  }

  #isNumber({ aggregation, inputs: [input] }: Measure): boolean {
    const typeOf = ({ object, column }: ColumnRef) => this.#model.dataObjects.get(object)?.columns.get(column)?.type
    return NUMBERS.has(aggregation) || (VALUES.has(aggregation) && input !== undefined && isNumber(input, typeOf))
  }
}
