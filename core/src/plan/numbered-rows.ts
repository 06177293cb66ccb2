import { INT } from '../model/data-type.js'
import type { AsOf } from '../model/join-term.js'
import { madeOf } from '../relation/relation.js'
import { allOf, integer, isNotNull, isNull, onlyWhere, typedNull } from '../resolve/expressions.js'
import { nearEnough } from '../resolve/in-period.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ascending } from '../resolve/resolved-query.js'
import { equal, holds } from '../resolve/row-terms.js'
import { columnsOf } from './columns.js'
import {
  type LogicalPlan,
  type NamedExpr,
  type NamedWindow,
  type Project,
  sameColumn,
  staged,
  type Union,
  type Window,
} from './logical-plan.js'
import { namedColumns, readingOf, withColumns } from './renamed-columns.js'
import { columnsRead, type JoinOfSpine, planOfSpine, type ReadSpine, relationsOf, type SpineStep, type TypeOf } from './spine.js'
import { type Compared, candidatesOf, comparedBy, inOrder, isKey, momentOf } from './times-of-rows.js'

/**
 * A join to the last row before a time as a join by equality. The rows of both sides are united, and each counts the rows of the target up to its time: this is the
 * number of the row that it finds, if those of the target are numbered in the same order.
 */
export function numberedJoin(one: JoinOfSpine, term: AsOf<RowExpr>, typeOf: TypeOf): ReadSpine {
  const { join, below } = one
  const { pushed, kept } = dividedFilters(one)
  const left = planOfSpine({ ...below, steps: [...below.steps, ...pushed] })
  const right = candidatesOf(join, term)
  const compared = comparedBy(join, term, typeOf)
  const [here, [there = '']] = [relationsOf(left), relationsOf(right)]
  const read = columnsRead([...kept, one.reader])
  const named = (isOwn: (column: RelationColumn) => boolean) => namedColumns(read.filter(isOwn), [...compared.here, NUMBER, ROW])
  // Sums of several facts are columns of no relation.
  const sums = new Set(columnsOf(below.start).map(({ name }) => name))
  const own = named(({ table, name }) => here.includes(table) || (table === '' && sums.has(name)))
  const found = named(({ table }) => table === there)
  const counted = countedRows({ left, right, compared, own, of: [join.label.to, there], term, typeOf })
  const numbered = numberedRows(right, {
    alias: there,
    columns: [...compared.there, ...found],
    keys: compared.there.filter(isKey),
    term,
    typeOf,
  })
  const change = (expression: RowExpr): RowExpr => readingOf(there, found)(readingOf(counted.alias, own)(expression))
  const on = matchingNumbers(compared, [counted.alias, there], term)
  return {
    spine: {
      start: counted,
      steps: [{ ...join, left: counted, right: numbered, on }, ...kept.map((step) => withColumns(step, change))],
    },
    reader: withColumns(one.reader, change),
  }
}

const NUMBER: NamedExpr = { name: 'number', type: INT, expression: integer(0) }
/** 1 for a row of the target. */
const ROW: NamedExpr = { name: 'row', type: INT, expression: integer(1) }

/** Conditions on the rows of the left side alone are tested before they are numbered. */
function dividedFilters({ below, above }: JoinOfSpine): {
  readonly pushed: readonly SpineStep[]
  readonly kept: readonly SpineStep[]
} {
  const here = new Set(relationsOf(planOfSpine(below)))
  const end = above.findIndex(({ kind }) => kind === 'limit')
  const isPushed = (step: SpineStep, at: number): boolean =>
    step.kind === 'filter' && (end < 0 || at < end) && columnsRead([step]).every(({ table }) => here.has(table))
  return { pushed: above.filter(isPushed), kept: above.filter((step, at) => !isPushed(step, at)) }
}

interface Counting {
  readonly left: LogicalPlan
  readonly right: LogicalPlan
  readonly compared: Compared
  /** Further columns of the left rows. */
  readonly own: readonly NamedExpr[]
  /** The target and its relation. */
  readonly of: readonly [string, string]
  readonly term: AsOf<RowExpr>
  readonly typeOf: TypeOf
}

/** The rows of the left side, each with the number of rows of the target up to its time; a row without a time has none. */
function countedRows({ left, right, compared: { here, there }, own, of: [target, relation], term, typeOf }: Counting): Project {
  const made = (suffix: string) => madeOf(target, suffix, [relation])
  const absent = ({ name, type }: NamedExpr): NamedExpr => ({ name, type, expression: typedNull(type) })
  const columns = [...here, ...own, ROW].map(({ name, type }) => ({ name, type }))
  const united: Union = {
    kind: 'union',
    alias: made('_and_times'),
    inputs: [
      staged(left, made('_times'), [...here, ...own, absent(ROW)]),
      staged(right, made('_rows'), [...there, ...own.map(absent), ROW]),
    ],
    columns,
    reason: 'the times of both sides in one order',
  }
  const read = columns.map((column) => sameColumn(column, united.alias))
  const [row, counted] = [relationColumn(united.alias, ROW.name, INT), made('_counted')]
  const count = {
    function: 'count',
    args: [row],
    // Rows of the target come before those of the same time that look up one. Not every engine has a frame up to the last of them.
    frame: 'up-to-row' as const,
    then: [ascending<RowExpr>(row, INT)],
    alias: counted,
    columns: read,
    keys: here.filter(isKey),
    term: { ...term, ties: [] },
    typeOf,
  }
  const isLeft = isNull<RelationColumn>(relationColumn(counted, ROW.name, INT))
  const all = [...here, ...own].map((column) => sameColumn(column, counted))
  const isTimed = allOf(momentOf(all).map(({ expression }) => isNotNull(expression)))
  const number = onlyWhere<RelationColumn>(isTimed, relationColumn(counted, NUMBER.name, INT))
  return staged(
    { kind: 'filter', input: inNumbers(united, count), condition: isLeft, reason: 'the rows that look up another' },
    made('_before'),
    [...all, { ...NUMBER, expression: number }],
  )
}

/** The rows of the target with their numbers. */
const numberedRows = (right: LogicalPlan, numbering: Omit<Numbering, 'function' | 'args'>): Window =>
  inNumbers(right, { ...numbering, function: 'row_number', args: [] })

interface Numbering {
  readonly function: string
  readonly args: readonly RowExpr[]
  readonly frame?: NamedWindow['frame']
  /** The order of rows with one time. */
  readonly then?: NamedWindow['orderBy']
  readonly alias: string
  /** The columns of the rows, the keys and the time among them. */
  readonly columns: readonly NamedExpr[]
  readonly keys: readonly NamedExpr[]
  readonly term: Pick<AsOf<RowExpr>, 'direction' | 'ties'>
  readonly typeOf: TypeOf
}

/** Rows with a number in the order of their times, among those with equal keys. */
function inNumbers(
  input: LogicalPlan,
  { function: name, args, frame, then = [], alias, columns, keys, term, typeOf }: Numbering,
): Window {
  const expression = (column: NamedExpr): RowExpr => column.expression
  const call = {
    name: NUMBER.name,
    function: name,
    args,
    partitionBy: columns.filter((one) => keys.some((key) => key.name === one.name)).map(expression),
    orderBy: [...momentOf(columns).flatMap((moment) => inOrder(expression(moment), term, typeOf)), ...then],
    type: INT,
    ...(frame && { frame }),
  }
  return { kind: 'window', alias, input, columns, calls: [call] }
}

/** Equal keys and equal numbers; and near enough, which tests the only row that is found. */
function matchingNumbers({ here }: Compared, [left, right]: readonly [string, string], term: AsOf<RowExpr>) {
  const column = (relation: string, { name, type }: NamedExpr): RelationColumn => relationColumn(relation, name, type)
  const near = momentOf(here).flatMap(
    (moment) => nearEnough(term, { value: column(left, moment), at: column(right, moment) }, moment.type) ?? [],
  )
  return [
    ...[...here.filter(isKey), NUMBER].map((each) => equal<RelationColumn>(column(left, each), column(right, each))),
    ...near.map((condition) => holds<RelationColumn>(condition)),
  ]
}
