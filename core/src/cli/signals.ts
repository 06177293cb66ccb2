/** Signals from the operator to a server process. */
export interface Signals {
  /** The first SIGTERM or SIGINT; the second ends the process. */
  readonly first: Promise<NodeJS.Signals>
  /** The handler of SIGHUP, one run at a time. A SIGHUP that came before it is set is handled then: a server listens before its start has ended. */
  onReload(run: () => Promise<void>): void
  forget(): void
}

export function watchSignals(): Signals {
  const names = ['SIGTERM', 'SIGINT'] as const
  let seen = false
  let listener: NodeJS.SignalsListener = () => undefined
  const first = new Promise<NodeJS.Signals>((resolve) => {
    listener = (signal) => {
      if (seen) process.exit(1)
      seen = true
      resolve(signal)
    }
  })
  let start: (run: () => Promise<void>) => void = () => undefined
  const reload = new Promise<() => Promise<void>>((resolve) => {
    start = resolve
  })
  let reloading = Promise.resolve()
  const onHangUp = () => {
    reloading = reloading.then(() => reload).then((run) => run())
  }
  for (const name of names) process.on(name, listener)
  process.on('SIGHUP', onHangUp)
  return {
    first,
    onReload: start,
    forget: () => {
      for (const name of names) process.off(name, listener)
      process.off('SIGHUP', onHangUp)
    },
  }
}

/**
 * Resolves when the shell that npm started this process in is gone. npm passes a SIGTERM on to that shell, which ends without passing
 * it further, so that `npm start` in a container or under a supervisor would leave the server running. Never resolves when npm did not
 * start us: another process that does may end first.
 */
export function parentGone(env: Readonly<Record<string, string | undefined>>): { readonly gone: Promise<void>; forget(): void } {
  const parent = process.ppid
  let timer: NodeJS.Timeout | undefined
  const gone = new Promise<void>((resolve) => {
    if (env.npm_lifecycle_event === undefined) return
    timer = setInterval(() => process.ppid !== parent && resolve(), INTERVAL_MS).unref()
  })
  return { gone, forget: () => clearInterval(timer) }
}

const INTERVAL_MS = 250
