/** The corpus: one model, its rows, and one file per question. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  builtInAggregates,
  builtInFunctions,
  type CompiledQuery,
  GrainlineError,
  parseQuery,
  type SemanticModel,
} from '@grainline/core'
import type { Dialect } from '@grainline/core/dialect'
import { bigquery } from '@grainline/dialect-bigquery'
import { clickhouse } from '@grainline/dialect-clickhouse'
import { databricks } from '@grainline/dialect-databricks'
import { dremio } from '@grainline/dialect-dremio'
import { duckdb } from '@grainline/dialect-duckdb'
import { mariadb } from '@grainline/dialect-mariadb'
import { mysql } from '@grainline/dialect-mysql'
import { postgres } from '@grainline/dialect-postgres'
import { redshift } from '@grainline/dialect-redshift'
import { snowflake } from '@grainline/dialect-snowflake'
import { sqlite } from '@grainline/dialect-sqlite'
import { trino } from '@grainline/dialect-trino'
import { parse, stringify } from 'yaml'
import { type Arrow, compileThrough } from '../../core/src/compile.js'

export interface Question {
  readonly name: string
  readonly query: object
  /** Whether the order of the rows is part of the expected answer. */
  readonly ordered?: boolean
  /** Hand-written SQL over the raw tables, for DuckDB; it shares no code with the compiler. */
  readonly truth: string
  /** The SQL of the compiler; `update.ts` writes it. */
  readonly sql?: Readonly<Record<string, string>>
}

export const DIALECTS: readonly Dialect[] = [duckdb, postgres]

/** The dialects whose SQL is stored in `sql/<dialect>.yaml`, by query. If a dialect cannot express a query, the file contains the error. */
export const FURTHER_DIALECTS: readonly Dialect[] = [
  bigquery,
  clickhouse,
  databricks,
  dremio,
  mariadb,
  mysql,
  redshift,
  snowflake,
  sqlite,
  trino,
]

/** The clock of the corpus, so that relative filters do not depend on the current day. */
export const NOW = new Date('2025-06-15T12:00:00Z')

const here = (name: string): URL => new URL(name, import.meta.url)
const fileOf = (name: string): string => `questions/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.yaml`

export const modelText = (): string => readFileSync(here('commerce.yaml'), 'utf8')
export const dataSql = (): string => readFileSync(here('data.sql'), 'utf8')

let questions: readonly Question[] | undefined

/** The same objects for every suite of a process. */
export const readQuestions = (): readonly Question[] =>
  (questions ??= readdirSync(here('questions'))
    .sort()
    .map((file) => parse(readFileSync(here(`questions/${file}`), 'utf8')) as Question))

export function writeQuestion(question: Question): void {
  const text = stringify(question, { lineWidth: 130, blockQuote: 'literal' })
  writeFileSync(here(fileOf(question.name)), text)
}

type Statements = Readonly<Record<string, string>>

export const readStatements = ({ name }: Dialect): Statements =>
  existsSync(here(`sql/${name}.yaml`)) ? (parse(readFileSync(here(`sql/${name}.yaml`), 'utf8')) as Statements) : {}

/** Read once for all questions of a dialect. */
const stored = new Map<string, Statements>()

/** The stored SQL of a question, or the code and the message of its refusal; corpus.test.ts holds that the compiler gives it. */
export function storedStatement(dialect: Dialect, { name, sql }: Question): string {
  const statements = stored.get(dialect.name) ?? readStatements(dialect)
  stored.set(dialect.name, statements)
  const statement = sql?.[dialect.name] ?? statements[name]
  if (statement === undefined)
    throw new Error(`the corpus has no statement of ${dialect.name} for ${name}; run test/corpus/update.ts`)
  return statement
}

export const writeStatements = ({ name }: Dialect, statements: Statements): void =>
  writeFileSync(here(`sql/${name}.yaml`), stringify(statements, { lineWidth: 0, blockQuote: 'literal' }))

/** The SQL of a query, or the code and the message of its error. */
export function sqlOrRefusal(dialect: Dialect, query: unknown, model: SemanticModel, arrow?: Arrow): string {
  try {
    return compileFor(dialect, query, model, arrow).sql
  } catch (error) {
    if (error instanceof GrainlineError && error.code.startsWith('UNSUPPORTED_')) return `${error.code}: ${error.message}`
    throw error
  }
}

/** `arrow` gets each value that passes between two stages of the compiler, and may replace it by a copy. */
export function compileFor(
  dialect: Dialect,
  query: unknown,
  model: SemanticModel,
  arrow: Arrow = (_, value) => value,
  without: ReadonlySet<string> = new Set(),
): CompiledQuery {
  const context = {
    dialect,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes: 'declared',
    checksRules: true,
    without,
  } as const
  return compileThrough(parseQuery(query), model, context, arrow)
}
