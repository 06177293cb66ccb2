import type { ArrivedColumn, RowSession, TextRow } from '@grainline/core/vendor'
import type { Driver } from './driver.js'
import { faultOf } from './errors.js'
import type { TrinoPlan } from './options.js'
import { type Page, rowsOf } from './page.js'
import { openClient } from './protocol.js'

/** One place of the pool: the protocol keeps no state between statements, so each sends everything that it needs. */
export function openSession(plan: TrinoPlan, driver: Driver): RowSession {
  const client = openClient(plan, driver)
  let usable = true
  /** The address of the next page of the running statement. */
  let running: string | undefined
  let ending: Promise<unknown> = Promise.resolve()

  /** Runs an internal statement to its end, without cancellation. Returns the transaction that it began. */
  async function run(sql: string, transaction: string): Promise<string | undefined> {
    let began: string | undefined
    for (let made = await client.start(sql, transaction); ; made = await client.next(made.page.nextUri)) {
      began ??= made.began
      if (made.page.error) throw faultOf(made.page.error)
      if (made.page.nextUri === undefined) return began
    }
  }

  async function* pages(sql: string, transaction: string | undefined): AsyncGenerator<Page, void> {
    let { page } = await client.start(sql, transaction)
    for (;;) {
      running = page.nextUri
      if (page.error) throw faultOf(page.error)
      yield page
      if (page.nextUri === undefined) return
      page = (await client.next(page.nextUri)).page
    }
  }

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
  ): AsyncGenerator<readonly TextRow[], void> {
    const transaction = plan.readOnly ? await run('START TRANSACTION READ ONLY', 'NONE') : undefined
    let announced = false
    try {
      for await (const page of pages(sql, transaction)) {
        if (!announced && page.columns) announce(page.columns)
        announced ||= page.columns !== undefined
        yield* rowsOf(page, driver)
      }
      if (!announced) announce([])
    } finally {
      // An abandoned statement runs on in the cluster until it is cancelled.
      await cancel().catch(() => {})
      running = undefined
      // A transaction that is not ended here expires after some idle minutes.
      if (transaction !== undefined) ending = Promise.allSettled([ending, run('ROLLBACK', transaction)])
    }
  }

  async function cancel(): Promise<void> {
    if (running !== undefined) await client.stop(running)
  }

  return {
    rows,
    cancel,
    get usable() {
      return usable
    },
    destroy() {
      usable = false
      client.destroy()
    },
    async close() {
      usable = false
      await ending
      await client.close()
    },
  }
}
