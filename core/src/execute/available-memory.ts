import { totalmem } from 'node:os'

/** The memory in bytes of the machine, or of the container that this process runs in. */
export function availableMemory(): number {
  const container = process.constrainedMemory()
  return container > 0 ? Math.min(container, totalmem()) : totalmem()
}
