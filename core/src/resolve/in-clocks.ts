import { type DataType, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { type Cast, type Expr, isInner, mapOperands } from '../model/expression/ast.js'
import { shownType } from '../model/expression/value-type.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { onClocks } from './bucket.js'
import type { TimeContext } from './clock.js'
import { call, text } from './expressions.js'

/** A value and its type. */
export interface Typed<M> {
  readonly expression: Expr<M>
  readonly type: DataType
}

/** The expression of a model or a query, and the type of its value. */
interface Written<L> {
  readonly expression: Expr<L>
  readonly type: DataType
}

interface Clocks {
  readonly time: TimeContext
  readonly functions: ReadonlyMap<string, FunctionSpec>
}

/**
 * An expression over what `read` returns for its leaves: each time in it is the local time that clocks in the zone of the query show, and a
 * value that is declared as an instant is named by its local time. An expression that is only a leaf is that leaf, unconverted.
 */
export function inClocks<L extends { readonly kind: string }, M>(
  { expression, type }: Written<L>,
  { time, functions }: Clocks,
  read: (leaf: L) => Typed<M>,
): Expr<M> {
  const shownLeaf = (leaf: L): Expr<M> => {
    const { expression: value, type: own } = read(leaf)
    return onClocks(value, own, time).value
  }
  if (!isInner<L>(expression)) {
    const found = read(expression)
    return found.type.kind === type.kind ? found.expression : named(shownLeaf(expression), type, time)
  }
  const typeOfLeaf = (leaf: L): DataType => read(leaf).type
  const go = (e: Expr<L>): Expr<M> => {
    if (!isInner<L>(e)) return shownLeaf(e)
    return e.kind === 'cast' && e.type.kind === 'timestamp_tz' ? ofCast(e) : mapOperands<L, M>(e, go)
  }
  /** A text may name any instant. Anything else is a local time already. */
  const ofCast = ({ operand, ...cast }: Cast<L>): Expr<M> => {
    const isText = shownType(operand, typeOfLeaf, functions).kind === 'string'
    if (!isText) return { ...cast, operand: go(operand), type: TIMESTAMP }
    return onClocks<M>({ ...cast, operand: go(operand) }, TIMESTAMP_TZ, time).value
  }
  const isTime = type.kind === 'timestamp_tz' && shownType(expression, typeOfLeaf, functions).kind === 'timestamp'
  return isTime ? named(go(expression), type, time) : go(expression)
}

/** A local time as a value of `type`. */
const named = <M>(shown: Expr<M>, { kind }: DataType, { zone }: TimeContext): Expr<M> =>
  kind === 'timestamp_tz' ? call('from_zone', shown, text(zone)) : shown
