/** The points of a chart, its series in their order, and what the chart leaves out. */
import type { Answer, Column } from '../api/read-arrow.js'
import type { Query } from '../query/query.js'
import { isOthers, isSummed } from '../results/cell-of.js'
import { formatterFor, isNumber, shownValue } from '../results/format-value.js'
import { categoryNames } from './category-names.js'
import type { Shape } from './chart-kind.js'
import type { ChartKind, ChartLook, ChartOrder } from './chart-look.js'
import { SERIES_AT_MOST } from './chart-query.js'

export interface Point {
  readonly x: Date | string
  readonly series: string
  /** The value of each drawn number, in their order. */
  readonly values: readonly (number | null)[]
  /** The texts of the values, as in the rows. */
  readonly texts: readonly string[]
  /** The text of the place along the axis. */
  readonly place: string
}

export interface Series {
  readonly name: string
  readonly colour: string
  readonly isDrawn: boolean
}

export interface ChartData {
  readonly points: readonly Point[]
  /** The places along an axis of categories, in their order. */
  readonly places: readonly string[]
  /** The largest first; empty if all points belong to one. */
  readonly series: readonly Series[]
  /** The place of all values but the largest, drawn or not. */
  readonly others?: string | undefined
  /** The names of the series, or of that place, that are left out by hand, or because they would flatten all others. */
  readonly without: readonly string[]
  /** What the chart does not show, as sentences. */
  readonly notes: readonly string[]
}

/** More points than a chart can show apart. */
export const POINTS_AT_MOST = 5000
export const MULTIPLES_AT_MOST = 24
export const COLOURS = [
  '#3b5bdb',
  '#e8590c',
  '#2b8a3e',
  '#9c36b5',
  '#0b7285',
  '#c2255c',
  '#866118',
  '#1098ad',
  '#5f3dc4',
  '#5c940d',
  '#a61e4d',
  '#099268',
]
/** All values but the largest are no value of their own. */
export const OTHERS = '#868e96'

interface Drawn {
  readonly answer: Pick<Answer, 'columns' | 'rowCount' | 'timezone' | 'truncated'>
  readonly shape: Shape
  readonly kind: ChartKind
  readonly look: ChartLook
  /** The query says in which order its rows are, and how many it wants at most. */
  readonly query: Pick<Query, 'order_by' | 'limit'>
  /** The legend has no ticks, such as in a dashboard. */
  readonly isFixed?: boolean
}

export function chartData({ answer, shape, kind, look, query, isFixed = false }: Drawn): ChartData {
  const { columns, rowCount, truncated } = answer
  const rows = Array.from({ length: rowCount }, (_, row) => row)
  const plain = rows.filter((row) => !columns.some(({ role, name }) => role === 'dimension' && isSummed({ columns }, name, row)))
  const placed = plain.filter((row) => shape.time === undefined || (shape.time.at(row) ?? null) !== null)
  const all = pointsAt(placed.slice(0, POINTS_AT_MOST), { answer, shape })
  const isSplit = kind !== 'scatter' && shape.categories.length > (shape.time === undefined ? 1 : 0)
  const ranked = isSplit ? rankedSeries(all) : []
  const most = kind === 'multiples' ? MULTIPLES_AT_MOST : SERIES_AT_MOST
  const isFlattened = look.without === undefined && (kind === 'line' || (kind === 'bar' && !isSplit))
  const flattening = isFlattened ? flatteningOthers(all) : undefined
  const without = new Set(look.without ?? (flattening === undefined ? [] : [flattening]))
  const wanted = ranked.filter(({ name }) => !without.has(name)).slice(0, most)
  const drawn = new Set(wanted.map(({ name }) => name))
  const series = ranked.map(({ name, isOthers: others }, n): Series => {
    const colour = others
      ? OTHERS
      : COLOURS[(drawn.has(name) ? wanted.findIndex((each) => each.name === name) : n) % COLOURS.length]!
    return { name, colour, isDrawn: drawn.has(name) }
  })
  const others = isSplit ? undefined : all.find(({ isPlaceOthers }) => isPlaceOthers)?.place
  const isLeftOut = others !== undefined && without.has(others)
  const leftOut = isLeftOut ? `${others} (${textsOf(all, others)})` : undefined
  const points = all.filter(({ series: name, place }) => (isSplit ? drawn.has(name) : !(isLeftOut && place === others)))
  const left = ranked.length - drawn.size - ranked.filter(({ name }) => without.has(name)).length
  return {
    points,
    series,
    others,
    without: [...without],
    places: placesOf(points, orderOf({ look, shape, query })),
    notes: [
      ...(!truncated && query.limit === rowCount
        ? [`The query asks for at most ${count(rowCount, 'row')}: more may exist.`]
        : []),
      ...(truncated
        ? [`Only the first ${count(rowCount, 'row')} of the answer ${rowCount === 1 ? 'is' : 'are'} drawn; more exist.`]
        : []),
      ...(plain.length < rowCount
        ? [`${count(rowCount - plain.length, 'subtotal')} ${rowCount - plain.length === 1 ? 'is' : 'are'} not drawn.`]
        : []),
      ...(placed.length < plain.length
        ? [`${count(plain.length - placed.length, 'row')} without ${shape.time?.name ?? ''} cannot be drawn.`]
        : []),
      ...(placed.length > POINTS_AT_MOST
        ? [`The first ${count(POINTS_AT_MOST, 'row')} of ${placed.length.toLocaleString()} are drawn.`]
        : []),
      ...(left > 0 ? [`${drawn.size} of ${ranked.length.toLocaleString()} series are drawn, the largest first.`] : []),
      ...(flattening !== undefined
        ? [`${leftOut ?? flattening} would flatten all other ${kind}s, and is left out${isFixed ? '.' : TICK}`]
        : []),
      ...(leftOut !== undefined && flattening === undefined ? [`${leftOut} is left out by hand.`] : []),
      ...(look.without !== undefined && without.size > 0 && isSplit
        ? [`${count(ranked.length - left - drawn.size, 'series')} left out by hand.`]
        : []),
    ],
  }
}

const TICK = ': tick it in the legend to see it.'
const count = (n: number, thing: string): string => `${n.toLocaleString()} ${thing}${n === 1 || thing === 'series' ? '' : 's'}`

interface Ranked {
  readonly name: string
  readonly isOthers: boolean
}

interface PlacedPoint extends Point {
  readonly isOthers: boolean
  readonly isPlaceOthers: boolean
  readonly order: unknown
}

function pointsAt(rows: readonly number[], { answer, shape }: Pick<Drawn, 'answer' | 'shape'>): readonly PlacedPoint[] {
  const { columns, rowCount, timezone } = answer
  const { time, categories, numbers } = shape
  const formatting = { locale: navigator.language, timezone, rowCount }
  const shown = (column: Column) => {
    const format = formatterFor(column, formatting)
    return (row: number) => shownValue(column, row, format)
  }
  const names = categories.map((column) => categoryNames({ columns, rowCount }, column, shown(column)))
  const texts = numbers.map(shown)
  const timeText = time && shown(time)
  const isOthersAt = (column: Column | undefined, row: number) => column !== undefined && isOthers({ columns }, column.name, row)
  return rows.map((row) => {
    const [head = '', ...tail] = names.map((each) => each[row]!)
    const parts = time === undefined ? tail : [head, ...tail]
    const split = time === undefined ? categories.slice(1) : categories
    return {
      x: time === undefined ? head : new Date(Number(time.at(row))),
      place: time === undefined ? head : (timeText?.(row) ?? ''),
      series: parts.filter(Boolean).join(', ') || head,
      values: numbers.map((column) => numberAt(column, row)),
      texts: texts.map((text) => text(row) ?? ''),
      isOthers: split.some((column) => isOthersAt(column, row)),
      isPlaceOthers: time === undefined && isOthersAt(categories[0], row),
      order: time === undefined ? categories[0]?.at(row) : undefined,
    }
  })
}

/** By the sum of the first number's sizes, with the group of the others last. */
function rankedSeries(points: readonly PlacedPoint[]): readonly Ranked[] {
  const sizes = new Map<string, { size: number; isOthers: boolean }>()
  for (const { series, values, isOthers } of points) {
    const known = sizes.get(series) ?? { size: 0, isOthers }
    known.size += Math.abs(values[0] ?? 0)
    sizes.set(series, known)
  }
  return [...sizes]
    .toSorted(([, a], [, b]) => Number(a.isOthers) - Number(b.isOthers) || b.size - a.size)
    .map(([name, { isOthers }]) => ({ name, isOthers }))
}

/** The group of the others, if it is so large that nothing could be read of the other lines or bars. */
function flatteningOthers(points: readonly PlacedPoint[]): string | undefined {
  const isOne = ({ isOthers, isPlaceOthers }: PlacedPoint) => isOthers || isPlaceOthers
  const largest = (isGroup: boolean) =>
    Math.max(0, ...points.filter((point) => isOne(point) === isGroup).map(({ values }) => Math.abs(values[0] ?? 0)))
  const [alone, group] = [largest(false), points.find(isOne)]
  return alone > 0 && largest(true) > FLATTENS_FROM * alone ? (group?.isOthers ? group.series : group?.place) : undefined
}

/** A bar that is not drawn is said in numbers. */
const textsOf = (points: readonly Point[], name: string): string =>
  points.flatMap(({ place, texts }) => (place === name ? [texts.join(' and ')] : [])).join()

const FLATTENS_FROM = 3

/** Texts by size, numbers by value, and rows that the query orders as they are, unless the person says otherwise. */
function orderOf({ look, shape, query }: Pick<Drawn, 'look' | 'shape' | 'query'>): ChartOrder | 'value' {
  if (look.order !== undefined) return look.order
  const [axis] = shape.categories
  if ((query.order_by ?? []).length > 0) return 'answer'
  return axis !== undefined && axis.type !== 'string' ? 'value' : 'largest'
}

function placesOf(points: readonly Point[], order: ChartOrder | 'value'): readonly string[] {
  const places = new Map<string, { size: number; isLast: boolean; value: unknown }>()
  for (const point of points as readonly PlacedPoint[]) {
    const known = places.get(point.place) ?? { size: 0, isLast: point.isPlaceOthers, value: point.order }
    known.size += point.values[0] ?? 0
    places.set(point.place, known)
  }
  const all = [...places]
  if (order === 'answer') return all.map(([name]) => name)
  return all
    .toSorted(([a, one], [b, other]) => {
      const last = Number(one.isLast) - Number(other.isLast)
      if (last !== 0) return last
      if (order === 'largest') return other.size - one.size
      return order === 'value' && isNumberLike(one.value) && isNumberLike(other.value)
        ? Number(one.value) - Number(other.value)
        : collator.compare(a, b)
    })
    .map(([name]) => name)
}

const isNumberLike = (value: unknown): boolean => value !== null && value !== undefined && !Number.isNaN(Number(value))
const collator = new Intl.Collator(undefined, { numeric: true })

function numberAt({ at, type }: Column, row: number): number | null {
  const value = at(row)
  return value === null || value === undefined || !isNumber(type) ? null : Number(value)
}
