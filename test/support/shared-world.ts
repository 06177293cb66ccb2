/** A world that the suites of a process share: opening it takes longer than most of their questions. */
interface World {
  readonly close: () => void | Promise<void>
}

/** Opens the world for the first suite that asks for it, and closes it when the last one has closed its own. */
export function sharedWorld<T extends World>(open: () => Promise<T>): () => Promise<T> {
  let world: Promise<T> | undefined
  let users = 0
  return async () => {
    users++
    world ??= open()
    const opened = await world
    const close = () => {
      users--
      if (users > 0) return undefined
      world = undefined
      return opened.close()
    }
    return { ...opened, close }
  }
}
