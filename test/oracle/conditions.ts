/** Filter trees as conditions on the rows of roles. */

import { visibleRows } from './bridges.js'
import type { Existence } from './existence.js'
import { connectedRows, undirectedPath } from './exists.js'
import { evaluateTyped, parseExpression, type Ref, refsOf } from './expressions.js'
import { type Asked, addressField, columnField, dimensionField, type Field, filterField } from './fields.js'
import type { FilterJson, Json, LeafJson, MeasureFilterJson, OrMissing, TypedValueJson } from './model.js'
import { canonical, orUnknown, testOfFilter } from './operators.js'
import { follow, pathToRole, type Role, reaches, reachesRole } from './paths.js'
import { refuse } from './refusal.js'
import { shownCondition } from './shown.js'
import { checkStarts } from './starts.js'
import { checkStaticFilters, isListOperator } from './static-filters.js'
import { and, not, or, type Tri } from './values.js'
import type { Row, World } from './world.js'

/** A condition: the roles that it reads, and its truth value for their rows (in the order of `roles`). */
export interface Condition {
  readonly roles: readonly Role[]
  /** False if it cannot be evaluated from this base object, for any roles. */
  readonly readable: boolean
  readonly holds: (rows: readonly (Row | null)[]) => Tri
}

/** The context in which conditions are read. */
export interface Reading {
  readonly world: World
  readonly now: Date
  readonly home: string
  /** Every dimension of the query, because a condition may name an alias. */
  readonly asked: readonly Asked[]
  /** The dimensions that group, if these are not all. */
  readonly grouped?: readonly Asked[]
}

type Logic = { readonly logic: 'and' | 'or'; readonly negated?: boolean } & OrMissing

export function group({ logic, negated, orMissing }: Logic, parts: readonly Condition[]): Condition {
  if (orMissing && !negated) refuse('INVALID_QUERY', 'orMissing on a group that is not negated')
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((n, p) => n + p.roles.length, 0))
  const holds = (rows: readonly (Row | null)[]): Tri => {
    const truths = parts.map((p, i) => p.holds(rows.slice(starts[i], starts[i]! + p.roles.length)))
    const truth = logic === 'and' ? and(truths) : or(truths)
    if (!negated) return truth
    return orMissing ? orUnknown(not(truth)) : not(truth)
  }
  return { roles: parts.flatMap((p) => p.roles), readable: parts.every((p) => p.readable), holds }
}

/** A conjunct of `where`. */
export function whereCondition(reading: Reading, filter: FilterJson): Condition {
  if ('logic' in filter)
    return group(
      filter,
      filter.filters.map((f) => whereCondition(reading, f)),
    )
  if (filter.shown) return shownCondition(filter.shown, reading.home)
  const operator = canonical(filter.op)
  if (operator === 'exists' || operator === 'nonexists') return existsCondition(reading, filter, operator === 'exists')
  return fieldCondition(reading, filterField(reading.world, filter.field, reading.asked, reading.home), filter)
}

function fieldCondition(
  { world, now }: Reading,
  field: Field,
  filter: { readonly op: string; readonly value?: Json } & OrMissing,
): Condition {
  if (field.grain !== undefined) checkStarts(world, field.grain, filter)
  const test = testOfFilter(filter, field.comparedAs ?? field.kind, { now, reckoning: world })
  return { roles: field.roles, readable: field.roles.length > 0, holds: (rows) => test(field.value(rows)) }
}

/** At least one row (or none) of the target that satisfies its own conditions is connected to the row of the subject. */
function existsCondition(reading: Reading, filter: LeafJson, wanted: boolean): Condition {
  const { world } = reading
  const { dataObject: target, pathName, filter: inner = [] } = filter.subquery!
  const subject = { ...subjectOf(world, filter.field), isSubject: true }
  const isFound = foundFrom(reading, subject.object, { target, pathName, filters: inner })
  return { roles: [subject], readable: true, holds: ([row]) => isFound(row ?? null) === wanted }
}

/** Whether a row of the target that satisfies the conditions connects with a row of the subject. */
export function foundFrom(
  reading: Reading,
  subject: string,
  { target, pathName, filters }: Existence,
): (row: Row | null) => boolean {
  const { world } = reading
  const links = undirectedPath(world, subject, target, pathName)
  const finding = new Set(links.flatMap(({ finds }) => finds ?? []))
  if (finding.size > 1) refuse('NO_JOIN_PATH', 'rows are found by their time in both directions')
  // A time finds one of the rows that the filters of the model leave.
  const foundOf = links.flatMap(({ finds, ...ends }) => (finds ? [ends[finds]] : []))
  for (const found of foundOf) checkStaticFilters(world, (object) => reaches(world, found, object))
  const matching = new Set(visibleRows(world, target).filter(innerTest(reading, target, filters)))
  // A row of coarse data connects by its stored day.
  return (row) => connectedRows(row?.share?.row ?? row, links).some((r) => matching.has(r))
}

function subjectOf(world: World, name: string): Role {
  const definition = world.model.dimensions?.[name]
  if (definition) return { object: definition.dataObject, ...(definition.via !== undefined && { via: definition.via }) }
  const field = addressField(world, name)
  if (field) return field.roles[0]!
  return world.things.has(name) ? { object: name } : refuse('UNKNOWN_FILTER_FIELD', name)
}

/** Refuses an `exists` filter whose target does not reach its conditions, whether or not any measure sees the filter. */
export function checkInner(reading: Reading, filter: FilterJson): void {
  if ('logic' in filter) for (const f of filter.filters) checkInner(reading, f)
  else if (filter.subquery) {
    const { dataObject: target, filter: inner = [] } = filter.subquery
    for (const { object, via } of inner.flatMap((f) => innerCondition(reading, target, f).roles))
      if (!reachesRole(reading.world, target, { object, ...(via !== undefined && { via }) }))
        refuse('NO_JOIN_PATH', `${target} → ${object}`)
  }
}

/** Inner conditions of `exists`, read from a row of the target. */
export function innerTest(reading: Reading, target: string, filters: readonly FilterJson[]): (row: Row) => boolean {
  const condition = group(
    { logic: 'and' },
    filters.map((f) => innerCondition(reading, target, f)),
  )
  const steps = condition.roles.map(
    (role) => pathToRole(reading.world, target, role) ?? refuse('NO_JOIN_PATH', `${target} → ${role.object}`),
  )
  return (row) => condition.holds(steps.map((s) => follow(row, s))) === true
}

function innerCondition(reading: Reading, target: string, filter: FilterJson): Condition {
  const { world } = reading
  if ('logic' in filter)
    return group(
      filter,
      filter.filters.map((f) => innerCondition(reading, target, f)),
    )
  const own = world.things.get(target)!.columns.has(filter.field)
    ? columnField(world, { object: target }, filter.field)
    : undefined
  const definition = world.model.dimensions?.[filter.field]
  if (filter.op === 'exists' || filter.op === 'nonexists') refuse('INVALID_FILTER_OPERATOR', 'exists inside exists')
  const field =
    own ?? (definition && dimensionField(world, definition, definition.timeGrain)) ?? addressField(world, filter.field)
  return fieldCondition(reading, field ?? refuse('UNKNOWN_FILTER_FIELD', filter.field), filter)
}

/** A filter of the measure itself. */
export function measureCondition(reading: Reading, filter: MeasureFilterJson): Condition {
  if ('logic' in filter)
    return group(
      filter,
      filter.filters.map((f) => measureCondition(reading, f)),
    )
  if ('field' in filter) return whereCondition({ ...reading, asked: [] }, filter)
  if ('expression' in filter) return expressionCondition(reading, filter.expression)
  const { dataObject, column } = filter.column
  const values = filter.values.map(untyped)
  const value = isListOperator(filter.operator) ? values : values[0]
  const field = columnField(reading.world, { object: dataObject }, column)
  return fieldCondition(reading, field, {
    op: filter.operator,
    ...(value !== undefined && { value }),
    orMissing: filter.orMissing === true,
  })
}

/** A condition over the columns of several objects, each `{[Object].[Column]}`. */
function expressionCondition({ world }: Reading, text: string): Condition {
  const node = parseExpression(text)
  const keyOf = ({ parts }: Ref): string => parts.join('\n')
  const fields = new Map(refsOf(node).map((ref) => [keyOf(ref), columnField(world, { object: ref.parts[0]! }, ref.parts[1]!)]))
  const places = [...fields.keys()]
  const read = (rows: readonly (Row | null)[]) => (ref: Ref) => fields.get(keyOf(ref))!.value([rows[places.indexOf(keyOf(ref))]!])
  const float = (ref: Ref): boolean => fields.get(keyOf(ref))!.kind === 'float'
  return {
    roles: [...fields.values()].flatMap(({ roles }) => roles),
    readable: true,
    holds: (rows) => evaluateTyped(node, read(rows), float) as Tri,
  }
}

const untyped = (v: TypedValueJson): Json => v.valueString ?? v.valueInt ?? v.valueFloat ?? v.valueBoolean ?? v.valueDate ?? null
