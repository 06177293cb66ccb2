/** An importer that waits at a line `wait` for longer than its limit, and works at a line `work` without an end. */
import { apart, reached } from '@grainline/core'

const SECONDS = 2

export const working = apart(
  {
    name: 'working',
    detect: () => false,
    read: async ({ text }) => {
      const lines = text.split('\n')
      for (const [at, line] of lines.entries()) {
        reached({ line: at + 1, column: line.search(/\S/) + 1 })
        if (line.trim() === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (SECONDS + 1) * 1000)
        while (line.trim() === 'work') Math.random()
      }
      return { document: { lines: lines.length }, places: [], losses: [] }
    },
  },
  import.meta.url,
  undefined,
  SECONDS,
)
