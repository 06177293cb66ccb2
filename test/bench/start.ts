import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Measurement, percentile } from './measurement.js'
import { bareStart, builtStart, isBuilt, npmStart, type StartedServer } from './server.js'

const ROUNDS = 7
/** A bare server with the same libraries has its own start time; ours is added to that. */
const BARE = 'a Fastify of one route'

/** From the start of the process until it listens, with the flights model loaded, compared with a bare server, in turns. */
export async function startBench(): Promise<readonly Measurement[]> {
  const starts: Record<string, () => Promise<StartedServer>> = {
    [BARE]: () => bareStart({}),
    'npm start': npmStart,
    ...(isBuilt() && { built: builtStart }),
  }
  const taken = new Map(Object.keys(starts).map((name) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) for (const [name, times] of taken) times.push(await startTime(starts[name]!))
  const sorted = (name: string) => taken.get(name)!.toSorted((a, b) => a - b)
  const [bare = Number.NaN] = sorted(BARE)
  return [
    ...Object.entries(TARGETS).flatMap(([name, target]) => (taken.has(name) ? [started(name, target, sorted(name))] : [])),
    ...(isBuilt() ? [beside('built', bare, sorted('built')), validateBeside(), firstQuestion()] : []),
  ]
}

/** Milliseconds. */
const TARGETS = { 'npm start': 1000, built: 500 }

async function startTime(start: () => Promise<StartedServer>): Promise<number> {
  const server = await start()
  await server.stop()
  return server.startMs
}

function started(name: string, target: number, sorted: readonly number[]): Measurement {
  const note = `best ${sorted[0]?.toFixed(0)}, worst ${sorted.at(-1)?.toFixed(0)}`
  return {
    name: `start to listening, ${name} (median)`,
    value: percentile(sorted, 0.5),
    unit: 'ms',
    target,
    better: 'less',
    note,
  }
}

/** The best run of each, because other load on the machine only adds time. */
function beside(name: string, bare: number, [best = Number.NaN]: readonly number[]): Measurement {
  const note = `${BARE} ${bare.toFixed(0)} ms`
  return {
    name: `start to listening, ${name}, beside ${BARE} (best)`,
    value: best / bare,
    unit: '×',
    target: 2.3,
    better: 'less',
    note,
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The best of several runs of each side, in turns. */
function validateBeside(): Measurement {
  const taken = (args: readonly string[]): number => {
    const started = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return performance.now() - started
  }
  let [bare, validate] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    bare = Math.min(bare, taken(['--eval', '0']))
    validate = Math.min(validate, taken(['config/bin.cjs', 'validate', 'examples/flights/model.yaml']))
  }
  const note = `${validate.toFixed(0)} ms beside ${bare.toFixed(0)} ms`
  return {
    name: 'grainline validate, built, beside a bare Node (best)',
    value: validate / bare,
    unit: '×',
    target: 10,
    better: 'less',
    note,
  }
}

/** Only for the packages: the compiled code of V8 that is cached for the single file makes it faster. */
function firstQuestion(): Measurement {
  const taken = (how: string) =>
    Number(spawnSync(process.execPath, ['test/bench/first-question.mjs', how], { cwd: root, encoding: 'utf8' }).stdout)
  let [cold, warm] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    cold = Math.min(cold, taken('cold'))
    warm = Math.min(warm, taken('warm'))
  }
  return {
    name: 'first question of a process, compiled after the warm-up (best)',
    value: warm,
    unit: 'ms',
    target: 5,
    better: 'less',
    note: `without it ${cold.toFixed(1)}`,
  }
}
