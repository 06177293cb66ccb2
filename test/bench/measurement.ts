/** What a benchmark says: one number with its target. */
export interface Measurement {
  readonly name: string
  readonly value: number
  /** `ms`, `requests/s`, … */
  readonly unit: string
  /** `undefined` where the number is only there to compare with. */
  readonly target: number | undefined
  /** Whether a smaller or a larger number is the better one. */
  readonly better: 'less' | 'more'
  readonly note?: string
}

export type Bench = () => Promise<readonly Measurement[]>

/** Milliseconds that each of `rounds` runs took, sorted. */
export function times(rounds: number, run: () => unknown): number[] {
  const taken = Array.from({ length: rounds }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  })
  return taken.toSorted((a, b) => a - b)
}

/** The value below which this share of the sorted values lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
