import { type CompiledQuery, GrainlineError, type SemanticModel } from '@grainline/core'
import type { LogicalPlan } from '../../core/src/plan/logical-plan.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import type { Statement } from '../../core/src/sql/statement.js'
import { loadText } from '../support/compile.js'
import { compileFor, modelText } from './corpus.js'

/** What the compiler makes of a question for a dialect. If the dialect refuses it, there is an error, and perhaps a plan. */
export interface CompiledQuestion {
  readonly plan?: LogicalPlan | undefined
  /** Before it is rendered. */
  readonly statement?: Statement | undefined
  readonly compiled?: CompiledQuery | undefined
  readonly error?: GrainlineError | undefined
}

let model: SemanticModel | undefined
const known = new WeakMap<object, Map<Dialect, CompiledQuestion>>()

/** The model of the corpus, loaded once per process. */
export const corpusModel = (): SemanticModel => (model ??= loadText(modelText()))

/** A question of the corpus, compiled once per process for each dialect: several suites look at the same statement. */
export function compiledOnce(query: object, dialect: Dialect): CompiledQuestion {
  const ofQuery = known.get(query) ?? new Map<Dialect, CompiledQuestion>()
  known.set(query, ofQuery)
  const outcome = ofQuery.get(dialect) ?? compiledNow(query, dialect)
  ofQuery.set(dialect, outcome)
  return outcome
}

function compiledNow(query: object, dialect: Dialect): CompiledQuestion {
  let plan: LogicalPlan | undefined
  let statement: Statement | undefined
  try {
    const compiled = compileFor(dialect, query, corpusModel(), (stage, value) => {
      if (stage === 'plan') plan = value as LogicalPlan
      if (stage === 'lowered') statement = value as Statement
      return value
    })
    return { plan, statement, compiled }
  } catch (error) {
    if (error instanceof GrainlineError) return { plan, error }
    throw error
  }
}
