import type { Logger } from '../logger.js'

export interface ClosingStep {
  /** The owner of the step, for the log. */
  readonly what: string
  readonly run: () => void | Promise<void>
}

/** Runs one step of closing. A failure is logged; a step that hangs is logged and abandoned after `milliseconds`. Never rejects. */
export async function closeStep({ what, run }: ClosingStep, milliseconds: number, logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<'hung'>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'hung')
  })
  try {
    const outcome = await Promise.race([Promise.resolve().then(run), deadline])
    if (outcome === 'hung')
      logger.error({ step: what, milliseconds }, `${what} did not close within ${milliseconds} ms; closing goes on`)
  } catch (err) {
    logger.error({ err, step: what }, `${what} failed while closing; closing goes on`)
  } finally {
    clearTimeout(timer)
  }
}
