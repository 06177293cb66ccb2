import { leavesOf } from '../../model/expression/ast.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import { columnsOf } from '../columns.js'
import type { LogicalPlan, NamedWindow, RowExpr } from '../logical-plan.js'
import type { Rule } from './rule.js'

/**
 * Rows that are chosen before the answer, without the values that do not choose them: a lookup and a window function add columns, and neither a row nor an order. The
 * detail rows that an answer shows, and top values, are read for their dimensions alone, and a condition, an order or a limit needs few of the measures.
 */
export const unreadLookups: Rule = {
  name: 'unread-lookups',
  drops: true,
  leavesOut: true,
  rewrite: (node) => {
    if (node.kind !== 'measured' && node.kind !== 'chosen') return undefined
    const values = reading(node.values, new Set(columnsOf(node.values).map(({ name }) => name)))
    return values === node.values ? undefined : { ...node, values }
  },
}

type Names = ReadonlySet<string>

/** The plan with the columns of these names, which are all that is read of it. */
function reading(plan: LogicalPlan, names: Names): LogicalPlan {
  switch (plan.kind) {
    case 'limit':
      return over(plan, names)
    case 'sort':
      return over(plan, withRead(names, ...plan.keys.map(({ expression }) => expression)))
    case 'filter':
      return over(plan, withRead(names, plan.condition))
    case 'project': {
      const columns = plan.columns.filter(({ name }) => names.has(name))
      const kept = columns.length === plan.columns.length || columns.length === 0 ? plan : { ...plan, columns }
      return over(kept, withRead(new Set(), ...kept.columns.map(({ expression }) => expression)))
    }
    case 'window':
      return windowReading(plan, names)
    case 'lookup': {
      if (!plan.isInner && !plan.values.some(({ name }) => names.has(name))) return reading(plan.input, names)
      return over(plan, withRead(names, ...plan.keys.map(({ own }) => own)))
    }
    default:
      return plan
  }
}

function windowReading(plan: LogicalPlan & { readonly kind: 'window' }, names: Names): LogicalPlan {
  const columns = plan.columns.filter(({ name }) => names.has(name))
  const calls = plan.calls.filter(({ name }) => names.has(name))
  const read = withRead(new Set(), ...columns.map(({ expression }) => expression), ...calls.flatMap(operandsOf))
  const isWhole = calls.length === plan.calls.length || columns.length === 0
  if (isWhole)
    return over(plan, withRead(read, ...plan.columns.map(({ expression }) => expression), ...plan.calls.flatMap(operandsOf)))
  if (calls.length > 0) return over({ ...plan, columns, calls }, read)
  return over({ kind: 'project', alias: plan.alias, columns, input: plan.input, stage: true }, read)
}

const operandsOf = ({ args, partitionBy, orderBy, where }: NamedWindow): readonly RowExpr[] => [
  ...args,
  ...partitionBy,
  ...orderBy.map(({ expression }) => expression),
  ...(where ? [where] : []),
]

function over<P extends LogicalPlan & { readonly input: LogicalPlan }>(plan: P, names: Names): P {
  const input = reading(plan.input, names)
  return input === plan.input ? plan : { ...plan, input }
}

const withRead = (names: Names, ...expressions: readonly RowExpr[]): Names =>
  new Set([...names, ...expressions.flatMap((e) => leavesOf<RelationColumn>(e).map(({ name }) => name))])
