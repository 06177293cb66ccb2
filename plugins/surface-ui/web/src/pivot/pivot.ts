/** An answer with all its subtotals as a table of rows and columns. Nothing is summed here: every total is a value of the answer. */
import type { Answer, Column } from '../api/read-arrow.js'
import { dimensionsOf, nameOf, type Query } from '../query/query.js'
import { isOthers, isSummed } from '../results/cell-of.js'
import { NO_VALUE } from '../results/format-value.js'
import { byOrder, orderOf } from '../results/sort-rows.js'

/** The query of a pivot: every cell, the total of each row and each column, and the grand total. */
export function pivotQuery(query: Query, across: string): Query {
  const { limit: _limit, offset: _offset, order_by: _order, fill_gaps: _gaps, ...rest } = query
  const names = dimensionsOf(query).map((pick) => (typeof pick === 'string' ? pick : pick.as))
  const down = names.filter((name) => nameOf(name) !== across && name !== across)
  // A total beside cells that a condition left out would not be theirs.
  const of = query.having && query.having.length > 0 ? ({ of: 'shown' } as const) : {}
  return {
    ...rest,
    grouping: { sets: [names, down, [...names.filter((name) => !down.includes(name))], []], ...of },
    limit: CELLS_AT_MOST,
  }
}

/** Larger tables are not readable. */
export const CELLS_AT_MOST = 20_000

export interface Pivot {
  /** Headings of the rows: one text for each dimension of the rows. */
  readonly down: readonly string[]
  /** The dimensions of the columns. */
  readonly over: readonly string[]
  readonly rows: readonly Line[]
  readonly columns: readonly Line[]
  readonly numbers: readonly Column[]
  /** The row of the answer for a cell, by positions of `rows` and `columns`; `undefined` if there is none. */
  cell(row: number, column: number): number | undefined
}

/** A row or a column of the table, including totals. */
export interface Line {
  /** Its unique key: two values may have the same text. */
  readonly key: string
  readonly headings: readonly Heading[]
  readonly isTotal: boolean
}

export interface Heading {
  readonly text: string
  /** The group of all but the top values, whose label may be the text of a value. */
  readonly isOthers: boolean
}

export function pivotOf(
  { columns, rowCount }: Pick<Answer, 'columns' | 'rowCount'>,
  across: string,
  textAt: (column: Column, row: number) => string | null,
): Pivot {
  const dimensions = columns.filter(({ role }) => role === 'dimension')
  const isAcross = ({ name }: Column) => name === across || nameOf(name) === across
  const [down, over] = [dimensions.filter((each) => !isAcross(each)), dimensions.filter(isAcross)]
  const [rows, overs] = [linesOf(down, { columns, rowCount, textAt }), linesOf(over, { columns, rowCount, textAt })]
  const cells = new Map<string, number>()
  for (let row = 0; row < rowCount; row++) cells.set(`${rows.lineOf[row]} ${overs.lineOf[row]}`, row)
  return {
    down: down.map(({ name }) => name),
    over: over.map(({ name }) => name),
    rows: rows.lines,
    columns: overs.lines,
    numbers: columns.filter(({ role }) => role === 'measure' || role === 'metric'),
    cell: (row, column) => cells.get(`${row} ${column}`),
  }
}

interface Reading extends Pick<Answer, 'columns' | 'rowCount'> {
  readonly textAt: (column: Column, row: number) => string | null
}

const TOTAL = 'total'

/** The distinct values of some dimensions, in order, with the total last; and the index of the value of each row. */
function linesOf(dimensions: readonly Column[], { columns, rowCount, textAt }: Reading) {
  const isOthersAt = (each: Column, row: number) => isOthers({ columns }, each.name, row)
  const first = new Map<string, number>()
  const keys = Array.from({ length: rowCount }, (_, row) => {
    const isTotal = dimensions.every(({ name }) => isSummed({ columns }, name, row))
    const key = isTotal ? TOTAL : JSON.stringify(dimensions.map((each) => [isOthersAt(each, row), exactText(each, row)]))
    if (!first.has(key)) first.set(key, row)
    return key
  })
  const compare = (a: number, b: number): number => {
    for (const each of dimensions) {
      const order = Number(isOthersAt(each, a)) - Number(isOthersAt(each, b)) || compareValues(orderOf(each, a), orderOf(each, b))
      if (order !== 0) return order
    }
    return 0
  }
  const sorted = [...first].toSorted(([a, atA], [b, atB]) => Number(a === TOTAL) - Number(b === TOTAL) || compare(atA, atB))
  const place = new Map(sorted.map(([key], at) => [key, at]))
  const lines = sorted.map(([key, row]): Line => {
    const isTotal = key === TOTAL
    const headings = dimensions.map((each) => headingOf(textAt(each, row), isOthersAt(each, row)))
    return { key, isTotal, headings: isTotal ? [{ text: 'Total', isOthers: false }] : headings }
  })
  return { lines, lineOf: keys.map((key) => place.get(key)!) }
}

/** The group has a label if the dimension is a text, and is NULL otherwise. */
const headingOf = (text: string | null, isOthers: boolean): Heading => ({
  text: text ?? (isOthers ? 'Others' : NO_VALUE),
  isOthers,
})

/** Unique for each value. A text is not: a format may omit digits. */
const exactText = ({ at }: Column, row: number): string | null => {
  const value = at(row) ?? null
  return value === null ? null : String(value)
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** NULL comes last. */
function compareValues(a: unknown, b: unknown): number {
  const [isNothing, isOtherNothing] = [(a ?? null) === null, (b ?? null) === null]
  if (isNothing || isOtherNothing) return Number(isNothing) - Number(isOtherNothing)
  if (typeof a === 'string') return collator.compare(a, String(b))
  return byOrder(a, b)
}
