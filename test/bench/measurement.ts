/** The result of a benchmark: one number with its target. */
export interface Measurement {
  readonly name: string
  readonly value: number
  /** `ms`, `requests/s`, … */
  readonly unit: string
  /** `undefined` if the number has no target and is only shown for comparison. */
  readonly target: number | undefined
  /** Whether a smaller or a larger number is better. */
  readonly better: 'less' | 'more'
  readonly note?: string
}

export type Bench = () => Promise<readonly Measurement[]>

/** Milliseconds of work in each of `rounds` runs, sorted: processor time, which other programs affect less than the elapsed time. */
export function times(rounds: number, run: () => unknown): number[] {
  const taken = Array.from({ length: rounds }, () => {
    const started = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  })
  return taken.toSorted((a, b) => a - b)
}

/** The value below which this share of the sorted values lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
