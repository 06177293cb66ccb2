/** Saved questions and dashboards, as they are in links and files. */
import { type ChartLook, readLook } from '../chart/chart-look.js'
import { isObject } from '../query/is-query.js'
import { queryOf } from '../query/own-measures.js'
import { type Condition, isEmpty, type Query, withFilters } from '../query/query.js'
import { askedCompare, compareOf, monthsIn, withCompare } from '../time/comparison.js'
import {
  isDay,
  plusDays,
  type Range,
  rangeBefore,
  rangeOf,
  SPANS,
  type Span,
  type TimeField,
  withRange,
} from '../time/time-range.js'

export const SHOWN_AS = ['number', 'chart', 'table'] as const
export type ShownAs = (typeof SHOWN_AS)[number]

/** A question with its title, and how it is shown. */
export interface SavedQuestion {
  readonly title: string
  readonly as: ShownAs
  readonly query: Query
  readonly chart?: ChartLook
}

export interface Tile extends SavedQuestion {
  /** It has the whole width. */
  readonly wide?: boolean
}

/** The range of days of all tiles: a preset up to the last day of the data, or a first and a last day. */
export interface DashboardTime {
  readonly dimension: string
  readonly span?: Span
  readonly range?: Range
  /** Numbers show the change against the period before, and charts and tables the values of that period beside their own. */
  readonly compare?: boolean
}

export interface Dashboard {
  readonly title: string
  /** The name of the model that it asks. */
  readonly model?: string
  readonly tiles: readonly Tile[]
  /** Conditions of every tile. */
  readonly filters?: readonly Condition[]
  readonly time?: DashboardTime
}

export const NEW_DASHBOARD: Dashboard = { title: 'Dashboard', tiles: [] }
const TILES_AT_MOST = 60

/** Links and files are untrusted. `undefined` if it is no dashboard; a part whose shape is wrong is left out. */
export function readDashboard(value: unknown): Dashboard | undefined {
  if (!isObject(value) || !Array.isArray(value['tiles'])) return undefined
  const { title, model, tiles, filters, time } = value
  const read = tiles.slice(0, TILES_AT_MOST).flatMap((tile) => readTile(tile) ?? [])
  const checked = readTime(time)
  return {
    title: typeof title === 'string' && title !== '' ? title : NEW_DASHBOARD.title,
    ...(typeof model === 'string' && { model }),
    ...(checked && { time: checked }),
    ...(Array.isArray(filters) && { filters: filters.filter((each) => typeof each === 'string' || isObject(each)) }),
    tiles: read,
  }
}

/** `undefined` if it is no question. */
export function readTile(value: unknown): Tile | undefined {
  if (!isObject(value)) return undefined
  const { title, as, chart, wide } = value
  const query = queryOf(value['query'])
  if (!query) return undefined
  const look = readLook(chart)
  return {
    title: typeof title === 'string' ? title : '',
    as: SHOWN_AS.find((each) => each === as) ?? 'table',
    query,
    ...(Object.keys(look).length > 0 && { chart: look }),
    ...(wide === true && { wide }),
  }
}

function readTime(value: unknown): DashboardTime | undefined {
  if (!isObject(value) || typeof value['dimension'] !== 'string') return undefined
  const { dimension, span, range, compare } = value
  const known = SPANS.find((each) => each === span)
  const days =
    isObject(range) && isDay(range['from']) && isDay(range['to']) ? { from: range['from'], to: range['to'] } : undefined
  return {
    dimension,
    ...(known !== undefined && { span: known }),
    ...(days && { range: days }),
    ...(compare === true && { compare }),
  }
}

/** The days of a dashboard; `undefined` for all, and until the last day of the data is known. */
export function daysOf({ time }: Pick<Dashboard, 'time'>, lastDay: string | undefined): Range | undefined {
  if (time?.span !== undefined) return lastDay === undefined ? undefined : rangeOf(time.span, lastDay)
  return time?.range
}

interface Shared extends Pick<Dashboard, 'filters'> {
  readonly field: TimeField | undefined
  readonly range: Range | undefined
}

/** The query of a tile with the filters and the days of its dashboard. */
export function tileQuery({ query }: Pick<Tile, 'query'>, { filters = [], field, range }: Shared): Query {
  const filtered = filters.length === 0 ? query : withFilters(query, 'where', [...(query.where ?? []), ...filters])
  return field === undefined || range === undefined ? filtered : withRange(filtered, field, range)
}

/** The days with which a dashboard compares: as many months before whole months, else as many days. */
export function daysCompared(range: Range): Range {
  const count = monthsIn(range)
  if (count === undefined) return rangeBefore(range)
  const [year = 0, month = 1] = range.from.split('-').map(Number)
  return { from: new Date(Date.UTC(year, month - 1 - count, 1)).toISOString().slice(0, 10), to: plusDays(range.from, -1) }
}

/** The same with the values of these days beside its own, for a chart or a table; `undefined` for a question with a comparison of its own. */
export function comparedTile(
  { as }: Pick<Tile, 'as'>,
  query: Query,
  { field, range }: Omit<Shared, 'filters'>,
): Query | undefined {
  if (as === 'number' || field === undefined || range === undefined || query['compare'] !== undefined) return undefined
  const count = monthsIn(range)
  const compare = { time: field.name, ...(count === undefined ? { unit: 'range' } : { unit: 'month', count }) }
  const asked = askedCompare(withCompare(query, compare))
  return compareOf(asked) && asked
}

/** How a question is shown if nobody has said it: one row as numbers, groups as a chart. */
export function shownAs(query: Query): ShownAs {
  if (isEmpty(query) || (query.select.measures ?? []).length === 0) return 'table'
  return (query.select.dimensions ?? []).length === 0 ? 'number' : 'chart'
}
