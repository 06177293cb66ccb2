/** A small seeded random source: the same seed gives the same case on any machine. */
export interface Random {
  /** An integer from 0 up to, not including, `n`. */
  readonly below: (n: number) => number
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  /** Up to `count` different items, in random order. */
  readonly some: <T>(items: readonly T[], count: number) => T[]
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return ((z ^ (z >>> 15)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!
  const some = <T>(items: readonly T[], count: number): T[] => {
    const left = [...items]
    const taken: T[] = []
    while (taken.length < count && left.length > 0) taken.push(...left.splice(below(left.length), 1))
    return taken
  }
  return { below, between: (low, high) => low + below(high - low + 1), chance: (p) => next() < p, pick, some }
}

/** A separate seed for each text. */
export const hashOf = (text: string): number =>
  [...text].reduce((hash, c) => Math.imul(hash ^ c.codePointAt(0)!, 0x01000193), 0x811c9dc5)
