import { totalmem } from 'node:os'

/** Bytes of the machine, or of the container that we run in. */
export function memoryAtHand(): number {
  const container = process.constrainedMemory()
  return container > 0 ? Math.min(container, totalmem()) : totalmem()
}
