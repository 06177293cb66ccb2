import { fail } from '../errors.js'
import { firstOf, lastOf } from '../invariant.js'
import { DATE, type DataType, sameType } from '../model/data-type.js'
import { type ColumnRef, type Expr, leavesOf } from '../model/expression/ast.js'
import { valueType } from '../model/expression/value-type.js'
import { equalityOf, type Side, type Term } from '../model/join-term.js'
import { isKeyColumnOf } from '../model/key-columns.js'
import type { Column, MeasureSource, SemanticModel } from '../model/semantic-model.js'
import { isDayOfInstant } from '../model/stored-column.js'
import { measuredAt } from '../relation/relation.js'
import { bucket } from '../resolve/bucket.js'
import type { TimeContext } from '../resolve/clock.js'
import { coalesce, isNotNull, isNull, onlyWhere } from '../resolve/expressions.js'
import { truncated } from '../resolve/grain-expressions.js'
import { inClocks } from '../resolve/in-clocks.js'
import type { Edge } from '../resolve/join-graph.js'
import { isKeyColumn } from '../resolve/key-column.js'
import { propagatesNull } from '../resolve/propagates-null.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { columnOf, type FieldSource, objectOf } from '../resolve/resolved-query.js'
import type { RowTerm } from '../resolve/row-terms.js'
import type { MeasuredColumn } from './bind-context.js'
import type { RowColumn, TypedExpr } from './bound-block.js'
import { inPeriod } from './period-term.js'
import { referringColumn } from './referring-column.js'
import type { Role } from './role.js'
import { type Rows, roleOf } from './rows.js'

/*
 * What is read from rows: expressions over the columns of roles. A role is the path to it, so that an expression says which joins it needs.
 */

const MAX_EXPRESSION_NODES = 20_000

/** The unbucketed value of a field by its own path. Throws `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`, `INVALID_EXPRESSION`. */
export function readField(rows: Rows, field: FieldSource, base?: Role): RowExpr {
  const role = roleOf(rows, field, base)
  const value = inClocks<ColumnRef, RelationColumn>(field, rows.context, (ref) => ({
    expression: readColumn(rows, nearest(rows, role, ref.object), ref.column),
    type: columnOf(rows.context.model, ref).type,
  }))
  return whereTheRowIs(rows, role, field.expression, value)
}

/** An expression over columns of objects that these rows reach; `instead` replaces columns. */
export const readExpression = (
  rows: Rows,
  expr: Expr<ColumnRef>,
  instead: (ref: ColumnRef) => RowExpr | undefined = () => undefined,
): RowExpr => {
  const { model, functions } = rows.context
  const typeAt = (ref: ColumnRef): DataType => columnOf(model, ref).type
  return inClocks<ColumnRef, RelationColumn>(
    { expression: expr, type: valueType(expr, typeAt, functions) },
    rows.context,
    (ref) => ({
      expression: instead(ref) ?? readColumn(rows, roleOf(rows, { object: ref.object }), ref.column),
      type: typeAt(ref),
    }),
  )
}

/** A column of a role; a computed column is expanded, and a column to which a foreign key refers is the referring column. */
export const readColumn = (rows: Rows, role: Role, name: string): RowExpr => expressionOf(rows, role, name).expression

/** A column of an object from a role: its own, or one of an object that it reaches. */
export const readBeside = (rows: Rows, role: Role, { object, column }: ColumnRef): RowExpr =>
  readColumn(rows, nearest(rows, role, object), column)

/** NULL exactly if the role has no row; `undefined` if it always has one. */
export const presenceOf = (rows: Rows, role: Role): RowExpr | undefined =>
  role.presentBy === undefined ? undefined : readColumn(rows, role, role.presentBy)

/** The terms by which a role is joined to an earlier one, over the columns of both. */
export const readTerms = (
  rows: Rows,
  on: readonly Term<string>[],
  { from, to }: { readonly [S in Side]: Role },
): readonly RowTerm[] =>
  on.map((term) =>
    inPeriod(term, rows.context, (context) => {
      const clocked = joinedBy(context === rows.context ? rows : { ...rows, context }, term)
      return {
        from: (name) => readBesideColumn(clocked, from, name, columnBeside(term, to, 'to')),
        to: (name) =>
          readBesideColumn(clocked, to, name, columnBeside(term, from, 'from'), ownColumn(clocked, to, name).expression),
      }
    }),
  )

/** The rows as a term reads them: what is found by a time is found by the stored day of coarse data, in every question. */
export function joinedBy(rows: Rows, { kind }: Term<string>): Rows {
  if (kind === 'equal') return rows
  const { days: _, ...stored } = rows
  return stored
}

/** The column of the other rows with which a term compares one of these. */
export const columnBeside = (term: Term<string>, { object }: Role, side: Side): ColumnRef | undefined =>
  term.kind === 'equal' ? { kind: 'column', object, column: term[side] } : undefined

/** A column as it is compared with one of other rows: a time beside the day of a generated calendar is its day. */
export function readBesideColumn(
  rows: Rows,
  role: Role,
  name: string,
  beside?: ColumnRef,
  value: RowExpr = readColumn(rows, role, name),
): TypedExpr {
  const { model, time } = rows.context
  const { type } = columnOf(model, { kind: 'column', object: role.object, column: name })
  if (!beside || !isGeneratedDay(beside, model)) return { expression: value, type }
  return { expression: type.kind === 'date' ? value : bucket(value, type, 'day', time), type: DATE }
}

function isGeneratedDay({ object, column }: ColumnRef, model: SemanticModel): boolean {
  const { calendar } = objectOf(model, object)
  return calendar?.generated !== undefined && column === calendar.key
}

/**
 * The clocks by which keys are read: those of the data. Which rows a join matches is a property of the model and must not depend on the zone
 * of a query.
 */
function clocksOfKeys({ settings }: SemanticModel, { clock, weekStart, leavesNaive }: TimeContext): TimeContext {
  const zone = settings.defaultTimezone ?? 'UTC'
  return { clock, zone, weekStart, naiveZone: undefined, daysIn: zone, leavesNaive }
}

/** The rows with the clocks of a column: a key, and all that it is computed from, is read by those of the data. */
const clockedFor = (rows: Rows, object: string, name: string): Rows => {
  const { model, time } = rows.context
  if (!isKeyColumnOf(model.dataObjects, object, name)) return rows
  return { ...rows, context: { ...rows.context, time: clocksOfKeys(model, time) } }
}

const nearest = (rows: Rows, role: Role, object: string): Role => (object === role.object ? role : roleOf(rows, { object }, role))

interface SizedExpression {
  readonly expression: RowExpr
  readonly size: number
}

function expressionOf(rows: Rows, role: Role, name: string): SizedExpression {
  const { days } = rows
  if (days && role.alias === rows.root.alias && name === days.column) return { expression: days.day, size: 8 }
  const day = role.from && dayOfJoin(rows, role, role.from, name)
  if (day) return { expression: day, size: 1 }
  const own = ownColumn(rows, role, name)
  const instead = role.from && referring(rows, role.from, lastOf(role.edges), name)
  return instead && isSameKey(instead, own.expression) ? { expression: instead, size: 1 } : own
}

/** The column of the row before that refers to a column of the joined one. */
function referring(rows: Rows, from: Role, edge: Edge, name: string): RowExpr | undefined {
  const column = referringColumn(edge, rows.context.model, name)
  return column === undefined ? undefined : expressionOf(rows, from, column).expression
}

/** The day of a generated calendar: that of the time which joins it. */
function dayOfJoin(rows: Rows, { object, edges }: Role, from: Role, name: string): RowExpr | undefined {
  const beside: ColumnRef = { kind: 'column', object, column: name }
  if (!isGeneratedDay(beside, rows.context.model)) return undefined
  const joined = equalityOf(lastOf(edges).on)?.find(({ to }) => to === name)
  if (!joined) return undefined
  return readBesideColumn(rows, from, joined.from, beside).expression
}

/** Whether equal values of two columns are the same: both have one form, and it is the same. */
const isSameKey = (a: RowExpr, b: RowExpr): boolean => isKeyColumn(a) && isKeyColumn(b) && sameType(a.type, b.type)

/** A column as the object of the role stores or computes it. */
function ownColumn(rows: Rows, role: Role, name: string): SizedExpression {
  const column = columnOf(rows.context.model, { kind: 'column', object: role.object, column: name })
  switch (column.source.kind) {
    case 'physical':
      return { expression: physical(rows, role, column, column.source.code), size: 1 }
    case 'expression':
      return computed(clockedFor(rows, role.object, name), role, column, column.source.expression)
    case 'measure':
    case 'exists':
    case 'window':
      return { expression: ofOtherRows(clockedFor(rows, role.object, name), role, column), size: 1 }
  }
}

/** The value for the key of the row; of a row to which nothing belongs, that of no rows. */
function ofOtherRows(rows: Rows, role: Role, column: Column): RowExpr {
  const found = rows.context.measuredQueries.column(role.object, column)
  const alias = measuredAt(role.path, column.name)
  const read = (one: RowColumn): RelationColumn => relationColumn(alias, one.name, one.type)
  if (found.kind === 'found') return onlyWhere(isThere(rows, role), isNotNull<RelationColumn>(read(firstOf(found.keys))))
  if (found.kind === 'windowed') return read(found.value)
  return measureValue(rows, role, { source: column.source as MeasureSource, found, read })
}

interface ValueOfRows {
  readonly source: MeasureSource
  readonly found: MeasuredColumn
  readonly read: (one: RowColumn) => RelationColumn
}

function measureValue(
  rows: Rows,
  role: Role,
  { source: { grain }, found: { keys, value, empty, isCount }, read }: ValueOfRows,
): RowExpr {
  const found = grain ? bucket<RelationColumn>(read(value), value.type, grain, rows.context.time) : read(value)
  if (empty === undefined) return found
  const whole: RowExpr = isCount
    ? coalesce<RelationColumn>(found, empty)
    : { kind: 'case', branches: [{ when: isNull<RelationColumn>(read(firstOf(keys))), then: empty }], otherwise: found }
  return onlyWhere(isThere(rows, role), whole)
}

function physical(rows: Rows, { alias, object }: Role, column: Column, code: string): RelationColumn {
  const stored = rows.context.storedAs(object, column)
  const leaf = relationColumn(alias, code, column.type)
  if (stored === undefined) return leaf
  const { daysIn } = clockedFor(rows, object, column.name).context.time
  return { ...leaf, stored: daysIn !== undefined && isDayOfInstant(stored) ? { ...stored, daysIn } : stored }
}

function computed(rows: Rows, role: Role, { name, type, grain }: Column, expression: Expr<ColumnRef>): SizedExpression {
  const known = new Map<string, SizedExpression>()
  const read = (ref: ColumnRef): SizedExpression => {
    const key = `${ref.object}\u0000${ref.column}`
    const found = known.get(key) ?? expressionOf(rows, nearest(rows, role, ref.object), ref.column)
    known.set(key, found)
    return found
  }
  const size = leavesOf(expression).reduce((sum, ref) => withinSize(sum + 1 + read(ref).size, role, name), 0)
  const value = inClocks<ColumnRef, RelationColumn>({ expression, type }, rows.context, (ref) => ({
    expression: read(ref).expression,
    type: columnOf(rows.context.model, ref).type,
  }))
  const start = grain ? truncated(grain, value) : value
  return { expression: whereTheRowIs(rows, role, expression, start), size }
}

/** Checked with every added column, so that no expression exceeds the limit. */
function withinSize(size: number, { object }: Role, name: string): number {
  if (size <= MAX_EXPRESSION_NODES) return size
  return fail(
    'INVALID_EXPRESSION',
    `computed column '${object}.${name}' grows to more than ${MAX_EXPRESSION_NODES} terms when written out`,
  )
}

/** A value of a missing row is NULL, even if its expression would return a value for NULLs. */
const whereTheRowIs = (rows: Rows, role: Role, expression: Expr<ColumnRef>, value: RowExpr): RowExpr =>
  propagatesNull(expression) ? value : onlyWhere(isThere(rows, role), value)

/** Whether the role has a row; `undefined` if it always has one. */
function isThere(rows: Rows, role: Role): RowExpr | undefined {
  const presence = role.whole ? undefined : presenceOf(rows, role)
  return presence && isNotNull(presence)
}
