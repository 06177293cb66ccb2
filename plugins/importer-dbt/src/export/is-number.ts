/** Which expressions are numbers: a cast of one to a double is the same in every engine. */
import type { SemanticModel } from '@grainline/core'
import type { DataType, Expr, Measure } from '@grainline/core/language'
import { type Metric, namesReadBy } from './aggregate-sql.js'
import type { ColumnRef } from './condition-sql.js'

const TYPES = new Set(['int', 'float', 'decimal'])
const ARITHMETIC = new Set(['+', '-', '*', '/', '%'])
const CALLS = new Set('abs sign floor ceil round sqrt ln exp power mod length position extract date_diff'.split(' '))
/** Calls that give one of their values. */
const CHOICES = new Set(['coalesce', 'nullif', 'greatest', 'least'])

type TypeOf<L> = (leaf: L) => DataType | undefined

/** False where it is not known. */
export function isNumber<L extends { readonly kind: string }>(expr: Expr<L>, typeOf: TypeOf<L>): boolean {
  const node = expr as Expr<never>
  const is = (each: Expr<L>) => isNumber(each, typeOf)
  const isOrNull = (each: Expr<never>) => (each.kind === 'literal' && each.value === null) || is(each)
  switch (node.kind) {
    case 'literal':
      return node.value !== null && TYPES.has(node.type.kind)
    case 'unary':
      return node.operator !== 'not' && is(node.operand)
    case 'binary':
      return ARITHMETIC.has(node.operator) && is(node.left) && is(node.right)
    case 'call':
      return CALLS.has(node.name) || (CHOICES.has(node.name) && node.args.every(isOrNull) && node.args.some(is))
    case 'case': {
      const values = [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])]
      return values.every(isOrNull) && values.some(is)
    }
    case 'cast':
      return TYPES.has(node.type.kind)
    case 'parameter':
    case 'in':
    case 'like':
    case 'is-null':
      return false
    default:
      return TYPES.has(typeOf(expr as L)?.kind ?? '')
  }
}

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
