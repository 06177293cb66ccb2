/** The reason of a signal that Ctrl-C aborts. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super('Interrupted')
  }
}

/** Listens from the first call on: before that, Ctrl-C ends the process, and the second Ctrl-C always does. */
export function interrupts(): () => AbortSignal {
  let controller: AbortController | undefined
  return () => {
    if (controller !== undefined) return controller.signal
    const made = new AbortController()
    controller = made
    process.once('SIGINT', () => made.abort(new Interrupted()))
    return made.signal
  }
}
