/** Each hint of docs/reference/errors.md that offers several ways has a test for each of them. */
import { readFileSync } from 'node:fs'
import type { ErrorCode } from '@grainline/core'
import { errorCatalog } from '@grainline/core/unstable'
import t from 'tap'
import { WAYS } from './ways.js'

const pieces = (hint: string): readonly string[] => hint.split(/(?<=[;.])\s+|,?\s+(?=or\b)/)
const hints = Object.entries(errorCatalog).map(([code, { fix }]) => [code as ErrorCode, pieces(fix)] as const)
const texts = new Map<string, string>()

function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  texts.set(file, known)
  return known
}

t.test('each hint of several pieces says what applies them', async (t) => {
  for (const [code, found] of hints) {
    if (found.length === 1) t.notOk(WAYS[code], `${code} has one way`)
    else t.equal(WAYS[code]?.length, found.length, `${code}: ${found.map((piece) => `\n  ${piece}`).join('')}`)
  }
})

t.test('what applies a piece exists, and is about its code', async (t) => {
  for (const [code, places] of Object.entries(WAYS))
    for (const place of places) {
      if (typeof place === 'string') continue
      const [file, words] = place
      const text = textOf(file)
      t.ok(text.includes(words) || text.includes(words.replaceAll("'", "\\'")), `${code}: ${file} has ${words}`)
    }
})

t.test('a hint has at least one way that a test applies', async (t) => {
  for (const [code, places] of Object.entries(WAYS))
    t.ok(
      places.some((place) => place === 'swept' || typeof place !== 'string'),
      code,
    )
})
