import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { SemanticModel } from '../model/semantic-model.js'
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
}
