/** Memory limits of one catalogue query, in bytes. */

/** For the database. PostgreSQL returns 53200 if it needs more. */
export const MOST_MEMORY = 512 * 1024 * 1024
/** For the answer, which is held until it is complete. */
export const MOST_ANSWER = 64 * 1024 * 1024

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** Limits the memory of the database; call this in its thread. All memory of WebAssembly is requested by `grow`. */
export function boundMemory(): void {
  // The types of Node describe WebAssembly, but do not declare the global.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } }
  const memory = WebAssembly.Memory.prototype
  const { grow } = memory
  memory.grow = function bounded(pages) {
    if (this.buffer.byteLength + pages * PAGE > MOST_MEMORY) throw new RangeError('the memory limit of the catalogue is reached')
    return grow.call(this, pages)
  }
}

const PAGE = 65_536
