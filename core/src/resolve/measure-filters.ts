/** The filters of a measure: conditions on its rows, and tests for rows of other objects, which are those of a query. */
import type { ColumnRef } from '../model/expression/ast.js'
import {
  type ExistsCondition,
  type ExistsTest,
  looksForRows,
  type Measure,
  type ModelCondition,
} from '../model/semantic-model.js'
import { allOf, TRUE } from './expressions.js'
import { modelCondition } from './model-condition.js'
import {
  type Conjunct,
  columnOf,
  type ExistsLeaf,
  type FieldLeaf,
  type FieldSource,
  type ReachedLeaf,
  type ResolveContext,
  type WhereLeaf,
} from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'

type Context = Pick<ResolveContext, 'model' | 'time' | 'functions'>

/** The filters on its rows and what these reach. */
export const rowFilters = ({ filters }: Pick<Measure, 'filters'>): readonly ModelCondition[] =>
  filters.some(looksForRows) ? filters.filter((filter) => !looksForRows(filter)) : filters

/** The filters with tests for rows of other objects, as conditions that apply to this measure alone. */
export function existsConjuncts(
  { filters }: Pick<Measure, 'filters'>,
  { graph, functions, inner }: Pick<RowSetContext, 'graph' | 'functions' | 'inner'>,
  path: string,
): readonly Conjunct[] {
  const context = { model: graph.model, time: inner.time, functions }
  return filters.filter(looksForRows).map((filter) => conjunctOf(filter, context, path))
}

function conjunctOf(filter: ModelCondition, context: Context, path: string): Conjunct {
  const leaves: ReachedLeaf[] = []
  const leaf = <T extends ReachedLeaf>(one: T): T => {
    leaves.push(one)
    return one
  }
  const expression = modelCondition<WhereLeaf>(
    filter,
    (ref) => leaf(fieldLeaf(ref, context)),
    context,
    (test) => leaf(existsLeaf(subjectOf(test), test, context, path)),
  )
  const fields = leaves.map((one) => (one.kind === 'where-field' ? one.name : one.subject.name))
  return { expression, leaves, path, fields: [...new Set(fields)], ofMeasure: true }
}

const subjectOf = ({ subject }: ExistsCondition): FieldSource => ({
  ...subject,
  name: subject.object,
  expression: TRUE,
  type: TRUE.type,
})

/** A test for rows as a query has it. */
export const existsLeaf = (
  subject: FieldSource,
  { target, pathName, filters }: ExistsTest,
  context: Context,
  path: string,
): ExistsLeaf => ({
  kind: 'where-exists',
  subject,
  target,
  pathName,
  filter: allOf(filters.map((filter) => modelCondition<FieldLeaf>(filter, (ref) => fieldLeaf(ref, context), context))),
  path,
})

function fieldLeaf(ref: ColumnRef, { model }: Context): FieldLeaf {
  const { type } = columnOf(model, ref)
  const name = `${ref.object}.${ref.column}`
  return { kind: 'where-field', members: [{ name, object: ref.object, via: undefined, expression: ref, type }], type, name }
}
