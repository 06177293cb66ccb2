/** Which values can be read from a rollup table: those that it holds, and those that its rows reach by joins whose columns it holds. */
import { entryOf } from '../../invariant.js'
import { type ColumnRef, type Expr, leavesOf } from '../../model/expression/ast.js'
import { comparedOf } from '../../model/join-term.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import type { TimeContext } from '../../resolve/clock.js'
import type { JoinGraph, PathResult } from '../../resolve/join-graph.js'
import type { FieldSource } from '../../resolve/resolved-query.js'
import { isSame } from '../../same.js'
import type { HeldDimension, HeldTable } from './held-table.js'
import { type Unread, unread } from './unread.js'

/** A table, and the question for which it is read. */
export interface TableReading {
  readonly table: HeldTable
  readonly graph: JoinGraph
  readonly model: SemanticModel
  readonly time: TimeContext
  /** Whether averages of whole numbers are quotients of sums. */
  readonly hasQuotients: boolean
}

/** The dimensions of the table with the value of a field, which a question reads by the same joins. */
export const heldFor = (source: FieldSource, reading: TableReading): readonly HeldDimension[] =>
  reading.table.dimensions.filter((one) => isSameSource(one.source, source) && isSameWay(source, reading))

/** Most fields are columns, which need no comparison of expressions. */
function isSameSource(a: FieldSource, b: FieldSource): boolean {
  if (a.object !== b.object || a.via !== b.via) return false
  const [own, other] = [a.expression, b.expression]
  if (own.kind === 'column' && other.kind === 'column') return own.object === other.object && own.column === other.column
  return own.kind === other.kind && isSame(own, other)
}

/** The value of a field over the columns of the table, or over those of what its rows reach. */
export function readField(source: FieldSource, reading: TableReading): FieldSource | Unread {
  const held = heldFor(source, reading)
  const whole = held.find(({ grain }) => grain === undefined)
  if (whole) return columnOfTable(whole, source.name)
  if (isFieldRead(source, reading)) return source
  return held.length > 0
    ? unread('GRAIN_TOO_COARSE', source.name, `holds only periods of '${source.name}'`)
    : unread('DIMENSION_MISSING', source.name, `does not hold '${source.name}', nor the columns by which its rows reach it`)
}

/** A column of the table in place of a field. */
export const columnOfTable = ({ ref, type }: HeldDimension, name: string): FieldSource => ({
  name,
  object: ref.object,
  via: undefined,
  expression: ref,
  type,
})

/** Whether the row of a field is found by a join whose columns can be read, whatever the table holds of it. */
export const isRowRead = ({ object, via }: Pick<FieldSource, 'object' | 'via'>, reading: TableReading): boolean =>
  isWayRead(reading.graph.path(reading.table.base.name, object, via), reading)

function isFieldRead({ object, via, expression }: FieldSource, reading: TableReading): boolean {
  const { base } = reading.table
  if (object === base.name) return isExpressionRead(expression, reading)
  return isWayRead(reading.graph.path(base.name, object, via), reading)
}

/** Whether each column of an expression at the rows of the data object can be read. */
export const isExpressionRead = (expression: Expr<ColumnRef>, reading: TableReading): boolean =>
  leavesOf<ColumnRef>(expression).every((ref) => isRefRead(ref, reading))

export const isRefRead = ({ object, column }: ColumnRef, reading: TableReading): boolean =>
  object === reading.table.base.name
    ? isColumnRead(column, reading)
    : isWayRead(reading.graph.path(reading.table.base.name, object), reading)

/** A column of the data object: a dimension as it is, read by the joins of the build, or one that is computed from such. */
function isColumnRead(name: string, reading: TableReading): boolean {
  const { plain, base } = reading.table
  const held = plain.get(name)
  if (held) return isSameWay(held.source, reading)
  const { source } = entryOf(base.columns, name)
  return source.kind === 'expression' && isExpressionRead(source.expression, reading)
}

/** Whether the columns of the first join can be read: the others are those of rows that exist now. */
function isWayRead(path: PathResult, reading: TableReading): boolean {
  const [first] = path.kind === 'path' ? path.edges : []
  return first !== undefined && comparedOf(first.on, 'from').every((column) => isColumnRead(column, reading))
}

/** Whether a question reads a field by the joins of the build, whatever else it pins. */
export const isSameWay = ({ object, via, expression }: FieldSource, reading: TableReading): boolean =>
  reading.graph.pins.length === 0 ||
  (isSamePath(reading.table.base.name, object, via, reading) && isSameBelow(object, expression, reading))

/** The same for an expression over the rows of the table. */
export const isSameValue = (expression: Expr<ColumnRef>, reading: TableReading): boolean =>
  reading.graph.pins.length === 0 || isSameBelow(reading.table.base.name, expression, reading)

const isSamePath = (from: string, to: string, via: string | undefined, { graph, table }: TableReading): boolean =>
  isSame(graph.path(from, to, via), table.graph.path(from, to, via))

const isSameBelow = (from: string, expression: Expr<ColumnRef>, reading: TableReading): boolean =>
  leavesOf<ColumnRef>(expression).every(({ object, column }) => {
    const own = reading.model.dataObjects.get(object)?.columns.get(column)?.source
    const isBelow = own?.kind !== 'expression' || isSameBelow(object, own.expression, reading)
    return isBelow && (object === from || isSamePath(from, object, undefined, reading))
  })
