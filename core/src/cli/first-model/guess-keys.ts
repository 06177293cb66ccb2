import { isTemporal } from '../../model/data-type.js'
import type { DraftColumn, DraftTable } from './draft.js'
import type { Key, Probe } from './structure.js'
import { ID_WORDS, singular } from './words.js'

const COUNTING = new Set(['line', 'number', 'no', 'nr', 'num', 'seq', 'sequence', 'position', 'item', 'row'])
const CALENDAR_PARTS = new Set(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'])
export const UNPROBED = 'not compared with the data'
/** Pairs of columns that are tried as the key of one table. */
const MOST_PAIRS = 10

/** The key of each table: declared, or else one that its name suggests and the data confirm. */
export async function guessKeys(tables: readonly DraftTable[], probe: Probe): Promise<ReadonlyMap<DraftTable, Key>> {
  const keys = new Map<DraftTable, Key>()
  for (const table of tables) {
    const key = declaredKey(table) ?? (await singleKey(table, probe)) ?? (await pairKey(table, tables, probe))
    if (key) keys.set(table, key)
  }
  return keys
}

function declaredKey(table: DraftTable): Key | undefined {
  const columns = table.table.primaryKey.flatMap((name) => table.columns.find((column) => column.name === name) ?? [])
  // Without a part that no type of a model reads, the rest may not be unique.
  const whole = columns.length > 0 && columns.length === table.table.primaryKey.length
  return whole ? { table, columns, evidence: undefined } : undefined
}

async function singleKey(table: DraftTable, probe: Probe): Promise<Key | undefined> {
  for (const column of singleCandidates(table)) {
    const facts = await probe.facts({ table, column })
    if (!facts) {
      if (isNamedKey(table, column)) return { table, columns: [column], evidence: `by its name; ${UNPROBED}` }
    } else if (facts.rows === 0) {
      if (isNamedKey(table, column)) return { table, columns: [column], evidence: 'by its name; the table is empty' }
    } else if (facts.distinct === facts.rows && facts.present === facts.rows && (facts.rows > 1 || isNamedKey(table, column)))
      return { table, columns: [column], evidence: `unique in all ${counted(facts.rows)} rows` }
  }
  return undefined
}

/** Columns with the name of a key, then the first column. */
function singleCandidates(table: DraftTable): readonly DraftColumn[] {
  const first = table.columns[0]
  const able = table.columns.filter(
    ({ type }, i) => type?.kind === 'int' || type?.kind === 'string' || isWhole(type) || (i === 0 && isTime(type)),
  )
  const named = able.filter((column) => isNamedKey(table, column))
  const others = able.filter((column) => !named.includes(column) && (column === first || isId(column)))
  return [...named, ...others]
}

/** `id`, `customer_id` of customers, `custkey` of customer. */
function isNamedKey({ words }: DraftTable, column: DraftColumn): boolean {
  if (!isId(column)) return false
  const stem = column.words.slice(0, -1)
  return stem.length === 0 || isNameOf(stem, words)
}

async function pairKey(table: DraftTable, tables: readonly DraftTable[], probe: Probe): Promise<Key | undefined> {
  for (const columns of pairCandidates(table, tables).slice(0, MOST_PAIRS)) {
    const found = await probe.unique(table, columns)
    if (found?.unique && found.rows > 1) return { table, columns, evidence: `unique together in all ${counted(found.rows)} rows` }
  }
  return undefined
}

/** Pairs of columns that identify, or that other tables have too; two that count first, such as an item of a numbered ticket, and then those with one. */
function pairCandidates(table: DraftTable, tables: readonly DraftTable[]): readonly (readonly [DraftColumn, DraftColumn])[] {
  const elsewhere = new Set(tables.filter((other) => other !== table).flatMap(({ columns }) => columns.map(nameOf)))
  const able = table.columns.filter(
    (column) =>
      (isId(column) || elsewhere.has(nameOf(column))) &&
      ['int', 'string', 'date', 'timestamp', 'timestamp_tz'].includes(column.type?.kind ?? '') &&
      !CALENDAR_PARTS.has(nameOf(column)),
  )
  const pairs = able.flatMap((a, i) => able.slice(i + 1).map((b) => [a, b] as const))
  const counting = (pair: readonly DraftColumn[]) => pair.filter(({ words }) => words.some((word) => COUNTING.has(word))).length
  return pairs.toSorted((a, b) => counting(b) - counting(a))
}

export const isId = ({ words }: DraftColumn): boolean => ID_WORDS.has(words.at(-1) ?? '')

/** Integers that an engine stores as decimals. */
const isWhole = (type: DraftColumn['type']): boolean => type?.kind === 'decimal' && type.scale === 0

/** A calendar has a row for each of its days or hours. */
const isTime = (type: DraftColumn['type']): boolean => type !== undefined && isTemporal(type)

export const nameOf = ({ words }: DraftColumn): string => words.join(' ')

/** Whether words name a table: its whole name, its last words (`ship customer` for customers), or the beginning of its name (`cust`). */
export function isNameOf(stem: readonly string[], table: readonly string[]): boolean {
  if (stem.length === 0) return false
  const one = singular(table)
  const ends = (whole: readonly string[]) => stem.slice(-whole.length).join(' ') === whole.join(' ')
  const [only] = stem.length === 1 ? stem : []
  return ends(table) || ends(one) || (only !== undefined && only.length >= 3 && table.join('').startsWith(only))
}

export const counted = (count: number): string => count.toLocaleString('en-US')
