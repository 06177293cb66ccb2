import { compileServed, loadText, readModel } from '../support/compile.js'
import { type Measurement, percentile, times } from './measurement.js'

const flights = readModel(new URL('../../examples/flights/model.yaml', import.meta.url).pathname)
const star = { select: { dimensions: ['Origin Airport', 'Airline'], measures: ['Flight Count', 'Average Departure Delay'] } }
const measured = (...measures: readonly string[]) => ({ select: { dimensions: ['Origin Airport', 'Month'], measures } })
const twoFacts = {
  select: { dimensions: ['Origin Airport', 'Month'], measures: ['Flight Count', 'Rainfall', 'Cancellation Rate'] },
}
const balances = measured('Planes on an Average Day', 'Planes of Each Airline')
const aggregates = measured('Worst Airline on an Average Day')
const acrossFacts = measured('Delay in Wet Hours')

/** So many times the measured runs. */
const WARM_UP = 4

/** From query to SQL without any cache: the compile cache is above the compiler. */
export async function compileBench(): Promise<readonly Measurement[]> {
  const wide = loadText(wideModel(100))
  const all = (word: string) => Array.from({ length: 100 }, (_, i) => `${word} ${i}`)
  const hundreds = { select: { dimensions: all('Dimension'), measures: all('Measure') } }
  return [
    compiled('compile, star: 2 dimensions, 2 measures (p50)', 0.15, 2000, () => compileServed(star, flights)),
    compiled('compile, two facts: 2 dimensions, 2 measures, a metric (p50)', 0.3, 2000, () => compileServed(twoFacts, flights)),
    compiled('compile, semi-additive: 2 dimensions, 2 balances (p50)', 1, 1000, () => compileServed(balances, flights)),
    compiled('compile, an aggregate of aggregates of aggregates (p50)', 1, 1000, () => compileServed(aggregates, flights)),
    compiled('compile, an expression over two facts (p50)', 1, 1000, () => compileServed(acrossFacts, flights)),
    compiled('compile, 100 dimensions × 100 measures (p50)', 3, 200, () => compileServed(hundreds, wide)),
  ]
}

export function compiled(name: string, target: number, rounds: number, run: () => unknown): Measurement {
  const [first = Number.NaN] = times(1, run)
  const begun = percentile(times(rounds, run), 0.5)
  // Like a server that has run for a while: V8 optimizes some functions only after thousands of calls.
  times(WARM_UP * rounds, run)
  const sorted = times(rounds, run)
  const note = `first ${first.toFixed(1)}, p50 of the next ${rounds} ${begun.toFixed(2)}, p95 ${percentile(sorted, 0.95).toFixed(2)}`
  return { name, value: percentile(sorted, 0.5), unit: 'ms', target, better: 'less', note }
}

/** A fact with `count` dimension tables, with one dimension and one measure for each. */
export function wideModel(count: number): string {
  const numbers = Array.from({ length: count }, (_, i) => i)
  const lines = (make: (i: number) => string): string => numbers.map(make).join('\n')
  return `version: 1
name: wide
dataObjects:
  Facts:
    code: facts
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
${lines((i) => `      Key ${i}: { code: key_${i}, abstractType: int }\n      Value ${i}: { code: value_${i}, abstractType: float }`)}
    joins:
${lines((i) => `      - { joinType: many-to-one, joinTo: Table ${i}, columnsFrom: [Key ${i}], columnsTo: [Id] }`)}
${lines(
  (i) => `  Table ${i}:
    code: table_${i}
    countable: false
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }`,
)}
dimensions:
${lines((i) => `  Dimension ${i}: { dataObject: Table ${i}, column: Name }`)}
measures:
${lines((i) => `  Measure ${i}: { aggregation: sum, columns: [{ dataObject: Facts, column: Value ${i} }] }`)}
`
}
