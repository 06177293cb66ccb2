import type { Wanted } from './locate.js'
import { locate } from './locate.js'
import { readText } from './read-text.js'

type Work =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'locate'; readonly text: string; readonly wanted: readonly Wanted[] }
export const readInWorker = async (work: Work): Promise<unknown> =>
  work.kind === 'read' ? readText(work.text) : locate(work.text, work.wanted)
