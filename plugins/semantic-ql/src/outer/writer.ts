import type { Finding } from '@grainline/core'
import type { Evaluator, ModelScope, NamedModel, WeekStart } from '@grainline/core/language'

import type { SelectStmt } from '../grammar/node.js'
import type { StatementContext } from '../reader.js'
import type { ModelQueries } from './model-queries.js'
import type { Scope } from './scope.js'

/** The context for writing an expression. */
export interface Writer extends StatementContext {
  readonly evaluator: Evaluator
  /** The days on which weeks begin, each with a model of the statement. */
  readonly weekStarts: () => ReadonlyMap<WeekStart, string>
  /** A subquery, without its parentheses. */
  readonly select: (stmt: SelectStmt, scope: Scope) => string
}

/** The relations that a statement can read. */
export interface Reads<M extends NamedModel> extends StatementContext {
  readonly models: ModelScope<M>
}

/** The context for writing a statement. */
export interface StatementWriter<M extends NamedModel = NamedModel> extends Writer, Reads<M> {
  readonly notices: Finding[]
  readonly modelQueries: ModelQueries<M>
}
