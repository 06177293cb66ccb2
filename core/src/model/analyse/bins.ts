import { lastOf } from '../../invariant.js'
import { type DataType, formatDataType, isNumeric, STRING } from '../data-type.js'
import type { DimensionDocument } from '../document.js'
import type { BinaryOperator, ColumnRef, Expr, Literal } from '../expression/ast.js'
import { numberLiteral } from '../expression/written-literal.js'
import type { Segments } from '../parse/locate.js'
import type { Context } from './context.js'

type Bins = NonNullable<DimensionDocument['bins']>
type Value = Expr<ColumnRef>

/** The names of the bins between edges, in the order of the bins. */
export const namesOfBins = ({ edges, labels }: Bins): readonly string[] | undefined =>
  edges && [...new Set(labels ?? labelsOf(edges))]

interface Binning {
  readonly value: Value
  readonly type: DataType
  readonly bins: Bins
}

/** The bin of a value, which is the value of the dimension for all other code. Invalid bins are reported and ignored. */
export function binned({ value, type, bins }: Binning, segments: Segments, context: Context): Value {
  const fault = binsFault(type, bins)
  if (fault) context.faults.error('INVALID_SETTING', [...segments, ...fault.at], fault.message)
  if (fault) return value
  return bins.size === undefined ? byEdges(value, bins.edges ?? [], bins.labels) : bySize(value, type, bins.size)
}

function binsFault(
  type: DataType,
  { size, edges, labels }: Bins,
): { readonly at: Segments; readonly message: string } | undefined {
  const at = (...keys: Segments) => ['bins', ...keys]
  if (!isNumeric(type)) return { at: at(), message: `Bins are of numbers; this dimension is ${formatDataType(type)}` }
  if ((size === undefined) === (edges === undefined))
    return { at: at(), message: "Bins have a 'size', or 'edges' where they meet" }
  if (labels && !edges) return { at: at('labels'), message: "Labels name the bins between 'edges'" }
  if (!edges) return undefined
  const unsorted = edges.findIndex((edge, i) => edge <= (edges[i - 1] ?? Number.NEGATIVE_INFINITY))
  if (unsorted >= 0) return { at: at('edges', unsorted), message: `Edges ascend; ${edges[unsorted]} is not above the one before` }
  if (!labels || labels.length === edges.length + 1) return undefined
  return { at: at('labels'), message: `${edges.length} edges make ${edges.length + 1} bins; there are ${labels.length} labels` }
}

/** The start of the bin. Exact types remain exact: x − ((x mod size) + size) mod size, where mod has the sign of x. */
function bySize(value: Value, type: DataType, size: number): Value {
  const width = number(size)
  if (type.kind === 'float') return binary('*', call('floor', binary('/', value, width)), width)
  return binary('-', value, call('mod', binary('+', call('mod', value, width), width), width))
}

function byEdges(value: Value, edges: readonly number[], labels: readonly string[] = labelsOf(edges)): Value {
  const bin = (i: number): Literal => ({ kind: 'literal', value: labels[i]!, type: STRING })
  const below = edges.map((edge, i) => ({ when: binary('<', value, number(edge)), then: bin(i) }))
  // A missing value is in no bin.
  const last = { when: binary('>=', value, number(lastOf(edges))), then: bin(edges.length) }
  return { kind: 'case', branches: [...below, last], otherwise: undefined }
}

/** `< 10`, `10 to < 20`, `>= 20`. */
const labelsOf = (edges: readonly number[]): string[] => [
  `< ${edges[0]}`,
  ...edges.slice(1).map((edge, i) => `${edges[i]} to < ${edge}`),
  `>= ${edges.at(-1)}`,
]

const binary = (operator: BinaryOperator, left: Value, right: Value): Value => ({ kind: 'binary', operator, left, right })
const call = (name: string, ...args: readonly Value[]): Value => ({ kind: 'call', name, args, portable: true })
const number = (value: number): Value =>
  value < 0 ? { kind: 'unary', operator: '-', operand: numberLiteral(String(-value)) } : numberLiteral(String(value))
