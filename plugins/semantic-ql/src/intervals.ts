/** Constant intervals, added to a timestamp. */
import { binaryOf as binary, INT, isTemporal, type Literal, literalOf as literal, STRING } from '@grainline/core/language'
import { bodyOf, type Node, type TypeCast, wordsOf } from './grammar/node.js'
import { folded, whole } from './moments.js'
import { type ExpressionReader, isLiteral, type NameExpr, placeOf, typeOfExpr } from './reader.js'
import { unsupported } from './refusal.js'

interface IntervalPart {
  readonly unit: string
  readonly count: number
}

const UNITS: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  year: ['year', 1],
  quarter: ['quarter', 1],
  month: ['month', 1],
  mon: ['month', 1],
  week: ['week', 1],
  day: ['day', 1],
  hour: ['hour', 1],
  minute: ['minute', 1],
  min: ['minute', 1],
  second: ['second', 1],
  sec: ['second', 1],
}

/** How the grammar encodes the fields of a text such as `INTERVAL '1' MONTH`. */
const FIELD_BITS: Readonly<Record<number, string>> = {
  2: 'month',
  4: 'year',
  8: 'day',
  1024: 'hour',
  2048: 'minute',
  4096: 'second',
}

/** The parts of an interval constant; `undefined` when the node is none. */
export function intervalOf(node: Node | undefined): readonly IntervalPart[] | undefined {
  const cast = bodyOf(node, 'TypeCast')
  if (cast === undefined || wordsOf(cast.typeName?.names).at(-1) !== 'interval') return undefined
  const text = bodyOf(cast.arg, 'A_Const')?.sval?.sval
  if (text === undefined) return undefined
  const bits = bodyOf(cast.typeName?.typmods?.[0], 'A_Const')?.ival?.ival
  return partsOf(bits === undefined ? text : `${text} ${FIELD_BITS[bits] ?? '?'}`)
}

const PART = /([+-]?\d{1,9})\s*([a-z]+)\s*/iy

function partsOf(text: string): readonly IntervalPart[] {
  const parts: IntervalPart[] = []
  const trimmed = text.trim()
  PART.lastIndex = 0
  for (let found = PART.exec(trimmed); found; found = PART.exec(trimmed)) {
    const known = UNITS[(found[2] ?? '').toLowerCase().replace(/s$/, '')]
    if (!known) return []
    parts.push({ unit: known[0], count: Number(found[1]) * known[1] })
    if (PART.lastIndex === trimmed.length) return parts
  }
  return []
}

/** An interval, multiplied by a count if there is one. */
interface Times<Count> {
  readonly parts: readonly IntervalPart[]
  readonly count: Count | undefined
}

/** `INTERVAL '5 minutes'`, `n * INTERVAL '5 minutes'` or the other way round, `(n || ' minutes')::interval`; `undefined` when the node is none. */
export function timesOf(node: Node | undefined): Times<Node> | undefined {
  const alone = intervalOf(node)
  if (alone) return { parts: alone, count: undefined }
  const joined = countedOf(node)
  if (joined) return joined
  const { kind, name, lexpr, rexpr } = bodyOf(node, 'A_Expr') ?? {}
  if (kind !== 'AEXPR_OP' || wordsOf(name)[0] !== '*') return undefined
  const [left, right] = [intervalOf(lexpr), intervalOf(rexpr)]
  const parts = left ?? right
  return parts && { parts, count: left ? rexpr : lexpr }
}

/** The text of a number and a unit, as an interval. */
function countedOf(node: Node | undefined): Times<Node> | undefined {
  const cast = bodyOf(node, 'TypeCast')
  if (cast === undefined || !isTyped(cast, ['interval'])) return undefined
  const { name, lexpr, rexpr } = bodyOf(cast.arg, 'A_Expr') ?? {}
  const unit = bodyOf(rexpr, 'A_Const')?.sval?.sval
  if (wordsOf(name)[0] !== '||' || lexpr === undefined || unit === undefined) return undefined
  const text = bodyOf(lexpr, 'TypeCast')
  const count = text && isTyped(text, ['text', 'varchar', 'bpchar']) ? text.arg : lexpr
  return { parts: partsOf(`1 ${unit}`), count }
}

const isTyped = ({ typeName }: TypeCast, names: readonly string[]): boolean =>
  names.includes(wordsOf(typeName?.names).at(-1) ?? '')

/** A timestamp some periods later, or earlier for `-`. */
export function moved(
  moment: NameExpr,
  { parts, count: times }: Times<NameExpr>,
  symbol: string,
  reader: ExpressionReader,
  node: Node,
): NameExpr {
  const at = placeOf(reader, node)
  if (parts.length === 0)
    unsupported('INTERVAL', 'This interval is not understood', { at, rewrite: "one such as INTERVAL '3 months'" })
  if (!isTemporal(typeOfExpr(moment, reader)) || (symbol !== '+' && symbol !== '-'))
    return unsupported('INTERVAL', 'An interval can be added to a date or timestamp and subtracted from one', { at })
  const sign = symbol === '-' ? -1 : 1
  return parts.reduce<NameExpr>((from, { unit, count }) => {
    const number = literal(sign * count, INT)
    const counted = times === undefined ? number : product(number, whole(times, reader))
    return folded('date_add', [literal(unit, STRING), counted, from])
  }, moment)
}

const product = (left: Literal, right: NameExpr): NameExpr =>
  isLiteral(right) ? literal(Number(left.value) * Number(right.value), INT) : binary('*', left, right)
