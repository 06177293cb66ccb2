/** A query in the form of the API, and the changes that the user makes to it. Parts without controls are kept unchanged. */
export interface Query {
  readonly select: {
    readonly dimensions?: readonly DimensionPick[]
    readonly measures?: readonly string[]
    readonly fields?: readonly string[]
    readonly distinct?: boolean
  }
  readonly where?: readonly Condition[]
  readonly having?: readonly Condition[]
  readonly order_by?: readonly Order[]
  readonly limit?: number
  readonly grouping?: unknown
  readonly [key: string]: unknown
}

/** `Name`, `Name:grain`, or a field that the query defines itself. */
export type DimensionPick = string | { readonly as: string; readonly [key: string]: unknown }
export type Condition = Filter | string | { readonly [key: string]: unknown }
export interface Filter {
  readonly field: string
  readonly op: string
  readonly value?: unknown
  /** Whether a negative operator keeps the rows without a value. */
  readonly or_missing?: boolean
}
export interface Order {
  readonly field: string | number
  readonly direction?: 'asc' | 'desc'
  readonly nulls?: 'first' | 'last'
}
/** The n values of a dimension with the largest value of a measure; all others are one group, or left out. */
export interface Top {
  readonly dimension: string
  readonly by: string
  readonly n: number
  readonly order?: 'asc' | 'desc' | undefined
  readonly others?: string | undefined
}
export type FieldKind = 'dimension' | 'measure' | 'metric'

export const GRAINS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export const EMPTY: Query = { select: { dimensions: [], measures: [] } }

/** The name that the column of a dimension has in the answer: without its grain. */
export function nameOf(pick: DimensionPick): string {
  if (typeof pick !== 'string') return pick.as
  return grainOf(pick) === undefined ? pick : pick.slice(0, pick.lastIndexOf(':'))
}

export function grainOf(pick: DimensionPick): string | undefined {
  if (typeof pick !== 'string') return undefined
  const grain = pick.slice(pick.lastIndexOf(':') + 1)
  return pick.includes(':') ? GRAINS.find((each) => each === grain) : undefined
}

export const dimensionsOf = ({ select }: Query): readonly DimensionPick[] => select.dimensions ?? []
export const measuresOf = ({ select }: Query): readonly string[] => select.measures ?? []
export const isEmpty = ({ select }: Query): boolean =>
  [select.dimensions, select.measures, select.fields].every((list) => (list ?? []).length === 0)
export const isFilter = (condition: Condition): condition is Filter =>
  typeof condition === 'object' && typeof condition.field === 'string' && typeof condition.op === 'string'

export function has(query: Query, kind: FieldKind, name: string): boolean {
  return kind === 'dimension' ? dimensionsOf(query).some((pick) => nameOf(pick) === name) : measuresOf(query).includes(name)
}

/** Adds a field, or removes it with its sort keys. */
export function toggle(query: Query, kind: FieldKind, name: string): Query {
  return has(query, kind, name) ? remove(query, kind, name) : add(query, kind, name)
}

export function add(query: Query, kind: FieldKind, name: string): Query {
  if (has(query, kind, name)) return query
  const { select } = query
  return kind === 'dimension'
    ? { ...query, select: { ...select, dimensions: [...dimensionsOf(query), name] } }
    : { ...query, select: { ...select, measures: [...measuresOf(query), name] } }
}

function remove(query: Query, kind: FieldKind, name: string): Query {
  const { select } = query
  const left =
    kind === 'dimension'
      ? { ...select, dimensions: dimensionsOf(query).filter((pick) => nameOf(pick) !== name) }
      : { ...select, measures: measuresOf(query).filter((each) => each !== name) }
  const orders = (query.order_by ?? []).filter(({ field }) => field !== name)
  const kept = topOf(query)?.dimension === name ? withTop(query, undefined) : query
  return withOrders({ ...kept, select: left }, orders)
}

/** Sets the grain of a time; `undefined` is the grain of the model. */
export function withGrain(query: Query, name: string, grain: string | undefined): Query {
  const dimensions = dimensionsOf(query).map((pick) =>
    typeof pick === 'string' && nameOf(pick) === name ? (grain === undefined ? name : `${name}:${grain}`) : pick,
  )
  return { ...query, select: { ...query.select, dimensions } }
}

/** Adds a comparison of periods, and its time if the query does not have it. */
export function withComparison(query: Query, name: string, time: string | undefined): Query {
  const added = add(query, 'metric', name)
  return time === undefined || has(query, 'dimension', time) ? added : add(added, 'dimension', `${time}:month`)
}

/** Moves a field of the shelf to the position of another one. */
export function move(query: Query, kind: FieldKind, from: number, to: number): Query {
  const key = kind === 'dimension' ? 'dimensions' : 'measures'
  const list: unknown[] = [...(query.select[key] ?? [])]
  if (from < 0 || to < 0 || from >= list.length || to >= list.length) return query
  list.splice(to, 0, ...list.splice(from, 1))
  return { ...query, select: { ...query.select, [key]: list } }
}

/** Filters on rows, and those on the rows of the answer. */
export type FilterList = 'where' | 'having'

export const withFilters = (query: Query, list: FilterList, conditions: readonly Condition[]): Query =>
  without({ ...query, [list]: conditions }, list, conditions.length === 0)

/** Replaces the filter on a field by the same operator, else adds one. */
export function withFilter(query: Query, list: FilterList, filter: Filter): Query {
  const kept = (query[list] ?? []).filter((each) => !(isFilter(each) && each.field === filter.field && each.op === filter.op))
  return withFilters(query, list, [...kept, filter])
}

export function withOrders(query: Query, order_by: readonly Order[]): Query {
  return without({ ...query, order_by }, 'order_by', order_by.length === 0)
}

export const withLimit = (query: Query, limit: number | undefined): Query =>
  without({ ...query, ...(limit !== undefined && { limit }) }, 'limit', limit === undefined)

export const withGrouping = (query: Query, grouping: string | undefined): Query =>
  without({ ...query, grouping }, 'grouping', grouping === undefined)

export const topOf = ({ top }: Query): Top | undefined => (isTop(top) ? top : undefined)

const isTop = (top: unknown): top is Top =>
  typeof top === 'object' && top !== null && ['dimension', 'by'].every((key) => typeof Reflect.get(top, key) === 'string')

export function withTop(query: Query, top: Top | undefined): Query {
  if (!top) return without(query, 'top', true)
  const { others, ...rest } = top
  return { ...query, top: others === undefined ? rest : { ...rest, others } }
}

function without(query: Query, key: string, leaveOut: boolean): Query {
  if (!leaveOut) return query
  const { select, ...others } = query
  return { select, ...Object.fromEntries(Object.entries(others).filter(([name]) => name !== key)) }
}
