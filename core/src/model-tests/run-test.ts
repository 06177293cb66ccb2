import type { TestDocument } from '../model/document.js'
import { type Answer, compareAnswer } from './compare-answer.js'

export interface TestOutcome {
  readonly name: string
  /** Place in the model's `tests`. */
  readonly index: number
  /** `error`: the query failed; `failed`: the answer differs. */
  readonly status: 'passed' | 'failed' | 'error'
  /** The differences, one line each; empty if it passed. */
  readonly differences: readonly string[]
  readonly milliseconds: number
}

/** Runs the query of the test and compares the answer. Never rejects: errors are part of the result. */
export async function runTest(test: TestDocument, index: number, ask: (query: unknown) => Promise<Answer>): Promise<TestOutcome> {
  const started = performance.now()
  const ended = (status: TestOutcome['status'], differences: readonly string[]): TestOutcome => ({
    name: test.name,
    index,
    status,
    differences,
    milliseconds: performance.now() - started,
  })
  const wanted = test.expect?.error
  try {
    const answer = await ask(test.query)
    if (wanted !== undefined)
      return ended('failed', [`expected the error ${wanted}, found an answer of ${answer.rows.length} rows`])
    const differences = compareAnswer(test.expect ?? {}, answer, isOrdered(test.query))
    return ended(differences.length === 0 ? 'passed' : 'failed', differences)
  } catch (error) {
    const code = codeOf(error)
    if (wanted !== undefined && code === wanted) return ended('passed', [])
    const found = `${code === undefined ? '' : `${code}: `}${error instanceof Error ? error.message : String(error)}`
    return wanted === undefined ? ended('error', [found]) : ended('failed', [`expected the error ${wanted}, found ${found}`])
  }
}

/** The code of an error, of this process or of a server. */
const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

const isOrdered = (query: unknown): boolean =>
  ['order_by', 'orderBy'].some((key) => {
    const order = (query as Readonly<Record<string, unknown>> | null)?.[key]
    return Array.isArray(order) && order.length > 0
  })
