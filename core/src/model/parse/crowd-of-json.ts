/**
 * Finds parts of a JSON body that are too large, in its text and before it is parsed: parsing an object of a million keys takes seconds,
 * scanning its text some milliseconds. It does not report text that is not JSON.
 */
import { MAX_CHARACTERS } from './characters.js'

/** The limit of a body without a model. */
const MAX_REST = 1024 * 1024
/** More keys than any body has. */
const MAX_KEYS = 100
/** Deeper than any document, and more keys than any object of a request has. */
const MAX_DEPTH = 200
const MAX_KEYS_WITHIN = 10_000

export interface Crowd {
  readonly message: string
  readonly path?: string
}

/** The kind of value under a key of the body: a model as JSON, a model as text, or anything else. */
type Part = 'json' | 'text' | 'rest'

const PARTS: ReadonlyMap<string, Part> = new Map([
  ['model_json', 'json'],
  ['modelJson', 'json'],
  ['model_yaml', 'text'],
  ['modelYaml', 'text'],
  ['extends', 'text'],
])
const LONGEST_NAME = 10

const BLANK = 0x20
const QUOTE = 0x22 // "
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]) // [ {
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]) // ] }
/** Counted with a document: the quotes around one that was sent as a text, and the brace after it. */
const AROUND = 3

export function crowdOf(text: string): Crowd | undefined {
  const characters: Record<Part, number> = { json: 0, text: 0, rest: 0 }
  /** The number of keys of each open object, the outermost first. */
  const keys: number[] = []
  let last = ''
  let name = ''
  let part: Part = 'rest'
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= BLANK) continue
    characters[part]++
    if (code === QUOTE) {
      const string = stringAt(text, at)
      if (keys.length === 1) last = text.slice(at + 1, Math.min(string.end, at + 1 + LONGEST_NAME))
      characters[part] += string.characters
      at = string.end
    } else if (code === COLON) {
      keys[keys.length - 1]! += 1
      if (keys.length === 1) name = last
      if (keys.length === 1) part = PARTS.get(name) ?? 'rest'
    } else if (code === COMMA) {
      if (keys.length === 1) part = 'rest'
    } else if (OPENING.has(code)) {
      keys.push(0)
      if (keys.length > MAX_DEPTH + 1) return { message: `The body is nested deeper than ${MAX_DEPTH} levels` }
    } else if (CLOSING.has(code)) {
      const crowd = crowdOfKeys(keys.pop() ?? 0, keys.length, part)
      if (crowd) return crowd
    }
    if (characters.json > MAX_CHARACTERS + AROUND)
      return { message: `${name} has more than the ${MAX_CHARACTERS} characters that are allowed`, path: name }
  }
  if (characters.rest <= MAX_REST) return undefined
  return { message: `Beside its model the body holds more than the ${MAX_REST} characters that are allowed` }
}

/** The limit for an object at this depth. The sections of a model may have more; the loader limits them. */
function crowdOfKeys(keys: number, depth: number, part: Part): Crowd | undefined {
  if (depth === 0 && keys > MAX_KEYS) return { message: `The body has ${keys} keys; a request has at most ${MAX_KEYS}` }
  if (depth > 0 && part !== 'json' && keys > MAX_KEYS_WITHIN)
    return { message: `An object of the body has ${keys} keys; ${MAX_KEYS_WITHIN} are allowed` }
  return undefined
}

/** Where a text that begins at `start` ends, and its number of characters: an escape is one, and so is a surrogate pair. */
function stringAt(text: string, start: number): { readonly end: number; readonly characters: number } {
  let characters = 0
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return { end: at, characters: characters + 1 }
    if (code === BACKSLASH) at += text[at + 1] === 'u' ? 5 : 1
    if ((code & 0xfc00) !== 0xdc00) characters++
  }
  return { end: text.length, characters: 0 }
}
