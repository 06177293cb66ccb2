import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Column, SemanticModel } from '../model/semantic-model.js'
import type { StoredColumn } from '../model/stored-column.js'
import type { TimeContext } from '../resolve/clock.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import type { RequestRuleOptions } from './request-rule.js'

/** The immutable input of binding. */
export interface BindContext {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly time: TimeContext
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly storedAs: StoredAs
  /** Without it, every rule is applied. */
  readonly rules?: RequestRuleOptions | undefined
}

/** How a column of a data object is stored, if it needs a conversion; `undefined` if it is stored as declared. */
export type StoredAs = (object: string, column: Column) => StoredColumn | undefined

export const asDeclared: StoredAs = () => undefined
