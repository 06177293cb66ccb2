/** Filters of the model, and access rules, on the time of a comparison: they hold in every period, and can leave a part of the compared range. */
import { type ColumnRef, type Expr, mapLeaves } from '../model/expression/ast.js'
import { isReference } from '../model/parameter.js'
import type { ModelCondition, PeriodMetric, SemanticModel } from '../model/semantic-model.js'
import { complement, difference, intersection, type Ranges, union } from '../time-zones/ranges.js'
import type { TimeContext } from './clock.js'
import { condition } from './conditions.js'
import { daysOf, isSameTime } from './days-of.js'
import { settledValues } from './given-parameters.js'
import type { JoinGraph } from './join-graph.js'
import { isSpan } from './moved-range.js'
import {
  type Conjunct,
  columnOf,
  type FieldLeaf,
  type FieldSource,
  type ResolvedDimension,
  type WhereLeaf,
} from './resolved-query.js'
import { identityOf } from './time-dimension.js'
import { comparedRange, rangeText } from './time-ranges.js'
import { timesLeft } from './times-left.js'

/** What restricts the compared range of a metric, and the range as text. */
export interface RestrictedRange {
  readonly by: string
  readonly range: string
}

interface Compared {
  readonly time: ResolvedDimension
  /** Whether the rows show the time. */
  readonly isShown: boolean
  /** The times that the query leaves. */
  readonly left: Ranges
  readonly graph: JoinGraph
  readonly clocks: TimeContext
}

/** The first filter or rule that leaves a part of the compared range; `undefined` if there is none, or if the range has no end. */
export function restrictedRange(metric: PeriodMetric, compared: Compared): RestrictedRange | undefined {
  const { model } = compared.graph
  const range = comparedRange(metric, { ...compared, model })
  if (!range || !isSpan(range)) return undefined
  const filters = model.filters.map(({ condition: on }) => ({ on, by: 'a filter of the model' }))
  const rules = (model.restriction?.rows ?? []).map(({ condition: on, label }) => ({ on, by: `the access rule '${label}'` }))
  const found = [...filters, ...rules].find(({ on }) => {
    const times = timesOf(on, compared)
    return times !== undefined && difference([range], times).length > 0
  })
  const { from, to } = rangeText(range)
  return found && { by: found.by, range: `${from} to ${to}` }
}

/** The times that a condition leaves; `undefined` if it is no condition on the time. */
function timesOf(on: ModelCondition, compared: Compared): Ranges | undefined {
  if (on.kind === 'group') return timesOfGroup(on, compared)
  if (on.kind === 'exists') return undefined
  const conjunct = conjunctOf(on, compared)
  return conjunct && timesLeft([conjunct], compared.clocks)
}

function timesOfGroup(
  { logic, filters, negated }: ModelCondition & { readonly kind: 'group' },
  compared: Compared,
): Ranges | undefined {
  const parts = filters.map((part) => timesOf(part, compared))
  const known = parts.filter((part) => part !== undefined)
  const isWhole = known.length === parts.length
  // Other conditions can only leave fewer rows.
  if (known.length === 0 || (!isWhole && (logic === 'or' || negated))) return undefined
  const all = known.reduce(logic === 'and' ? intersection : union)
  return negated ? complement(all) : all
}

function conjunctOf(on: Exclude<ModelCondition, { kind: 'group' | 'exists' }>, compared: Compared): Conjunct | undefined {
  const { model } = compared.graph
  if (on.kind === 'expression') {
    const leaves: FieldLeaf[] = []
    let isOfTime = true
    const expression: Expr<WhereLeaf> = mapLeaves<ColumnRef, WhereLeaf>(on.expression, (ref) => {
      isOfTime &&= saysTime(ref, compared)
      const leaf = leafOf(ref, model)
      leaves.push(leaf)
      return leaf
    })
    return isOfTime && leaves.length > 0 ? { expression, leaves, path: '', fields: [], times: [] } : undefined
  }
  if (!saysTime(on.column, compared) || on.values.some(isReference)) return undefined
  const leaf = leafOf(on.column, model)
  const subject = { expression: leaf, type: leaf.type, grain: on.grain, name: leaf.name }
  const comparison = { operator: on.operator, values: settledValues(on.values), path: on.path }
  const expression = condition<WhereLeaf>(subject, comparison, compared.clocks)
  return {
    expression,
    leaves: [leaf],
    path: on.path,
    fields: [leaf.name],
    times: [{ expression, condition: { kind: 'compared', subject, comparison } }],
  }
}

const sourceOf = (ref: ColumnRef, model: SemanticModel): FieldSource => ({
  name: ref.column,
  object: ref.object,
  via: undefined,
  expression: ref,
  type: columnOf(model, ref).type,
})

const leafOf = (ref: ColumnRef, model: SemanticModel): FieldLeaf => {
  const source = sourceOf(ref, model)
  return { kind: 'where-field', members: [source], type: source.type, name: ref.column }
}

/** Whether a column is the time of a dimension, or its day in the calendar. */
function saysTime(ref: ColumnRef, { time: { members }, graph }: Compared): boolean {
  const source = sourceOf(ref, graph.model)
  if (members.some((m) => identityOf(m) === identityOf(source))) return true
  const days = members.flatMap((m) => daysOf(m, graph.model))
  return daysOf(source, graph.model).some((said) => said.says === 'day' && days.some((day) => isSameTime(day, said, graph)))
}
