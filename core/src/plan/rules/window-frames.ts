import { runs } from '../../bind/running-windows.js'
import { type DataType, FLOAT, INT } from '../../model/data-type.js'
import { integer, isNotNull } from '../../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import type { LogicalPlan, Lookup, NamedAggregate, Shared } from '../logical-plan.js'
import { overPeriods, type RunningValue } from './over-periods.js'
import type { Rule } from './rule.js'
import { framedValuesOf, type WindowValues } from './windows-of.js'

/**
 * Aggregates of the values of periods in the window of each row, as window functions over these periods and those of the rows: the frame of a function is the window.
 * Rows are sorted once, whereas a join by a range of periods compares every pair.
 */
export const windowFrames: Rule = {
  name: 'window-frames',
  rewrite: (node, { hints }) => (node.kind === 'lookup' ? withFrames(node, framedValuesOf(node, hints)) : undefined),
}

function withFrames(node: Lookup, found: WindowValues | undefined): LogicalPlan | undefined {
  const right = found && periodsOf(found.right)
  const values = found?.values.aggregates.map((call) => ofPeriods(call)).filter((value) => value !== undefined)
  if (!right || !values || values.length < found.values.aggregates.length) return undefined
  return { ...node, from: overPeriods({ window: found.window, right, values }, found.rows) }
}

/** The values of periods, as rows that are computed for the windows. */
function periodsOf(right: LogicalPlan): Shared | undefined {
  if (right.kind === 'aggregate') {
    const columns = [...right.keys, ...right.aggregates].map(({ name, type }) => ({ name, type }))
    return { kind: 'shared', alias: right.alias, input: right, columns }
  }
  if (right.kind !== 'project' || right.input.kind !== 'project') return undefined
  const isOwn = right.columns.every(({ name, expression }) => isColumn(expression) && expression.name === name)
  const columns = right.columns.map(({ name, type }) => ({ name, type }))
  return isOwn ? { kind: 'shared', alias: right.alias, input: right.input, columns } : undefined
}

const isColumn = (expression: RowExpr | undefined): expression is RelationColumn => expression?.kind === 'column'

/** The value of each period for a window function. A period counts if it has a value, and windows without periods have no count. */
function ofPeriods({ name, type: folded, aggregate, args, distinct, orderBy, filter }: NamedAggregate): RunningValue | undefined {
  const [arg, ...more] = args
  if (!isColumn(arg) || more.length > 0 || distinct || orderBy.length > 0 || filter) return undefined
  const { type } = arg
  const expression = relationColumn('', arg.name, type)
  if (aggregate === 'count') {
    const branches = [{ when: isNotNull<RelationColumn>(expression), then: integer(1) }]
    return { name, type: INT, expression: { kind: 'case', branches, otherwise: integer(0) }, function: 'sum', folded }
  }
  if (!runs(type)) return undefined
  if (aggregate === 'avg') return { name, type: FLOAT, expression: asDouble(expression, type), function: 'avg', folded }
  return isFunction(aggregate) ? { name, type, expression, function: aggregate, folded } : undefined
}

const asDouble = (operand: RowExpr, { kind }: DataType): RowExpr =>
  kind === 'float' ? operand : { kind: 'cast', operand, type: FLOAT }

const isFunction = (aggregate: string): aggregate is 'sum' | 'min' | 'max' => FUNCTIONS.has(aggregate)
const FUNCTIONS: ReadonlySet<string> = new Set(['sum', 'min', 'max'])
