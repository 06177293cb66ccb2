/** Chooses the chart for an answer by its columns and number of rows. */
import type { Column } from '../api/read-arrow.js'
import { isNumber } from '../results/format-value.js'
import type { ChartKind, ChartLook } from './chart-look.js'

export const TITLES: Readonly<Record<ChartKind, string>> = {
  line: 'Lines',
  bar: 'Bars',
  stacked: 'Stacked bars',
  grouped: 'Bars side by side',
  multiples: 'Small multiples',
  scatter: 'Points',
  number: 'Numbers',
}

/** The columns of an answer by their role in a chart. */
export interface Shape {
  /** The time along the axis; without one, the first category is along the axis. */
  readonly time: Column | undefined
  readonly categories: readonly Column[]
  readonly numbers: readonly Column[]
}

export function shapeOf(columns: readonly Column[], { x, measures }: Pick<ChartLook, 'x' | 'measures'> = {}): Shape {
  const dimensions = columns.filter(({ role }) => role === 'dimension')
  const wanted = dimensions.find(({ name }) => name === x)
  const time = wanted === undefined ? dimensions.find(isTime) : isTime(wanted) ? wanted : undefined
  const axis = time ?? wanted
  const others = dimensions.filter((column) => column !== axis)
  const all = columns.filter(({ role, type }) => (role === 'measure' || role === 'metric') && isNumber(type))
  // A change in percent beside its measure would be drawn on the same axis.
  const isDrawn = (column: Column): boolean =>
    measures?.includes(column.name) ?? (dimensions.length === 0 || !isChangeOfOther(column, all))
  const numbers = all.filter(isDrawn)
  return {
    time,
    categories: axis === undefined || axis === time ? others : [axis, ...others],
    numbers: numbers.length === 0 ? all : numbers,
  }
}

/** Whether it is the change that a comparison of the question adds to a measure. */
const isChangeOfOther = ({ name, format }: Column, all: readonly Column[]): boolean =>
  format?.endsWith('%') === true && all.some((other) => name === `${other.name} change`)

const isTime = ({ type }: Column): boolean => /^(?:date|timestamp)/.test(type)

/** If there are more values than groups that a person can distinguish, the chart shows points. */
const BARS_AT_MOST = 60

/** Whether the parts of each drawn number add up to a whole: otherwise bars on each other would show a height that means nothing. */
export type IsAdditive = (name: string) => boolean

/** The kinds of chart that an answer allows, the best first; none if it has no number. */
export function kindsFor({ time, categories, numbers }: Shape, rowCount: number, isAdditive: IsAdditive): readonly ChartKind[] {
  if (numbers.length === 0 || rowCount === 0) return []
  if (time === undefined && categories.length === 0) return ['number']
  const scatter: readonly ChartKind[] = numbers.length > 1 ? ['scatter'] : []
  const beside: readonly ChartKind[] = numbers.every(({ name }) => isAdditive(name)) ? ['stacked', 'grouped'] : ['grouped']
  if (time !== undefined)
    return categories.length > 0 ? ['line', ...beside, 'multiples', ...scatter] : ['line', 'bar', ...scatter]
  if (categories.length > 1) return [...beside, 'multiples', ...scatter]
  return numbers.length > 1 && rowCount > BARS_AT_MOST ? ['scatter', 'bar'] : ['bar', ...scatter]
}
