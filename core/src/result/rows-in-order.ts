import type { DataType } from '../model/data-type.js'
import type { ResultSchema } from './record-batch.js'
import type { Value } from './value-at.js'

/** Rows sorted by their values from left to right: numbers by size, texts by their UTF-16 units, false before true, NULLs last. */
export function rowsInOrder<R extends readonly Value[]>(rows: readonly R[], schema: ResultSchema): readonly R[] {
  const compares = schema.map(({ type }) => comparison(type))
  return rows.toSorted((a, b) => {
    for (const [i, compare] of compares.entries()) {
      const order = compare(a[i] ?? null, b[i] ?? null)
      if (order !== 0) return order
    }
    return 0
  })
}

function comparison({ kind }: DataType): (a: Value, b: Value) => number {
  // The digits of a decimal are a text.
  const sized = kind === 'decimal' ? (value: Value) => Number(value) : (value: Value) => value
  return (a, b) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const [x, y] = [sized(a), sized(b)]
    if (x === null || y === null || x === y) return 0
    return x < y ? -1 : 1
  }
}
