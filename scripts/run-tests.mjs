// Runs tests, one process per file. The slowest files of the last run start first, so that no core is idle at the end.
//   node scripts/run-tests.mjs [GROUP | FILE | FOLDER]… [--changed[=COMMIT]] [--list] [--long] [--jobs=N] [--tap]
// Groups are `main` (the default), `node` and `interop` (test/groups.mjs); NEWEST_NODE is the `node` that runs the second.
// `--changed` leaves the tests that the changes since `main`, or since another commit, touch: the nearest first. `--list` only names them.
// `--long` runs the large numbers of cases. Otherwise tests of large sets run a part of each, another one for each commit: TEST_PART repeats one.
// Each line shows the elapsed time and the processor time of a file, including the processes that it started.
// `--tap` shows all output of the files. The last line is `N passed, N failed`; failures are shown before it.
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUNDLE, IMPORTS } from '../test/bundle-manifest.mjs'
import { GROUPS, SHARED, sharedFile, testFiles } from '../test/groups.mjs'
import { changedSince, touchedTests } from './changed-tests.mjs'
import { flagsForCompiling } from './flags-for-compiling.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const LONGEST = '.ci/longest'
const OUTPUT = 'node_modules/.cache/grainline/tap'
/** The time limit of a test in seconds, unless it sets another one; tap names the test. */
const TEST_LIMIT = 600
/** The time limit of a whole file in seconds: only a process that does not respond takes so long. */
const FILE_LIMIT = 3600
/** A suite of a group that shares a process runs alone if at most so many of the group are touched. */
const MOST_ALONE = 20
/** Seconds of a file that is not among the slowest. */
const USUAL = 2.5
/** Engines that plan slowly; INTEROP=sample asks them, and no others, a part. */
const SLOW = /^test\/interop\/(trino|databricks|dremio)\//
/** They read the imports of all tests. */
const READS_ALL = /^test\/(changed-tests|every-test-runs|map-of-tests)\.test\.ts$/
/** A test that imports it starts the program. */
const STARTS_PROGRAM = 'test/host/process.ts'

const options = process.argv.slice(2).filter((arg) => arg.startsWith('--'))
const words = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
/** Named files are asked alone, also in the script of a group: `npm run test:interop -- FILE`. */
const named = words.some((word) => word.includes('/')) ? words.filter((word) => word.includes('/')) : words
const jobs = Number(/--jobs=(\d+)/.exec(options.join(' '))?.[1] ?? Math.min(4, Math.max(2, availableParallelism())))
const isLong = options.includes('--long')
const part = process.env.TEST_PART ?? String(partOfCommit())
const byChange = options.find((option) => /^--changed(=|$)/.test(option))
const seconds = knownSeconds()
const chosen = tasksOf(named.length === 0 ? ['main'] : named)
if (byChange === undefined) announce(chosen)
prepare('scripts/bundle-tests.mjs', bundlesOf(chosen))
const imports = JSON.parse(readFileSync(path.join(BUNDLE, IMPORTS), 'utf8'))
const tasks = byChange === undefined ? chosen : touchedOf(chosen, byChange.split('=')[1])
if (options.includes('--list')) {
  for (const { file } of tasks) console.log(file)
  process.exit()
}
if (tasks.some(({ file }) => membersOf(file).some((member) => startsProgram(member)))) prepare('scripts/prepare.mjs')
rmSync(OUTPUT, { recursive: true, force: true })
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) end(child)
    process.exit(1)
  })

const results = await runAll(tasks)
for (const group of new Set(results.map((result) => result.group)))
  say(
    group,
    results.filter((result) => result.group === group),
  )
const failures = results.filter((result) => !result.ok)
for (const failure of failures) show(failure)
if (failures.length > 0)
  console.log(`---- what failed ----\n${failures.flatMap(({ file, wrong }) => [file, ...wrong]).join('\n')}`)
if (options.includes('--write-times')) writeTimes()
const [passed, failed] = counted(results)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function tasksOf(names) {
  return names.flatMap((name) => {
    if (name === 'node')
      return GROUPS.node().map((file) => ({ group: name, file, node: process.env.NEWEST_NODE ?? process.execPath }))
    const files = GROUPS[name]?.() ?? below(name)
    if (files.length === 0) throw new Error(`${name} is not a group, test file or folder of tests`)
    return files.map((file) => ({ group: GROUPS[name] ? name : 'named', file, node: process.execPath }))
  })
}

/** How the tests are bundled: those that are named without the others, or all of them, and those that share a process together, unless one of them runs alone. */
function bundlesOf(tests) {
  const alone = bundledAlone(tests)
  const isMember = ({ file }) => Object.values(SHARED).some((pattern) => pattern.test(file))
  return alone.length > 0 || byChange !== undefined || tests.some(isMember) ? alone : ['--together']
}

/** The tests that are bundled without the others; none, if all are needed, also by a file of `test/.shared`, which imports the tests of its group. */
function bundledAlone(tests) {
  const files = tests.map(({ file }) => file)
  const isAlone =
    byChange === undefined &&
    tests.every(({ group }) => group === 'named') &&
    files.every((file) => file.endsWith('.test.ts') && !READS_ALL.test(file))
  return isAlone ? files : []
}

/** Runs a script that the tests need first. */
function prepare(script, args = []) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    stdio: ['ignore', options.includes('--list') ? 'ignore' : 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(1)
}

/** The tests that the changes since a commit touch. Suites that share a process run alone if they are few. */
function touchedOf(all, commit) {
  const changed = changedSince(root, commit)
  const steps = touchedTests(root, { tests: testFiles(), imports, changed })
  const touched = all.flatMap((task) => {
    const members = membersOf(task.file).filter((file) => steps.has(file))
    const distance = Math.min(...members.map((file) => steps.get(file)))
    if (members.length > MOST_ALONE) return [{ ...task, distance }]
    return members.map((file) => ({ ...task, file, distance: steps.get(file) }))
  })
  if (options.includes('--list')) return touched
  console.log(`${changed.length} files have changed: ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ', …' : ''}`)
  announce(touched)
  return touched
}

/** The test files that run in the process of this one. */
function membersOf(file) {
  const group = Object.keys(SHARED).find((name) => sharedFile(name) === file)
  return group === undefined ? [file] : testFiles().filter((each) => SHARED[group].test(each))
}

function startsProgram(file, seen = new Set()) {
  if (file === STARTS_PROGRAM) return true
  if (seen.has(file)) return false
  seen.add(file)
  return (imports[file] ?? []).some((each) => startsProgram(each, seen))
}

/** Before anything runs: how much there is, and how long it takes. */
function announce(all) {
  const files = all.flatMap(({ file }) => membersOf(file)).length
  const minutes = all.reduce((sum, task) => sum + expected(task), 0) / jobs / 60
  const time = minutes < 1 ? 'less than a minute' : `about ${Math.round(minutes)} minutes on a machine without other work`
  console.log(
    `${files} test files in ${all.length} processes, ${jobs} at a time: ${time} (${isLong ? 'large numbers of cases' : `TEST_PART=${part}`})`,
  )
}

/** A number for the commit that is checked out; 0 if there is none. */
function partOfCommit() {
  const { stdout = '' } = spawnSync('git', ['rev-parse', '--short=6', 'HEAD'], { encoding: 'utf8' })
  return Number.parseInt(stdout ?? '', 16) || 0
}

/** A file, or those in a folder. A file that shares its process with others runs alone. */
function below(name) {
  const all = [...GROUPS.main(), ...GROUPS.interop()]
  const wanted = path.relative(root, path.resolve(name))
  const isBelow = (file) => file === wanted || file.startsWith(`${wanted}/`)
  return all.flatMap((file) => {
    const members = membersOf(file)
    return isBelow(file) || members.every(isBelow) ? [file] : members.filter(isBelow)
  })
}

async function runAll(all) {
  const waiting = all.toSorted((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || expected(b) - expected(a))
  const done = []
  let ready = !waiting.some((task) => task.group === 'interop')
  // Engines are downloaded while tests without engines run.
  const engines = ready
    ? undefined
    : install().then(() => {
        ready = true
      })
  const worker = async () => {
    for (;;) {
      const next = waiting.findIndex((task) => ready || task.group !== 'interop')
      if (next >= 0) done.push(await runFile(waiting.splice(next, 1)[0]))
      else if (waiting.length > 0) await engines
      else return
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  return done
}

function expected({ file }) {
  return seconds.get(file) ?? USUAL
}

function install() {
  const started = performance.now()
  return new Promise((resolve) => {
    const child = spawn('sh', ['test/interop/install.sh'], { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('close', () => resolve(console.log(`engines and clients are installed (${since(started)} s)`)))
  })
}

/** Runs one file in a separate process. The shell reports the processor time of all processes that it started. */
async function runFile(task) {
  const output = path.join(OUTPUT, task.group, `${task.file.replaceAll('/', '_')}.tap`)
  mkdirSync(path.dirname(output), { recursive: true })
  const started = performance.now()
  // Positions in the sources instead of the bundles, if a person runs a few files; every start takes a tenth longer.
  const maps = task.group === 'named' ? ['--enable-source-maps'] : []
  // The last argument is part of the name of the folder that tap gives a test: the same file may run on two Nodes at once.
  const args = [
    ...maps,
    ...flagsForCompiling(task.node),
    '--conditions=@grainline/source',
    '--import=./test/bundled.mjs',
    'test/run-bundle.mjs',
    task.file,
    task.group,
  ]
  const script = '"$@" 3>&-; code=$?; times >&3; exit $code'
  const child = spawn('/bin/sh', ['-c', script, 'sh', task.node, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      TEST_PART: part,
      ...(isLong && { TEST_LONG: 'true' }),
      INTEROP: !isLong && SLOW.test(task.file) ? (process.env.INTEROP ?? 'full') : 'full',
      TAP_TIMEOUT: process.env.TAP_TIMEOUT ?? String(TEST_LIMIT),
      PATH: `${path.dirname(task.node)}:${process.env.PATH}`,
    },
  })
  running.add(child)
  const file = createWriteStream(output)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => file.write(data))
  if (options.includes('--tap')) child.stdout.pipe(process.stdout, { end: false })
  let times = ''
  child.stdio[3].on('data', (data) => {
    times += data
  })
  const limit = setTimeout(() => end(child), FILE_LIMIT * 1000)
  const [code, signal] = await new Promise((resolve) => child.once('close', (...how) => resolve(how)))
  clearTimeout(limit)
  end(child)
  running.delete(child)
  await new Promise((resolve) => file.end(resolve))
  const result = { ...task, output, took: since(started), processor: processorOf(times), ...read(output, code, signal) }
  const { ok, pass, fail, skipped } = result
  const said = skipped ? `skipped: ${skipped}` : `${pass} passed${fail > 0 ? `, ${fail} failed` : ''}`
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${String(result.took).padStart(5)} s ${String(result.processor).padStart(5)} s of processor  ${task.file}  ${said}`,
  )
  return result
}

/** All processes that the file has started. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The result of a file: how many assertions passed and failed, and which failed. */
function read(output, code, signal) {
  const text = readFileSync(output, 'utf8')
  const summary = text.match(/^# \{ total: .*\}$/gm)?.at(-1) ?? ''
  const number = (name) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0)
  const skipped = /^1\.\.0 # (?:SKIP )?(.*)$/m.exec(text)?.[1]
  const [pass, fail] = [number('pass'), number('fail')]
  const late = text.match(/^Error: cannot create .* after .* ends$/gm) ?? []
  const ok = code === 0 && fail === 0 && late.length === 0 && (pass > 0 || skipped !== undefined)
  const wrong = text.match(/^ *not ok (?!.* # (?:TODO|SKIP)).*$/gm)?.map((line) => line.slice(0, 600)) ?? []
  if (late.length > 0) wrong.push(`    ${late.length} tests came after the end and were not run`)
  if (!ok && wrong.length === 0) wrong.push(`    it ended with ${signal ?? code} and ${pass} assertions`)
  // A file that crashed without a failed assertion, or that ran no test, is a failure, too.
  return { ok, pass, fail: ok ? 0 : Math.max(1, fail), skipped, wrong: wrong.slice(0, 30) }
}

/** The second line of `times` is the user and system time of the shell's children. */
function processorOf(times) {
  const [, children = ''] = times.trim().split('\n')
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest))
  return Math.round(parts.reduce((sum, part) => sum + part, 0) * 10) / 10
}

function say(group, done) {
  const [pass, fail] = counted(done)
  const sum = (key) => Math.round(done.reduce((all, result) => all + result[key], 0))
  console.log(
    `${group}: ${pass} passed, ${fail} failed in ${done.length} files (${sum('took')} s, ${sum('processor')} s of processor)`,
  )
  for (const { took, processor, file } of done.toSorted((a, b) => b.processor - a.processor).slice(0, 5))
    console.log(`          ${took} s, ${processor} s of processor  ${file}`)
}

function counted(done) {
  return [done.reduce((n, { pass }) => n + pass, 0), done.reduce((n, { fail }) => n + fail, 0)]
}

function since(started) {
  return Math.round((performance.now() - started) / 100) / 10
}

/** The failed tests with tap's details; otherwise how the file ended. */
function show({ file, output }) {
  const lines = readFileSync(output, 'utf8').split('\n')
  const shown = new Set()
  for (const [i, line] of lines.entries()) if (/^ *not ok/.test(line)) for (let n = i; n < i + 26; n++) shown.add(n)
  const kept = shown.size > 0 ? lines.filter((_, i) => shown.has(i)).slice(0, 300) : lines.slice(-60)
  console.log(`---- ${file} ----\n${kept.join('\n')}`)
}

function knownSeconds() {
  if (!existsSync(LONGEST)) return new Map()
  const lines = readFileSync(LONGEST, 'utf8').trim().split('\n')
  return new Map(lines.map((line) => [line.split(' ')[1], Number(line.split(' ')[0])]))
}

/** The slowest files, for the order of the next runs. */
function writeTimes() {
  const times = new Map(
    results.filter(({ group, took }) => group !== 'node' && took >= 8).map(({ file, took }) => [file, Math.round(took)]),
  )
  const lines = [...times].toSorted((a, b) => b[1] - a[1]).map(([file, took]) => `${took} ${file}\n`)
  writeFileSync(LONGEST, lines.join(''))
}
