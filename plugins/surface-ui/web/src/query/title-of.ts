import { compareOf } from '../time/comparison.js'
import { dimensionsOf, grainOf, nameOf, type Query, topOf } from './query.js'

/** The question as a heading: `Revenue and Orders by Month`. */
export function titleOf(query: Query): string {
  const { select } = query
  const numbers = listed([...(select.measures ?? []), ...(select.fields ?? [])])
  const top = topOf(query)
  const groups = dimensionsOf(query).map((pick) => {
    const grain = grainOf(pick)
    const name = nameOf(pick)
    if (top !== undefined && (top.dimension === name || top.dimension === pick))
      return `${top.order === 'asc' ? 'last' : 'top'} ${top.n} of ${name}`
    return grain === undefined ? name : `${name} (${grain})`
  })
  const by = listed(groups)
  const title = numbers === '' ? by : by === '' ? numbers : `${numbers} by ${by}`
  return compareOf(query) === undefined ? title : `${title}, compared`
}

const listed = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
