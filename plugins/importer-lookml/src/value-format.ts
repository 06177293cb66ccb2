/** How values are shown: numbers with a fixed number of digits have a pattern here. */
import type { Part } from '@grainline/importer-dbt/foreign'

/** The pattern, and undefined for a format that has none here, whose key then is in the list. */
export function patternOf(part: Part): string | undefined {
  const named = part.data['value_format_name']
  const written = part.data['value_format']
  const [, kind, places = '0'] = typeof named === 'string' ? (/^(decimal|percent)_([0-4])$/.exec(named) ?? []) : []
  if (kind !== undefined) {
    part.text('value_format_name')
    return `#,##0${places === '0' ? '' : `.${'0'.repeat(Number(places))}`}${kind === 'percent' ? '%' : ''}`
  }
  if (typeof written !== 'string' || !/^(#,##)?0(\.0{1,10})?%?$/.test(written)) return undefined
  return part.text('value_format')
}
