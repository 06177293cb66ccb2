import type { ArrivedColumn, TextRow } from '@grainline/core/vendor'
import type { Driver } from './driver.js'
import type { WrittenFault } from './errors.js'

/** A part of an answer: https://trino.io/docs/current/develop/client-protocol.html#queryresults-attributes */
export interface Page {
  readonly nextUri: string | undefined
  readonly columns: readonly ArrivedColumn[] | undefined
  readonly data: readonly Cells[]
  readonly error: WrittenFault | undefined
}

type Cells = readonly unknown[]

interface WrittenPage {
  readonly nextUri?: string
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly data?: readonly Cells[]
  readonly error?: WrittenFault
}

/** Rows handed on at once. */
const CHUNK = 2000

/** Doubles are no place for whole numbers beyond 2^53: a page that has one, or may have one in an array, is read digit by digit. */
export function readPage(text: string, { parse }: Pick<Driver, 'parse'>): Page {
  const quick = JSON.parse(text) as WrittenPage
  const { nextUri, columns, data = [], error } = isExact(quick) ? quick : (parse(text) as WrittenPage)
  return { nextUri, columns, data, error }
}

function isExact({ columns = [], data = [] }: WrittenPage): boolean {
  const wide = columns.flatMap(({ type }, i) => (type === 'bigint' ? [i] : []))
  const nested = columns.some(({ type }) => type !== 'bigint' && /\bbigint\b/.test(type))
  return !nested && data.every((row) => wide.every((i) => row[i] === null || Number.isSafeInteger(row[i])))
}

/** The rows of a page, some at a time. */
export function* rowsOf({ data }: Page, driver: Pick<Driver, 'stringify'>): Generator<readonly TextRow[], void> {
  for (let from = 0; from < data.length; from += CHUNK)
    yield data.slice(from, from + CHUNK).map((row) => row.map((cell) => textOf(cell, driver)))
}

/** A value with parts is the text of its JSON. */
function textOf(cell: unknown, { stringify }: Pick<Driver, 'stringify'>): string | null {
  if (cell === null || typeof cell === 'string') return cell
  if (typeof cell !== 'object') return String(cell)
  return stringify(cell) ?? null
}
