import { GrainlineError } from '@grainline/core'
import { nearest } from '@grainline/core/language'
import type { Expression } from './expression.js'
import { parseApply, parseComputed, parseOrder } from './parse-apply.js'
import { parseExpression } from './parse-expression.js'
import { Reader } from './reader.js'
import type { Computed, Ordered, Transformation } from './transformation.js'

/** The system query options of a request (Part 2, 5.1), read. They act in this order. */
export interface QueryOptions {
  readonly apply: readonly Transformation[]
  readonly compute: readonly Computed[]
  readonly filter: Expression | undefined
  readonly order: readonly Ordered[]
  readonly skip: number
  readonly top: number | undefined
  /** `undefined`: all properties. */
  readonly select: readonly string[] | undefined
  readonly count: boolean
  /** Rows that earlier pages had. */
  readonly skipToken: number
}

const NAMES = [
  'apply',
  'compute',
  'filter',
  'orderby',
  'skip',
  'top',
  'select',
  'count',
  'skiptoken',
  'format',
  'expand',
  'search',
]
const REFUSED: Readonly<Record<string, string>> = {
  expand: 'Entities have no relations: the joins are in the model, so select the fields of all its objects together.',
  search: "Use $filter with contains(Property,'text').",
}

/**
 * Reads the options of a URL. A name without `$` counts, too (OData 4.01); other names are the client's own and mean nothing. Throws
 * `INVALID_REQUEST` for a `$name` that is unknown or given twice, because a forgotten filter would be a wrong number.
 */
export function readOptions(url: Readonly<Record<string, unknown>>): QueryOptions {
  const given = optionsOf(url)
  const reader = (name: string) => {
    const text = given.get(name)
    return text === undefined ? undefined : new Reader(text, `$${name}`)
  }
  return {
    apply: whole(reader('apply'), parseApply) ?? [],
    compute: whole(reader('compute'), parseComputed) ?? [],
    filter: whole(reader('filter'), parseExpression),
    order: whole(reader('orderby'), parseOrder) ?? [],
    skip: rowsOf('skip', given) ?? 0,
    top: rowsOf('top', given),
    select: whole(reader('select'), parseSelect),
    count: isCounted(given.get('count')),
    skipToken: rowsOf('skiptoken', given) ?? 0,
  }
}

function optionsOf(url: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const [key, value] of Object.entries(url)) {
    const name = nameOf(key)
    if (name === undefined) continue
    if (typeof value !== 'string' || given.has(name)) invalid(`$${name}`, `$${name} is given twice`, 'Give it once.')
    if (Object.hasOwn(REFUSED, name) && value !== '') invalid(`$${name}`, `$${name} is not supported`, REFUSED[name])
    given.set(name, value)
  }
  return given
}

function nameOf(key: string): string | undefined {
  const name = key.replace(/^\$/, '').toLowerCase()
  if (NAMES.includes(name)) return name
  if (!key.startsWith('$')) return undefined
  const known = NAMES.filter((each) => !Object.hasOwn(REFUSED, each)).map((each) => `$${each}`)
  const suggestions = nearest(key, known)
  throw new GrainlineError('INVALID_REQUEST', `${key.slice(0, 40)} is not an option of OData`, {
    path: key.slice(0, 40),
    suggestions,
    hint: `Options are ${known.join(', ')}.`,
  })
}

function whole<T>(reader: Reader | undefined, read: (reader: Reader) => T): T | undefined {
  if (reader === undefined || reader.isAtEnd) return undefined
  const value = read(reader)
  reader.end()
  return value
}

function parseSelect(reader: Reader): readonly string[] | undefined {
  if (reader.takes('*')) return undefined
  return [...new Set(reader.list(() => reader.word('a property')))]
}

function rowsOf(name: string, given: ReadonlyMap<string, string>): number | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  return invalid(`$${name}`, `$${name} is '${text.slice(0, 40)}', which is not a number of rows`, 'Write a whole number, from 0.')
}

function isCounted(text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false
  return text === 'true' || invalid('$count', `$count is '${text.slice(0, 40)}'`, 'Write true or false.')
}

function invalid(path: string, message: string, hint: string | undefined): never {
  throw new GrainlineError('INVALID_REQUEST', message, { path, ...(hint !== undefined && { hint }) })
}
