import { fail } from '../errors.js'
import { isHiddenName } from '../hidden-name.js'
import { isTemporal, sameClock } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { ConversionMetric, Measure, ModelCondition } from '../model/semantic-model.js'
import { isSame } from '../same.js'
import { baseOf } from './base-of.js'
import { isNotNull } from './expressions.js'
import { declaredDimension } from './fields.js'
import { ambiguousJoin } from './helpful-pins.js'
import { existsConjuncts, rowFilters } from './measure-filters.js'
import {
  type Conjunct,
  type Conversion,
  type FieldLeaf,
  OF_OWN_ROWS,
  type ResolvedAggregate,
  type ResolvedDimension,
} from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'
import { isSubDay } from './time.js'

/** A conversion metric with the measures whose rows are its events. */
interface ConversionParts {
  readonly metric: ConversionMetric
  readonly base: Measure
  readonly conversion: Measure
}

/** The entities that convert within a duration (decision 48). Throws `NO_JOIN_PATH`, `INVALID_METRIC`. */
export function conversionOf({ metric, base, conversion }: ConversionParts, context: RowSetContext, path: string): Conversion {
  const { graph } = context
  const [from, to] = [baseOf(base, graph, path), baseOf(conversion, graph, path)]
  const entity = named('entity', metric.entity, context, path)
  const time = unbucketed('time', metric.timeDimension ?? timeOn(from, metric, context, path), context, path)
  const { object, via } = time.members[0]
  const shared = metric.timeDimension !== undefined && graph.reaches(to, object, via) ? metric.timeDimension : undefined
  const later = metric.conversionTimeDimension ?? shared ?? timeOn(to, metric, context, path)
  const followed = unbucketed('conversion time', later, context, path)
  const type = time.type
  if (!sameClock(type, followed.type)) {
    const message = `the times of metric '${metric.name}' are of different types: '${time.label}' is ${type.kind}, '${followed.label}' is ${followed.type.kind}`
    fail('INVALID_METRIC', message, { path })
  }
  const { unit, count } = metric.window
  if (type.kind === 'date' && isSubDay(unit)) {
    fail('INVALID_METRIC', `the window of metric '${metric.name}' is finer than a day, and '${time.label}' is a date`, { path })
  }
  return {
    base: eventsOf(base, [entity, time], context, path),
    later: [eventsOf(conversion, [entity, followed], context, path)],
    inOrder: false,
    unit,
    count,
  }
}

/** The time of the rows of an object that has exactly one. A metric of the query has none that its asker does not see. */
function timeOn(object: string, { name }: ConversionMetric, { graph }: RowSetContext, path: string): string {
  const isOwn = graph.model.own?.has(name) ?? false
  const times = [...graph.model.dimensions.values()].filter(
    (d) => d.dataObject === object && isTemporal(d.type) && d.type.kind !== 'time' && !(isOwn && isHiddenName(d.name)),
  )
  const distinct = times.filter((d, i) => times.findIndex((o) => isSame(o.expression, d.expression)) === i)
  const [only] = distinct
  if (only && distinct.length === 1) return only.name
  const choice = distinct.map((d) => `'${d.name}'`).join(' or ')
  const hint = distinct.length === 0 ? 'which has no time dimension' : `which has ${choice}`
  return fail(
    'INVALID_METRIC',
    `metric '${name}' does not say when the events on '${object}' happen, ${hint}; name it with timeDimension or conversionTimeDimension`,
    { path },
  )
}

/** A dimension at its declared grain, under a separate name. */
export function named(role: string, name: string, { graph, columnName }: RowSetContext, path: string): ResolvedDimension {
  return { ...declaredDimension(name, graph.model, path), name: columnName(`event ${role} ${name}`, name) }
}

export function unbucketed(role: string, name: string, context: RowSetContext, path: string): ResolvedDimension {
  const dimension = named(role, name, context, path)
  return { ...dimension, grain: undefined, type: dimension.members[0].type }
}

/** Rows without an entity are not events; in a funnel, rows without a time are none, too. */
export const ofSomebody = ({ base, inOrder }: Conversion): readonly Conjunct[] =>
  inOrder ? base.conjuncts : base.conjuncts.filter((conjunct, i) => i === 0 || conjunct.ofMeasure)

/** The events of a conversion: the rows that a measure counts, identified by entity and time. */
export function eventsOf(
  measure: Measure,
  [entity, time]: readonly [ResolvedDimension, ResolvedDimension],
  context: RowSetContext,
  path: string,
): ResolvedAggregate {
  const { graph } = context
  const base = baseOf(measure, graph, path)
  for (const { members, label } of [entity, time]) {
    const { object, via, name } = members[0]
    if (graph.reaches(base, object, via)) {
      // Also of a step after the one that is asked for: a funnel is refused or answered as a whole.
      const found = graph.path(base, object, via)
      if (found.kind === 'ambiguous') ambiguousJoin({ object, found, name, path }, graph)
      continue
    }
    fail('NO_JOIN_PATH', `events of '${measure.name}' are rows of '${base}', which does not reach '${label}' on '${object}'`, {
      path,
    })
  }
  const conjuncts = [isKnown(entity), isKnown(time), ...existsConjuncts(measure, context, path)]
  return {
    name: measure.name,
    measure,
    base,
    type: entity.type,
    emptyIsZero: false,
    contributesRows: true,
    filters: [...rowFilters(measure), ...countedOnly(measure)],
    dimensions: [entity, time],
    conjuncts,
    conjunctsOfTuples: conjuncts,
    ...OF_OWN_ROWS,
    path,
  }
}

/** A count of a column counts the rows in which it is not NULL. */
const countedOnly = ({ inputs }: Measure): ModelCondition[] =>
  inputs.map((input) => ({ kind: 'leaf', column: input as ColumnRef, operator: 'is_not_null', values: [], path: '' }))

/** A condition that a dimension has a value. */
export function isKnown({ members, label, path }: ResolvedDimension): Conjunct {
  const leaf: FieldLeaf = { kind: 'where-field', members, type: members[0].type, name: label }
  return { expression: isNotNull<FieldLeaf>(leaf), leaves: [leaf], path, fields: [label] }
}
