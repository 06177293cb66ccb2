import type { Server } from '../host/server.js'
import { watchStrayErrors } from '../host/stray-errors.js'

/** Closes a server at the first of these events, or after an exception that no code has caught. Resolves to the exit code. */
export async function serveUntil({ app, close }: Server, events: readonly Promise<string>[]): Promise<number> {
  const stray = watchStrayErrors(app.grainline.inspect().plugins, app.log)
  try {
    const reason = await Promise.race([...events, stray.thrown])
    app.log.info(`${reason ?? 'After the error'}: closing`)
    await close()
    return reason === undefined ? 1 : 0
  } finally {
    stray.forget()
  }
}
