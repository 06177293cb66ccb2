import type { ErrorCode, Finding } from '../../errors.js'
import { isRecord } from '../shape.js'
import { charactersOf, MAX_CHARACTERS } from './characters.js'
import { plainJson } from './plain-json.js'
import { plainYaml } from './plain-yaml.js'
import { DocumentError, MAX_ENTRIES, parseYaml, tooManyEntries } from './yaml.js'

/** The plain data of a text, or its errors; plain itself, so that it can be sent between threads. */
export interface ReadText {
  readonly value?: unknown
  readonly fault?: { readonly code: ErrorCode; readonly message: string; readonly offset: number; readonly path?: string }
}

export interface TextRules {
  /** Whether only JSON is accepted. */
  readonly strictJson?: boolean | undefined
  /** Entries of one list or mapping. */
  readonly mostEntries?: number | undefined
}

export function readText(text: string, { strictJson = false, mostEntries = MAX_ENTRIES }: TextRules = {}): ReadText {
  const json = plainJson(text, mostEntries)
  if (json) return { value: json }
  if (strictJson && !isJson(text)) return { fault: { code: 'YAML_PARSE_ERROR', message: 'The text is not JSON', offset: 0 } }
  const plain = plainYaml(text, mostEntries)
  if (plain) return { value: plain }
  try {
    return { value: parseYaml(text, undefined, mostEntries) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { code, message, offset } = error
    return { fault: unquoted(text, offset) ?? { code, message, offset } }
  }
}

/** YAML reads an expression that begins with a brace as a mapping, and fails on the rest. */
function unquoted(text: string, offset: number): ReadText['fault'] {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', start)
  const line = text.slice(start, end < 0 ? undefined : Math.min(end, start + MAX_LINE))
  const found = /:\s+((?:[^'"{\s][^'"{]*)?\{\[[^'"]*)/.exec(line)
  if (!found) return undefined
  const written = found[1]!.slice(0, SHOWN).replace(/[\s}]+$/, '')
  const message = `An expression with braces must be quoted, or YAML reads a mapping: write '${written}}' in quotes`
  return { code: 'YAML_PARSE_ERROR', message, offset: start + found.index + found[0].length - found[1]!.length }
}

const MAX_LINE = 1000
const SHOWN = 60

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const MAX_DEPTH = 100

/** They are counted in a few milliseconds. */
const CHARACTERS_OF_A_STEP = 200_000

/** The error of a document that was sent as JSON: undefined if it is a mapping of an acceptable size. Between two steps others may have a turn. */
export function* checkJsonInSteps(value: unknown, mostEntries = MAX_ENTRIES): Generator<undefined, Finding | undefined, unknown> {
  const refuse = (code: ErrorCode, message: string): Finding => ({ code, message, path: '', severity: 'error' })
  if (!isRecord(value))
    return refuse('SCHEMA_VALIDATION', 'A model is a mapping of keys, with dataObjects, dimensions and measures')
  let characters = 0
  let deepest = 0
  let counted = 0
  // Only lists and mappings are put on the stack: a large document consists mostly of names and texts.
  const stack: { readonly items: object; readonly depth: number }[] = [{ items: value, depth: 0 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const depth = top.depth + 1
    const keys = Object.keys(top.items)
    if (keys.length > mostEntries && (top.depth !== 1 || Array.isArray(top.items))) {
      return refuse('YAML_SAFETY_ERROR', tooManyEntries(mostEntries))
    }
    if (keys.length > 0) deepest = Math.max(deepest, depth)
    for (const key of keys) {
      const item: unknown = (top.items as Readonly<Record<string, unknown>>)[key]
      characters += key.length + 5 + (typeof item === 'string' ? charactersOf(item) : 0)
      if (typeof item === 'object' && item !== null) stack.push({ items: item, depth })
    }
    if (deepest > MAX_DEPTH || characters > MAX_CHARACTERS) break
    if (characters - counted > CHARACTERS_OF_A_STEP) {
      counted = characters
      yield
    }
  }
  if (deepest > MAX_DEPTH) return refuse('YAML_SAFETY_ERROR', `The document is nested deeper than ${MAX_DEPTH} levels`)
  if (characters > MAX_CHARACTERS) return refuse('YAML_SAFETY_ERROR', `The document has more than ${MAX_CHARACTERS} characters`)
  return undefined
}
