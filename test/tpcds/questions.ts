/** The queries of TPC-DS, one file each, and their model. */
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { readModel } from '../support/compile.js'

export interface Question {
  /** `q03`, after its file. */
  readonly name: string
  /** The query of the benchmark to which it corresponds. */
  readonly number: number
  readonly question: string
  readonly query: unknown
  /** The columns of ours that the reference has, in its order; `{ constant }` if it shows one that is not data. */
  readonly answer: readonly (string | { readonly constant: string })[]
}

const here = (name: string): string => new URL(name, import.meta.url).pathname

export const tpcds = readModel(here('model.yaml'))

export const questions: readonly Question[] = readdirSync(here('queries'))
  .toSorted()
  .map((file) => ({
    ...(parse(readFileSync(here(`queries/${file}`), 'utf8')) as Omit<Question, 'name' | 'number'>),
    name: file.slice(0, 3),
    number: Number(file.slice(1, 3)),
  }))
