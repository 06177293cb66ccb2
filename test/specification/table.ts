/** The table of docs/reference/specification.md: every row with the tests that check it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { filesBelow } from '../groups.mjs'
import { differences, dueRows, parts } from './rows.js'
import { startsProcess } from './starts-process.js'

const root = path.resolve(import.meta.dirname, '../..')

export interface Holding {
  readonly file: string
  readonly title: string
  readonly ids: readonly string[]
  /** Its test starts Grainline as a separate process, like users do. */
  readonly served: boolean
}

/** Every `holds(t, …)` of the test files, with the title of its test. The file that shows examples of such a text is left out. */
export function readHoldings(): Holding[] {
  const files = ['test', 'core/src', 'plugins'].flatMap((folder) =>
    filesBelow(folder).filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/specification/')),
  )
  return files.toSorted().flatMap((file) => holdingsOf(file, readFileSync(path.join(root, file), 'utf8')))
}

export function holdingsOf(file: string, text: string): Holding[] {
  const found: Holding[] = []
  const served = startsProcess(text)
  let title = ''
  for (const match of text.matchAll(TITLE_OR_HOLDS)) {
    const [, quoted, template, list] = match
    const given = quoted ?? template
    if (given !== undefined) title = given.replaceAll(/\\(['`])/g, '$1')
    else found.push({ file, title, ids: [...list!.matchAll(/'([^']+)'/g)].map(([, id]) => id!), served: served(match.index) })
  }
  return found
}

const TITLE_OR_HOLDS = /\bt\.test\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)|\bholds\(\s*t,([^)]*)\)/g

/** Rows that no test checks. */
export function unheld(holdings: readonly Holding[]): string[] {
  return Object.values(parts)
    .flatMap((rows) => Object.keys(rows))
    .filter((id) => heldBy(id, holdings).length === 0)
}

const heldBy = (id: string, holdings: readonly Holding[]): Holding[] =>
  holdings.filter(({ ids }) => ids.some((each) => each === id || (each.endsWith('*') && id.startsWith(each.slice(0, -1)))))

const isServed = (id: string, holdings: readonly Holding[]): boolean => heldBy(id, holdings).some(({ served }) => served)

function summary(holdings: readonly Holding[]): string[] {
  const counts = Object.entries(parts).map(([part, rows]) => {
    const ids = Object.keys(rows)
    return [part, ids.length, ids.filter((id) => isServed(id, holdings)).length] as const
  })
  const sum = (of: 1 | 2): number => counts.reduce((total, count) => total + count[of], 0)
  const all = ['**All**', sum(1), sum(2)] as const
  return [
    '| | Rows | On a served process | In process alone |',
    '|---|---|---|---|',
    ...[...counts, all].map(([part, rows, served]) => `| ${part} | ${rows} | ${served} | ${rows - served} |`),
  ]
}

export function renderTable(holdings: readonly Holding[]): string {
  const sections = Object.entries(parts).map(([part, rows]) =>
    [
      `## ${part}`,
      '',
      '| | Served | Held by |',
      '|---|---|---|',
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
    '`node --conditions=@grainline/source --import tsx scripts/specification.ts` runs the tests named here and writes this page. A row is',
    '*served* where one of its tests starts `grainline` as a process of its own, as its users do; the tests of the others start the part that they test.',
    '',
    ...summary(holdings),
    '',
    '## Where Grainline differs from the text',
    '',
    'Each of these was decided; the last column gives the reason.',
    '',
    '| The text says | Grainline does | Because |',
    '|---|---|---|',
    ...differences.map(({ text, instead, because }) => `| ${text} | ${instead} | ${because} |`),
    '',
    ...sections,
    ...(later.length === 0 ? [] : ['## Due', '', '| | Why |', '|---|---|', ...later]),
    '',
  ].join('\n')
}

function row(id: string, says: string, holdings: readonly Holding[]): string {
  const named = heldBy(id, holdings).map(
    ({ file, title }) => `${title.replaceAll('|', '\\|')} ([${path.basename(file, '.test.ts')}](../../${file}))`,
  )
  return `| ${says.replaceAll('|', '\\|')} | ${isServed(id, holdings) ? 'yes' : ''} | ${named.join('; ')} |`
}
