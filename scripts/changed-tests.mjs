// The tests that a change touches: those whose imports lead to a changed file, and those that read one. A file reads another if a text in it is
// the path of the other, or of a folder around it. A test that starts Grainline depends on the sources of every package.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** These decide how every test runs. */
const OF_ALL =
  /^(package(-lock)?\.json|tsconfig\.json|scripts\/(bundle|run)-tests\.mjs|test\/(groups|bundled|bundle-manifest)\.mjs)$/
/** The command line imports plugins by the names in its config. */
const PROGRAM = /^config\/(bin\.[cm]js|[\w-]+\.yaml)$/
const PROGRAM_READS = ['config', 'core/src', 'packages', 'plugins']
/** Only tests and scripts read files of the repository. */
const READERS = /^(test|scripts)\/|\.test\.ts$/
const PATH = /['"`]([\w@.-]*(?:\/[\w@.-]+)*)\/?['"`]/g

/** The changed and new files since the branch left `base`, and those that are not committed. */
export function changedSince(root, base = defaultBase(root)) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [from] = git('merge-base', base, 'HEAD')
  return [...new Set([...git('diff', '--name-only', from), ...git('ls-files', '--others', '--exclude-standard')])]
}

/** Where the branch `main` is not there, as in a clone of another branch, it is that of the remote. */
function defaultBase(root) {
  const isThere = (name) => {
    try {
      return execFileSync('git', ['rev-parse', '--verify', '--quiet', name], { cwd: root, encoding: 'utf8' }) !== ''
    } catch {
      return false
    }
  }
  return ['main', 'origin/main'].find(isThere) ?? 'HEAD'
}

/**
 * From each test that a change touches to the number of steps between the two. `imports` has the files that each file imports.
 */
export function touchedTests(root, { tests, imports, changed }) {
  if (changed.some((file) => OF_ALL.test(file))) return new Map(tests.map((test) => [test, 0]))
  const read = readers(root)
  const isRead = (file) => read(file).some((each) => changed.some((one) => one === each || one.startsWith(`${each}/`)))
  const users = usersOf(tests, (file) => [...(imports[file] ?? []), ...read(file)])
  const known = [...users.keys()]
  const steps = stepsFrom([changed.filter((file) => users.has(file)), known.filter(isRead)], users)
  return new Map(tests.map((test) => [test, steps.get(test)]).filter(([, count]) => count !== undefined))
}

/** Every file that the tests lead to, with the files that lead to it in one step. */
function usersOf(tests, next) {
  const users = new Map(tests.map((test) => [test, []]))
  for (const file of users.keys())
    for (const each of next(file)) {
      if (!users.has(each)) users.set(each, [])
      users.get(each).push(file)
    }
  return users
}

/** The number of steps to each file from the nearest of those that have none and of those that have one. */
function stepsFrom([none, one], users) {
  const found = new Map(none.map((file) => [file, 0]))
  let files = none
  for (let steps = 1; steps === 1 || files.length > 0; steps++) {
    const further = [...(steps === 1 ? one : []), ...files.flatMap((file) => users.get(file))]
    files = further.filter((file) => !found.has(file) && found.set(file, steps))
  }
  return found
}

/** Files and folders of the repository that the text of a file names. */
function readsOf(root, file) {
  if (PROGRAM.test(file)) return PROGRAM_READS
  if (!READERS.test(file) || !/\.[cm]?[jt]s$/.test(file) || !existsSync(path.join(root, file))) return []
  const folder = path.dirname(path.join(root, file))
  const texts = readFileSync(path.join(root, file), 'utf8').matchAll(PATH)
  const found = [...texts].flatMap(([, text]) => [
    path.join(folder, text),
    ...(text.startsWith('.') ? [] : [path.join(root, text)]),
  ])
  return [...new Set(found)].filter((each) => isOwn(root, folder, each)).map((each) => path.relative(root, each))
}

/** A file below the root, or a folder that is neither around the reader nor one of all packages or all tests. */
function isOwn(root, folder, found) {
  if (!found.startsWith(root + path.sep)) return false
  const name = found.slice(root.length + 1)
  if (['core', 'packages', 'plugins', 'test', 'node_modules'].includes(name)) return false
  return !`${folder}/`.startsWith(`${found}/`) && statSync(found, { throwIfNoEntry: false }) !== undefined
}

/** By root: a process reads each file once. */
const readers = memoized((root) => memoized((file) => readsOf(root, file)))

function memoized(compute) {
  const known = new Map()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)
  }
}
