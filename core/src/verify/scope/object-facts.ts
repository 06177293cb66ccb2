import { type DataType, INT, isNumeric, isTemporal } from '../../model/data-type.js'
import { type ColumnRef, leavesOf } from '../../model/expression/ast.js'
import type { DataObject, Measure } from '../../model/semantic-model.js'
import { binary, call, integer, text } from '../../resolve/expressions.js'
import type { Value } from '../../result/value-at.js'
import type { SelectItem, SqlExpr } from '../../sql/statement.js'
import { numberAt } from '../run-statement.js'
import { aggregate, item, sumWhere } from '../sql-parts.js'
import type { VerifyContext } from '../verify-context.js'
import { askTotals, type Row } from './ask-rows.js'

/** What the rows of an object say about one of its columns. */
export interface ColumnFacts {
  readonly name: string
  readonly type: DataType
  readonly present: number
  readonly distinct: number
  readonly min: Value
  readonly max: Value
  /** Different texts without regard to case and to white space at the ends. */
  readonly folded: number
  /** Times that are not at midnight. */
  readonly clocked: number
  /** Whole numbers that end like prices in cents, and those that end in 00. */
  readonly priced: number
  readonly whole: number
  /** Those that end in one below a round number: 49, 90, 95, 99. */
  readonly charmed: number
}

export interface ObjectFacts {
  readonly object: DataObject
  readonly rows: number
  readonly columns: readonly ColumnFacts[]
  /** Sums over its rows. */
  readonly sums: readonly Measure[]
}

/** The ends of prices in the hundredth of a unit. */
const CHARM_ENDS = [49, 90, 95, 99]
const PRICE_ENDS = [0, 50, ...CHARM_ENDS]

export const refOf = (object: string, column: string): ColumnRef => ({ kind: 'column', object, column })

/** One statement for all columns that a model can compare. */
export async function objectFacts(object: DataObject, context: VerifyContext): Promise<ObjectFacts> {
  const able = [...object.columns.values()].filter(({ type, source }) => source.kind === 'physical' && type.kind !== 'json')
  const wanted = Object.fromEntries(able.map(({ name }, i) => [`c${i}`, refOf(object.name, name)]))
  const row = await askTotals(
    { object: object.name, wanted },
    (reads) => [
      item('row_total', aggregate('count', [], INT), INT),
      ...able.flatMap(({ type }, i) => itemsOf(`c${i}`, type, reads[`c${i}`])),
    ],
    context,
  )
  return {
    object,
    rows: numberAt(row, 'row_total'),
    columns: able.map(({ name, type }, i) => factsAt(row, `c${i}`, name, type)),
    sums: sumsOf(object, context),
  }
}

function itemsOf(alias: string, type: DataType, read: SqlExpr | undefined): readonly SelectItem[] {
  if (read === undefined) return []
  const count = (name: string, conditions: readonly SqlExpr[]) => item(`${alias}_${name}`, sumWhere(integer(1), conditions), INT)
  const distinct = (name: string, value: SqlExpr) =>
    item(`${alias}_${name}`, { ...aggregate('count_distinct', [value], INT), distinct: true }, INT)
  const end = call('mod', read, integer(100))
  const isOrdered = isNumeric(type) || isTemporal(type) || type.kind === 'string'
  return [
    item(`${alias}_present`, aggregate('count', [read], INT), INT),
    distinct('distinct', read),
    ...(isOrdered
      ? [item(`${alias}_min`, aggregate('min', [read], type), type), item(`${alias}_max`, aggregate('max', [read], type), type)]
      : []),
    ...(type.kind === 'string' ? [distinct('folded', call('lower', call('trim', read)))] : []),
    ...(type.kind === 'timestamp' ? [count('clocked', [binary('<>', read, call('date_trunc', text('day'), read))])] : []),
    ...(type.kind === 'int'
      ? [
          count('priced', [{ kind: 'in', operand: end, list: PRICE_ENDS.map(integer) }]),
          count('charmed', [{ kind: 'in', operand: end, list: CHARM_ENDS.map(integer) }]),
          count('whole', [binary('=', end, integer(0))]),
        ]
      : []),
  ]
}

function factsAt(row: Row, alias: string, name: string, type: DataType): ColumnFacts {
  const count = (of: string) => numberAt(row, `${alias}_${of}`)
  return {
    name,
    type,
    present: count('present'),
    distinct: count('distinct'),
    min: row.get(`${alias}_min`) ?? null,
    max: row.get(`${alias}_max`) ?? null,
    folded: count('folded'),
    clocked: count('clocked'),
    priced: count('priced'),
    whole: count('whole'),
    charmed: count('charmed'),
  }
}

/** The sums of the model that add one value of each row of the object. */
const sumsOf = ({ name }: DataObject, { model }: VerifyContext): readonly Measure[] =>
  [...model.measures.values()].filter(
    ({ aggregation, inputs }) =>
      aggregation === 'sum' &&
      inputs.length === 1 &&
      inputs.flatMap((input) => leavesOf<ColumnRef>(input)).every((leaf) => leaf.object === name),
  )
