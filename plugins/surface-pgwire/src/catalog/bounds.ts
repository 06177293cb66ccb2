/** The memory that one catalogue query may take, in bytes. */

/** Memory of its database; PostgreSQL returns 53200 if it needs more. */
export const MOST_MEMORY = 512 * 1024 * 1024
/** Memory of its answer, which is kept until it is complete. */
export const MOST_ANSWER = 64 * 1024 * 1024

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** In the thread of the database. WebAssembly asks for memory here alone, and never gives it back. */
export function boundMemory(): void {
  // The types of Node say what WebAssembly is, and not that it is there.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } }
  const memory = WebAssembly.Memory.prototype
  const { grow } = memory
  memory.grow = function bounded(pages) {
    if (this.buffer.byteLength + pages * PAGE > MOST_MEMORY) throw new RangeError('the catalogue has as much memory as it may')
    return grow.call(this, pages)
  }
}

const PAGE = 65_536
