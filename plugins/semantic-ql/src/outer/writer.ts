import type { Finding } from '@grainline/core'
import type { Evaluator, ModelScope, NamedModel } from '@grainline/core/language'

import type { SelectStmt } from '../node.js'
import type { StatementContext } from '../reader.js'
import type { ModelQueries } from './model-queries.js'
import type { Scope } from './scope.js'

/** What the writing of an expression works with. */
export interface Writer extends StatementContext {
  readonly evaluator: Evaluator
  /** A subquery, without its parentheses. */
  readonly select: (stmt: SelectStmt, scope: Scope) => string
}

/** The relations that a statement may read. */
export interface Reads<M extends NamedModel> extends StatementContext {
  readonly models: ModelScope<M>
}

/** What the writing of a statement works with. */
export interface StatementWriter<M extends NamedModel = NamedModel> extends Writer, Reads<M> {
  readonly notices: Finding[]
  readonly modelQueries: ModelQueries<M>
}
