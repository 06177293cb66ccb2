/** The terms of docs/glossary.md are those of the pages, and the words that it rejects are in none that users read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sentencesOf } from '../../scripts/prose.js'

const root = new URL('../../', import.meta.url).pathname
const read = (page: string) => readFileSync(join(root, page), 'utf8')
/** Diaries of tests and measurements, for readers who check the promise. */
const BUILT = /findings-and-tests|how-it-is-tested|speed-notes|glossary/
const pages = [
  'README.md',
  ...['docs', 'docs/plugins'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)),
].filter((name) => name.endsWith('.md') && !BUILT.test(name))
const prose = new Map(pages.map((page) => [page, sentencesOf(read(page))]))

const firstCells = (heading: string): readonly string[] => {
  const section = read('docs/glossary.md').split(`## ${heading}`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell = '']) => cell).slice(1)
}
const pagesWith = (words: string) => {
  const pattern = new RegExp(`\\b${words}s?\\b`, 'i')
  return [...prose].filter(([, sentences]) => sentences.some((sentence) => pattern.test(sentence))).map(([page]) => page)
}

t.test('each term is one that pages use, and they are in order', async (t) => {
  const terms = firstCells('Terms')
  t.ok(terms.length > 30)
  for (const term of terms) t.ok(pagesWith(term).length > 1, term)
  const inOrder = (word: string) => word.toLowerCase()
  t.same(
    terms,
    terms.toSorted((a, b) => inOrder(a).localeCompare(inOrder(b), 'en')),
  )
})

t.test('no page has a word that the glossary rejects', async (t) => {
  const words = firstCells('Words that the pages do not use')
  t.ok(words.length > 5)
  for (const word of words) t.same(pagesWith(word), [], word)
})
