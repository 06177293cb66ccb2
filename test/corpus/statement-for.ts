import type { Dialect } from '../../core/src/sql/dialect.js'
import type { Statement } from '../../core/src/sql/statement.js'
import { compiledOnce } from './compiled-once.js'

/** The AST of the statement of a query before it is rendered; `undefined` if the dialect refuses it. */
export const statementFor = (query: object, dialect: Dialect): Statement | undefined => {
  const { statement, error } = compiledOnce(query, dialect)
  return error ? undefined : statement
}
