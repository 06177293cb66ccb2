import type { VendorConnection } from '../execute/vendor.js'
import { codeOf } from '../invariant.js'

/** How long the database may take to answer, in milliseconds. */
const LIMIT_MS = 5_000
/** A database that did not answer is asked again after this time. */
const AGAIN_MS = 2_000

/** Its time, and how long an answer of the database counts, in milliseconds; 0 means until a statement fails. */
export interface ReachabilityOptions {
  readonly now: () => number
  readonly countsMs: number
}

/**
 * Whether a database has answered lately. It is asked to check a statement, which no engine runs: a warehouse that sleeps need not wake up. Any number
 * of callers share one question.
 */
export class Reachability {
  #answeredAt: number | undefined
  #failedAt: number | undefined
  #asking: Promise<boolean> | undefined

  constructor(
    private readonly connect: () => Promise<VendorConnection>,
    private readonly options: ReachabilityOptions,
  ) {}

  /** Never rejects. */
  isReachable(): Promise<boolean> {
    const { now, countsMs } = this.options
    if (this.#answeredAt !== undefined && (countsMs === 0 || now() - this.#answeredAt < countsMs)) return Promise.resolve(true)
    if (this.#failedAt !== undefined && now() - this.#failedAt < AGAIN_MS) return Promise.resolve(false)
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /** A statement has failed: the next caller asks. */
  doubt(): void {
    this.#answeredAt = undefined
  }

  async #ask(): Promise<boolean> {
    const answers = await within(this.#answers())
    if (answers) this.#answeredAt = this.options.now()
    this.#failedAt = answers ? undefined : this.options.now()
    return answers
  }

  async #answers(): Promise<boolean> {
    try {
      await (await this.connect()).check('SELECT 1')
      return true
    } catch (error) {
      // All connections are busy, so there are some.
      return codeOf(error) === 'POOL_EXHAUSTED'
    }
  }
}

function within(answers: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), LIMIT_MS)
    timer.unref()
  })
  return Promise.race([answers, late]).finally(() => clearTimeout(timer))
}
