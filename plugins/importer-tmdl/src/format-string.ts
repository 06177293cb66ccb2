/** How values are shown: numbers with a fixed number of digits have a pattern here. */
import type { Part } from '@grainline/importer-dbt/foreign'

/** The pattern, and undefined for a format that has none here, whose key then is in the list. */
export function patternOf(part: Part): string | undefined {
  const written = part.data['formatString']
  const [, grouped, places = '', percent] =
    typeof written === 'string' ? (/^(#,##0|#,0|0)(\.0{1,10})?\s?(%)?(?:;.*)?$/.exec(written) ?? []) : []
  if (grouped === undefined) return undefined
  part.text('formatString')
  return `${grouped === '0' ? '0' : '#,##0'}${places}${percent ?? ''}`
}
