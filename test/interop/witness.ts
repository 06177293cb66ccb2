import type { Dialect } from '@grainline/core/dialect'

/** By the name of a test: why the available engine proves nothing there. The reason is printed when the test is skipped. */
export type Deviations = Readonly<Record<string, string>>

/** What checks the answers of a dialect in the interop suite, and where it does not. */
export interface Witness {
  readonly dialect: Dialect
  readonly engine: string
  /** The engine itself answers, or another one that implements its language, or only a parser is available. */
  readonly evidence: 'executed' | 'stand-in' | 'parsed'
  readonly deviations?: Deviations
  /** Why the answer to a statement is not evidence, if a substitute has faults. */
  readonly unproven?: (sql: string) => string | undefined
}
