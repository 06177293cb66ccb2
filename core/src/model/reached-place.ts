/** How far the reading of a text in a thread has come, for the fault of one that takes too much time or memory. */
import type { Place } from './parse/locate.js'

/** The line and the column, which the thread writes and its owner reads. */
export type SharedPlace = Int32Array

export const sharedPlace = (): SharedPlace => new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)).fill(1)

let own: SharedPlace | undefined

/** In the thread: what is reached from now on is written there. */
export function sharePlace(shared: SharedPlace): void {
  own = shared
}

/** Says which item of a text an importer reads. A text that takes too much time or memory has a fault at the last one. Outside of a thread nobody asks. */
export function reached({ line, column }: Place): void {
  own?.set([line, column])
}

export const placeIn = ([line = 1, column = 1]: SharedPlace): Place => ({ line, column })
