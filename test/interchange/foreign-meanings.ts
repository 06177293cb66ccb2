/** What models of other products mean, beside what they mean here, with a question and its numbers for each. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Importer } from '@grainline/core'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { GrainlineError } from '../../core/src/errors.js'
import { serviceWith } from './numbers-by-hand.js'
import { plainRows } from './plain-rows.js'

const FOLDER = path.join(process.cwd(), 'test/interchange/meanings')

/** What a meaning is about, in the order of the page. */
export const ABOUT = {
  filters: 'Filters that do not reach a measure',
  offsets: 'Signs of offsets',
  weeks: 'Starts of weeks',
  nulls: 'NULL in sums and conditions',
  counts: 'Counts of nothing',
  groups: 'Groups without rows of a measure',
  earlier: 'Rows of earlier periods',
  periods: 'Values by longer periods',
  orphans: 'Rows without a match',
  copies: 'Rows that joins repeat',
  division: 'Division',
  zones: 'Time zones',
  texts: 'Capitals and small letters',
  conversions: 'Conversions',
} as const

export type About = keyof typeof ABOUT

/** The file of a format. */
export interface Meanings {
  readonly format: string
  readonly product: string
  /** The model that is asked, unless a meaning has another one. */
  readonly text: string
  /** What the format, or its import, does not have. */
  readonly none: Partial<Readonly<Record<About, string>>>
  readonly meanings: readonly Meaning[]
}

export interface Meaning {
  readonly about: About
  /** What the other product does, and what this server does. */
  readonly there: string
  readonly here: string
  /** Parts of the text that are others for this question. */
  readonly changes?: readonly { readonly from: string; readonly to: string }[]
  readonly query: Readonly<Record<string, unknown>>
  readonly theirs: Answer
  /** Without it, the rows are the same. */
  readonly ours?: Answer
  /** The line of the list that says so. */
  readonly line?: string
}

/** Rows, a statement that gives them, or none. */
interface Answer {
  readonly rows?: readonly (readonly unknown[])[]
  readonly sql?: string
  readonly refused?: true
  readonly error?: string
}

export const foreignMeanings: readonly Meanings[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Meanings)

/** `same`: the rows, or the refusals, are equal. `answered`: the other product refuses the question. */
export type Outcome = 'same' | 'differs' | 'answered'

export function outcomeOf({ theirs, ours }: Meaning): Outcome {
  if (!ours) return 'same'
  if (theirs.refused) return ours.error === undefined ? 'answered' : 'same'
  return 'differs'
}

/** Asks the questions of a format. */
export async function askMeanings(t: Test, importer: Importer, { text, meanings }: Meanings): Promise<void> {
  const service = await serviceWith(t, importer)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  t.teardown(() => connection.closeSync())
  await connection.run(readFileSync(path.join(FOLDER, 'rows.sql'), 'utf8'))
  const rowsOf = async (sql: string) => JSON.stringify(plainRows((await connection.runAndReadAll(sql)).getRowsJson()))
  const expected = async ({ rows, sql, refused, error }: Answer) =>
    sql !== undefined ? rowsOf(sql) : rows ? JSON.stringify(plainRows(rows)) : refused ? 'refused' : String(error)
  const listOf = async (model_yaml: string) => {
    const foreign = { asker: undefined, model_yaml, format: importer.name }
    const { session_id: sessionId } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
    await service.loadModel(sessionId, foreign)
    return { sessionId, losses: (await service.convert(foreign)).losses }
  }
  const lists = new Map<string, Awaited<ReturnType<typeof listOf>>>()
  for (const meaning of meanings) {
    const { about, there, here, changes = [], query, theirs, ours, line } = meaning
    const asked = changes.reduce(replaced, text)
    const list = lists.get(asked) ?? (await listOf(asked))
    lists.set(asked, list)
    const { sessionId, losses } = list
    const says = `${about}: ${there}; here: ${here}`
    const answer = await service
      .compile({ asker: undefined, target: { sessionId }, query, dialect: 'duckdb' })
      .then(({ sql }) => rowsOf(sql), codeOf)
    t.equal(answer, await expected(ours ?? theirs), says)
    if (outcomeOf(meaning) === 'differs') {
      t.not(answer, await expected(theirs), `${says}: the rows differ`)
      t.ok(line !== undefined, `${says}: a line is named`)
    }
    if (line !== undefined)
      t.ok(
        losses.some((loss) => loss.message.includes(line) && loss.line !== undefined),
        `${says}: the list has the line '${line}'`,
      )
  }
}

function replaced(text: string, { from, to }: { readonly from: string; readonly to: string }): string {
  if (!text.includes(from)) throw new Error(`the model has no '${from}'`)
  return text.replace(from, () => to)
}

const codeOf = (error: unknown): string => (error instanceof GrainlineError ? error.code : String(error))
