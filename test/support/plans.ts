/** Nodes of plans, as small as they can be: for tests of rules and of what reads plans. */
import type { RowColumn } from '../../core/src/bind/bound-block.js'
import { type DataType, INT } from '../../core/src/model/data-type.js'
import { inputsOf } from '../../core/src/plan/inputs.js'
import {
  type Aggregate,
  type Combine,
  type Distinct,
  type Filter,
  type Join,
  type Leg,
  type Limit,
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedExpr,
  type Project,
  plainAggregate,
  type RowExpr,
  type Scan,
  type Shared,
} from '../../core/src/plan/logical-plan.js'
import { NO_HINTS, type PlannerHints } from '../../core/src/plan/planner-hints.js'
import type { PlanFacts } from '../../core/src/plan/rules/rule.js'
import { binary, integer } from '../../core/src/resolve/expressions.js'
import { type RelationColumn, relationColumn } from '../../core/src/resolve/relation-column.js'
import { equal } from '../../core/src/resolve/row-terms.js'

/** A whole number of a relation; of the answer's rows without one. */
export const column = (table: string, name: string, type: DataType = INT): RelationColumn => relationColumn(table, name, type)
export const own = (name: string, type: DataType = INT): RelationColumn => column('', name, type)
export const named = (name: string, expression: RowExpr, type: DataType = INT): NamedExpr => ({ name, type, expression })
/** A condition: a whole number is greater than another one. */
export const above = (one: RowExpr, least = 0): RowExpr => binary('>', one, integer(least))
export const rowColumn = (name: string, type: DataType = INT): RowColumn => ({ name, type })

export const scan = (object: string, more: Partial<Scan> = {}): Scan => ({
  kind: 'scan',
  object,
  source: { kind: 'table', database: undefined, schema: undefined, name: object },
  alias: object,
  ...more,
})

/** The rows `left`, each with the row of `object` that it refers to: a join of the model. */
export function joinTo(left: LogicalPlan, object: string, from: RowExpr, more: Partial<Join> = {}): Join {
  const label = { from: '', to: object, columns: [], reason: '', role: object }
  const on = [equal<RelationColumn>(from, column(object, 'id'))]
  return { kind: 'join', type: 'left', left, right: scan(object), on, findsOne: true, label, ...more }
}

export const filter = (input: LogicalPlan, condition: RowExpr): Filter => ({ kind: 'filter', input, condition, reason: '' })
export const project = (input: LogicalPlan, columns: readonly NamedExpr[], more: Partial<Project> = {}): Project => ({
  kind: 'project',
  input,
  alias: 'projected',
  columns,
  ...more,
})
export const distinct = (input: LogicalPlan, columns: readonly NamedExpr[]): Distinct => ({
  kind: 'distinct',
  input,
  alias: 'different',
  columns,
  reason: '',
})
/** A node that no rule knows. */
export const limited = (input: LogicalPlan): Limit => ({ kind: 'limit', input, limit: 1, offset: undefined })
export const shared = (input: LogicalPlan, columns: readonly RowColumn[], alias = 'rows'): Shared => ({
  kind: 'shared',
  alias,
  input,
  columns,
})

export const sumOf = (name: string, arg: RowExpr, more: Partial<NamedAggregate> = {}): NamedAggregate => ({
  ...plainAggregate(name, 'sum', [arg], INT),
  ...more,
})
export const aggregate = (
  input: LogicalPlan,
  keys: readonly NamedExpr[],
  aggregates: readonly NamedAggregate[],
  more: Partial<Aggregate> = {},
): Aggregate => ({ kind: 'aggregate', input, alias: 'groups', keys, aggregates, reason: '', ...more })

/** What `input` has by its key `Key`, and the values of `from`. */
export const lookup = (input: LogicalPlan, from: LogicalPlan, values: readonly string[], more: Partial<Lookup> = {}): Lookup => ({
  kind: 'lookup',
  alias: 'looked_up',
  input,
  from,
  keys: [{ own: own('Key'), theirs: 'Key', type: INT, nullSafe: true }],
  values: values.map((name) => ({ name, type: INT, emptyIsZero: false })),
  reason: '',
  ...more,
})

export const leg = (input: LogicalPlan, values: readonly string[], more: Partial<Leg> = {}): Leg => ({
  input,
  name: 'facts',
  contributesRows: true,
  values: values.map((name) => ({ name, type: INT, emptyIsZero: false })),
  ...more,
})
export const combined = (keys: readonly RowColumn[], legs: readonly Leg[], more: Partial<Combine> = {}): Combine => ({
  kind: 'combine',
  alias: 'combined',
  keys,
  legs,
  reason: '',
  ...more,
})

/** What a rule is told, for an engine with these hints. */
export const factsOf = (hints: Partial<PlannerHints> = {}, type: DataType = INT): PlanFacts => ({
  hints: { ...NO_HINTS, ...hints },
  typeOf: () => type,
})

/** The nodes of a kind in a plan, from the innermost on. */
export const nodesIn = <K extends LogicalPlan['kind']>(plan: LogicalPlan, kind: K): readonly NodeOf<K>[] => [
  ...inputsOf(plan).flatMap((input) => nodesIn(input, kind)),
  ...(isOf(plan, kind) ? [plan] : []),
]
type NodeOf<K extends LogicalPlan['kind']> = LogicalPlan & { readonly kind: K }
const isOf = <K extends LogicalPlan['kind']>(plan: LogicalPlan, kind: K): plan is NodeOf<K> => plan.kind === kind

export const joinsIn = (plan: LogicalPlan): readonly Join[] => nodesIn(plan, 'join')
