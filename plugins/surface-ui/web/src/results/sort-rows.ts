import type { Column } from '../api/read-arrow.js'

export interface Sorting {
  readonly column: number
  readonly descending: boolean
}

/** The rows of an answer in another order, as positions; equal values stay in their order, NULL comes last. */
export function sortRows(rowCount: number, column: Pick<Column, 'at' | 'orderAt' | 'type'>, descending: boolean): Uint32Array {
  const values = Array.from({ length: rowCount }, (_, row) => orderOf(column, row))
  const collator = new Intl.Collator(undefined, { numeric: true })
  const sign = descending ? -1 : 1
  const compare = /^(?:string|json)/.test(column.type)
    ? (a: unknown, b: unknown) => collator.compare(String(a), String(b))
    : byOrder
  return Uint32Array.from(values.keys()).sort((left, right) => {
    const [a, b] = [values[left] ?? null, values[right] ?? null]
    if (a === null || b === null) return a === b ? left - right : a === null ? 1 : -1
    return sign * compare(a, b) || left - right
  })
}

/** Of numbers, exact ones too, and booleans. */
export function byOrder(a: unknown, b: unknown): number {
  const [one, other] = [ordered(a), ordered(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const ordered = (value: unknown): number | bigint => (typeof value === 'bigint' ? value : Number(value))

/** The sort key of a row in a column. */
export const orderOf = ({ at, orderAt = at }: Pick<Column, 'at' | 'orderAt'>, row: number): unknown => orderAt(row)
