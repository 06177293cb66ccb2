/** Chooses the chart for an answer by its columns and number of rows. */
import type { Column } from '../api/read-arrow.js'
import { isNumber } from '../results/format-value.js'

export const KINDS = ['line', 'bar', 'stacked', 'multiples', 'scatter', 'number'] as const
export type ChartKind = (typeof KINDS)[number]
export const TITLES: Readonly<Record<ChartKind, string>> = {
  line: 'Lines',
  bar: 'Bars',
  stacked: 'Stacked bars',
  multiples: 'Small multiples',
  scatter: 'Points',
  number: 'Numbers',
}

/** The columns of an answer by their role in a chart. */
export interface Shape {
  readonly time: Column | undefined
  readonly categories: readonly Column[]
  readonly numbers: readonly Column[]
}

export function shapeOf(columns: readonly Column[]): Shape {
  const dimensions = columns.filter(({ role }) => role === 'dimension')
  const time = dimensions.find(({ type }) => /^(?:date|timestamp)/.test(type))
  return {
    time,
    categories: dimensions.filter((column) => column !== time),
    numbers: columns.filter(({ role, type }) => (role === 'measure' || role === 'metric') && isNumber(type)),
  }
}

/** If there are more values than groups that a person can distinguish, the chart shows points. */
const BARS_AT_MOST = 60

/** The kinds of chart that an answer allows, the best first; none if it has no number. */
export function kindsFor({ time, categories, numbers }: Shape, rowCount: number): readonly ChartKind[] {
  if (numbers.length === 0 || rowCount === 0) return []
  if (time === undefined && categories.length === 0) return ['number']
  const scatter: readonly ChartKind[] = numbers.length > 1 ? ['scatter'] : []
  if (time !== undefined)
    return categories.length > 0 ? ['line', 'stacked', 'multiples', ...scatter] : ['line', 'bar', ...scatter]
  if (numbers.length > 1 && rowCount > BARS_AT_MOST) return ['scatter', 'bar']
  return categories.length > 1 ? ['stacked', 'bar', 'multiples', ...scatter] : ['bar', ...scatter]
}
