import type { AnyModel, Query } from '@grainline/client'
import { fail } from '../../errors.js'
import { jsonPlace } from '../../query/json-place.js'
import { ROLLUP_CHOICES, type RollupChoice } from '../../query/query-object.js'
import { type CommandIo, choiceOf, UsageError } from '../command.js'
import { readValue } from '../read-input.js'
import type { Asked } from '../target/with-target.js'
import { conditionOf } from './condition.js'
import type { QuestionFlags } from './question-flags.js'
import { fieldsOf, type KnownField, spelled, spelledList } from './spelling.js'

export type AnyQuery = Query<AnyModel>
/** A query in JSON, or a statement of SQL. */
export type Question =
  | { readonly query: AnyQuery }
  | { readonly sql: string; readonly parameters?: Given; readonly rollups?: RollupChoice }
type Given = Readonly<Record<string, string | readonly string[]>>

/** The query that the flags describe. Names of fields are looked up in the model. */
export async function readQuestion(
  command: string,
  flags: QuestionFlags,
  { client, signal }: Asked,
  io: CommandIo,
): Promise<Question> {
  const ways = [flags.query, flags.sql, flags.dimension ?? flags.measure].filter((way) => way !== undefined).length
  if (ways === 0)
    throw new UsageError(`${command} needs a question: --query JSON, --query @file, --sql TEXT, or fields with -d and -m`)
  if (ways > 1) throw new UsageError('Give the question in one form only: --query, --sql, or -d and -m')
  const parameters = parametersOf(flags.parameter ?? [])
  const choice = flags.rollups === undefined ? {} : { rollups: choiceOf('--rollups', flags.rollups, ROLLUP_CHOICES) }
  if (flags.sql !== undefined) return { sql: await readValue(flags.sql, io), ...(parameters && { parameters }), ...choice }
  const query = flags.query === undefined ? undefined : parsed(await readValue(flags.query, io))
  const asked = query ?? questionOf(flags, fieldsOf(await client.schema({ signal })))
  return { query: { ...asked, ...(parameters && { parameters: { ...asked.parameters, ...parameters } }), ...choice } }
}

/** `Currency=USD`; a parameter that is given several times is a list. */
function parametersOf(texts: readonly string[]): Given | undefined {
  const given = new Map<string, string | readonly string[]>()
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined) throw new UsageError(`--parameter is Name=value, not '${text}'`)
    const known = given.get(name)
    given.set(name, known === undefined ? value : [known, value].flat())
  }
  return given.size === 0 ? undefined : Object.fromEntries(given)
}

function parsed(text: string): AnyQuery {
  try {
    return JSON.parse(text) as AnyQuery
  } catch (cause) {
    const { line, column } = jsonPlace(text)
    return fail('BAD_REQUEST', `The query is not well-formed JSON; the error is at line ${line}, column ${column}`, { cause })
  }
}

function questionOf(flags: QuestionFlags, fields: readonly KnownField[]): AnyQuery {
  const { dimension = [], measure = [], where = [], having = [], order = [], limit, offset, timezone } = flags
  return {
    select: { dimensions: spelledList(dimension, fields), measures: spelledList(measure, fields) },
    where: where.map((text) => conditionOf(text, fields)) as AnyQuery['where'] & object,
    having: having.map((text) => conditionOf(text, fields)) as AnyQuery['having'] & object,
    order_by: order.map((text) => orderOf(text, fields)),
    ...(limit !== undefined && { limit: wholeNumber('limit', limit) }),
    ...(offset !== undefined && { offset: wholeNumber('offset', offset) }),
    ...(timezone !== undefined && { timezone }),
  }
}

/** `field`, `field:desc` or `field:asc`; a position from 1 is a field too. */
function orderOf(text: string, fields: readonly KnownField[]): NonNullable<AnyQuery['order_by']>[number] {
  const [, name = text, direction = 'asc'] = /^(.+):(asc|desc)$/i.exec(text) ?? []
  const field = /^\d+$/.test(name) ? Number(name) : spelled(name, fields)
  return { field, direction: direction.toLowerCase() as 'asc' | 'desc' }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`--${flag} is a whole number, not '${text}'`)
  return Number(text)
}
