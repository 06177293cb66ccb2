import { fail } from '../errors.js'
import { entryOf, type NonEmpty } from '../invariant.js'
import { type DataType, isTemporal } from '../model/data-type.js'
import { type ColumnRef, type Expr, isInner, leavesOf } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import { type Operator, specOf } from '../model/operators.js'
import type { Column, SemanticModel } from '../model/semantic-model.js'
import type { QueryFilter, QueryValue, RelativeRange } from '../query/query-object.js'
import { adHocCondition } from './ad-hoc.js'
import { type Condition, type ConditionTree, treeExpression } from './condition-tree.js'
import { knownCondition } from './conditions.js'
import { withConstantTimes } from './constant-times.js'
import { allOf, isNull, not, TRUE } from './expressions.js'
import { sourceOf } from './fields.js'
import { settledValues } from './given-parameters.js'
import { find, findColumn, unknownName } from './lookup.js'
import { warnNaiveCompared } from './naive.js'
import type {
  Conjunct,
  ExistsLeaf,
  FieldLeaf,
  FieldSource,
  ReachedLeaf,
  ResolveContext,
  ResolvedDimension,
  TimedPart,
  WhereLeaf,
} from './resolved-query.js'
import { columnOf, objectOf } from './resolved-query.js'
import { withoutSegments } from './segments.js'
import type { Comparison } from './time-condition.js'
import { unknownDimension } from './unknown-field.js'

type LeafFilter = QueryFilter & { kind: 'leaf' }
type ConditionFilter = QueryFilter & { kind: 'expression' }
type SingleFilter = LeafFilter | ConditionFilter

/** `where` split at its top-level ANDs, each conjunct an expression over fields. */
export function resolveWhere(
  filters: readonly QueryFilter[],
  dimensions: readonly ResolvedDimension[],
  context: ResolveContext,
): Conjunct[] {
  const coalesced = new Map(dimensions.filter((d) => d.members.length > 1).map((d) => [d.label, d]))
  return withoutSegments(filters, context.model)
    .flatMap(topLevel)
    .map((filter) => {
      const leaves: ReachedLeaf[] = []
      const fields: string[] = []
      const times: TimedPart[] = []
      const units: Grain[] = []
      const noting = { ...context, readClock: (unit: Grain) => void units.push(unit) }
      const expression = resolveTree<WhereLeaf>(filter, (single) =>
        single.kind === 'leaf'
          ? whereLeaf(single, coalesced, context, { leaves, fields, times })
          : asCondition(whereCondition(single, noting, leaves, fields)),
      )
      for (const unit of units) context.readClock(unit)
      return { expression, leaves, path: filter.path, fields, times, ...(units.length > 0 && { ofClock: true }) }
    })
}

/** A tree of filters as one expression; `single` maps a condition. */
export const resolveTree = <L>(filter: QueryFilter, single: (filter: SingleFilter) => Condition<L>): Expr<L> =>
  treeExpression(treeOf(filter, single))

function treeOf<L>(filter: QueryFilter, single: (filter: SingleFilter) => Condition<L>): ConditionTree<L> {
  if (filter.kind === 'segment') return refuseSegment(filter)
  if (filter.kind !== 'group') return single(filter)
  const { logic, negated, orMissing, filters } = filter
  return { kind: 'group', logic, negated, orMissing, parts: filters.map((f) => treeOf(f, single)) }
}

/** A condition that is an expression. */
export const asCondition = <L>(expression: Expr<L>): Condition<L> => ({
  kind: 'condition',
  expression,
  unknown: isNull(expression),
})

/** Where segments are allowed, they have been replaced by their filters before. */
const refuseSegment = ({ name, path }: QueryFilter & { kind: 'segment' }): never =>
  fail('UNKNOWN_FILTER_FIELD', `'${name}' is a segment; segments belong in where`, {
    path,
    hint: 'move this filter to where',
  })

export function comparisonOf(filter: LeafFilter, { model }: Pick<ResolveContext, 'model'>): Comparison {
  const { op: operator, value, orMissing, path } = filter
  if (isRelative(value)) {
    const unit = find(value.unit, model.grains) ?? refuseUnit(value.unit, model, `${path}.value.unit`)
    return { operator, values: [], relative: { ...value, unit }, path: `${path}.value` }
  }
  const values = value === undefined ? [] : [value as QueryValue | readonly QueryValue[]].flat()
  return { operator, values: settledValues(values), orMissing, path: `${path}.value` }
}

/** The current periods that relative filters use. */
export function relativeUnits(filters: readonly QueryFilter[], model: SemanticModel): readonly Grain[] {
  return filters.flatMap((filter) => {
    if (filter.kind === 'group') return relativeUnits(filter.filters, model)
    if (filter.kind !== 'leaf') return []
    const unit = isRelative(filter.value) ? find(filter.value.unit, model.grains) : undefined
    return [...(unit ? [unit] : []), ...relativeUnits(filter.subquery?.filter ?? [], model)]
  })
}

const refuseUnit = (unit: string, { grains }: SemanticModel, path: string): never =>
  unknownName('INVALID_RELATIVE_FILTER', { name: unit, what: 'not a grain of this model', known: grains.keys() }, path)

const isRelative = (value: LeafFilter['value']): value is RelativeRange =>
  typeof value === 'object' && value !== null && 'unit' in value

function topLevel(filter: QueryFilter): readonly QueryFilter[] {
  return filter.kind === 'group' && filter.logic === 'and' && !filter.negated ? filter.filters.flatMap(topLevel) : [filter]
}

/** The parts that are collected from a conjunct. */
interface ConjunctParts {
  readonly leaves: ReachedLeaf[]
  readonly fields: string[]
  readonly times: TimedPart[]
}

function whereLeaf(
  filter: LeafFilter,
  coalesced: ReadonlyMap<string, ResolvedDimension>,
  context: ResolveContext,
  { leaves, fields, times }: ConjunctParts,
): Condition<WhereLeaf> {
  fields.push(filter.field)
  if (filter.op === 'exists' || filter.op === 'nonexists') {
    const exists = resolveExists(filter, context)
    leaves.push(exists)
    return { kind: 'condition', expression: filter.op === 'exists' ? exists : not<WhereLeaf>(exists) }
  }
  const alias = coalesced.get(filter.field)
  const field = alias
    ? { members: alias.members, type: alias.members[0].type, grain: declaredGrain(alias, context), name: alias.label }
    : byPeriod(resolveField(filter.field, context, `${filter.path}.field`), filter.op, context.model)
  const leaf = leafOf(field)
  leaves.push(leaf)
  const found = fieldCondition(filter, field, leaf, context)
  if (isTemporal(field.type))
    times.push({
      expression: found.expression,
      condition: {
        kind: 'compared',
        subject: { expression: leaf, type: field.type, grain: field.grain, name: field.name },
        comparison: comparisonOf(filter, context),
      },
    })
  return found
}

function whereCondition(
  { expression: text, path }: ConditionFilter,
  context: ResolveContext,
  leaves: ReachedLeaf[],
  fields: string[],
): Expr<WhereLeaf> {
  const found = adHocCondition(text, `${path}.expression`, context)
  leaves.push(...leavesOf(found.expression))
  fields.push(...found.fields)
  return withConstantTimes(found.expression, context)
}

/** Filters never use a grain that the query chose. */
const declaredGrain = ({ members }: ResolvedDimension, { model }: ResolveContext): Grain | undefined =>
  model.dimensions.get(members[0].name)?.timeGrain

interface Field {
  readonly members: NonEmpty<FieldSource>
  readonly type: DataType
  readonly grain: Grain | undefined
  readonly name: string
}

const leafOf = ({ members, type, name }: Field): FieldLeaf => ({ kind: 'where-field', members, type, name })

function fieldCondition(
  filter: LeafFilter,
  { type, grain, name }: Field,
  expression: FieldLeaf,
  context: ResolveContext,
): Condition<FieldLeaf> {
  warnNaiveCompared(filter, { name, type }, context)
  return knownCondition<FieldLeaf>({ expression, type, grain, name }, comparisonOf(filter, context), context.time)
}

/** A dimension, or `Object.Column`. Throws `UNKNOWN_FILTER_FIELD`. */
export function resolveField(name: string, { model }: ResolveContext, path: string): Field {
  const dimension = find(name, model.dimensions)
  if (dimension) return { members: [sourceOf(dimension)], type: dimension.type, grain: dimension.timeGrain, name: dimension.name }
  const found = findColumn(name, model)
  if (found) return columnField(name, found.ref.object, found.column, model)
  if (model.measures.has(name) || model.metrics.has(name)) {
    return fail('UNKNOWN_FILTER_FIELD', `'${name}' is a measure; a condition on it belongs in having`, {
      path,
      hint: 'move this filter to having',
    })
  }
  if (find(name, model.segments)) {
    return fail('UNKNOWN_FILTER_FIELD', `'${name}' is a segment; name it alone, as {"segment": "${name}"}`, { path })
  }
  return unknownDimension('UNKNOWN_FILTER_FIELD', name, model, path)
}

/** A field of the names of periods, compared with a name, is the day of its calendar in these periods. */
function byPeriod(field: Field, operator: Operator, model: SemanticModel): Field {
  const [source, ...others] = field.members
  const ref = source.expression
  if (isInner(ref) || others.length > 0 || specOf(operator).of !== undefined) return field
  if (operator === 'blank' || operator === 'not_blank') return field
  const { names } = columnOf(model, ref)
  return names ? fieldOfPeriods(field, source, names, model) : field
}

/** The day by which the calendar of a field is joined, compared in periods. */
function fieldOfPeriods({ name }: Field, source: FieldSource, grain: Grain, model: SemanticModel): Field {
  const { key } = objectOf(model, source.object).calendar!
  const expression: ColumnRef = { kind: 'column', object: source.object, column: key }
  const { type } = columnOf(model, expression)
  return { members: [{ ...source, expression, type }], type, grain, name }
}

function columnField(name: string, object: string, column: Column, model: SemanticModel): Field {
  const { type, grain } = column
  const source: FieldSource = { name, object, via: undefined, expression: { kind: 'column', object, column: column.name }, type }
  const field: Field = { members: [source], type, grain: undefined, name }
  return grain ? fieldOfPeriods(field, source, grain, model) : field
}

function resolveExists(filter: LeafFilter, context: ResolveContext): ExistsLeaf {
  const { model } = context
  const { subquery, path } = filter
  if (!subquery)
    return fail('INVALID_FILTER_VALUE', `'${filter.op}' needs a subquery naming a data object`, { path: `${path}.subquery` })
  const target = find(subquery.dataObject, model.dataObjects)
  if (!target) {
    return unknownName(
      'UNKNOWN_DATA_OBJECT',
      { name: subquery.dataObject, what: 'not a data object of this model', known: model.dataObjects.keys() },
      `${path}.subquery.dataObject`,
    )
  }
  const subject = find(filter.field, model.dataObjects)
  const source: FieldSource = subject
    ? { name: subject.name, object: subject.name, via: undefined, expression: TRUE, type: TRUE.type }
    : resolveField(filter.field, context, `${path}.field`).members[0]
  const inner = subquery.filter.map((f) =>
    resolveTree<FieldLeaf>(f, (single) => innerCondition(single, target.name, path, context)),
  )
  return { kind: 'where-exists', subject: source, target: target.name, pathName: subquery.pathName, filter: allOf(inner), path }
}

/** Inner filters name a column of the target, `Object.Column`, or a dimension, which the target must reach for any comparison. */
function innerCondition(filter: SingleFilter, target: string, path: string, context: ResolveContext): Condition<FieldLeaf> {
  if (filter.kind === 'expression') {
    const { expression } = adHocCondition(filter.expression, `${filter.path}.expression`, context)
    for (const leaf of leavesOf(expression)) mustReach(target, leaf, path, context)
    return asCondition(expression)
  }
  if (filter.op === 'exists' || filter.op === 'nonexists') {
    return fail('INVALID_FILTER_OPERATOR', `'${filter.op}' is not allowed inside another exists`, { path: `${filter.path}.op` })
  }
  const { model } = context
  const own = find(filter.field, entryOf(model.dataObjects, target).columns)
  const found = own ? columnField(filter.field, target, own, model) : resolveField(filter.field, context, `${filter.path}.field`)
  const field = byPeriod(found, filter.op, model)
  mustReach(target, field, path, context)
  return fieldCondition(filter, field, leafOf(field), context)
}

function mustReach(
  target: string,
  { members, name }: Pick<Field, 'members' | 'name'>,
  path: string,
  { graph }: ResolveContext,
): void {
  const { object, via } = members[0]
  if (!graph.reaches(target, object, via)) fail('NO_JOIN_PATH', `'${target}' does not reach '${object}' of '${name}'`, { path })
}
