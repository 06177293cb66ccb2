import type { BindContext } from './bind-context.js'
import type { DividedTime } from './block-request.js'
import type { Bridge } from './bridge.js'
import { type BridgesRead, bridgesBeside } from './bridges.js'
import { type Facts, linkOf } from './facts.js'
import { type Rows, rowsOf } from './rows.js'
import { rowsInDays } from './rows-in-days.js'

/** The rows that a block reads, before any of their columns is read. */
export interface Reading extends BridgesRead {
  readonly base: string
  readonly facts?: Facts | undefined
  readonly inDays?: DividedTime
}

/**
 * The rows of a base with its connections: bridge rows are joined outward, with the base on the left, so that a base row without any connection
 * gets one all-NULL row. Bridges of one chain are joined to each other, unrelated bridges are each joined to the base.
 */
export interface ConnectedRows {
  readonly base: Rows
  readonly bridges: readonly Bridge[]
  readonly facts: Facts | undefined
}

/** Throws `AMBIGUOUS_JOIN`. */
export function connectedRows(context: BindContext, reading: Reading): ConnectedRows {
  const { facts } = reading
  const plain = rowsOf(context, reading.base, { isBase: true, linkedBy: facts && linkOf(facts) })
  const base = reading.inDays ? rowsInDays(plain, reading.inDays) : plain
  return { base, bridges: bridgesBeside(base, reading), facts }
}
