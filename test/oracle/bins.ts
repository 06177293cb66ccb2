/** Bins: groups of numbers by width or by edges. */
import type { Field } from './fields.js'
import type { BinsJson } from './model.js'
import { compare, type Dec, int, multiply, parseDec, power10, toDouble, type Value } from './values.js'

export function binned(field: Field, bins: BinsJson): Field {
  const { edges, size } = bins
  if (edges) return { ...field, kind: 'string', value: (rows) => labelOf(bins, edges, field.value(rows)) }
  const whole = Number.isInteger(size)
  const kind = field.kind === 'int' && !whole ? 'decimal' : field.kind
  return { ...field, kind, value: (rows) => startOf(field.value(rows), parseDec(String(size))!) }
}

/** The position of a bin among the others, by which rows are sorted; other values are their own position. */
export function placeOf(value: Value, bins: BinsJson | undefined): Value {
  if (value === null || !bins?.edges) return value
  return int(Array.from({ length: bins.edges.length + 1 }, (_, bin) => nameOf(bins, bins.edges!, bin)).indexOf(value as string))
}

/** The greatest multiple of `size` that does not exceed the value. */
function startOf(value: Value, size: Dec): Value {
  if (value === null) return null
  if (typeof value === 'number') return Math.floor(value / toDouble(size)) * toDouble(size)
  const { unscaled, scale } = value as Dec
  const [dividend, divisor] = [unscaled * power10(size.scale), size.unscaled * power10(scale)]
  const below = dividend % divisor < 0n ? 1n : 0n
  return multiply(int(dividend / divisor - below), size)
}

function labelOf(bins: BinsJson, edges: readonly number[], value: Value): Value {
  if (value === null) return null
  return nameOf(bins, edges, edges.filter((e) => compare(parseDec(String(e))!, value) <= 0).length)
}

function nameOf({ labels }: BinsJson, edges: readonly number[], bin: number): string {
  if (labels) return labels[bin]!
  if (bin === 0) return `< ${edges[0]}`
  return bin === edges.length ? `>= ${edges.at(-1)}` : `${edges[bin - 1]} to < ${edges[bin]}`
}
