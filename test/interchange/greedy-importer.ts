/** An importer that needs memory for each line that begins with `more`, until there is none, and one text that is too long for `huge`. */
import { apart, reached } from '@grainline/core'

export const greedy = apart(
  {
    name: 'greedy',
    detect: () => false,
    read: async ({ text }) => {
      if (text === 'huge') 'x'.repeat(2 ** 30)
      const kept: number[][] = []
      for (const [at, line] of text.split('\n').entries()) {
        reached({ line: at + 1, column: line.search(/\S/) + 1 })
        while (line.trim().startsWith('more')) kept.push(new Array<number>(10_000_000).fill(kept.length + 0.5))
      }
      return { document: { lines: kept.length }, places: [], losses: [] }
    },
  },
  import.meta.url,
)
