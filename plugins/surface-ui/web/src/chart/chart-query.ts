import type { Answer } from '../api/read-arrow.js'
import { dimensionsOf, nameOf, type Query, withLimit, withTop } from '../query/query.js'
import type { Shape } from './chart-kind.js'

/** The series and the bars of one chart that a person can tell apart. */
export const SERIES_AT_MOST = 12
export const BARS_AT_MOST = 40
const [SERIES_ALONE, BARS_ALONE] = [10, 30]

/**
 * The query of a chart with too many groups, or of an answer that has more rows than were read: the largest groups, and all others as one group,
 * which the server computes. Absent if the answer can be drawn as it is, or if the person has chosen its rows.
 */
export function chartQuery(
  query: Query,
  { rowCount, truncated }: Pick<Answer, 'rowCount' | 'truncated'>,
  shape: Shape,
): Query | undefined {
  const { time, categories, numbers } = shape
  const [first] = numbers
  if (first === undefined || 'top' in query || 'grouping' in query || 'offset' in query) return undefined
  if (query.limit !== undefined && rowCount >= query.limit) return undefined
  const sizes = categories.map(({ name, at }) => {
    const values = new Set(Array.from({ length: rowCount }, (_, row) => at(row)))
    return { name, size: values.size }
  })
  const axis = time === undefined ? sizes[0] : undefined
  const series = sizes.filter((each) => each !== axis)
  const groups = series.reduce((product, { size }) => product * size, 1)
  const isTooMany = groups > SERIES_AT_MOST || (axis?.size ?? 0) > BARS_AT_MOST
  const [largest] = sizes.toSorted((a, b) => b.size - a.size)
  if (largest === undefined || !(isTooMany || truncated)) return undefined
  const dimension = dimensionsOf(query).find(
    (pick) => (typeof pick === 'string' ? pick : pick.as) === largest.name || nameOf(pick) === largest.name,
  )
  if (dimension === undefined) return undefined
  const n = largest === axis && series.length === 0 ? BARS_ALONE : SERIES_ALONE
  const whole = withLimit(query, ROWS_AT_MOST)
  return withTop(whole, {
    dimension: typeof dimension === 'string' ? dimension : dimension.as,
    by: first.name,
    n,
    others: 'Others',
  })
}

/** More rows than any readable chart has. */
const ROWS_AT_MOST = 5000
