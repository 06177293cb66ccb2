import { type Answer, ask, type Cell, exact } from '../../support/answers.js'
import { compileFor } from '../../support/compile.js'
import { type Question, tpcds } from '../../tpcds/questions.js'
import type { Benchmark } from './benchmark.js'

/** The answer of the query, in the columns of the reference. */
export async function answerOf({ connection }: Benchmark, { query, answer }: Question, model = tpcds): Promise<Answer> {
  const found = await ask(connection, compileFor(query, model).sql)
  const shown = answer.map((column) => {
    const place = found.columns.indexOf(typeof column === 'string' ? column : '')
    if (typeof column === 'string' && place < 0) throw new Error(`the answer has no column '${column}'`)
    return (row: readonly Cell[]): Cell => (typeof column === 'string' ? spelled(row[place] ?? null) : column.constant)
  })
  return { columns: answer.map(String), rows: found.rows.map((row) => shown.map((cell) => cell(row))) }
}

/** The answer of the reference without its final limit, and that limit; `Infinity` if there is none. */
export async function unlimitedReference({ connection, reference }: Benchmark, { number }: Question): Promise<[Answer, number]> {
  const text = reference(number)
  const found = await ask(connection, withoutLimit(text))
  const limit = Number(LIMIT.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)
  return [{ columns: found.columns, rows: found.rows.map((row) => row.map(spelled)) }, limit]
}

/** A text without the limit at its end. */
export const withoutLimit = (text: string): string => text.replace(LIMIT, '')

const LIMIT = /\blimit\s+(\d+)\s*;?\s*$/i

/** The reference marks a total with 1, a flag column with true. */
export const spelled = (cell: Cell): Cell => (typeof cell === 'boolean' ? exact(Number(cell)) : cell)
