// Writes test/map-of-tests.txt: for each source file the tests that hold it, found by V8's coverage of each test file in a process of its own.
//   npm run map-of-tests [-- FILE | FOLDER…] [--jobs=N]
// Without names, every test runs that needs no engine. With names, only these run, and the lines of other tests stay.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUNDLE } from '../test/bundle-manifest.mjs'
import { testFiles } from '../test/groups.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const MAP = 'test/map-of-tests.txt'
/** The tests that are named for a file. */
const NAMED = 4
/** A test holds a file if it reaches this part of the functions that the best test reaches. */
const PART = 0.6
const LIMIT_MS = 180_000
const SOURCE = /^(core\/src|packages\/[^/]+\/src|plugins\/[^/]+\/(src|web\/src))\/(?!.*\.test\.tsx?$).*\.tsx?$/

const named = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const jobs = Number(/--jobs=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 2)
const isOf = (name) => (file) => file === name || file.startsWith(`${name.replace(/\/$/, '')}/`)
const tests =
  named.length === 0
    ? testFiles().filter((file) => !/^test\/(interop|connections|load|bench)\//.test(file))
    : [...new Set(named.flatMap((name) => testFiles().filter(isOf(name))))]
for (const script of ['scripts/bundle-tests.mjs', 'scripts/prepare.mjs'])
  if (spawnSync(process.execPath, [script], { stdio: 'inherit' }).status !== 0) process.exit(1)

/** Source files by the place of a function in a bundle; each bundle is read once. */
const bundles = new Map()
/** By source file and test, the functions that are reached. */
const reached = knownBefore(new Set(tests))
const waiting = [...tests]
let done = 0
await Promise.all(
  Array.from({ length: jobs }, async () => {
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      const { code, files } = await coverageOf(test)
      for (const [source, functions] of files) add(source, test, functions)
      // A run takes long: what is found so far is kept if it is stopped.
      if (done % 10 === 9) writeFileSync(MAP, pageOf())
      console.log(`${++done}/${tests.length} ${code === 0 ? 'ok    ' : 'FAILED'} ${test}: ${files.size} files`)
    }
  }),
)
writeFileSync(MAP, pageOf())

function add(source, test, functions) {
  if (!reached.has(source)) reached.set(source, new Map())
  reached.get(source).set(test, functions)
}

/** The lines of tests that do not run now. */
function knownBefore(running) {
  const known = new Map()
  if (!existsSync(MAP)) return known
  for (const line of readFileSync(MAP, 'utf8').split('\n')) {
    const [source, list] = line.split(': ')
    if (list === undefined || !existsSync(source)) continue
    for (const [, test, functions] of list.matchAll(/(\S+) \((\d+)\)/g))
      if (!running.has(test) && existsSync(test)) {
        if (!known.has(source)) known.set(source, new Map())
        known.get(source).set(test, Number(functions))
      }
  }
  return known
}

function pageOf() {
  const width = new Map()
  for (const of of reached.values()) for (const test of of.keys()) width.set(test, (width.get(test) ?? 0) + 1)
  const lines = [...reached]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, found]) => `${source}: ${holding(source, found, width).join(', ')}`)
  return [
    '# Written by scripts/map-of-tests.mjs; do not edit. Each source file, and the tests that reach most of its functions (how many): the most specific first.',
    ...lines,
    '',
  ].join('\n')
}

function holding(source, found, width) {
  const beside = source.replace(/\.tsx?$/, '.test.ts')
  const best = Math.max(...found.values())
  const order = (test) => (test === beside ? 0 : width.get(test))
  return [...found]
    .filter(([test, functions]) => test === beside || functions >= PART * best)
    .toSorted(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1))
    .slice(0, NAMED)
    .map(([test, functions]) => `${test} (${functions})`)
}

/** The number of functions of each source file that a test reaches, also in the processes and threads that it starts. */
async function coverageOf(test) {
  const folder = mkdtempSync(path.join(tmpdir(), 'grainline-coverage-'))
  mkdirSync(folder, { recursive: true })
  try {
    const args = ['--conditions=@grainline/source', '--import=./test/bundled.mjs', 'test/run-bundle.mjs', test]
    const env = { ...process.env, NODE_V8_COVERAGE: folder, TEST_PART: '1' }
    const child = spawn(process.execPath, args, { stdio: 'ignore', env, timeout: LIMIT_MS })
    const code = await new Promise((resolve) => child.once('close', resolve))
    return { code, files: reachedIn(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function reachedIn(folder) {
  const places = new Map()
  for (const file of readdirSync(folder)) {
    const { result } = jsonOf(path.join(folder, file))
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue
      const bundle = fileURLToPath(url)
      if (!bundle.startsWith(BUNDLE)) continue
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count }] = ranges
        if (count === 0 || (functionName === '' && startOffset === 0)) continue
        const source = sourceAt(bundle, startOffset)
        if (source === undefined) continue
        if (!places.has(source)) places.set(source, new Set())
        places.get(source).add(`${bundle}:${startOffset}`)
      }
    }
  }
  return new Map([...places].map(([source, functions]) => [source, functions.size]))
}

/** A process that was killed may leave half a file. */
function jsonOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { result: [] }
  }
}

function sourceAt(bundle, offset) {
  if (!bundles.has(bundle)) bundles.set(bundle, bundleOf(bundle))
  const { starts, map, known } = bundles.get(bundle)
  if (map === undefined) return undefined
  if (!known.has(offset)) {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    const { originalSource } = map.findEntry(low, offset - starts[low])
    const source = originalSource && path.relative(root, path.resolve(path.dirname(bundle), originalSource))
    known.set(offset, source !== undefined && SOURCE.test(source) ? source : undefined)
  }
  return known.get(offset)
}

function bundleOf(bundle) {
  if (!existsSync(bundle) || !existsSync(`${bundle}.map`)) return {}
  const text = readFileSync(bundle, 'utf8')
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return { starts, map: new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8'))), known: new Map() }
}
