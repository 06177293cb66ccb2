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

/** What reading gives, or why it is refused. */
export function attempted<T>(
  read: () => T,
): { readonly read: T; readonly refusal?: undefined } | { readonly refusal: GrainlineError; readonly read?: undefined } {
  try {
    return { read: read() }
  } catch (error) {
    if (error instanceof GrainlineError) return { refusal: error }
    throw error
  }
}
