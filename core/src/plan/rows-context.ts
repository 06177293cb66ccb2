import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Column, SemanticModel } from '../model/semantic-model.js'
import type { StoredColumn } from '../model/stored-column.js'
import type { Aliases } from '../resolve/aliases.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import type { TimeContext } from '../resolve/time-context.js'

/** What every part of the planner reads from. */
export interface RowsContext {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly time: TimeContext
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly aliases: Aliases
  readonly storedAs: StoredAs
}

/** How a column of a data object is stored, where a conversion is due; `undefined` where it is what it is declared as. */
export type StoredAs = (object: string, column: Column) => StoredColumn | undefined

export const asDeclared: StoredAs = () => undefined
