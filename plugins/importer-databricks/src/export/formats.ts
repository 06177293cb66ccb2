/** How values are shown, as the format of a measure. */
export function formatData(pattern: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const [, whole, places = '', percent] = /^(#,##0|0)(?:\.(0{1,10}))?(%)?$/.exec(pattern ?? '') ?? []
  if (whole === undefined) return undefined
  return {
    type: percent === undefined ? 'number' : 'percentage',
    decimal_places: { type: 'exact', places: places.length },
    ...(whole === '0' && { hide_group_separator: true }),
  }
}
