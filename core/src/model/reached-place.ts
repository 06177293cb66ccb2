/** How far the reading of a text in a thread has come, for the fault of one that takes too much time or memory. */
import type { Place } from './parse/locate.js'
import { ownThreadNumber, secondsOfThread } from './thread-seconds.js'

/** The line and the column, the number of the thread, and the work that it had done before it read: the thread writes them, and its owner reads them. */
export type SharedPlace = Int32Array

export const sharedPlace = (): SharedPlace => {
  const shared = new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT))
  shared.set([1, 1, 0, 0])
  return shared
}

let own: SharedPlace | undefined

/** In the thread: what is reached from now on is written there. */
export function sharePlace(shared: SharedPlace): void {
  own = shared
  const thread = ownThreadNumber()
  own.set([thread, Math.round((secondsOfThread(thread) ?? 0) * PARTS)], THREAD)
}

const THREAD = 2
const PARTS = 1000

/** The seconds of the processor for which the thread has read; 0 before it has begun. */
export function secondsOfReading(shared: SharedPlace): number {
  const [, , thread = 0, before = 0] = shared
  return thread === 0 ? 0 : (secondsOfThread(thread) ?? 0) - before / PARTS
}

/** Says which item of a text an importer reads. A text that takes too much time or memory has a fault at the last one. Outside of a thread nobody asks. */
export function reached({ line, column }: Place): void {
  own?.set([line, column])
}

export const placeIn = ([line = 1, column = 1]: SharedPlace): Place => ({ line, column })
