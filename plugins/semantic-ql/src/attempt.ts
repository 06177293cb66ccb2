import { GrainlineError } from '@grainline/core'

/** The result of reading; `undefined` if it throws a refusal. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
}

/** The result of reading, or the refusal. */
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
