import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ErrorCode, type Finding, GrainlineError, warning } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'

/** A warning for every example, and every test, whose query does not compile. Yields to other work between them. */
export async function checkExamples(model: SemanticModel, compileQuery: (query: unknown) => unknown): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { code, what, path, query, expected } of questionsOf(model)) {
    const fault = faultOf(() => compileQuery(query))
    if (fault && fault.code !== expected) found.push(invalid(code, what, path, fault))
    await nextTurn()
  }
  return found
}

interface Question {
  readonly code: ErrorCode
  readonly what: string
  readonly path: string
  readonly query: unknown
  /** The error code that a test expects. */
  readonly expected?: string | undefined
}

function* questionsOf({ examples, document }: SemanticModel): Iterable<Question> {
  for (const [i, { name, query }] of examples.entries())
    yield { code: 'INVALID_EXAMPLE', what: `Example '${name}'`, path: `examples[${i}]`, query }
  // What somebody may not see is an error for it alone.
  for (const [i, { name, query, expect, as }] of (document.tests ?? []).entries())
    if (as === undefined || expect?.error === undefined)
      yield { code: 'INVALID_TEST', what: `Test '${name}'`, path: `tests[${i}]`, query, expected: expect?.error }
}

function invalid(code: ErrorCode, what: string, place: string, fault: GrainlineError): Finding {
  const path = `${place}.query${fault.path && `.${fault.path}`}`
  return warning(code, `${what} does not compile: ${fault.message}`, { path, context: { code: fault.code } })
}

function faultOf(run: () => unknown): GrainlineError | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof GrainlineError) return error
    throw error
  }
}
