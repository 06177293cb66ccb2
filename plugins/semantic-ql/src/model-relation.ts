/** A model as the relation of a SELECT: the names of its columns, and the meaning of a call around one of them. */

import type { DataType } from '@grainline/core'
import { aggregateType, clockAt, computedModel, FLOAT, joinGraph, type Measure, type NamedModel } from '@grainline/core/language'
import {
  bodyOf,
  type ColumnRef,
  type FuncCall,
  functionName,
  locationOf,
  type Node,
  nodesIn,
  notASubquery,
  wordsOf,
} from './grammar/node.js'
import { quoted } from './grammar/quoted.js'
import { countedRowsOf, factOf } from './main-fact.js'
import { dimensionText, type Field, fieldOf, findField, nests, shownType } from './model-fields.js'
import { mainName } from './model-scope.js'
import type { ExpressionReader, NameLeaf, StatementContext } from './reader.js'
import { type Place, refuse, unsupported } from './refusal.js'

/** Reads the expressions of a SELECT from one model. `alias` is its name in the statement. */
export interface ModelRelation<M extends NamedModel = NamedModel> extends ExpressionReader {
  readonly named: M
  /** The field of a column, without its qualifiers. Throws `UNKNOWN_SELECT_ITEM`. */
  readonly field: (column: ColumnRef) => Field
  /** True when the column is a field of the model. */
  readonly has: (column: ColumnRef) => boolean
  /** True when the words begin with this relation's name. */
  readonly owns: (words: readonly string[]) => boolean
}

export function modelRelation<M extends NamedModel>(
  named: M,
  alias: string | undefined,
  context: StatementContext,
): ModelRelation<M> {
  const { model } = named
  const zone = model.settings.queryTimezone ?? 'UTC'
  const called = alias === undefined ? named.names : [alias]
  const folded = called.map((name) => name.toLowerCase())
  /** The number of leading words that are the name of the relation. An object of the model whose name differs only in case has precedence. */
  const qualifiers = (words: readonly string[]): number => {
    const before = words.slice(0, -1)
    const exact = before.findLastIndex((word) => called.includes(word)) + 1
    if (exact > 0 || (words.length > 1 && findField(words, model) !== undefined)) return exact
    return before.findLastIndex((word) => folded.includes(word.toLowerCase())) + 1
  }

  const field = (column: ColumnRef): Field => {
    const at = context.sql.place(column.location)
    const words = wordsOf(column.fields)
    if (column.fields?.some((each) => 'A_Star' in each)) unsupported('*', '* means every column and must be used alone', { at })
    const found = findField(words.slice(qualifiers(words)), model)
    if (!found) refuseOtherRelation(words, named, at)
    return found ?? fieldOf(words, model, at)
  }
  const typeOfMeasure = (found: Field & { kind: 'measure' }): DataType =>
    found.measure
      ? (found.measure.dataType ??
        aggregateType(found.measure, { ...context, graph: joinGraph(computedModel(model), []) }, 'sql'))
      : (model.metrics.get(found.name)?.dataType ?? FLOAT)
  const leafOf = (found: Field): NameLeaf => {
    switch (found.kind) {
      case 'dimension':
        return {
          kind: 'name',
          text: dimensionText(found.dimension, found.grain),
          role: 'dimension',
          type: shownType(found.dimension, found.grain),
          isDeclared: found.grain === undefined || found.grain === found.dimension.timeGrain,
          grain: found.grain ?? found.dimension.timeGrain,
        }
      case 'measure':
        return { kind: 'name', text: found.name, role: 'measure', type: typeOfMeasure(found), isDeclared: true }
      case 'column':
        return { kind: 'name', text: found.name, role: 'column', type: found.type, isDeclared: true }
    }
  }
  return {
    ...context,
    zone,
    clock: () => clockAt(context.now(), zone, model.settings.weekStart),
    named,
    field,
    has: (column) => findField(wordsOf(column.fields), model) !== undefined,
    owns: (words) => words.length > 1 && qualifiers(words) > 0,
    carries: (leaf) => leaf.isDeclared,
    name: (column) => leafOf(field(column)),
    grains: model.grains,
    bucket: (leaf, grain) => {
      const dimension = leaf.role === 'dimension' ? model.dimensions.get(leaf.text) : undefined
      return dimension && nests(dimension.timeGrain, grain) ? leafOf({ kind: 'dimension', dimension, grain }) : undefined
    },
    measure: (call) => {
      if (call.agg_filter) return undefined
      const meant = countsRows(call) ? rowCount(call, named, context) : wrappedMeasure(call, field, context)
      return meant && leafOf(meant)
    },
  }
}

/** A field under the name of another relation: of the outer statement a subquery, or of none. */
function refuseOtherRelation(words: readonly string[], named: NamedModel, at: Place | undefined): void {
  const [relation = '', ...rest] = words
  const { model } = named
  if (rest.length === 0 || model.dataObjects.has(relation) || findField(rest, model) === undefined) return
  const field = quoted(rest.join('.'))
  const message = `'${relation}' is not a relation of this SELECT, and a subquery on a model cannot read the outer statement`
  refuse('UNKNOWN_SELECT_ITEM', message, {
    at,
    rewrite: `${field} IN (SELECT ${field} FROM ${quoted(mainName(named))} WHERE …) in place of EXISTS`,
  })
}

/** `count(*)`, and what tools write for it: `count(1)` and `sum(1)`. */
function countsRows({ funcname, args = [], agg_star, agg_distinct, over }: FuncCall): boolean {
  if (over || agg_distinct) return false
  const name = functionName(funcname)
  const constant = args.length === 1 ? bodyOf(args[0], 'A_Const') : undefined
  if (name === 'count') return agg_star === true || (constant !== undefined && !constant.isnull)
  return name === 'sum' && constant?.ival?.ival === 1
}

/** A model represents the rows of its main fact. */
function rowCount(call: FuncCall, named: NamedModel, { sql }: StatementContext): Field & { kind: 'measure' } {
  const at = sql.place(call.location)
  const measure = countedRowsOf(named, factOf(named, at))
  if (measure === undefined) return unsupported('count', 'The model offers no count of the rows of its main fact', { at })
  return { kind: 'measure', name: measure.name, measure }
}

/** Calls that name a measure. */
export const UNWRAPPING: ReadonlySet<string> = new Set(['measure', 'agg', 'aggregate'])

/** Aggregates around a measure, and the measures whose values they do not change. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  sum: ['sum', 'count', 'count_if'],
  min: ['min'],
  max: ['max'],
  avg: ['avg'],
  count: ['count', 'count_if'],
  median: ['median'],
  mode: ['mode'],
  bool_and: ['bool_and'],
  bool_or: ['bool_or'],
  stddev: ['stddev_samp'],
  stddev_samp: ['stddev_samp'],
  stddev_pop: ['stddev_pop'],
  variance: ['var_samp'],
  var_samp: ['var_samp'],
  var_pop: ['var_pop'],
  approx_count_distinct: ['approx_count_distinct'],
}

/** The measure inside an aggregate. Throws `UNSUPPORTED_SQL_FEATURE` if the aggregate would change its value. */
function wrappedMeasure(
  call: FuncCall,
  field: (column: ColumnRef) => Field,
  context: StatementContext,
): (Field & { kind: 'measure' }) | undefined {
  const name = functionName(call.funcname)
  const column = call.args?.length === 1 ? bodyOf(call.args[0], 'ColumnRef') : undefined
  const at = context.sql.place(call.location)
  if (!column || call.over || !(UNWRAPPING.has(name) || name === 'any_value' || isAggregate(call, context))) return undefined
  const found = field(column)
  if (found.kind !== 'measure') {
    if (!UNWRAPPING.has(name)) return undefined
    const is = found.kind === 'dimension' ? `'${found.dimension.name}' is a dimension` : `'${found.name}' is a column`
    return refuse('UNKNOWN_SELECT_ITEM', `${is}, and ${name.toUpperCase()} takes a measure`, { at })
  }
  const plain = `MEASURE("${found.name}")`
  if (UNWRAPPING.has(name) || name === 'any_value') return found
  const { measure } = found
  if (measure && isHarmless(name, call.agg_distinct === true, measure)) return found
  const is = measure ? `a measure of kind ${measure.distinct ? 'distinct ' : ''}${measure.aggregation}` : 'a metric'
  const wrap = `${name.toUpperCase()}(${call.agg_distinct ? 'DISTINCT …' : '…'})`
  return unsupported('aggregate', `${wrap} would change '${found.name}', which is ${is}`, { at, rewrite: plain })
}

function isHarmless(name: string, distinct: boolean, { aggregation, ...measure }: Measure): boolean {
  if (distinct) return name === 'count' && (aggregation === 'count_distinct' || (aggregation === 'count' && measure.distinct))
  return (HARMLESS[name] ?? []).includes(aggregation)
}

/** Aggregates with another name in the catalogue, or of other engines only. */
const OTHER_AGGREGATES = new Set(['stddev', 'variance', 'string_agg', 'array_agg', 'every', 'percentile_cont', 'percentile_disc'])

export const isAggregate = ({ funcname, agg_star }: FuncCall, { aggregates, functions }: StatementContext): boolean => {
  const name = functionName(funcname)
  return agg_star === true || ((aggregates.has(name) || OTHER_AGGREGATES.has(name)) && !functions.has(name))
}

/** The measure of `MEASURE("…") FILTER (WHERE …)` and `COUNT(*) FILTER (WHERE …)`. */
export function filteredMeasure(node: Node, relation: ModelRelation): NameLeaf | undefined {
  const { agg_filter, ...call } = bodyOf(node, 'FuncCall') ?? {}
  return agg_filter && !call.over ? relation.measure(call) : undefined
}

/** The names that an expression reads from the model, in reading order. Names inside an aggregate around a measure are that measure, with or without its filter. */
export function readsOf(node: Node | undefined, relation: ModelRelation): NameLeaf[] {
  const found: NameLeaf[] = []
  const within = new Set<unknown>()
  for (const each of nodesIn(node, notASubquery)) {
    const column = bodyOf(each, 'ColumnRef')
    if (column && !within.has(column)) found.push(relation.name(column))
    const call = bodyOf(each, 'FuncCall')
    const measure = call && (relation.measure(call) ?? filteredMeasure(each, relation))
    if (!measure) continue
    for (const inside of nodesIn(call)) within.add(bodyOf(inside, 'ColumnRef'))
    found.push(measure)
  }
  return found
}

/** True for expressions that need finished rows: window functions, subqueries, aggregates of something other than measures. */
export function isAbout(node: Node, relation: ModelRelation): boolean {
  for (const each of nodesIn(node, notASubquery)) {
    if ('SubLink' in each || 'GroupingFunc' in each) return true
    const call = bodyOf(each, 'FuncCall')
    if (call && (call.over || call.agg_filter || (isAggregate(call, relation) && relation.measure(call) === undefined)))
      return true
  }
  return false
}

export const placeIn = (relation: ModelRelation, node: Node | undefined) => relation.sql.place(locationOf(node))
