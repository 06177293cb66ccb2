/** Reads bit `row` of a validity bitmap; an absent bitmap means that every value is present. */
export function isPresent(validity: Uint8Array | undefined, row: number): boolean {
  return validity === undefined || ((validity[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
}

/** Collects a validity bitmap, also in runs that do not end at a byte. No memory is allocated until the first NULL. */
export class ValidityBuilder {
  #bits: Uint8Array | undefined
  #length = 0

  get length(): number {
    return this.#length
  }

  appendPresent(count: number): void {
    if (this.#bits !== undefined) {
      this.#reserve(count)
      setBits(this.#bits, this.#length, count)
    }
    this.#length += count
  }

  appendNulls(count: number): void {
    if (count > 0) this.#reserve(count)
    this.#length += count
  }

  /** Appends the first `count` bits of `source`. */
  appendBits(source: Uint8Array, count: number): void {
    if (this.#bits === undefined && allSet(source, count)) {
      this.#length += count
      return
    }
    mergeBits(this.#reserve(count), this.#length, source, count)
    this.#length += count
  }

  /** The bitmap, or `undefined` if nothing was NULL. The builder cannot be used afterwards. */
  finish(): Uint8Array | undefined {
    const bits = this.#bits
    if (bits === undefined || allSet(bits, this.#length)) return undefined
    return bits.subarray(0, (this.#length + 7) >> 3)
  }

  /** Allocates space for `count` more bits, with a spare byte; bits past the length are 0. */
  #reserve(count: number): Uint8Array {
    const needed = ((this.#length + count + 7) >> 3) + 1
    const bits = this.#bits
    if (bits !== undefined && bits.length >= needed) return bits
    const larger = new Uint8Array(Math.max(needed, (bits?.length ?? 0) * 2, 256))
    if (bits === undefined) setBits(larger, 0, this.#length)
    else larger.set(bits)
    this.#bits = larger
    return larger
  }
}

function setBits(bits: Uint8Array, from: number, count: number): void {
  let at = from
  const end = from + count
  for (; at < end && (at & 7) !== 0; at++) bits[at >> 3]! |= 1 << (at & 7)
  const whole = (end - at) >> 3
  bits.fill(255, at >> 3, (at >> 3) + whole)
  for (at += whole << 3; at < end; at++) bits[at >> 3]! |= 1 << (at & 7)
}

function mergeBits(target: Uint8Array, at: number, source: Uint8Array, count: number): void {
  const shift = at & 7
  let out = at >> 3
  const bytes = (count + 7) >> 3
  for (let i = 0; i < bytes; i++) {
    const byte = i === bytes - 1 ? source[i]! & lastByteMask(count) : source[i]!
    target[out]! |= byte << shift
    out++
    if (shift !== 0) target[out] = byte >> (8 - shift)
  }
}

function allSet(bits: Uint8Array, count: number): boolean {
  const whole = count >> 3
  for (let i = 0; i < whole; i++) if (bits[i] !== 255) return false
  const mask = (1 << (count & 7)) - 1
  return mask === 0 || (bits[whole]! & mask) === mask
}

/** The used bits of the last of ⌈count/8⌉ bytes. */
const lastByteMask = (count: number): number => ((count & 7) === 0 ? 255 : (1 << (count & 7)) - 1)
