import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface Question {
  readonly model: string
  readonly ask: string
  /** The expected rows, from the tables. Absent where the model cannot say it. */
  readonly sql?: string
  readonly refused?: true
  /** Whether the order of the rows matters. */
  readonly ordered?: boolean
}

export const questions: readonly Question[] = ['flights', 'tpch'].flatMap((model) =>
  (parse(readFileSync(new URL(`${model}.yaml`, import.meta.url), 'utf8')) as Omit<Question, 'model'>[]).map((one) => ({
    model,
    ...one,
  })),
)
