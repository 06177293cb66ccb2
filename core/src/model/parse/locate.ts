/** Positions in a text. They are looked up only if there are errors, so a valid document costs nothing. */
import { type Event, getScalarValue } from 'js-yaml'
import { eventsOf } from './yaml.js'

export type Segments = readonly (string | number)[]
export interface Place {
  readonly line: number
  readonly column: number
}
/** `offset` counts characters into the scalar at the path. */
export interface Wanted {
  readonly segments: Segments
  readonly offset?: number | undefined
  readonly onKey?: boolean | undefined
}

/** The position of each path, in order; if the text does not have it, the position of its nearest existing ancestor. */
export function locate(text: string, wanted: readonly Wanted[]): Place[] {
  const tree = new Map<string, { readonly key: number; readonly event: Event }>()
  record(text, interesting(wanted), tree)
  const lines = lineStarts(text)
  return wanted.map((item) => placeAt(lines, offsetOf(text, tree, item)))
}

/** The line and column of an offset. */
export function placeOfOffset(text: string, offset: number): Place {
  return placeAt(lineStarts(text), offset)
}

const SEPARATOR = '\0'
const pathKey = (segments: Segments): string => segments.map((segment) => `${segment}${SEPARATOR}`).join('')

function interesting(wanted: readonly Wanted[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const { segments } of wanted) for (let n = 0; n <= segments.length; n++) keys.add(pathKey(segments.slice(0, n)))
  return keys
}

interface Level {
  readonly path: string
  readonly wanted: boolean
  readonly sequence: boolean
  index: number
  key: string | undefined
  keyOffset: number
}

/** Reads the events once, and stores only the requested paths. */
function record(
  text: string,
  keys: ReadonlySet<string>,
  tree: Map<string, { readonly key: number; readonly event: Event }>,
): void {
  const levels: Level[] = []
  for (const event of eventsOf(text)) {
    if (event.type === 1) continue
    if (event.type === 6) {
      levels.pop()
      continue
    }
    const level = levels.at(-1)
    if (level && !level.sequence && level.key === undefined && event.type === 4) {
      level.key = level.wanted ? getScalarValue(text, event) : ''
      level.keyOffset = event.valueStart
      continue
    }
    const path = level === undefined ? '' : `${level.path}${level.sequence ? level.index++ : level.key}${SEPARATOR}`
    const wanted = (level?.wanted ?? true) && keys.has(path)
    if (wanted) tree.set(path, { key: level && !level.sequence ? level.keyOffset : -1, event })
    if (level) level.key = undefined
    if (event.type === 2 || event.type === 3) {
      levels.push({
        path: wanted ? path : SEPARATOR,
        wanted,
        sequence: event.type === 2,
        index: 0,
        key: undefined,
        keyOffset: -1,
      })
    }
  }
}

function offsetOf(
  text: string,
  tree: ReadonlyMap<string, { readonly key: number; readonly event: Event }>,
  wanted: Wanted,
): number {
  for (let n = wanted.segments.length; n >= 0; n--) {
    const found = tree.get(pathKey(wanted.segments.slice(0, n)))
    if (!found) continue
    const exact = n === wanted.segments.length
    if (found.key >= 0 && (wanted.onKey === true || !exact)) return found.key
    const start = startOf(found.event)
    if (start < 0) return Math.max(0, found.key)
    return exact && wanted.offset !== undefined ? within(text, found.event, start, wanted.offset) : start
  }
  return 0
}

function startOf(event: Event): number {
  switch (event.type) {
    case 4:
      return event.valueStart
    case 2:
    case 3:
      return event.start
    case 5:
      return event.anchorStart
    default:
      return 0
  }
}

/** Where a character of the value is in the text. Line breaks, indents and escapes differ; all other characters keep their order. */
function within(text: string, event: Event, start: number, offset: number): number {
  if (event.type !== 4) return start
  const value = getScalarValue(text, event)
  const before = value.slice(0, offset).replace(/\s+/g, '').length
  const end = offset >= value.trimEnd().length
  let seen = 0
  let after = start
  for (const [position, length, units] of visible(text, event)) {
    if (!end && seen + units > before) return position
    seen += units
    after = position + length
    if (end && seen >= before) return after
  }
  return after
}

const ESCAPE = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|.)/sy
const DOUBLE_QUOTED = 3
const SINGLE_QUOTED = 2

/**
 * The characters of a scalar as written that are not white space: the position and length of each, and how many units of the value it
 * represents.
 */
function* visible(
  text: string,
  event: Extract<Event, { type: 4 }>,
): Generator<readonly [position: number, length: number, units: number]> {
  for (let at = event.valueStart; at < event.valueEnd; ) {
    ESCAPE.lastIndex = at
    const escaped = event.style === DOUBLE_QUOTED ? ESCAPE.exec(text)?.[0] : undefined
    const length = escaped?.length ?? (event.style === SINGLE_QUOTED && text.startsWith("''", at) ? 2 : 1)
    const units = escaped === undefined ? Number(/\S/.test(text[at]!)) : unitsOf(escaped)
    if (units > 0) yield [at, length, units]
    at += length
  }
}

/** Escaped white space and escaped line breaks represent no unit. */
function unitsOf(escaped: string): number {
  if (/^\\[\stnvfr_LP]/.test(escaped)) return 0
  const code = /^\\[xuU](.+)/.exec(escaped)?.[1]
  if (code === undefined) return 1
  const character = String.fromCodePoint(Number.parseInt(code, 16))
  return /\s/.test(character) ? 0 : character.length
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return starts
}

function placeAt(starts: readonly number[], offset: number): Place {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - starts[low]! + 1 }
}
