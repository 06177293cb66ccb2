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
  const isChanged = (file) => changed.includes(file)
  const read = memoized((file) => readsOf(root, file))
  const isRead = (file) => changed.some((one) => read(file).some((each) => one === each || one.startsWith(`${each}/`)))
  const steps = (test) => distance(test, (file) => [...(imports[file] ?? []), ...read(file)], isChanged, isRead)
  return new Map(tests.map((test) => [test, steps(test)]).filter(([, count]) => count !== undefined))
}

/** The number of imports from a file to the nearest that is changed or reads a changed one; undefined if there is none. */
function distance(start, next, isChanged, isRead) {
  const seen = new Set([start])
  let files = [start]
  for (let steps = 0; files.length > 0; steps++) {
    if (files.some(isChanged)) return steps
    if (files.some(isRead)) return steps + 1
    files = files.flatMap(next).filter((file) => !seen.has(file) && seen.add(file))
  }
  return undefined
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
  const name = path.relative(root, found)
  if (name === '' || name.startsWith('..') || ['core', 'packages', 'plugins', 'test', 'node_modules'].includes(name)) return false
  return !`${folder}/`.startsWith(`${found}/`) && statSync(found, { throwIfNoEntry: false }) !== undefined
}

function memoized(compute) {
  const known = new Map()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)
  }
}
