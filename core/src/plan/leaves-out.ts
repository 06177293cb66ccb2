import type { Condition } from '../bind/bound-block.js'
import { isSame } from '../same.js'
import { isPresence } from './null-rejecting.js'

/** Whether conditions leave out one of others: but for that a value is there, which hardly any row fails. */
export const leavesOut = (own: readonly Condition[], others: readonly Condition[]): boolean =>
  others.some(({ expression }) => !isPresence(expression) && !own.some((one) => isSame(one.expression, expression)))
