import { GrainlineError } from '../../errors.js'
import { workApart } from './parse-worker.js'
import type { ReadText } from './read-text.js'
import type { SplitBody } from './split-body.js'

/** Takes a large body of a client apart in a thread of its own. Rejects with `BAD_REQUEST` or `INVALID_REQUEST`. */
export async function readLargeBody(bytes: Uint8Array, client: string): Promise<SplitBody> {
  const { value, fault } = (await workApart({ kind: 'body', bytes }, client)) as ReadText
  if (fault) throw new GrainlineError(fault.code, fault.message, { path: fault.path ?? '' })
  return value as SplitBody
}
