/** Conditions on the columns of a calendar table that together name one period. */
import { fail } from '../errors.js'
import { firstOf, type NonEmpty } from '../invariant.js'
import { type CalendarPeriod, nameOfPeriod, nameOfPeriodGrain } from '../model/calendar-table.js'
import { type ColumnRef, type Expr, isInner, isLiteral } from '../model/expression/ast.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { bucket } from './bucket.js'
import type { TimeContext } from './clock.js'
import { condition } from './conditions.js'
import { dayOfTable } from './day-of-table.js'
import { daysOf } from './days-of.js'
import { allOf, binary, FALSE } from './expressions.js'
import { daysNamed } from './generated-periods.js'
import {
  type Conjunct,
  type FieldLeaf,
  objectOf,
  type PeriodEndLeaf,
  type ResolvedDimension,
  timedParts,
  type WhereLeaf,
} from './resolved-query.js'
import type { TimeCondition } from './time-condition.js'

/** Whether a condition on time reads a column of periods. */
export const namesPeriod = ({ leaves }: Conjunct, model: SemanticModel): boolean =>
  leaves.some(
    (leaf) => leaf.kind === 'where-field' && leaf.members.some((m) => daysOf(m, model).some(({ says }) => says === 'period')),
  )

/** Refuses conditions that are no equalities, or that leave a place in a period open. Throws `TIME_FILTER_NOT_A_RANGE`. */
export function refuseSeveralPeriods(who: string, named: readonly Conjunct[], model: SemanticModel): void {
  const found = named.map((conjunct) => ({ conjunct, period: periodIn(conjunct, model) }))
  const grains = new Set<string>()
  let open = found
  for (let before = -1; before !== open.length; ) {
    before = open.length
    for (const { period } of open)
      if (period && (period.of === undefined || grains.has(nameOfPeriodGrain(period.of))))
        grains.add(nameOfPeriodGrain(period.grain))
    open = open.filter(({ period }) => !period || (period.of !== undefined && !grains.has(nameOfPeriodGrain(period.of))))
  }
  const [first] = open
  if (first) refuse(who, first.conjunct, first.period)
  const [one, other] = new Map(named.map((conjunct) => [calendarOf(conjunct), conjunct])).values()
  if (one && other) refuseSeveralCalendars(who, one, other)
}

const calendarOf = ({ leaves: [leaf] }: Conjunct): string | undefined =>
  leaf?.kind === 'where-field' ? leaf.members[0].object : undefined

/** The first and the last day are looked up in one table. */
const refuseSeveralCalendars = (who: string, one: Conjunct, other: Conjunct): never =>
  fail(
    'TIME_FILTER_NOT_A_RANGE',
    `'${one.fields[0]}' and '${other.fields[0]}' are periods of two calendars, so ${who} does not know which days it runs over; give them as a range of dates`,
    { path: other.path },
  )

function refuse(who: string, { fields, path }: Conjunct, period: CalendarPeriod | undefined): never {
  const field = fields.map((name) => `'${name}'`).join(', ')
  const why = period?.of
    ? `${field} is a ${nameOfPeriod(period)}, and no filter names the ${nameOfPeriodGrain(period.of)}`
    : `the filter on ${field} does not name one period by an equality`
  return fail(
    'TIME_FILTER_NOT_A_RANGE',
    `${why}, so ${who} does not know which days it runs over; give them as a range of dates`,
    { path },
  )
}

/** The period that an equality on a column names; `undefined` for any other condition. */
export function periodIn({ expression, leaves, times }: Conjunct, model: SemanticModel): CalendarPeriod | undefined {
  const [leaf, ...others] = leaves
  if (leaf?.kind !== 'where-field' || others.length > 0 || leaf.members.length > 1) return undefined
  const [{ object, expression: column }] = leaf.members
  const timed = timedParts(times).get(expression)
  if (isInner<ColumnRef>(column) || !(timed ? isOneTime(timed) : isEquality(expression, leaf))) return undefined
  return model.dataObjects.get(object)?.calendar?.periods.get(column.column)
}

function isOneTime(condition: TimeCondition<WhereLeaf>): boolean {
  if (condition.kind !== 'compared') return false
  const { operator, values } = condition.comparison
  return (operator === 'eq' || operator === 'in') && values.length === 1 && values[0] !== null
}

/** A boolean names its period by true. */
function isEquality(expression: Expr<WhereLeaf>, leaf: FieldLeaf): boolean {
  if (expression === leaf) return true
  if (expression.kind === 'in')
    return expression.operand === leaf && expression.list.length === 1 && isPeriod(firstOf(expression.list))
  if (expression.kind !== 'binary' || expression.operator !== '=') return false
  const { left, right } = expression
  return (left === leaf && isPeriod(right)) || (right === leaf && isPeriod(left))
}

const isPeriod = (value: Expr<WhereLeaf>): boolean => isLiteral(value) && value.value !== null && value.value !== false

/** The conditions as one bound of the time: up to the last day that they leave. */
export function upToTheEnd(
  named: NonEmpty<Conjunct>,
  time: ResolvedDimension,
  { model, clocks }: { readonly model: SemanticModel; readonly clocks: TimeContext },
): Conjunct {
  const { members, label } = dayOfTable(time, model)
  const [{ type }] = members
  const leaf: FieldLeaf = { kind: 'where-field', members, type, name: label }
  const shared = { leaves: [leaf], path: named[0].path, fields: named.flatMap(({ fields }) => fields) }
  if (isOfGenerated(named[0], model)) {
    const last = daysNamed(named, model)?.last
    if (last === undefined) return { ...shared, expression: FALSE, times: [] }
    const subject = { expression: leaf, type, grain: undefined, name: label }
    const comparison = { operator: 'lte', values: [last], path: named[0].path } as const
    const expression = condition<WhereLeaf>(subject, comparison, clocks)
    return { ...shared, expression, times: [{ expression, condition: { kind: 'compared', subject, comparison } }] }
  }
  const day = type.kind === 'date' ? leaf : bucket<WhereLeaf>(leaf, type, 'day', clocks)
  return {
    expression: binary<WhereLeaf>('<=', day, periodEnd('last', named, model)),
    ...shared,
    times: [],
  }
}

/** Whether a condition names a period of a calendar without a table. */
export const isOfGenerated = ({ leaves: [leaf] }: Conjunct, model: SemanticModel): boolean =>
  leaf?.kind === 'where-field' && model.dataObjects.get(leaf.members[0].object)?.calendar?.generated !== undefined

function periodEnd(end: PeriodEndLeaf['end'], named: NonEmpty<Conjunct>, model: SemanticModel): PeriodEndLeaf {
  const [leaf] = named[0].leaves
  const [{ object }] = leaf?.kind === 'where-field' ? leaf.members : fail('INTERNAL_ERROR', 'a period is named by a field')
  const { key } = objectOf(model, object).calendar ?? fail('INTERNAL_ERROR', `'${object}' is no calendar`)
  return { kind: 'where-period-end', end, calendar: object, day: key, filter: allOf(named.map(({ expression }) => expression))! }
}
