/** The laws of `test/time/laws.ts` on a real engine. LAWS_CASES=40 asks ten times as many as a change. */
import { GrainlineError } from '@grainline/core'
import { compileFor } from '../corpus/corpus.js'
import { amount } from '../support/amount.js'
import { Beyond, lawsOn } from '../time/laws.js'
import { type OpenEngine, type SuiteTest, sampled, withEngine } from './suites.js'

/** What an engine cannot plan, which docs/how-it-is-tested.md names. */
interface Beyonds {
  readonly isBeyond?: (error: Error) => boolean
  readonly leavesOut?: RegExp
  /** In how many parts the laws are asked, each by another commit, where they take long. */
  readonly parts?: number
}

export const timeLawsOn = (t: SuiteTest, open: OpenEngine, { isBeyond, leavesOut, parts = 1 }: Beyonds = {}): Promise<void> =>
  withEngine(t, open, (engine) =>
    lawsOn(
      t,
      {
        load: engine.load,
        leavesOut,
        async ask(query, model) {
          const { sql, columns } = unlessBeyond(() => compileFor(engine.dialect, query, model), engine.refuses)
          if (engine.unproven?.(sql)) throw new Beyond()
          const answer = engine.ask(sql, columns).catch((error: Error) => {
            throw isBeyond?.(error) ? new Beyond() : error
          })
          return (await answer).rows
        },
      },
      sampled({ cases: amount(2, 20), parts }, { cases: 1, parts: 4 }),
    ),
  )

function unlessBeyond<T>(make: () => T, refuses: ((error: GrainlineError) => boolean) | undefined): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof GrainlineError && refuses?.(error)) throw new Beyond()
    throw error
  }
}
