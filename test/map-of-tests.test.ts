/**
 * test/map-of-tests.txt names the tests that hold each source file. A file with functions that no line names is new, or no test without an engine
 * reaches it: `npm run map-of-tests -- TEST` adds what a test reaches.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { filesBelow } from './groups.mjs'
import { syntaxOf } from './syntax.js'

/** Names of files that were moved or removed since the map was made. */
const MOST_GONE = 100
/** Files with functions that the map does not name: most tests have not been run for it yet. This number may only decrease. */
const MOST_MISSING = 140
/** Branches of the compiler that no test takes, and nobody has judged (docs/how-it-is-tested.md). This number may only decrease. */
const MOST_NOT_JUDGED = 0

/** Files of resolve, bind and plan with functions and without a test beside them, and why. */
const WITHOUT_TEST: Readonly<Record<string, string>> = {
  'core/src/bind/bind-context.ts': 'types, and a function that returns nothing',
  'core/src/bind/read-column.ts': 'types, and one that adds a type to a record',
  'core/src/plan/logical-plan.ts': 'types, and three that make a record of their arguments',
}

const root = path.resolve(import.meta.dirname, '..')
const hasFunctions = (file: string): boolean => syntaxOf(file).functions.length > 0
const lines = readFileSync(path.join(root, 'test/map-of-tests.txt'), 'utf8').split('\n').slice(1).filter(Boolean)
const tests = new Map(
  lines.map((line) => {
    const [source = '', list = ''] = line.split(': ')
    return [source, list.split(', ').map((each) => each.replace(/ \(\d+\)$/, ''))] as const
  }),
)

t.test('each source file with functions is named, with tests that hold it', (t) => {
  const held = ['core/src', 'packages', 'plugins'].flatMap(sources).filter(hasFunctions)
  const missing = held.filter((file) => !tests.has(file))
  t.comment(`${held.length - missing.length} of ${held.length} files are named; not: ${missing.join(' ')}`)
  t.ok(missing.length <= MOST_MISSING, `${missing.length} are missing, ${MOST_MISSING} at most`)
  t.end()
})

t.test('the map names files that exist, and few that do not', (t) => {
  const gone = [...tests].flatMap(([source, list]) => [source, ...list]).filter((file) => !existsSync(path.join(root, file)))
  t.ok(new Set(gone).size <= MOST_GONE, [...new Set(gone)].join(' '))
  for (const [source, list] of tests) if (list.length === 0) t.fail(`${source} has no test`)
  t.end()
})

t.test('each file of resolve, bind and plan with functions has a test beside it', (t) => {
  const files = ['core/src/resolve', 'core/src/bind', 'core/src/plan'].flatMap(sources).filter(hasFunctions)
  const bare = files.filter((file) => !existsSync(path.join(root, file.replace(/\.ts$/, '.test.ts'))))
  t.same(bare.sort(), Object.keys(WITHOUT_TEST).sort(), 'write a small test, or remove the line of WITHOUT_TEST')
  t.end()
})

t.test('lines of branches that no test takes have a file and a reason, and those that are not judged become fewer', (t) => {
  const branches = readFileSync(path.join(root, 'test/mutation/unreachable.txt'), 'utf8').split('\n').slice(1).filter(Boolean)
  for (const line of branches) {
    const [, file = '', reason] = /^(\S+): .* -- (.+)$/.exec(line) ?? []
    if (!existsSync(path.join(root, file)) || reason === undefined) t.fail(line)
  }
  const open = branches.filter((line) => line.endsWith(' -- not judged yet'))
  t.ok(open.length <= MOST_NOT_JUDGED, `${open.length} are not judged, ${MOST_NOT_JUDGED} at most`)
  t.end()
})

function sources(folder: string): string[] {
  return filesBelow(folder)
    .filter((file) => /^(core\/src|packages\/[^/]+\/src|plugins\/[^/]+\/(src|web\/src))\/.*\.tsx?$/.test(file))
    .filter((file) => !/\.(test|d)\.tsx?$/.test(file))
}
