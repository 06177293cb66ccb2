import { stringify } from 'yaml'
import { locate, type Wanted } from './locate.js'
import { readText, type TextRules } from './read-text.js'
import { splitBody } from './split-body.js'

/** Work on a text, which can run in this thread or in another. */
export type TextWork =
  | ({ readonly kind: 'read'; readonly text: string } & TextRules)
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  | { readonly kind: 'locate'; readonly text: string; readonly wanted: readonly Wanted[] }
  /** JSON to be written as YAML, every value in full. */
  | { readonly kind: 'write'; readonly text: string }

export function workOnText(work: TextWork): unknown {
  switch (work.kind) {
    case 'read':
      return readText(work.text, work)
    case 'body':
      return splitBody(new TextDecoder('utf-8', { ignoreBOM: true }).decode(work.bytes))
    case 'locate':
      return locate(work.text, work.wanted)
    case 'write':
      return stringify(JSON.parse(work.text), { aliasDuplicateObjects: false })
  }
}
