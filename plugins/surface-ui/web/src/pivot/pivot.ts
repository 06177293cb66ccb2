/** An answer with all its subtotals as a table of rows and columns. Nothing is added up here: every total is a value of the answer. */
import type { Answer, Column } from '../api/read-arrow.js'
import { dimensionsOf, nameOf, type Query } from '../query/query.js'
import { orderOf } from '../results/sort-rows.js'

/** What a pivot asks: every cell, the total of each row and each column, and that of all. */
export function pivotQuery(query: Query, across: string): Query {
  const { limit: _limit, offset: _offset, order_by: _order, fill_gaps: _gaps, ...rest } = query
  const names = dimensionsOf(query).map((pick) => (typeof pick === 'string' ? pick : pick.as))
  const down = names.filter((name) => nameOf(name) !== across && name !== across)
  return {
    ...rest,
    grouping: { sets: [names, down, [...names.filter((name) => !down.includes(name))], []] },
    limit: CELLS_AT_MOST,
  }
}

/** More than this are no table that a person reads. */
export const CELLS_AT_MOST = 20_000

export interface Pivot {
  /** Headings of the rows: one text for each dimension that goes down. */
  readonly down: readonly string[]
  readonly rows: readonly Line[]
  readonly columns: readonly Line[]
  readonly numbers: readonly Column[]
  /** The row of the answer that a cell is; `undefined` where there is none. Positions of `rows` and `columns`. */
  cell(row: number, column: number): number | undefined
}

/** A row or a column of the table; the total is one too. */
export interface Line {
  readonly texts: readonly string[]
  readonly isTotal: boolean
}

export function pivotOf(
  { columns, rowCount }: Pick<Answer, 'columns' | 'rowCount'>,
  across: string,
  textAt: (column: Column, row: number) => string | null,
): Pivot {
  const dimensions = columns.filter(({ role }) => role === 'dimension')
  const isAcross = ({ name }: Column) => name === across || nameOf(name) === across
  const [down, over] = [dimensions.filter((each) => !isAcross(each)), dimensions.filter(isAcross)]
  const flags = new Map(
    dimensions.map((each) => [each, columns.find(({ name, role }) => role === 'grouping' && name === `${each.name} is total`)]),
  )
  const [rows, overs] = [linesOf(down, { flags, rowCount, textAt }), linesOf(over, { flags, rowCount, textAt })]
  const cells = new Map<string, number>()
  for (let row = 0; row < rowCount; row++) cells.set(`${rows.lineOf[row]} ${overs.lineOf[row]}`, row)
  return {
    down: down.map(({ name }) => name),
    rows: rows.lines,
    columns: overs.lines,
    numbers: columns.filter(({ role }) => role === 'measure' || role === 'metric'),
    cell: (row, column) => cells.get(`${row} ${column}`),
  }
}

interface Reading {
  readonly flags: ReadonlyMap<Column, Column | undefined>
  readonly rowCount: number
  readonly textAt: (column: Column, row: number) => string | null
}

/** The different values of some dimensions, in order, the total last; and which of them each row of the answer has. */
function linesOf(dimensions: readonly Column[], { flags, rowCount, textAt }: Reading) {
  const found = new Map<string, { readonly first: number; readonly isTotal: boolean }>()
  const keys = Array.from({ length: rowCount }, (_, row) => {
    const isTotal = dimensions.length === 0 || dimensions.every((each) => flags.get(each)?.at(row) === true)
    const key = isTotal ? 'total' : JSON.stringify(dimensions.map((each) => textAt(each, row)))
    if (!found.has(key)) found.set(key, { first: row, isTotal })
    return key
  })
  const collator = new Intl.Collator(undefined, { numeric: true })
  const compare = (a: unknown, b: unknown): number => {
    if (a === null || b === null || a === undefined || b === undefined) return a === b ? 0 : (a ?? null) === null ? 1 : -1
    return typeof a === 'string' ? collator.compare(a, String(b)) : a < b ? -1 : a > b ? 1 : 0
  }
  const sorted = [...found].toSorted(([, a], [, b]) => {
    if (a.isTotal !== b.isTotal) return a.isTotal ? 1 : -1
    for (const each of dimensions) {
      const order = compare(orderOf(each, a.first), orderOf(each, b.first))
      if (order !== 0) return order
    }
    return 0
  })
  const place = new Map(sorted.map(([key], at) => [key, at]))
  const lines = sorted.map(
    ([, { first, isTotal }]): Line => ({
      isTotal,
      texts: isTotal ? ['Total'] : dimensions.map((each) => textAt(each, first) ?? 'null'),
    }),
  )
  return { lines, lineOf: keys.map((key) => place.get(key)!) }
}
