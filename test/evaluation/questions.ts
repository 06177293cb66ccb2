import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface Question {
  readonly model: string
  readonly ask: string
  /** The truth, from the tables. */
  readonly sql: string
  /** The order of the rows is a part of it. */
  readonly ordered?: boolean
}

export const questions: readonly Question[] = ['flights', 'tpch'].flatMap((model) =>
  (parse(readFileSync(new URL(`${model}.yaml`, import.meta.url), 'utf8')) as Omit<Question, 'model'>[]).map((one) => ({
    model,
    ...one,
  })),
)
