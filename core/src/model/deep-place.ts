import type { Place } from './parse/locate.js'

/** Deeper than any model. */
const DEEP = 100

/** Where a text gets so deep that no reader follows it: by its brackets, or by the columns at which its lines begin. The start of the text if it is neither. */
export function deepPlace(text: string): Place {
  let open = 0
  const columns: number[] = []
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const begins = line.search(/\S/)
    while (begins >= 0 && (columns.at(-1) ?? -1) >= begins) columns.pop()
    if (begins >= 0 && columns.push(begins) > DEEP) return { line: at + 1, column: begins + 1 }
    for (let column = 0; column < line.length; column++) {
      const sign = line[column] ?? ''
      if ('[{('.includes(sign)) open++
      else if (']})'.includes(sign)) open = Math.max(0, open - 1)
      if (open > DEEP) return { line: at + 1, column: column + 1 }
    }
  }
  return { line: 1, column: 1 }
}
