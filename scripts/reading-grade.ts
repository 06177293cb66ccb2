/**
 * How the words of the docs have changed, as a table: pages, sentences, words per sentence and reading grade at two commits.
 *   node --conditions=@grainline/source --import tsx scripts/reading-grade.ts [BEFORE] [AFTER]
 * Without BEFORE it is the last commit before the work on the words, without AFTER the current one.
 */
import { execFileSync } from 'node:child_process'
import { readingOf, sentencesOf } from './prose.js'

/** The next commit is the first one that changes pages for their words only. */
const BEFORE_WORDS = 'f6f07624^'
/** Written by scripts from tables of the code. */
const GENERATED = /^docs\/reference\//

const git = (...args: readonly string[]): string => execFileSync('git', [...args], { encoding: 'utf8', maxBuffer: 1 << 28 })

type Edition = ReadonlyMap<string, readonly string[]>

function editionAt(commit: string): Edition {
  const pages = git('ls-tree', '-r', '--name-only', commit, 'docs', 'README.md', 'CONTRIBUTING.md')
    .split('\n')
    .filter((name) => name.endsWith('.md') && !GENERATED.test(name))
  return new Map(pages.map((page) => [page, sentencesOf(git('show', `${commit}:${page}`))]))
}

const [before = BEFORE_WORDS, after = 'HEAD'] = process.argv.slice(2)
const [old, now] = [editionAt(before), editionAt(after)]
/** Decisions, and diaries of tests and measurements: for readers who check how it is built. */
const BUILT = /^docs\/(decisions\/|findings-and-tests|how-it-is-tested|speed-notes|benchmarks|tpc|threat-model)/
const chosen = (edition: Edition, is: (page: string) => boolean): Edition => new Map([...edition].filter(([page]) => is(page)))
const isForUsers = (page: string) => !BUILT.test(page)
const columns = [
  chosen(old, (page) => isForUsers(page) && now.has(page)),
  chosen(now, (page) => isForUsers(page) && old.has(page)),
  chosen(now, (page) => isForUsers(page) && !old.has(page)),
  chosen(old, (page) => !isForUsers(page)),
  chosen(now, (page) => !isForUsers(page)),
]
const readings = columns.map((edition) => readingOf([...edition.values()].flat()))
const line = (title: string, figures: readonly (string | number)[]) => console.log(`| ${[title, ...figures].join(' | ')} |`)
const dates = [before, after].map((commit) => git('log', '-1', '--format=%h', commit).trim())

/** Sentences of a page that its other edition does not have. */
const changed = (edition: Edition, other: Edition): number =>
  [...edition].reduce((sum, [page, sentences]) => {
    const known = new Set(other.get(page))
    return sum + sentences.filter((sentence) => !known.has(sentence)).length
  }, 0)

line('', [
  `Pages for users, ${dates[0]}`,
  `The same, ${dates[1]}`,
  `New ones, ${dates[1]}`,
  `How it is built, ${dates[0]}`,
  `How it is built, ${dates[1]}`,
])
console.log('|---|--:|--:|--:|--:|--:|')
line(
  'Pages',
  columns.map(({ size }) => size),
)
line(
  'Sentences',
  readings.map(({ sentences }) => sentences.toLocaleString('en-US')),
)
line(
  'of these, not in the other edition of the page',
  columns.map((edition, at) => changed(edition, [now, old, old, now, old][at] ?? old).toLocaleString('en-US')),
)
line(
  'Words per sentence',
  readings.map(({ wordsPerSentence }) => wordsPerSentence.toFixed(1)),
)
line(
  'Sentences of more than 30 words',
  readings.map(({ long }) => `${(100 * long).toFixed(1)} %`),
)
line(
  'Reading grade',
  readings.map(({ grade }) => grade.toFixed(1)),
)
