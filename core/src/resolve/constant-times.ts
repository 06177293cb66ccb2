/** Days and times in a condition that are known when it is resolved: today, the first day of its month, a year before it. */
import { DATE, type DataType } from '../model/data-type.js'
import { type Call, type Expr, isInner, isLiteral, replaceNodes } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import { timeLiteral } from './bucket.js'
import { currentPeriod } from './clock.js'
import { find } from './lookup.js'
import { movedTime } from './moved-range.js'
import type { ResolveContext } from './resolved-query.js'
import { floor, isSubDay, type Micros, parseTime } from './time.js'

interface Known {
  readonly at: Micros
  readonly type: DataType
}

type Context = Pick<ResolveContext, 'model' | 'time' | 'readClock'>

/**
 * The condition with literals in place of these, so that it bounds the times that are read and compared, as a condition that is written with dates
 * does.
 */
export const withConstantTimes = <L extends { readonly kind: string }>(expression: Expr<L>, context: Context): Expr<L> =>
  replaceNodes(expression, (node) => {
    if (node.kind !== 'call' && node.kind !== 'cast') return undefined
    const known = knownTime(node, context)
    return known && isWritten(known.at) ? timeLiteral<L>(known.at, known.type) : undefined
  })

function knownTime<L extends { readonly kind: string }>(node: Expr<L>, context: Context): Known | undefined {
  if (!isInner<L>(node)) return undefined
  switch (node.kind) {
    case 'literal':
      return literalTime(node.value, node.type)
    case 'call':
      return timeOfCall(node, context)
    case 'cast': {
      const known = isPlain(node.type) ? knownTime(node.operand, context) : undefined
      return known && { at: node.type.kind === 'date' ? floor(known.at, 'day', 'monday') : known.at, type: node.type }
    }
    default:
      return undefined
  }
}

const isPlain = ({ kind }: DataType): boolean => kind === 'date' || kind === 'timestamp'

function literalTime(value: unknown, type: DataType): Known | undefined {
  const at = isPlain(type) && value !== null ? parseTime(String(value))?.micros : undefined
  return at === undefined ? undefined : { at, type }
}

function timeOfCall<L extends { readonly kind: string }>({ name, args }: Call<L>, context: Context): Known | undefined {
  const { time, readClock } = context
  if (name === 'current_date') {
    readClock('day')
    return { at: currentPeriod(time.clock, 'day'), type: DATE }
  }
  const unit = unitOf(args[0], context)
  if (unit === undefined) return undefined
  if (name === 'date_trunc') {
    const known = args[1] && knownTime(args[1], context)
    return known && { at: floor(known.at, unit, time.weekStart), type: DATE }
  }
  const count = name === 'date_add' ? wholeNumber(args[1]) : undefined
  const known = count === undefined ? undefined : args[2] && knownTime(args[2], context)
  return known && { ...known, at: movedTime(known.at, unit, count!, time.weekStart) }
}

/** A day or longer: shorter units are counted in instants. */
function unitOf<L>(unit: Expr<L> | undefined, { model }: Context): Grain | undefined {
  const name = unit && isLiteral(unit as { readonly kind: string }) ? (unit as { readonly value?: unknown }).value : undefined
  const grain = typeof name === 'string' ? find(name, model.grains) : undefined
  return grain === undefined || isSubDay(grain) ? undefined : grain
}

function wholeNumber<L extends { readonly kind: string }>(count: Expr<L> | undefined): number | undefined {
  if (count === undefined || !isInner<L>(count)) return undefined
  if (count.kind === 'unary' && count.operator === '-') {
    const of = wholeNumber(count.operand)
    return of === undefined ? undefined : -of
  }
  const value = count.kind === 'literal' ? Number(count.value) : Number.NaN
  return Number.isInteger(value) && Math.abs(value) < FARTHEST ? value : undefined
}

const FARTHEST = 10_000

const [FIRST, LAST] = ['0001-01-02', '9999-12-30'].map((day) => parseTime(day)!.micros) as [Micros, Micros]
const isWritten = (at: Micros): boolean => at > FIRST && at < LAST
