/** The context for reading a statement. */

import type { DataType } from '@grainline/core'
import {
  type Catalogue,
  type Clock,
  type Expr,
  type Grain,
  isLiteral,
  type NamedModel,
  type SqlParameter,
  typeOf,
} from '@grainline/core/language'
import { type ColumnRef, type FuncCall, locationOf, type Node } from './grammar/node.js'
import type { ParsedSql } from './grammar/parse-sql.js'
import { type Place, refuse } from './refusal.js'
import type { RelationColumns } from './relation-columns.js'

export interface StatementContext extends Catalogue {
  readonly sql: ParsedSql
  readonly parameters: readonly SqlParameter[]
  /** The time at which the statement was sent. A reading that asks it is not kept. */
  readonly now: () => Date
  /** The columns of `*`, for the relations that a statement with one reads. */
  readonly relationColumns: ReadonlyMap<NamedModel, RelationColumns>
}

/** A name in an expression: `text` is how a query writes it. */
export interface NameLeaf {
  readonly kind: 'name'
  readonly text: string
  readonly role: 'dimension' | 'measure' | 'column'
  readonly type: DataType
  /** False for a dimension at another grain than it declares. */
  readonly isDeclared: boolean
  /** The grain of a dimension that is shown by periods. */
  readonly grain?: Grain | undefined
}

export type NameExpr = Expr<NameLeaf>

/** Reads the expressions of one relation. */
export interface ExpressionReader extends StatementContext {
  /** The model's time zone. */
  readonly zone: string
  /** The local time of the model's zone. */
  readonly clock: () => Clock
  /** The seconds are converted back to a timestamp, so the zone does not matter. */
  readonly readsEpochs?: boolean
  readonly name: (column: ColumnRef) => NameLeaf
  /** True if a plain filter can use the name: filters compare at the declared grain. */
  readonly carries: (leaf: NameLeaf) => boolean
  /** The grains of a dimension, including those of the model's calendars. */
  readonly grains: ReadonlyMap<string, Grain>
  /** A dimension at a grain; `undefined` if its declared grain does not nest in it. */
  readonly bucket: (leaf: NameLeaf, grain: Grain) => NameLeaf | undefined
  /** The measure of an aggregate around a column; `undefined` if the call is not an aggregate. */
  readonly measure: (call: FuncCall) => NameLeaf | undefined
}

export const placeOf = ({ sql }: StatementContext, node: Node | undefined): Place | undefined => sql.place(locationOf(node))

export const typeOfExpr = (expr: NameExpr, { functions }: Catalogue): DataType =>
  typeOf<NameLeaf>(expr, (leaf) => leaf.type, functions)

/** The value of a parameter as a literal. Throws `UNBOUND_PARAMETER`. */
export function parameterOf(number: number, { parameters }: StatementContext, at: Place | undefined): SqlParameter {
  const parameter = parameters[number - 1]
  if (parameter !== undefined) return parameter
  const given = parameters.length === 1 ? '1 value is' : `${parameters.length} values are`
  return refuse('UNBOUND_PARAMETER', `$${number} has no value; ${given} given`, { at })
}

export { isLiteral }
