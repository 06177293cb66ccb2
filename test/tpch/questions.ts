/** The queries of TPC-H, one file each, their model, and their answers in the columns of the benchmark. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Answer, Cell } from '../support/answers.js'
import { readModel } from '../support/compile.js'

export interface Question {
  /** `q03`, after its file. */
  readonly name: string
  readonly question: string
  readonly query: { readonly order_by?: unknown }
  /** A query that runs before, whose only value times `factor` replaces "$first". */
  readonly first?: { readonly query: unknown; readonly factor: number }
  /** The columns of ours that the published answer has, in its order. */
  readonly answer: readonly string[]
  /** Sums this column per group of the other selected ones; a query cannot aggregate the rows that `having` leaves yet. */
  readonly folded?: string
}

const here = (name: string): string => new URL(name, import.meta.url).pathname

export const TABLES = ['customer', 'lineitem', 'nation', 'orders', 'part', 'partsupp', 'region', 'supplier']

export const tpch = readModel(here('model.yaml'))

export const questions: readonly Question[] = readdirSync(here('queries'))
  .toSorted()
  .map((file) => ({
    ...(JSON.parse(readFileSync(here(`queries/${file}`), 'utf8')) as Omit<Question, 'name'>),
    name: file.slice(0, 3),
  }))

/** The query with the answer of the previous query inserted. */
export async function filledIn({ query, first }: Question, asked: (query: unknown) => Promise<Answer>): Promise<unknown> {
  if (!first) return query
  const [[value = null] = []] = (await asked(first.query)).rows
  const bound = Number(value) * first.factor
  return JSON.parse(JSON.stringify(query), (_key, v: unknown) => (v === '$first' ? bound : v)) as unknown
}

/** An answer in the columns of the benchmark. */
export function project(found: Answer, { answer, folded }: Question): Answer {
  const places = answer.map((name) => found.columns.indexOf(name))
  const rows = found.rows.map((row) => places.map((place) => row[place] ?? null))
  return { columns: answer, rows: folded ? fold(rows, answer.indexOf(folded)) : rows }
}

/** One row per group of the other cells, with the sum of integers at `place`. */
function fold(rows: readonly Cell[][], place: number): Cell[][] {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify(row.with(place, null))
    sums.set(key, (sums.get(key) ?? 0) + Number(row[place]))
  }
  return [...sums].map(([key, sum]) => (JSON.parse(key) as Cell[]).with(place, String(sum)))
}
