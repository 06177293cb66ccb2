/** The table of docs/reference/specification.md: every row with the tests that hold it. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { dueRows, parts } from './rows.js'

const root = path.resolve(import.meta.dirname, '../..')

export interface Holding {
  readonly file: string
  readonly title: string
  readonly ids: readonly string[]
}

/** Every `holds(t, …)` of the test files but the one that shows what such a text looks like, under the title of the test around it. */
export function readHoldings(): Holding[] {
  const files = ['test', 'core/src', 'plugins'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && !file.startsWith('specification/'))
      .map((file) => path.posix.join(folder, file)),
  )
  return files.toSorted().flatMap((file) => holdingsOf(file, readFileSync(path.join(root, file), 'utf8')))
}

export function holdingsOf(file: string, text: string): Holding[] {
  const found: Holding[] = []
  let title = ''
  for (const match of text.matchAll(TITLE_OR_HOLDS)) {
    const [, quoted, template, list] = match
    const given = quoted ?? template
    if (given !== undefined) title = given.replaceAll(/\\(['`])/g, '$1')
    else found.push({ file, title, ids: [...list!.matchAll(/'([^']+)'/g)].map(([, id]) => id!) })
  }
  return found
}

const TITLE_OR_HOLDS = /\bt\.test\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)|\bholds\(\s*t,([^)]*)\)/g

/** Rows that no test holds. */
export function unheld(holdings: readonly Holding[]): string[] {
  const held = holdings.flatMap(({ ids }) => ids)
  const isHeld = (id: string) => held.some((each) => each === id || (each.endsWith('*') && id.startsWith(each.slice(0, -1))))
  return Object.values(parts)
    .flatMap((rows) => Object.keys(rows))
    .filter((id) => !isHeld(id))
}

export function renderTable(holdings: readonly Holding[]): string {
  const sections = Object.entries(parts).map(([part, rows]) =>
    [
      `## ${part}`,
      '',
      '| | Held by |',
      '|---|---|',
      ...Object.entries(rows).map(([id, says]) => row(id, says, holdings)),
      '',
    ].join('\n'),
  )
  const later = Object.values(dueRows).map(([says, because]) => `| ${says} | ${because} |`)
  return [
    '<!-- Written by scripts/specification.ts after the tests named here have passed; edit test/specification/rows.ts, not this page. -->',
    '# The interface specification, row by row',
    '',
    'What the specification says and the test that holds it. `npm test` fails when a row has no test;',
    '`node --conditions=@grainline/source --import tsx scripts/specification.ts` runs the tests named here and writes this page. The tests of',
    '[served](../../test/rest/served.test.ts) ask the stock server over HTTP, as `grainline serve` starts it; most others start the part that they test by itself.',
    '',
    ...sections,
    ...(later.length === 0 ? [] : ['## Due', '', '| | Why |', '|---|---|', ...later]),
    '',
  ].join('\n')
}

function row(id: string, says: string, holdings: readonly Holding[]): string {
  const tests = holdings.filter(({ ids }) =>
    ids.some((each) => each === id || (each.endsWith('*') && id.startsWith(each.slice(0, -1)))),
  )
  const named = tests.map(
    ({ file, title }) => `${title.replaceAll('|', '\\|')} ([${path.basename(file, '.test.ts')}](../../${file}))`,
  )
  return `| ${says.replaceAll('|', '\\|')} | ${named.join('; ')} |`
}
