const FROM_THE_FIRST = /^[1-9]\d*$/
const COUNT = /^\d+$/

/**
 * The characters with a position in the range, as PostgreSQL has it; DuckDB counts a position below 1 from the end. Each argument is written once,
 * however deeply calls are nested.
 */
export function substring([text = '', start = '', length]: readonly string[]): string {
  const begins = FROM_THE_FIRST.test(start.trim())
  if (begins && (length === undefined || COUNT.test(length.trim())))
    return `SUBSTRING(${[text, start, length ?? []].flat().join(', ')})`
  const from = notBelow(1, 'v.s')
  const call =
    length === undefined ? `SUBSTRING(v.t, ${from})` : `SUBSTRING(v.t, ${from}, ${notBelow(0, `(v.n - (${from} - v.s))`)})`
  return `LIST_TRANSFORM([{t: ${text}, s: ${start}${length === undefined ? '' : `, n: ${length}`}}], lambda v: ${call})[1]`
}

const notBelow = (least: number, value: string): string => `CASE WHEN ${value} < ${least} THEN ${least} ELSE ${value} END`
