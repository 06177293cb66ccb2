import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { StoredTypes } from '../model/stored-column.js'
import type { TimeContext } from '../resolve/clock.js'
import type { ResultSchema } from '../result/record-batch.js'
import type { Value } from '../result/value-at.js'
import type { Dialect } from '../sql/dialect.js'

/** The rows of a statement as values, in the order of the schema. */
export type Ask = (sql: string, schema: ResultSchema) => Promise<readonly (readonly Value[])[]>

export interface VerifyContext {
  readonly model: SemanticModel
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly now: Date
  readonly time: TimeContext
  readonly ask: Ask
  /** As in `CompileContext`. */
  readonly storedTypes: StoredTypes
}
