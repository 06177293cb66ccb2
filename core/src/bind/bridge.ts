import type { DataType } from '../model/data-type.js'
import type { Edge } from '../resolve/join-graph.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type { BridgeColumn, ReadExpr } from './read-column.js'
import type { Role } from './role.js'
import type { Rows } from './rows.js'

/** Rows that connect with those of a base, or with those of another bridge. */
export interface Bridge {
  readonly node: string
  /** Its parent bridge; `undefined` if its parent is the base. */
  readonly parent: Bridge | undefined
  readonly rows: Rows
  readonly link: readonly Edge[]
  readonly to: LinkTarget
  /** Of its own rows. */
  readonly conditions: readonly RowExpr[]
  /** Of the rows that it is linked to: without them, these have no row of the bridge. */
  readonly conditionsOnTarget: readonly RowExpr[]
  /** Set if the bridge is a separate relation; its columns are then read through this alias. */
  readonly alias: string | undefined
  /** Equal rows are one. */
  readonly distinct: boolean
  readonly weight: Weighing | undefined
}

/** The target rows of a link, and the object at which they are joined: their root, or for a declared bridge an object that they reach. */
export interface LinkTarget {
  readonly rows: Rows
  readonly object: string
  readonly role: Role
}

/** The weight of a row of a bridge, if each row has a part of a base row. */
export interface Weighing {
  readonly expression: RowExpr
  readonly type: DataType
  /** Equal rows become one. This is the name of the sum of their weights. */
  readonly sum: string | undefined
}

/** A value of the rows of a bridge, as read from outside. */
export const readOfBridge = ({ node, alias }: Bridge, value: BridgeColumn['value'], type: DataType): ReadExpr =>
  alias === undefined ? value : { kind: 'of-bridge', node, value, type }
