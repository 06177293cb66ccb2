/** How far the reading of a text in another process has come, for the fault of one that takes too much work or memory. */
import { writeSync } from 'node:fs'
import type { Place } from './parse/locate.js'

/** The line and the column, as a reader writes them. */
const BYTES = 2 * Int32Array.BYTES_PER_ELEMENT

let pipe: number | undefined

/** In the process that reads: what is reached from now on is written to this file descriptor. */
export function reportPlaces(descriptor: number): void {
  pipe = descriptor
}

/** Says which item of a text an importer reads. A text that takes too much work or memory has a fault at the last one. Elsewhere nothing is written. */
export function reached({ line, column }: Place): void {
  // At once: a process without memory sends nothing that waits.
  if (pipe !== undefined) writeSync(pipe, Buffer.from(Int32Array.of(line, column).buffer))
}

/** The last place that a reader wrote; bytes of one can come in several parts. */
export class LastPlace {
  #rest: Buffer = Buffer.alloc(0)
  #place: Place = { line: 1, column: 1 }

  get place(): Place {
    return this.#place
  }

  take(bytes: Buffer): void {
    const all = Buffer.concat([this.#rest, bytes])
    const end = all.length - (all.length % BYTES)
    this.#rest = all.subarray(end)
    if (end > 0) {
      const [line = 1, column = 1] = new Int32Array(Uint8Array.from(all.subarray(end - BYTES, end)).buffer)
      this.#place = { line, column }
    }
  }
}
