import type { Evaluator } from '../evaluator.js'
import type { ModelScope } from '../model-scope.js'
import type { NamedModel } from '../named-model.js'
import type { SelectStmt } from '../node.js'
import type { StatementContext } from '../reader.js'
import type { Leaves } from './leaves.js'
import type { Scope } from './scope.js'

/** What the writing of an expression works with. */
export interface Writer extends StatementContext {
  readonly evaluator: Evaluator
  /** A subquery, without its parentheses. */
  readonly select: (stmt: SelectStmt, scope: Scope) => string
}

/** What the writing of a statement works with. */
export interface StatementWriter<M extends NamedModel = NamedModel> extends Writer {
  readonly models: ModelScope<M>
  readonly leaves: Leaves<M>
}
