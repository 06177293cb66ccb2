import { zip } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import type { ExpectDocument } from '../model/document.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Value } from '../result/value-at.js'
import { compareNumbers, type Expected, sameValue } from './compare-value.js'

/** More differences than this do not help. */
const MOST_DIFFERENCES = 10

/**
 * The differences from the answer that a test expects, one line each; empty if there are none. The order of rows matters only if the query
 * orders them.
 */
export function compareAnswer(expect: ExpectDocument, answer: Answer, ordered: boolean): readonly string[] {
  const needsAll = expect.rows !== undefined || expect.row_count !== undefined || expect.bounds !== undefined
  if (answer.truncated && needsAll) return ['the answer was cut at the default limit; give the query a limit']
  const differences = [
    ...columnDifferences(expect.columns, answer),
    ...countDifferences(expect.row_count, answer),
    ...(expect.rows === undefined ? [] : rowDifferences(expect.rows, answer, ordered)),
    ...(expect.bounds ?? []).flatMap((bound) => boundDifferences(bound, answer)),
  ]
  const more = differences.length - MOST_DIFFERENCES
  return more > 0 ? [...differences.slice(0, MOST_DIFFERENCES), `and ${more} more`] : differences
}

function columnDifferences(expected: readonly string[] | undefined, { columns }: Answer): string[] {
  const found = columns.map((column) => column.name)
  if (expected === undefined || JSON.stringify(expected) === JSON.stringify(found)) return []
  return [`columns: expected ${expected.join(', ')}; found ${found.join(', ')}`]
}

function countDifferences(expected: number | undefined, { rows }: Answer): string[] {
  return expected === undefined || expected === rows.length ? [] : [`row count: expected ${expected}, found ${rows.length}`]
}

type ExpectedRow = NonNullable<ExpectDocument['rows']>[number]

/** A row of a test by position; if it names columns, only those are compared. */
type Cells = readonly (Expected | undefined)[]

function rowDifferences(expected: readonly ExpectedRow[], answer: Answer, ordered: boolean): string[] {
  const read = expected.map((row, i) => cellsOf(row, i, answer))
  const faults = read.filter((row): row is string => typeof row === 'string')
  if (faults.length > 0) return faults
  const rows = read as readonly Cells[]
  return ordered ? inOrder(rows, answer) : inAnyOrder(rows, answer)
}

function cellsOf(row: ExpectedRow, index: number, { columns }: Answer): Cells | string {
  if (Array.isArray(row)) {
    if (row.length === columns.length) return row as readonly Expected[]
    return `row ${index + 1}: expected ${row.length} values, the answer has ${columns.length} columns`
  }
  const named = row as Readonly<Record<string, Expected>>
  const names = columns.map((column) => column.name)
  const unknown = Object.keys(named).find((key) => !names.includes(key))
  if (unknown !== undefined) return `row ${index + 1}: ${noColumn(unknown, names)}`
  return names.map((name) => (Object.hasOwn(named, name) ? named[name] : undefined))
}

function inOrder(expected: readonly Cells[], { columns, rows }: Answer): string[] {
  const both = zip(expected.slice(0, rows.length), rows.slice(0, expected.length))
  const differences = both.flatMap(([cells, row], r) =>
    zip(columns, row).flatMap(([{ name, type }, found], c) => {
      const wanted = cells[c]
      if (wanted === undefined || sameValue(wanted, found, type)) return []
      return [`row ${r + 1}, ${name}: expected ${spell(wanted)}, found ${spell(found)}`]
    }),
  )
  const missing = expected.slice(rows.length).map((cells) => `missing row: ${spellRow(cells)}`)
  const surplus = rows.slice(expected.length).map((row) => `unexpected row: ${spellRow(row)}`)
  return [...differences, ...missing, ...surplus]
}

function inAnyOrder(expected: readonly Cells[], { columns, rows }: Answer): string[] {
  const left = new Set(rows)
  // The most specific rows are matched first, so that one that names few columns does not take the row of another.
  const strictest = expected.toSorted((a, b) => said(b) - said(a))
  const missing = strictest.filter((cells) => {
    for (const row of left) {
      if (!zip(columns, row).every(([{ type }, value], c) => cells[c] === undefined || sameValue(cells[c], value, type))) continue
      left.delete(row)
      return false
    }
    return true
  })
  return [
    ...missing.map((cells) => `missing row: ${spellRow(cells)}`),
    ...[...left].map((row) => `unexpected row: ${spellRow(row)}`),
  ]
}

const said = (cells: Cells): number => cells.filter((cell) => cell !== undefined).length

function boundDifferences({ field, min, max }: NonNullable<ExpectDocument['bounds']>[number], answer: Answer): string[] {
  const names = answer.columns.map((column) => column.name)
  const at = names.indexOf(field)
  if (at < 0) return [`bounds: ${noColumn(field, names)}`]
  const { type } = answer.columns[at]!
  const range = `between ${min ?? 'anything'} and ${max ?? 'anything'}`
  return answer.rows.flatMap((row, r) => {
    const value = row[at]!
    const low = min === undefined ? -1 : compareNumbers(min, value, type)
    const high = max === undefined ? 1 : compareNumbers(max, value, type)
    const inside = value !== null && low !== undefined && high !== undefined && low <= 0 && high >= 0
    return inside ? [] : [`row ${r + 1}, ${field}: expected ${range}, found ${spell(value)}`]
  })
}

const noColumn = (name: string, names: readonly string[]): string =>
  `the answer has no column '${name}'${didYouMean(nearest(name, names))}`

const spellRow = (cells: readonly (Value | undefined)[]): string =>
  `[${cells.map((cell) => (cell === undefined ? 'any' : spell(cell))).join(', ')}]`

function spell(value: Value): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** A complete answer as values. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: DataType }[]
  readonly rows: readonly (readonly Value[])[]
  /** True if rows beyond the default limit were omitted. */
  readonly truncated: boolean
}
