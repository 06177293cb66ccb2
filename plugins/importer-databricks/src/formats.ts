/** How values are shown: numbers with a fixed number of digits have a pattern here. */
import type { Part } from '@grainline/importer-dbt/foreign'

/** The pattern, and undefined for a format that has none here, whose keys then are in the list. */
export function patternOf(part: Part): string | undefined {
  const format = part.has('format') && typeof part.data['format'] === 'object' ? part.data['format'] : undefined
  const { type, decimal_places: places, hide_group_separator: isPlain, ...rest } = { ...(format as Record<string, unknown>) }
  const { type: kind, places: count, ...more } = { ...(places as Record<string, unknown> | undefined) }
  if ((type !== 'number' && type !== 'percentage') || Object.keys({ ...rest, ...more }).length > 0 || kind !== 'exact')
    return undefined
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > 10) return undefined
  const read = part.part('format')
  for (const key of ['type', 'decimal_places', 'hide_group_separator']) read?.value(key)
  for (const key of ['type', 'places']) read?.part('decimal_places')?.value(key)
  return `${isPlain === true ? '0' : '#,##0'}${count > 0 ? `.${'0'.repeat(count)}` : ''}${type === 'percentage' ? '%' : ''}`
}
