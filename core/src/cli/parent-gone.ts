/**
 * Resolves when the shell that npm started this process in is gone. npm passes a SIGTERM on to that shell, which ends without passing
 * it further, so that `npm start` in a container or under a supervisor would leave the server behind. Never resolves when npm did not
 * start us: whoever else does may well go first.
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
