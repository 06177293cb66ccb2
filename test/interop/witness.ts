import type { Dialect } from '@grainline/core/dialect'

/** By the name of a test: why the available engine proves nothing there. It is printed where the test is skipped. */
export type Deviations = Readonly<Record<string, string>>

/** What vouches for the answers of a dialect in the interop suite, and where it does not. */
export interface Witness {
  readonly dialect: Dialect
  readonly engine: string
  /** The engine itself answers, or another one that reads its language, or only a parser is available. */
  readonly evidence: 'executed' | 'stand-in' | 'parsed'
  readonly deviations?: Deviations
  /** Why the answer to a statement is no evidence, where a stand-in has faults of its own. */
  readonly unproven?: (sql: string) => string | undefined
}
