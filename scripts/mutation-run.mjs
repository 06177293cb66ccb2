// Mutation of bind and plan: how many small faults the tests notice (docs/how-it-is-tested.md).
//   node scripts/mutation-run.mjs [--sample=N] [--seed=N] [--oracle [--cases=N]] [--tests] [FOLDER or FILE…]
//   node scripts/mutation-run.mjs --beside | --mapped [FOLDER or FILE…]
// A mutant is killed if the SQL of a question of the corpus changes. With `--oracle`, also if the answer of a generated query is not that of the oracle.
// With `--tests`, the unit tests of bind, plan and test/compile that reach a survivor run for it, the fastest first. Survivors are printed with their
// places, and written to node_modules/.cache/mutants.json. With `--beside`, only the test beside a file judges its mutants, and each file has a score. With `--mapped`, the
// unit tests that test/map-of-tests.txt names for the file judge what this test leaves. Mutants that change nothing are in test/mutation/equivalent.txt, with the reason;
// they do not count.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { filesBelow } from '../test/groups.mjs'
import { mutated, RUNTIME } from './mutants.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const number = (name, usual) => Number(new RegExp(`--${name}=(\\d+)`).exec(process.argv.join(' '))?.[1] ?? usual)
const folders = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const [sample, seed] = [number('sample', Number.POSITIVE_INFINITY), number('seed', Date.now() % 1_000_000)]
/** Of this run alone: several may run at a time. */
const outdir = path.join(root, `node_modules/.cache/mutants/${process.pid}`)
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }))
/** At its end, a test writes what it reached. */
const REACHED = `
if (process.env.MUTANTS_REACHED !== undefined && !globalThis.__writes) {
  globalThis.__writes = true;
  process.on('exit', () => process.getBuiltinModule('node:fs').writeFileSync(process.env.MUTANTS_REACHED, JSON.stringify([...__reached])));
}
`
/** A mutant may loop forever; the whole corpus takes a few seconds. */
const LIMIT_MS = 60_000

const mutants = []
const texts = new Map()
for (const file of (folders.length > 0 ? folders : ['core/src/bind', 'core/src/plan']).flatMap(filesOf)) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
  const { text, mutants: more } = mutated(file, readFileSync(file, 'utf8'), mutants.length)
  texts.set(path.join(root, file), text)
  mutants.push(...more)
}
const equivalent = new Set(
  readFileSync('test/mutation/equivalent.txt', 'utf8')
    .split('\n')
    .map((line) => line.split(' -- ')[0]),
)
const counts = ({ file, kind, text }) => !equivalent.has(`${file}: ${kind} ${text}`)
/** What a survivor changes, as the oracle found. */
const notes = new Map()
const chosen = sampled(mutants.flatMap((mutant, i) => (counts(mutant) ? [i] : [])))
console.log(
  `${mutants.length} mutants, of which ${mutants.length - mutants.filter(counts).length} change nothing; ${chosen.length} run (--seed=${seed})`,
)
const isMapped = process.argv.includes('--mapped')
await (isMapped || process.argv.includes('--beside') ? runFiles() : run())

async function run() {
  const [corpus, oracle] = await bundled(['test/mutation/corpus-worker.ts', 'test/mutation/oracle-worker.ts'])
  let survivors = await through(corpus, chosen)
  report('the corpus', chosen, survivors)
  if (process.argv.includes('--oracle')) {
    survivors = await through(oracle, survivors)
    report('the corpus and the oracle', chosen, survivors)
  }
  if (!process.argv.includes('--tests')) return
  const tests = testsWithReach(await bundledTests())
  const left = survivors.filter((mutant) => survives(mutant, reaching(tests, mutant)))
  report('the unit tests, too', chosen, left)
  const unreached = left.filter((mutant) => reaching(tests, mutant).length === 0).length
  console.log(`${unreached} of the survivors are reached by no unit test`)
}

/** The mutants of each file through the test beside it, and then through those that the map names. */
async function runFiles() {
  const files = [...new Set(chosen.map((mutant) => mutants[mutant].file))]
  const [worker] = await bundled(['test/mutation/beside-worker.ts'])
  const [left, further] = [[], []]
  for (const file of files) {
    const own = chosen.filter((mutant) => mutants[mutant].file === file)
    const [beside] = [file.replace(/\.ts$/, '.test.ts')].filter((test) => existsSync(test))
    const survivors = await throughTests(worker, own, beside ? [beside] : [])
    const rest = isMapped ? await throughTests(worker, survivors, mappedTests(file)) : survivors
    left.push(...survivors)
    further.push(...rest)
    console.log(`${scoreOf(own, survivors)}${isMapped ? scoreOf(own, rest) : ''}  ${file}${beside ? '' : '  (no test)'}`)
    for (const mutant of rest) console.log(lineOf(mutant))
  }
  console.log(`${scoreOf(chosen, left)} are killed by the tests beside their files`)
  if (isMapped) console.log(`${scoreOf(chosen, further)} by these and the mapped tests`)
}

function scoreOf(all, left) {
  const killed = all.length - left.length
  return `${`${((100 * killed) / all.length).toFixed(1)} %`.padStart(8)}  ${killed} of ${all.length}`
}

async function throughTests(worker, all, tests) {
  let left = all
  for (const test of tests) {
    if (left.length === 0) break
    try {
      left = await through(worker, left, { test: await bundledAlone(test) })
    } catch (error) {
      // Some tests of the map need a process of their own.
      if (!isMapped) throw error
      console.log(`not used: ${test}: ${String(error).slice(0, 150)}`)
    }
  }
  return left
}

/** Further unit tests that the map of tests names for a file. Those with an `await` between their tests cannot be evaluated again. */
function mappedTests(file) {
  const line = readFileSync('test/map-of-tests.txt', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${file}: `))
  const tests = line?.slice(file.length + 2).split(', ') ?? []
  return tests
    .map((test) => test.replace(/ \(\d+\)$/, ''))
    .filter((test) => /^(core\/src|test\/compile)\//.test(test) && test !== file.replace(/\.ts$/, '.test.ts') && existsSync(test))
    .filter((test) => !/^(const .*= )?await /m.test(readFileSync(test, 'utf8')))
}

/** Each test with the mutants that it reaches, the fastest first. */
function testsWithReach(files) {
  const list = path.join(outdir, 'reached.json')
  const tests = files.map((file) => {
    const started = performance.now()
    // Otherwise every mutant would be killed.
    if (!passes(file, { MUTANTS_REACHED: list })) throw new Error(`${file} fails without a mutant; run it with npm test first`)
    return { file, reached: new Set(JSON.parse(readFileSync(list, 'utf8'))), milliseconds: performance.now() - started }
  })
  return tests.toSorted((a, b) => a.milliseconds - b.milliseconds)
}

function filesOf(place) {
  return statSync(place).isFile() ? [place] : filesBelow(place)
}

function reaching(tests, mutant) {
  return tests.filter(({ reached }) => reached.has(mutant))
}

function survives(mutant, tests) {
  return tests.every(({ file }) => passes(file, { MUTANT: String(mutant) }))
}

function passes(file, variables) {
  const env = { ...process.env, ...variables, TAP_BAIL: '1', TAP_TIMEOUT: '120' }
  return (
    spawnSync(process.execPath, ['--conditions=@grainline/source', file], { env, stdio: 'ignore', timeout: 150_000 }).status === 0
  )
}

function report(by, all, left) {
  for (const mutant of left) console.log(lineOf(mutant))
  const killed = all.length - left.length
  console.log(`${killed} of ${all.length} mutants are killed by ${by}: ${((100 * killed) / all.length).toFixed(1)} %`)
  writeFileSync(
    'node_modules/.cache/mutants.json',
    JSON.stringify(left.map((mutant) => ({ mutant, ...mutants[mutant], note: notes.get(mutant) }))),
  )
}

function lineOf(mutant) {
  const { file, line, kind, text } = mutants[mutant]
  return `survived  ${file}:${line}  ${kind}  ${text}  ${notes.get(mutant) ?? ''}`
}

/** A random part, the same for the same seed. */
function sampled(all) {
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const drawn = all.map((mutant) => [random(), mutant]).toSorted((a, b) => a[0] - b[0])
  return drawn
    .slice(0, sample)
    .map(([, mutant]) => mutant)
    .toSorted((a, b) => a - b)
}

async function through(worker, all, data = { seed, count: number('cases', 150) }) {
  const left = []
  const waiting = [...all]
  while (waiting.length > 0) await withWorker(worker, waiting, left, data)
  return left
}

/** Until all have run, or one does not end. */
function withWorker(worker, waiting, left, workerData) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, {
      execArgv: ['--conditions=@grainline/source'],
      env: { ...process.env, MUTANT: '-1', TAP_TIMEOUT: '0' },
      workerData,
    })
    let limit
    let isReady = false
    const next = () => {
      if (waiting.length % 100 === 0 && waiting.length > 0) console.log(`${waiting.length} left, ${left.length} survive`)
      clearTimeout(limit)
      if (waiting.length === 0) return thread.terminate().then(resolve)
      limit = setTimeout(() => {
        waiting.shift()
        thread.terminate().then(resolve)
      }, LIMIT_MS)
      thread.postMessage(waiting[0])
    }
    thread.on('message', ({ ready, mutant, killer, note }) => {
      // Tap sends messages of its own.
      if (ready === undefined && mutant === undefined) return
      isReady = true
      if (ready === undefined) {
        waiting.shift()
        if (note) notes.set(mutant, note)
        if (killer === undefined) left.push(mutant)
      }
      next()
    })
    thread.on('error', (error) => {
      clearTimeout(limit)
      if (!isReady || waiting.length === 0) return reject(error)
      waiting.shift()
      resolve()
    })
  })
}

async function bundledTests() {
  const files = ['core/src/bind', 'core/src/plan', 'test/compile'].flatMap(filesBelow).filter((file) => file.endsWith('.test.ts'))
  return bundled(files)
}

/** A bundle of each file. All of them share what they import. */
async function bundled(files) {
  await build({
    ...optionsFor(files),
    outExtension: { '.js': '.mjs' },
    splitting: true,
    format: 'esm',
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);${RUNTIME}${REACHED}`,
    },
  })
  return files.map((file) => path.join(outdir, file.replace(/\.ts$/, '.mjs')))
}

/** A bundle with everything in it, which can be evaluated again and again. */
async function bundledAlone(file) {
  await build({ ...optionsFor([file]), outExtension: { '.js': '.cjs' }, format: 'cjs' })
  return path.join(outdir, file.replace(/\.ts$/, '.cjs'))
}

function optionsFor(files) {
  return {
    entryPoints: files.map((file) => path.join(root, file)),
    outbase: root,
    outdir,
    bundle: true,
    platform: 'node',
    conditions: ['@grainline/source'],
    external: ['@duckdb/*', 'libpg-query', 'tap', 'fastify', 'pino', '@redis/client', 'apache-arrow'],
    plugins: [
      {
        name: 'mutants',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
            const text = texts.get(file) ?? readFileSync(file, 'utf8')
            const here = JSON.stringify(path.dirname(file))
            return {
              contents: text
                .replaceAll('import.meta.dirname', here)
                .replaceAll('import.meta.url', JSON.stringify(`file://${file}`)),
              loader: 'ts',
            }
          })
        },
      },
    ],
    logLevel: 'error',
  }
}
