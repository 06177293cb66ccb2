/** Suites that share a process do not run by themselves: no test file may be in neither list. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { GROUPS, SHARED, sharedFile } from './groups.mjs'

const root = path.resolve(import.meta.dirname, '..')

t.test('every test file runs once, in npm test or with the real engines', (t) => {
  const shared = Object.keys(SHARED).map(sharedFile)
  const run = [...GROUPS.main(), ...GROUPS.interop()]
  t.same(
    shared.filter((file) => !run.includes(file)),
    [],
  )
  const all = run.flatMap((file) => (shared.includes(file) ? membersOf(path.join(root, file)) : [file]))
  t.same(all.toSorted(), testFiles().toSorted())
  t.end()
})

t.test('a file that runs on two Node versions at once has a folder for each', (t) => {
  const [group = 'a group: run this file by npm test -- FILE'] = process.argv.slice(2)
  t.ok(['main', 'node', 'interop', 'named'].includes(group), group)
  t.ok(t.testdirName.includes(`-${group}-`), t.testdirName)
  t.end()
})

function membersOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/\bbundleOf\("(file:[^"]+)"\)|^import "(\.\.\/[^"]+)"$/gm)
  return [...imports].map(([, url, place = '']) =>
    path.relative(root, url === undefined ? path.resolve(path.dirname(file), place) : fileURLToPath(url)),
  )
}

/** All there are, whatever groups.mjs finds. */
function testFiles(): string[] {
  return ['core', 'packages', 'plugins', 'examples', 'test'].flatMap(testsBelow)
}

function testsBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : testsBelow(file)
    return entry.name.endsWith('.test.ts') ? [file] : []
  })
}
