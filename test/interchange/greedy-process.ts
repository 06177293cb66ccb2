/** An importer that needs memory for each line that begins with `more`, until there is none, and one text that is too long for `huge`. */
import { apart, reached } from '@grainline/core'

export const greedy = apart(
  {
    name: 'greedy',
    detect: () => false,
    read: async ({ text }) => {
      if (text === 'huge') 'x'.repeat(2 ** 30)
      const kept: string[] = []
      for (const [at, line] of text.split('\n').entries()) {
        reached({ line: at + 1, column: line.search(/\S/) + 1 })
        while (line.trim().startsWith('more')) kept.push(inOnePiece('x'.repeat(LARGE)))
      }
      return { document: { lines: kept.length }, places: [], losses: [] }
    },
  },
  import.meta.url,
)

const LARGE = 50_000_000

/** A repeated text is a tree of its parts until one of its characters is read. */
function inOnePiece(text: string): string {
  text.charCodeAt(LARGE - 1)
  return text
}
