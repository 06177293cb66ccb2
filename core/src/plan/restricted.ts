import type { BoundRestriction, Condition, NamedExpr, Scan } from '../bind/bound-block.js'
import type { BoundQuery } from '../bind/bound-query.js'
import type { Restrictions } from '../bind/restrictions.js'
import { once } from '../once.js'
import { allOf } from '../resolve/expressions.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { conditionOf } from '../resolve/row-terms.js'
import { filtered, planRows } from './from.js'
import { inputsOf, mapPlans } from './inputs.js'
import { type Join, type LogicalPlan, staged } from './logical-plan.js'
import { planQuery } from './plan-query.js'
import { type Reads, readsOf } from './reads.js'
import { type Risks, risksOf } from './risks.js'
import { planOfSpine, type SpineStep, spineOf } from './spine.js'

interface Reading {
  readonly restrictionOf: Restrictions['of']
  readonly risks: () => Risks
  readonly reads: () => Reads
}

/**
 * The plan with each object read only in the rows that remain of it, wherever it is read: this is the only place that removes rows from a principal. An engine may
 * compute a condition of the query before that of the policy, so a column in a condition that can fail is NULL on the removed rows.
 */
export function planRestricted(bound: BoundQuery, restrictions: Restrictions | undefined): LogicalPlan {
  const plan = planQuery(bound)
  if (!restrictions) return plan
  const left = within(plan, readingOf(plan, restrictions.of))
  // A static filter may read a column over other rows, which nothing else of the query reads: its rows are restricted, too.
  const further = restrictions.measureColumns().filter(({ of }) => !bound.measureColumns.some((known) => known.of === of))
  return further.length === 0
    ? left
    : planRestricted({ ...bound, measureColumns: [...bound.measureColumns, ...further] }, restrictions)
}

function readingOf(plan: LogicalPlan, restrictionOf: Restrictions['of']): Reading {
  const scans = once(() => scansIn(plan))
  return { restrictionOf, risks: once(() => risksOf(plan, scans())), reads: once(() => readsOf(plan, scans())) }
}

function within(part: LogicalPlan, reading: Reading): LogicalPlan {
  if (part.kind === 'aggregate' || part.kind === 'distinct' || part.kind === 'project')
    return mapPlans(part, (input) => withinRows(input, reading))
  if (part.kind !== 'scan') return mapPlans(part, (input) => within(input, reading))
  const restriction = reading.restrictionOf(part.object)
  return restriction ? remaining(part, restriction, reading) : part
}

/**
 * Rows that begin with an object, of which conditions on its own columns leave rows: these are conditions on all of the rows, as those of the query are, because each row
 * has one of the object.
 */
function withinRows(rows: LogicalPlan, reading: Reading): LogicalPlan {
  const { start, steps } = spineOf(rows)
  const where = start.kind === 'scan' ? ownConditions(start, reading) : undefined
  if (where === undefined) return within(rows, reading)
  const changed = steps.map((step) => (step.kind === 'join' ? { ...step, right: within(step.right, reading) } : step))
  const end = changed.findIndex(({ kind }) => kind !== 'join')
  const at = end < 0 ? changed.length : end
  const left = filtered(planOfSpine({ start, steps: changed.slice(0, at) }), ofRules(where))
  return planOfSpine({ start: left, steps: changed.slice(at) })
}

/** The conditions that leave rows of an object, if they read nothing else, and no condition of the plan that can fail reads the object. */
function ownConditions({ object, alias }: Scan, { restrictionOf, risks }: Reading): BoundRestriction['where'] | undefined {
  const found = restrictionOf(object)
  if (!found || found.where.length === 0 || found.rows.joins.length > 0 || found.rows.start.alias !== alias) return undefined
  return risks().hasAny(alias) ? undefined : found.where
}

const ofRules = (where: BoundRestriction['where']): readonly Condition[] =>
  where.map((expression) => ({ expression, reason: 'rows that the access rules leave' }))

function remaining(
  { object, alias }: Scan,
  { rows, where, columns }: BoundRestriction,
  { restrictionOf, risks, reads }: Reading,
): LogicalPlan {
  const whole = filtered(planRows(rows, NOTHING_INSIDE), ofRules(where))
  const left = chosenAmong(whole, object, restrictionOf)
  const risky = risks()
  const isRead = reads()
  // Of rows of which nothing is read, that they are there counts.
  const some = columns.filter(({ name }) => isRead(object, name))
  const guard = once(() => allOf([...equalitiesTo(present(where), whole), ...where]))
  const read = (some.length > 0 ? some : columns).map((column) =>
    risky.has(alias, column.name) ? guarded(column, guard()) : column,
  )
  return { ...staged(left, alias, read), rowsOf: object }
}

/** A join over time chooses among the rows that remain of other objects, so that a removed row hides none that it would find without it. */
function chosenAmong(plan: LogicalPlan, object: string, restrictionOf: Restrictions['of']): LogicalPlan {
  const { start, steps } = spineOf(plan)
  if (!steps.some(findsByTime)) return plan
  const reading = readingOf(plan, (other) => (other === object ? undefined : restrictionOf(other)))
  const changed = steps.map((step) => (findsByTime(step) ? { ...step, right: within(step.right, reading) } : step))
  return planOfSpine({ start, steps: changed })
}

const findsByTime = (step: SpineStep): step is Join =>
  step.kind === 'join' && step.on.some(({ kind }) => kind === 'within' || kind === 'as-of')

/** The relations in which there must be a row: a column of them has a value. A computed value may have one without a row, such as `coalesce(x, 0)`. */
const present = (where: BoundRestriction['where']): ReadonlySet<string> =>
  new Set(
    where.flatMap((one) => {
      const known =
        one.kind === 'unary' && one.operator === 'not' && one.operand.kind === 'is-null' ? one.operand.operand : undefined
      return known?.kind === 'column' ? [known.table] : []
    }),
  )

/** By what their rows are joined: an engine may try a condition on a pair of rows before it knows that they belong together. */
const equalitiesTo = (relations: ReadonlySet<string>, plan: LogicalPlan): readonly RowExpr[] =>
  spineOf(plan).steps.flatMap((step) => {
    if (step.kind !== 'join' || step.right.kind !== 'scan' || !relations.has(step.right.alias)) return []
    return step.on.every(({ kind }) => kind === 'equal') ? (conditionOf(step.on) ?? []) : []
  })

const guarded = (column: NamedExpr, when: RowExpr | undefined): NamedExpr =>
  when ? { ...column, expression: { kind: 'case', branches: [{ when, then: column.expression }], otherwise: undefined } } : column

/** The names of the relations that are rows of objects, and their objects. */
function scansIn(plan: LogicalPlan, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (plan.kind === 'scan') found.set(plan.alias, plan.object)
  for (const input of inputsOf(plan)) scansIn(input, found)
  return found
}

/** Policies read rows of objects only. */
const NOTHING_INSIDE = {
  events: () => NEVER,
  passed: () => NEVER,
  facts: () => [],
}
const NEVER: LogicalPlan = { kind: 'numbers', alias: 'nothing', names: [], places: [] }
