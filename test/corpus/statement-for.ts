import { parseModelSync } from '@grainline/core/unstable'
import { GrainlineError } from '../../core/src/errors.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import type { Statement } from '../../core/src/sql/statement.js'
import { compileFor, modelText } from './corpus.js'

const { model } = parseModelSync({ text: modelText() })
if (!model) throw new Error('the model of the corpus does not load')

/** The AST of the statement of a query before it is rendered; `undefined` if the dialect refuses it. */
export function statementFor(query: unknown, dialect: Dialect): Statement | undefined {
  let last: unknown
  try {
    compileFor(dialect, query, model!, (stage, value) => {
      if (stage === 'lowered') last = value
      return value
    })
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
  return last as Statement
}
