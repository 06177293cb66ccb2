import type { BindContext } from './bind-context.js'
import type { Bridge } from './bridge.js'
import { type BridgesRead, bridgesBeside } from './bridges.js'
import { type Facts, linkOf } from './facts.js'
import { type Rows, rowsOf } from './rows.js'

/** The rows that a block reads, before anything is read of them. */
export interface Reading extends BridgesRead {
  readonly base: string
  readonly facts?: Facts | undefined
}

/**
 * The rows of a base with its connections: bridge rows joined outward, the base on the left, so that a base row without any connection
 * meets one all-NULL row. Bridges on one chain hang on each other, unrelated ones hang on the base side by side.
 */
export interface ConnectedRows {
  readonly base: Rows
  readonly bridges: readonly Bridge[]
  readonly facts: Facts | undefined
}

/** Throws `AMBIGUOUS_JOIN`. */
export function connectedRows(context: BindContext, reading: Reading): ConnectedRows {
  const { facts } = reading
  const base = rowsOf(context, reading.base, { isBase: true, linkedBy: facts && linkOf(facts) })
  return { base, bridges: bridgesBeside(base, reading), facts }
}
