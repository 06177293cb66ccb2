/**
 * `npm run bench [name …]`: runs the benchmarks (all, or those named) and prints a table. Build first (`npm run build`) to measure
 * what is published. Numbers are of this machine at this moment; the ratio to the target is what to look at. A target missed is exit
 * code 1, and so is a ratio that falls behind the committed one (`committed.json`) by more than noise; `--write` commits those of this run.
 */
import os from 'node:os'
import { answerBench } from './answers.js'
import { cachedBench } from './cached.js'
import { fallsBehind, readRatios, withRatios, writeRatios } from './committed.js'
import { compileBench } from './compile.js'
import { run as duckdbBatches } from './duckdb-batches.js'
import { entitlementsBench } from './entitlements.js'
import { flightBench } from './flight-throughput.js'
import { handWrittenBench } from './hand-written.js'
import { isolationBench } from './isolation.js'
import { largeModelBench } from './large-model.js'
import { loadModelBench } from './load-model.js'
import type { Bench, Measurement } from './measurement.js'
import { memoryBench } from './memory.js'
import { ownColumnBench } from './own-column.js'
import { principalsBench, restrictedBench } from './restricted.js'
import { rulesBench } from './rules.js'
import { semanticQlBench } from './semantic-ql.js'
import { startBench } from './start.js'
import { wireBench } from './wire.js'
import { workersBench } from './workers.js'

const benches: Readonly<Record<string, Bench>> = {
  compile: compileBench,
  restricted: restrictedBench,
  own: ownColumnBench,
  principals: principalsBench,
  entitlements: entitlementsBench,
  cached: cachedBench,
  sql: semanticQlBench,
  load: loadModelBench,
  large: largeModelBench,
  start: startBench,
  answers: answerBench,
  workers: workersBench,
  batches: batchBench,
  wire: wireBench,
  hand: handWrittenBench,
  rules: rulesBench,
  isolation: isolationBench,
  memory: memoryBench,
  flight: flightBench,
}

const options = process.argv.slice(2)
const writes = options.includes('--write')
const wanted = options.filter((option) => option !== '--write')
const ratios = readRatios()
const taken: Measurement[] = []
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)

console.log(`# Benchmarks

The output of \`npm run -s bench\` after \`npm run build\`, on ${new Date().toISOString().slice(0, 10)}: Node ${process.version},
${os.cpus()[0]?.model ?? 'unknown processor'} × ${os.cpus().length}, load average ${os.loadavg()[0]?.toFixed(1)} before the run. Numbers are of that machine at that moment;
what lasts is the ratio to the target, and to the line beside it. Times of compiling and loading are processor time.
`)
console.log('| | Measured | Target | Measured / target | |')
console.log('|---|--:|--:|--:|---|')
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const measurement of await bench()) {
    taken.push(measurement)
    console.log(row(measurement))
    if (misses(measurement)) process.exitCode = 1
  }
}
const behind = taken.filter((one) => fallsBehind(one, ratios))
for (const { name, value } of behind)
  console.log(`\nfell behind: ${name}: ${number(value)} ×, committed ${number(ratios[name] ?? 0)} ×`)
if (behind.length > 0) process.exitCode = 1
if (writes) writeRatios(withRatios(ratios, taken))

/** 1M rows × 5 columns: the time that the vendor takes, compared with the time of a query over the service. */
async function batchBench(): Promise<readonly Measurement[]> {
  const target = (unit: string): number | undefined => (unit === 'rows/s' ? 3_000_000 : undefined)
  return (await duckdbBatches()).map((one) => ({
    ...one,
    target: target(one.unit),
    better: one.unit === 'rows/s' ? 'more' : 'less',
  }))
}

function misses({ value, target, better }: Measurement): boolean {
  return target !== undefined && (better === 'less' ? value >= target : value < target)
}

function row({ name, value, unit, target, better, note = '' }: Measurement): string {
  const bound = target === undefined ? '' : `${better === 'less' ? '<' : '≥'} ${number(target)} ${unit}`
  const ratio = target === undefined ? '' : (value / target).toFixed(2)
  return `| ${name} | ${number(value)} ${unit} | ${bound} | ${ratio} | ${note} |`
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })
}
