import { GrainlineError } from '@grainline/core'
import type { Numbered } from './placeholders.js'

/** Rethrows a refusal with its place in the statement as the client wrote it. */
export function placed(error: unknown, text: string, { original }: Numbered): never {
  const position = error instanceof GrainlineError ? error.details.context?.['position'] : undefined
  if (!(error instanceof GrainlineError) || typeof position !== 'number') throw error
  const own = original(position)
  const before = text.slice(0, own - 1)
  const line = before.split('\n').length
  const context = { ...error.details.context, position: own, line, column: own - before.lastIndexOf('\n') - 1 }
  throw new GrainlineError(error.code, error.message, { ...error.details, context })
}
