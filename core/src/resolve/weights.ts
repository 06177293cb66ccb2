import { entryOf } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { Measure, ModelCondition } from '../model/semantic-model.js'
import { columnsOf } from './conditions.js'
import { binary } from './expressions.js'
import type { JoinGraph } from './join-graph.js'
import { fieldLeaves } from './locate.js'
import type { Conjunct, FieldSource, ReachedLeaf, ResolvedDimension, Weight } from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'

/** Aggregates to which a row with a weight contributes a fraction. */
const WEIGHED: ReadonlySet<string> = new Set(['sum', 'count', 'count_if', 'avg'])

export const isWeighed = ({ aggregation, distinct, allowFanOut }: Measure): boolean =>
  WEIGHED.has(aggregation) && !distinct && !allowFanOut

/** What an aggregate at `base` reads. */
export interface ReadThrough {
  readonly base: string
  readonly dimensions: readonly ResolvedDimension[]
  readonly conjuncts: readonly Conjunct[]
  readonly filters: readonly ModelCondition[]
}

/** The weights of the bridges on which values are read, each once. Unreachable and ambiguous fields are refused elsewhere. */
export function weightsOf({ base, dimensions, conjuncts, filters }: ReadThrough, graph: JoinGraph): readonly Weight[] {
  const nodes = [
    ...dimensions.flatMap((d) => bridgesRead(base, fieldLeaves(d), graph) ?? []),
    ...conjuncts.flatMap((c) => bridgesRead(base, c.leaves, graph) ?? []),
    // Which rows are behind what is shown is read as well, so that a total has the parts of its rows that the rows of the answer have.
    ...conjuncts.flatMap((c) => (c.shown ?? []).flatMap((d) => bridgesRead(base, fieldLeaves(d), graph) ?? [])),
    ...filters.flatMap(columnsOf).map((ref) => bridgeOf(base, { object: ref.object, via: undefined }, graph)),
  ]
  return [...new Set(nodes)].flatMap((node) => {
    const column = typeof node === 'string' ? graph.model.dataObjects.get(node)?.weight : undefined
    return column === undefined ? [] : [{ bridge: node as string, column }]
  })
}

/** `undefined` if some field is unreachable. An `exists` filter reads no value of its subject. */
function bridgesRead(base: string, leaves: readonly ReachedLeaf[], graph: JoinGraph): readonly (string | null)[] | undefined {
  const read = leaves.map((leaf) => {
    const places = (leaf.kind === 'where-field' ? leaf.members : [leaf.subject]).map((m) => bridgeOf(base, m, graph))
    const found = places.includes(null) ? null : places.find((p) => p !== undefined)
    return leaf.kind === 'where-exists' && found !== undefined ? null : found
  })
  return read.includes(undefined) ? undefined : read.flatMap((r) => r ?? [])
}

/** The bridge on which a field is read; `null` if the base reaches it, `undefined` if it is unreachable or ambiguous. */
function bridgeOf(
  base: string,
  { object, via }: Pick<FieldSource, 'object' | 'via'>,
  graph: JoinGraph,
): string | null | undefined {
  if (graph.reaches(base, object, via)) return null
  const node = graph.bridge(base, object, via)
  return node === 'ambiguous' ? undefined : node
}

/** The type of a weighted value, if `plain` is its type without weights. */
export function weightedType(
  { aggregation, inputs }: Measure,
  plain: DataType,
  weights: readonly Weight[],
  { graph: { model }, functions, aggregates }: RowSetContext,
): DataType {
  if (weights.length === 0 || aggregation === 'avg') return plain
  const factors: Expr<ColumnRef>[] = weights.map(({ bridge, column }) => ({ kind: 'column', object: bridge, column }))
  const [value] = aggregation === 'sum' ? inputs : []
  const product = [...(value ? [value] : []), ...factors].reduce((a, b) => binary('*', a, b))
  const type = typeOf(
    product,
    (ref: ColumnRef) => entryOf(entryOf(model.dataObjects, ref.object).columns, ref.column).type,
    functions,
  )
  return entryOf(aggregates, 'sum').result([type])
}
