import { GrainlineError } from '@grainline/core'

/** What reading gives; `undefined` where it is refused. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
}
