// Which branches of resolve, bind, plan and their rules the tests take (docs/how-it-is-tested.md).
//   npm run branches [-- GROUP | TEST…] [--choose=SEED] [--update]
// Two ways of each condition, the second operand of `&&`, `||` and `??`, each default and each case of a switch are branches. Those that no input can
// take are in test/mutation/unreachable.txt with the reason. Any other that is not taken is printed, and fails the run; so does a line of the list that
// says nothing any more. With names, only these tests run, or the groups of test/groups.mjs. `--choose` looks for generated questions that take some of the others, and adds them to
// test/oracle/reaching.txt. `--update` writes the list again: what is taken goes, and what is new is not judged yet. Lines of the list that are not judged yet count as reachable.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow, SHARED, sharedFile } from '../test/groups.mjs'
import { branches } from './branches-of.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const UNREACHABLE = 'test/mutation/unreachable.txt'
const REACHING = 'test/oracle/reaching.txt'
const NOT_JUDGED = 'not judged yet'
/** Questions of each kind that `--choose` looks at. */
const QUESTIONS = 60
const folder = path.join(root, `node_modules/.cache/grainline/branches-${process.pid}`)
// Other tests may be bundled at the same time.
process.env.TEST_SHARED = path.relative(root, path.join(folder, 'shared'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const chosen = process.argv
  .slice(2)
  .find((arg) => arg.startsWith('--choose='))
  ?.split('=')[1]
const named = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
/** Suites that compile. */
const tests = () => [
  ...['core', 'compile', 'corpus', 'answers', 'messages', 'access', 'oracle', 'rest', 'semantic-ql'].map(sharedFile),
  ...['invariants', 'later', 'nested', 'oracle'].map((name) => `test/oracle/${name}.test.ts`),
  ...['test/rollups', 'test/time', 'test/units'].flatMap(filesBelow).filter((file) => file.endsWith('.test.ts')),
]

const bundles = path.join(folder, 'bundles')
const taken = path.join(folder, 'taken')
mkdirSync(taken, { recursive: true })
const env = {
  ...process.env,
  TEST_BUNDLES: bundles,
  BRANCHES_TAKEN: taken,
  TAP_TIMEOUT: '0',
  TEST_PART: process.env.TEST_PART ?? '1',
}
// Programs that tests start run as they are: their sources take seconds to start.
for (const prepare of [['scripts/prepare.mjs'], ['scripts/bundle-tests.mjs', '--branches']])
  if (spawnSync(process.execPath, prepare, { env, stdio: 'inherit' }).status !== 0) process.exit(1)
await runAll(named.length > 0 ? named.map((name) => (Object.hasOwn(SHARED, name) ? sharedFile(name) : name)) : tests())
const found = new Set(readdirSync(taken).flatMap((file) => JSON.parse(readFileSync(path.join(taken, file), 'utf8'))))
if (chosen !== undefined) choose(branches.flatMap((_, branch) => (found.has(branch) ? [] : [branch])))
report()

async function runAll(files) {
  const waiting = [...files]
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await run(file)
  }
  await Promise.all([worker(), worker()])
}

async function run(file) {
  const args = ['--conditions=@grainline/source', '--import=./test/bundled.mjs', 'test/run-bundle.mjs', file]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  const began = performance.now()
  const code = await new Promise((resolve) => child.once('close', (status, signal) => resolve(status ?? signal)))
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s  ${file}`)
  if (code === 0) return
  process.exitCode = 1
  const failures = said.split('\n').filter((line) => /^\s*not ok/.test(line))
  console.log(`${file} fails (${code}):\n${failures.slice(0, 20).join('\n')}`)
}

/** Few questions that take many of the branches, one after another that takes most of those that are left. */
function choose(left) {
  const files = ['wanted', 'questions'].map((name) => path.join(folder, `${name}.json`))
  writeFileSync(files[0], JSON.stringify(left))
  const program = path.join(bundles, 'test/oracle/reaching-process.js')
  const args = ['--conditions=@grainline/source', program, chosen, String(QUESTIONS), ...files]
  if (spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status !== 0) process.exit(1)
  const questions = JSON.parse(readFileSync(files[1], 'utf8'))
  const wanted = new Set(questions.flatMap(({ takes }) => takes))
  const newOf = ({ takes }) => takes.filter((branch) => wanted.has(branch)).length
  while (wanted.size > 0) {
    const { kinds, seed, index, takes } = questions.reduce((best, one) => (newOf(one) > newOf(best) ? one : best))
    appendFileSync(REACHING, `${kinds}: ${seed} ${index}\n`)
    for (const branch of takes) {
      wanted.delete(branch)
      found.add(branch)
    }
  }
}

function report() {
  const lines = readFileSync(UNREACHABLE, 'utf8').split('\n').slice(1).filter(Boolean)
  const nameOf = ({ file, kind, text }) => `${file}: ${kind} ${text}`
  const reasons = new Map(lines.map((line) => line.split(' -- ')))
  const left = branches.filter((_, i) => !found.has(i))
  const others = left.filter((branch) => !reasons.has(nameOf(branch)))
  for (const { file, line, kind, text } of others) console.log(`not taken  ${file}:${line}  ${kind}  ${text}`)
  const names = new Set(left.map(nameOf))
  // A part of the tests takes a part of the branches.
  const stale = named.length > 0 ? [] : [...reasons.keys()].filter((name) => !names.has(name))
  for (const name of stale) console.log(`${UNREACHABLE}: is taken, or is not there: ${name}`)
  if (process.argv.includes('--update')) return update(left.map(nameOf), reasons)
  const open = left.filter((branch) => reasons.get(nameOf(branch)) === NOT_JUDGED).length
  const reachable = branches.length - left.length + others.length + open
  console.log(
    `${branches.length - left.length} of ${reachable} branches are taken; ${open} of the others are not judged, and ${branches.length - reachable} more cannot be taken`,
  )
  if (others.length + stale.length > 0) process.exitCode = 1
}

function update(names, reasons) {
  const [title] = readFileSync(UNREACHABLE, 'utf8').split('\n')
  const lines = [...new Set(names)].sort().map((name) => `${name} -- ${reasons.get(name) ?? NOT_JUDGED}`)
  writeFileSync(UNREACHABLE, `${[title, ...lines].join('\n')}\n`)
  console.log(`${UNREACHABLE} has ${lines.length} lines`)
}
