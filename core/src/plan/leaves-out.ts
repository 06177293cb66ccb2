import type { Condition } from '../bind/bound-block.js'
import { isSame } from '../same.js'
import { isPresence } from './null-rejecting.js'

/** Whether conditions lack one of others. A condition that a value exists does not count, because hardly any row fails it. */
export const leavesOut = (own: readonly Condition[], others: readonly Condition[]): boolean =>
  others.some(({ expression }) => !isPresence(expression) && !own.some((one) => isSame(one.expression, expression)))
