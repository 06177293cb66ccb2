import type { DataType } from '../model/data-type.js'
import type { Edge } from '../resolve/join-graph.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type { BridgeColumn, ReadExpr } from './read-column.js'
import type { Role } from './role.js'
import type { Rows } from './rows.js'

/** Rows that connect with those of a base, or with those of another bridge. */
export interface Bridge {
  readonly node: string
  /** The bridge that it hangs on; `undefined` where that is the base. */
  readonly parent: Bridge | undefined
  readonly rows: Rows
  readonly link: readonly Edge[]
  readonly to: LinkTarget
  /** Linked by the key of the object that the link leads to, which these rows scan themselves. */
  readonly byKey: boolean
  readonly conditions: readonly RowExpr[]
  /** Set when the bridge is a relation of its own; its columns are then read through this alias. */
  readonly alias: string | undefined
  /** Rows that read alike are one. */
  readonly distinct: boolean
  readonly weight: Weighing | undefined
}

/** The rows that a link leads to, and where it meets them: in their root, or for a declared bridge in an object that they reach. */
export interface LinkTarget {
  readonly rows: Rows
  readonly object: string
  readonly role: Role
}

/** What a row of a bridge weighs, where each brings a part of a base row. */
export interface Weighing {
  readonly expression: RowExpr
  readonly type: DataType
  /** Rows that read alike are made one, which weighs what they weigh together, under this name. */
  readonly sum: string | undefined
}

/** A value of the rows of a bridge, as it is read beside them. */
export const readOfBridge = ({ node, alias }: Bridge, value: BridgeColumn['value'], type: DataType): ReadExpr =>
  alias === undefined ? value : { kind: 'of-bridge', node, value, type }
