/** The figures in docs/first-model.md, held by the tests that measure them. */
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'

const page = readFileSync(new URL('../../docs/first-model.md', import.meta.url), 'utf8')

const TITLES: Readonly<Record<string, string>> = {
  chinook: 'Chinook',
  sakila: 'Sakila',
  northwind: 'Northwind',
  vega: 'Tables with the names of spreadsheets',
  planted: 'A shop whose names say little',
  'planted-chinook': 'Chinook, with tables added for some of them',
  'planted-sakila': 'Sakila, with tables added for some of them',
}

/** Prints what was measured, and fails if the page has other figures for it. */
export function holdsFigures(t: Test, name: string, figures: readonly string[]): void {
  const line = `| ${[TITLES[name] ?? name, ...figures].join(' | ')} |`
  t.comment(line)
  t.ok(page.split('\n').includes(line), `docs/first-model.md says: ${line}`)
}
