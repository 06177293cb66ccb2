/** Which aggregates a rollup table can hold, and as what. */
import type { DataType } from './data-type.js'
import { type ColumnRef, type Expr, leavesOf } from './expression/ast.js'
import type { DataObject, Measure } from './semantic-model.js'

/**
 * `rows`: the number of rows; `value`: the aggregate itself, which is aggregated again; `average`: a sum and the number of its values; `distinct`: nothing, because
 * its inputs are dimensions of the table.
 */
export type HeldAs = 'rows' | 'value' | 'average' | 'distinct'

const AGAIN: ReadonlySet<string> = new Set(['count', 'count_if', 'min', 'max', 'any_value', 'bool_and', 'bool_or'])

/** `undefined` for an aggregate that cannot be computed from parts. `base` is the object whose rows it counts. */
export function heldAs(measure: Measure, base: DataObject, typeOf: (input: Expr<ColumnRef>) => DataType): HeldAs | undefined {
  const { aggregation, distinct, inputs, semiAdditive } = measure
  const [input, ...more] = inputs
  if (semiAdditive) return undefined
  if (aggregation === 'count_distinct' || (aggregation === 'count' && distinct)) return 'distinct'
  if (distinct || more.length > 0) return undefined
  if (aggregation === 'count' && (input === undefined || isKeyColumn(input, base))) return 'rows'
  if (input === undefined) return undefined
  if (AGAIN.has(aggregation)) return 'value'
  const { kind } = typeOf(input)
  if (aggregation === 'sum') return kind === 'int' || kind === 'decimal' ? 'value' : undefined
  return aggregation === 'avg' && kind === 'int' ? 'average' : undefined
}

/** Each row has its key. */
const isKeyColumn = (input: Expr<ColumnRef>, { name, key }: DataObject): boolean =>
  input.kind === 'column' && input.object === name && key.includes(input.column)

/** The objects whose columns an aggregate reads. */
export const objectsRead = ({ inputs }: Pick<Measure, 'inputs'>): readonly string[] => [
  ...new Set(inputs.flatMap((input) => leavesOf<ColumnRef>(input).map(({ object }) => object))),
]

/** Letters and digits of ASCII, which need no quotes anywhere. */
export const codeOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|(?<!_)_+$/g, '')

/** Names, each once. */
export class Codes {
  readonly #taken = new Set<string>()

  take(wanted: string): string {
    let code = wanted
    for (let n = 2; this.#taken.has(code); n++) code = `${wanted}_${n}`
    this.#taken.add(code)
    return code
  }
}
