/** Ratios that were measured and committed: a later run that falls behind one by more than noise fails. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Measurement } from './measurement.js'

/** By the name of the measurement. Times change with the machine; a ratio of two things in one run lasts. */
export type Ratios = Readonly<Record<string, number>>

const FILE = new URL('committed.json', import.meta.url)
/** What the same ratio differs by from run to run on a machine without other work; short statements differ by more than their share. */
const NOISE = { share: 0.3, besides: 0.1 }

export const readRatios = (): Ratios => JSON.parse(readFileSync(FILE, 'utf8')) as Ratios

export const isRatio = ({ unit, value }: Measurement): boolean => unit === '×' && Number.isFinite(value)

/** Whether a measurement is worse than the committed one by more than noise. What was never committed is not. */
export function fallsBehind(measurement: Measurement, ratios: Ratios): boolean {
  const before = ratios[measurement.name]
  if (before === undefined || !isRatio(measurement)) return false
  return measurement.better === 'less'
    ? measurement.value > before * (1 + NOISE.share) + NOISE.besides
    : measurement.value < before * (1 - NOISE.share) - NOISE.besides
}

/** The committed ratios with those of this run in place of older ones of the same names, in the order of the alphabet. */
export function withRatios(ratios: Ratios, measurements: readonly Measurement[]): Ratios {
  const own = measurements.filter(isRatio).map(({ name, value }): [string, number] => [name, Number(value.toFixed(2))])
  return Object.fromEntries([...new Map([...Object.entries(ratios), ...own])].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export const writeRatios = (ratios: Ratios): void => writeFileSync(FILE, `${JSON.stringify(ratios, undefined, 2)}\n`)
