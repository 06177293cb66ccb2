/** Committed ratios: the benchmark fails if a later ratio is worse by more than noise. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Measurement } from './measurement.js'

/** By the name of the measurement. Times change with the machine; the ratio of two times in one run is stable. */
export type Ratios = Readonly<Record<string, number>>

const FILE = new URL('committed.json', import.meta.url)
/** The difference of the same ratio between runs on a machine without other load; short statements vary by more than that. */
const NOISE = { share: 0.3, besides: 0.1 }

export const readRatios = (): Ratios => JSON.parse(readFileSync(FILE, 'utf8')) as Ratios

export const isRatio = ({ unit, value }: Measurement): boolean => unit === '×' && Number.isFinite(value)

/** Whether a measurement is worse than the committed one by more than noise. A measurement that was never committed is not. */
export function fallsBehind(measurement: Measurement, ratios: Ratios): boolean {
  const before = ratios[measurement.name]
  if (before === undefined || !isRatio(measurement)) return false
  return measurement.better === 'less'
    ? measurement.value > before * (1 + NOISE.share) + NOISE.besides
    : measurement.value < before * (1 - NOISE.share) - NOISE.besides
}

/** The committed ratios, with those of this run in place of older ones of the same names, in alphabetical order. */
export function withRatios(ratios: Ratios, measurements: readonly Measurement[]): Ratios {
  const own = measurements.filter(isRatio).map(({ name, value }): [string, number] => [name, Number(value.toFixed(2))])
  return Object.fromEntries([...new Map([...Object.entries(ratios), ...own])].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export const writeRatios = (ratios: Ratios): void => writeFileSync(FILE, `${JSON.stringify(ratios, undefined, 2)}\n`)
