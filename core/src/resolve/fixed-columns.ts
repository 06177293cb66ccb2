/** Which columns have one value in each group of an aggregate. */
import { type ColumnRef, type Expr, isInner, isLiteral, leavesOf, mapLeaves } from '../model/expression/ast.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { comparedOf } from '../model/join-term.js'
import type { FilterValue, ModelCondition, SemanticModel, StaticFilter } from '../model/semantic-model.js'
import type { TimeContext } from './clock.js'
import { type ColumnPlace, equalPlaces, placeFrom, placeKey, type Rows, wayKey } from './column-place.js'
import type { JoinGraph } from './join-graph.js'
import { modelCondition } from './model-condition.js'
import { type Conjunct, columnOf, objectOf, type ResolvedDimension, type WhereLeaf } from './resolved-query.js'

/** The rows that an aggregate adds up, and what groups them. */
export interface GroupedRows {
  readonly base: string
  readonly dimensions: readonly ResolvedDimension[]
  readonly conjuncts: readonly Conjunct[]
  readonly filters: readonly ModelCondition[]
}

export interface FixedContext {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly time: TimeContext
  readonly functions: ReadonlyMap<string, FunctionSpec>
}

/** Why a column has one value in each group. */
export type FixedBy =
  /** Conditions leave one. */
  | { readonly kind: 'condition'; readonly value: FilterValue | undefined }
  /** It is the value of the dimension. */
  | { readonly kind: 'dimension'; readonly dimension: ResolvedDimension }
  /** These decide it, by the keys and joins of the model. */
  | { readonly kind: 'decided'; readonly by: readonly string[] }

/** Begins what is decided by a condition and not by a dimension. */
export const BY_CONDITION = '\0'

/** A column in a condition: the keys of its own place and of those that equal it where a join matches, and where not. */
interface ConditionLeaf {
  readonly kind: 'column'
  /** Undefined for what is no column of a row that is reached. */
  readonly place: ColumnPlace | undefined
}

export class FixedColumns {
  readonly #conditions: readonly Expr<ConditionLeaf>[]
  readonly #groups: readonly { readonly dimension: ResolvedDimension; readonly always: ReadonlySet<string> }[]
  readonly #root: Pick<ColumnPlace, 'edges' | 'object'>
  /** The joins that match in every row that the conditions leave. */
  readonly #matched: ReadonlySet<string>
  readonly #always: Rows = { andOthersUnless: (edges) => this.#matched.has(wayKey(edges)) }

  constructor(
    rows: GroupedRows,
    private readonly context: FixedContext,
  ) {
    this.#root = { edges: [], object: rows.base }
    this.#conditions = [
      ...rows.conjuncts.map(({ expression }) => this.#ofConjunct(expression)),
      ...rows.filters.map((filter) => this.#ofModel(filter, this.#root)),
      ...this.#ofEveryRow(rows.base),
    ]
    this.#matched = new Set(this.#conditions.flatMap((condition) => [...waysNeeded(condition)]))
    this.#groups = rows.dimensions.flatMap((dimension) => {
      const place = this.#placeOfDimension(dimension)
      return place ? [{ dimension, always: keysOf(equalPlaces(place, this.#always)) }] : []
    })
  }

  /** Why a column has one value in each group; `undefined` if it may have several. */
  fixedBy(place: ColumnPlace, open: ReadonlySet<string> = new Set()): FixedBy | undefined {
    const key = placeKey(place)
    if (open.has(key)) return undefined
    const inside = new Set([...open, key])
    const equal = keysOf(equalPlaces(place, 'matched'))
    const values = this.#valuesOf(equal)
    if (values && values.size < 2) return { kind: 'condition', value: [...values].map((v) => JSON.parse(v) as FilterValue)[0] }
    const group = this.#groups.find(({ always }) => [...always].some((each) => equal.has(each)))
    if (group) return { kind: 'dimension', dimension: group.dimension }
    const [, before] = equalPlaces(place, 'matched')
    const by = (before && this.#all([before], inside)) ?? this.#computed(place, inside) ?? this.#ofRow(place, inside)
    return by && { kind: 'decided', by: [...new Set(by)].toSorted() }
  }

  /** Everything is decided by what decides each of these; `undefined` if one may have several values. */
  #all(places: readonly (ColumnPlace | undefined)[], open: ReadonlySet<string>): readonly string[] | undefined {
    const found: string[] = []
    for (const place of places) {
      const fixed = place && this.fixedBy(place, open)
      if (!fixed) return undefined
      if (fixed.kind === 'decided') found.push(...fixed.by)
      if (fixed.kind === 'dimension') found.push(fixed.dimension.name)
      if (fixed.kind === 'condition')
        found.push(`${BY_CONDITION}${place.object}.${place.column} = ${JSON.stringify(fixed.value ?? null)}`)
    }
    return found
  }

  #computed(place: ColumnPlace, open: ReadonlySet<string>): readonly string[] | undefined {
    const { source } = columnOf(this.context.model, { kind: 'column', ...place })
    if (source.kind !== 'expression') return undefined
    const read = leavesOf<ColumnRef>(source.expression)
    return read.length === 0
      ? undefined
      : this.#all(
          read.map((ref) => placeFrom(place, ref, this.context.graph)),
          open,
        )
  }

  /** A group has one row of the object: its key is fixed, or all that the join to it compares. */
  #ofRow({ edges, object }: ColumnPlace, open: ReadonlySet<string>): readonly string[] | undefined {
    const { model, graph } = this.context
    if (graph.pairs.has(object)) return undefined
    const { key } = objectOf(model, object)
    const byKey =
      key.length > 0
        ? this.#all(
            key.map((column) => ({ edges, object, column })),
            open,
          )
        : undefined
    const last = edges.at(-1)
    const compared = last ? comparedOf(last.on, 'from') : []
    if (byKey || last === undefined || compared.length === 0) return byKey
    const before = { edges: edges.slice(0, -1), object: last.from }
    return this.#all(
      compared.map((column) => ({ ...before, column })),
      open,
    )
  }

  /** The column whose values group the rows. The rest of the values of `top` are one group, and periods have many times. */
  #placeOfDimension({ members, expression, grain, top }: ResolvedDimension): ColumnPlace | undefined {
    const { graph } = this.context
    const direct = members.filter(({ object, via }) => graph.reaches(this.#root.object, object, via))
    const [member, ...others] = direct
    if (!member || others.length > 0 || expression || grain !== undefined || top?.others !== undefined) return undefined
    return this.#placeOfField(member)
  }

  #placeOfField({ object, via, expression }: ResolvedDimension['members'][number]): ColumnPlace | undefined {
    if (expression.kind !== 'column') return undefined
    const at = placeFrom(this.#root, { object, column: expression.column }, this.context.graph, via)
    return at && expression.object !== object ? placeFrom(at, expression, this.context.graph) : at
  }

  #ofConjunct(expression: Expr<WhereLeaf>): Expr<ConditionLeaf> {
    return mapLeaves<WhereLeaf, ConditionLeaf>(expression, (leaf) => {
      if (leaf.kind !== 'where-field') return UNKNOWN
      const [member] = leaf.members
      const isDirect = leaf.members.length === 1 && this.context.graph.reaches(this.#root.object, member.object, member.via)
      return leafOf(isDirect ? this.#placeOfField(member) : undefined)
    })
  }

  #ofModel(condition: ModelCondition, from: Pick<ColumnPlace, 'edges' | 'object'>): Expr<ConditionLeaf> {
    const { graph } = this.context
    return modelCondition<ConditionLeaf>(
      condition,
      (ref) => leafOf(graph.reaches(from.object, ref.object) ? placeFrom(from, ref, graph) : undefined),
      this.context,
      () => UNKNOWN,
    )
  }

  /** Static filters, and policies on a principal, of every object that the base reaches. */
  #ofEveryRow(base: string): readonly Expr<ConditionLeaf>[] {
    const { model, graph } = this.context
    const all: readonly StaticFilter[] = [...model.filters, ...(model.restriction?.rows ?? [])]
    return all.flatMap(({ dataObject, condition }) => {
      if (!graph.reach(base).has(dataObject)) return []
      const path = graph.path(base, dataObject)
      const ways = path.kind === 'path' ? [path.edges] : graph.simplePaths(base, dataObject)
      return ways.map((edges) => this.#ofModel(condition, { edges, object: dataObject }))
    })
  }

  /** The values, as JSON, that conditions leave for a column; `undefined` for any number. */
  #valuesOf(equal: ReadonlySet<string>): ReadonlySet<string> | undefined {
    const found = this.#conditions.flatMap((condition) => possibleValues(condition, equal, this.#always) ?? [])
    const [first, ...others] = found
    return first && new Set([...first].filter((value) => others.every((other) => other.has(value))))
  }
}

const UNKNOWN: ConditionLeaf = { kind: 'column', place: undefined }

const keysOf = (places: readonly ColumnPlace[]): ReadonlySet<string> => new Set(places.map(placeKey))

const leafOf = (place: ColumnPlace | undefined): ConditionLeaf => ({ kind: 'column', place })

/** The joins that match in each row for which a condition is true: a comparison is not true of a value that is missing. */
function waysNeeded(condition: Expr<ConditionLeaf>): ReadonlySet<string> {
  if (!isInner<ConditionLeaf>(condition)) return new Set()
  switch (condition.kind) {
    case 'binary': {
      const { operator, left, right } = condition
      if (operator === 'or') return new Set([...waysNeeded(left)].filter((way) => waysNeeded(right).has(way)))
      if (operator === 'and') return new Set([...waysNeeded(left), ...waysNeeded(right)])
      return new Set([...waysOf(left), ...waysOf(right)])
    }
    case 'in':
      return new Set(waysOf(condition.operand))
    case 'unary': {
      const { operand } = condition
      const isComparison =
        isInner<ConditionLeaf>(operand) && (operand.kind === 'in' || (operand.kind === 'binary' && operand.operator === '='))
      return condition.operator === 'not' && isComparison ? waysNeeded(operand) : new Set()
    }
    default:
      return new Set()
  }
}

/** The joins on the way to a column. */
const waysOf = (expr: Expr<ConditionLeaf>): readonly string[] =>
  isInner<ConditionLeaf>(expr) ? [] : (expr.place?.edges ?? []).map((_, i, edges) => wayKey(edges.slice(0, i + 1)))

/** The values, as JSON, of a column with which a condition may be true; `undefined` if it may be with any. */
function possibleValues(
  condition: Expr<ConditionLeaf>,
  equal: ReadonlySet<string>,
  always: Rows,
): ReadonlySet<string> | undefined {
  if (!isInner<ConditionLeaf>(condition)) return undefined
  const go = (part: Expr<ConditionLeaf>) => possibleValues(part, equal, always)
  switch (condition.kind) {
    case 'literal':
      return condition.value === false ? new Set() : undefined
    case 'binary': {
      const { operator, left, right } = condition
      if (operator === 'and') return intersected(go(left), go(right))
      if (operator === 'or') return united([go(left), go(right)])
      if (operator !== '=') return undefined
      return isOf(left, equal) ? literals([right]) : isOf(right, equal) ? literals([left]) : undefined
    }
    case 'in':
      return isOf(condition.operand, equal) ? literals(condition.list) : undefined
    case 'is-null':
      return isOf(condition.operand, equal, always) ? new Set(['null']) : undefined
    default:
      return undefined
  }
}

const isOf = (expr: Expr<ConditionLeaf>, equal: ReadonlySet<string>, rows: Rows = 'matched'): boolean =>
  !isInner<ConditionLeaf>(expr) &&
  expr.place !== undefined &&
  equalPlaces(expr.place, rows).some((place) => equal.has(placeKey(place)))

function literals(list: readonly Expr<ConditionLeaf>[]): ReadonlySet<string> | undefined {
  const values = list.map((each) => (isLiteral(each) && each.value !== null ? JSON.stringify(String(each.value)) : undefined))
  return values.every((value) => value !== undefined) ? new Set(values) : undefined
}

const intersected = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined) =>
  a && b ? new Set([...a].filter((value) => b.has(value))) : (a ?? b)

const united = (all: readonly (ReadonlySet<string> | undefined)[]) =>
  all.every((each) => each !== undefined) ? new Set(all.flatMap((each) => [...each])) : undefined
