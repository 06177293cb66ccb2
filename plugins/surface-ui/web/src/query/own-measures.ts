/** Measures that a question writes itself, as `measures` of the API has them. */
import { isObject, isQuery } from './is-query.js'
import { add, measuresOf, type Query } from './query.js'

/** The name, and what a model would write. */
export interface OwnMeasure {
  readonly as: string
  readonly [key: string]: unknown
}

const isOwn = (value: unknown): value is OwnMeasure => isObject(value) && typeof value['as'] === 'string' && value['as'] !== ''

export const ownMeasuresOf = ({ measures }: Query): readonly OwnMeasure[] =>
  Array.isArray(measures) ? measures.filter((each) => isOwn(each)) : []

/** The question of a text or a file: measures that it writes where it selects them stand in `measures`. `undefined` if it is none. */
export function queryOf(value: unknown): Query | undefined {
  const moved = isObject(value) && isObject(value['select']) ? withMoved(value, value['select']) : value
  return isQuery(moved) ? moved : undefined
}

function withMoved(value: Record<string, unknown>, select: Record<string, unknown>): Record<string, unknown> {
  const { measures } = select
  if (!Array.isArray(measures) || !measures.some((each) => isOwn(each))) return value
  const declared = Array.isArray(value['measures']) ? value['measures'] : []
  return {
    ...value,
    select: { ...select, measures: measures.map((each: unknown) => (isOwn(each) ? each.as : each)) },
    measures: [...declared, ...measures.filter((each) => isOwn(each))],
  }
}

/** Adds a measure that the question writes, and selects it; one of the same name is replaced. */
export function withOwnMeasure(query: Query, measure: OwnMeasure): Query {
  const others = ownMeasuresOf(query).filter(({ as }) => as !== measure.as)
  return add({ ...query, measures: [...others, measure] }, 'measure', measure.as)
}

/** A measure that the question writes, and those of them that it reads. */
export function ownMeasuresBehind(query: Query, name: string): readonly OwnMeasure[] {
  const own = ownMeasuresOf(query)
  const found = new Set(own.filter(({ as }) => as === name))
  for (const measure of found) {
    const text = JSON.stringify(measure)
    for (const other of own) if (text.includes(JSON.stringify(`{[${other.as}]}`).slice(1, -1))) found.add(other)
  }
  return [...found]
}

/** Without the measures that nothing in the question names any more. */
export function withoutUnread(query: Query): Query {
  const own = ownMeasuresOf(query)
  if (own.length === 0) return query
  const { measures: _own, ...rest } = query
  const kept = own.filter(({ as }) => {
    const others = own.filter((other) => other.as !== as)
    return JSON.stringify([measuresOf(query), rest.having, rest.order_by, rest['top'], others]).includes(
      JSON.stringify(as).slice(1, -1),
    )
  })
  if (kept.length === own.length) return query
  return kept.length === 0 ? rest : withoutUnread({ ...rest, measures: kept })
}

/** The aggregations that people look for first, by what they are called here. */
export const AGGREGATIONS = [
  { value: 'sum', label: 'Sum' },
  { value: 'avg', label: 'Average' },
  { value: 'min', label: 'Smallest' },
  { value: 'max', label: 'Largest' },
  { value: 'median', label: 'Median' },
  { value: 'count_distinct', label: 'Different values' },
] as const

/** An aggregate of a column, `Object.Column`. */
export function aggregateOf(aggregation: string, dataObject: string, column: string): OwnMeasure {
  const said = AGGREGATIONS.find(({ value }) => value === aggregation)?.label ?? aggregation
  return { as: `${said} of ${column}`, aggregation, columns: [{ dataObject, column }] }
}

export const ratioOf = (part: string, whole: string): OwnMeasure => ({
  as: `${part} per ${whole}`,
  expression: `{[${part}]} / {[${whole}]}`,
})
