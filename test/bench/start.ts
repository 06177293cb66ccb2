import { type Measurement, percentile } from './measurement.js'
import { builtStart, isBuilt, npmStart, type StartedServer } from './server.js'

const ROUNDS = 5

/** From the start of the process until it listens, with the flights model loaded. */
export async function startBench(): Promise<readonly Measurement[]> {
  const sources = await started('start to listening, npm start (median)', 1500, npmStart)
  return isBuilt() ? [sources, await started('start to listening, built (median)', 500, builtStart)] : [sources]
}

async function started(name: string, target: number, start: () => Promise<StartedServer>): Promise<Measurement> {
  const taken: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start()
    taken.push(server.startMs)
    await server.stop()
  }
  const sorted = taken.toSorted((a, b) => a - b)
  const note = `best ${sorted[0]?.toFixed(0)}, worst ${sorted.at(-1)?.toFixed(0)}`
  return { name, value: percentile(sorted, 0.5), unit: 'ms', target, better: 'less', note }
}
