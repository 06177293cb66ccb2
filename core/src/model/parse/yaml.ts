/** From YAML (and so JSON) text to plain data, within limits. The events of js-yaml have offsets, so that errors can be located afterwards. */
import { type Event, getScalarValue, parseEvents, YAMLException } from 'js-yaml'
import { type ErrorCode, GrainlineError } from '../../errors.js'
import { hasMoreCharacters, MAX_CHARACTERS } from './characters.js'

const MAX_DEPTH = 100
const MAX_ALIASES = 1_000
/** Entries of one list or mapping, unless a setting allows more; the sections of a model may have more. */
export const MAX_ENTRIES = 10_000

export const tooManyEntries = (most: number): string =>
  `One list or mapping has more than ${most} entries; MODEL_MAX_ENTRIES is the limit`
/** How many nodes all aliases together may expand to. */
const MAX_ALIASED_NODES = 100_000

/** The text itself is refused; with the offset of the error. */
export class DocumentError extends GrainlineError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly offset: number,
  ) {
    super(code, message)
  }
}

/** A list or mapping whose events are still arriving. */
interface Frame {
  readonly value: Record<string, unknown> | unknown[]
  readonly anchor: string | undefined
  readonly merges: unknown[]
  key: string | undefined
  entries: number
  size: number
}

/** The events of one document. Throws `DocumentError` for invalid, oversized or too deep text. */
export function eventsOf(text: string): readonly Event[] {
  if (hasMoreCharacters(text)) {
    throw new DocumentError('YAML_SAFETY_ERROR', `The document has more than ${MAX_CHARACTERS} characters`, 0)
  }
  try {
    return parseEvents(text, { filename: '', maxDepth: MAX_DEPTH })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const code = error.reason.includes('maxDepth') ? 'YAML_SAFETY_ERROR' : 'YAML_PARSE_ERROR'
    const message =
      code === 'YAML_SAFETY_ERROR'
        ? `The document is nested deeper than ${MAX_DEPTH} levels`
        : `The text is not YAML: ${error.reason}`
    throw new DocumentError(code, message, error.mark?.position ?? 0)
  }
}

/**
 * The document as plain data: null for an empty one. Throws `DocumentError` for invalid or refused text. `spelled` returns a replacement
 * for each scalar that is not a key, before its type is determined; it cannot change the shape.
 */
export function parseYaml(text: string, spelled: (text: string) => string = (own) => own, mostEntries = MAX_ENTRIES): unknown {
  return new Composer(text, eventsOf(text), spelled, mostEntries).compose()
}

class Composer {
  private readonly frames: Frame[] = []
  private readonly anchors = new Map<string, { readonly value: unknown; readonly size: number }>()
  private readonly open = new Set<string>()
  private aliases = 0
  private aliasedNodes = 0
  private result: unknown = null
  private documents = 0

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
    private readonly spelled: (text: string) => string,
    private readonly mostEntries: number,
  ) {}

  compose(): unknown {
    for (const event of this.events) this.take(event)
    return this.result
  }

  private take(event: Event): void {
    switch (event.type) {
      case 1:
        if (++this.documents > 1)
          throw new DocumentError('YAML_PARSE_ERROR', 'The text holds more than one document', this.text.length)
        break
      case 2:
        this.push([], event)
        break
      case 3:
        this.push({}, event)
        break
      case 4:
        this.scalar(event)
        break
      case 5:
        this.alias(event)
        break
      case 6:
        this.pop()
    }
  }

  private scalar(event: Extract<Event, { type: 4 }>): void {
    const tag = this.tagOf(event)
    const written = getScalarValue(this.text, event)
    const text = this.isKey() ? written : this.spelled(written)
    const plain = event.style === 1
    const value = tag === 'str' ? text : scalar(text, plain || tag !== '')
    const anchor = this.anchorOf(event)
    if (anchor !== undefined) this.anchors.set(anchor, { value, size: 1 })
    this.add(value, 1, event.valueStart, plain)
  }

  private push(value: Record<string, unknown> | unknown[], event: Extract<Event, { type: 2 | 3 }>): void {
    this.tagOf(event)
    const anchor = this.anchorOf(event)
    if (anchor !== undefined) this.open.add(anchor)
    this.frames.push({ value, anchor, merges: [], key: undefined, entries: 0, size: 1 })
  }

  private pop(): void {
    const frame = this.frames.pop()
    if (!frame) return
    mergeInto(frame)
    if (frame.anchor !== undefined) {
      this.open.delete(frame.anchor)
      this.anchors.set(frame.anchor, { value: frame.value, size: frame.size })
    }
    this.add(frame.value, frame.size, 0, false)
  }

  private alias(event: Extract<Event, { type: 5 }>): void {
    const name = this.text.slice(event.anchorStart, event.anchorEnd)
    if (this.open.has(name))
      throw new DocumentError('YAML_SAFETY_ERROR', `The alias '${name}' is inside its own anchor`, event.anchorStart)
    const anchor = this.anchors.get(name)
    if (!anchor) throw new DocumentError('YAML_PARSE_ERROR', `There is no anchor '${name}' above this alias`, event.anchorStart)
    this.aliases++
    this.aliasedNodes += anchor.size
    if (this.aliases > MAX_ALIASES || this.aliasedNodes > MAX_ALIASED_NODES) {
      throw new DocumentError('YAML_SAFETY_ERROR', 'The document uses too many aliases', event.anchorStart)
    }
    this.add(anchor.value, anchor.size, event.anchorStart, false)
  }

  private add(value: unknown, size: number, offset: number, plain: boolean): void {
    const frame = this.frames.at(-1)
    if (!frame) {
      this.result = value
      return
    }
    frame.size += size
    if (Array.isArray(frame.value) || frame.key !== undefined) this.count(frame, offset)
    if (Array.isArray(frame.value)) frame.value.push(value)
    else if (frame.key === undefined) frame.key = this.keyOf(frame.value, value, offset, plain)
    else {
      if (frame.key === MERGE_KEY) frame.merges.push(value)
      else setOwn(frame.value, frame.key, value)
      frame.key = undefined
    }
  }

  /** Whether the next scalar is a key. */
  private isKey(): boolean {
    const frame = this.frames.at(-1)
    return frame !== undefined && !Array.isArray(frame.value) && frame.key === undefined
  }

  private count(frame: Frame, offset: number): void {
    const isSection = this.frames.length === SECTION_DEPTH && !Array.isArray(frame.value)
    if (++frame.entries <= this.mostEntries || isSection) return
    throw new DocumentError('YAML_SAFETY_ERROR', tooManyEntries(this.mostEntries), Math.max(0, offset))
  }

  private keyOf(target: Record<string, unknown>, key: unknown, offset: number, plain: boolean): string {
    if (key !== null && typeof key === 'object')
      throw new DocumentError('YAML_PARSE_ERROR', 'A key must be a plain text', Math.max(0, offset))
    const text = keyText(key)
    if (plain && text === '<<') return MERGE_KEY
    if (Object.hasOwn(target, text))
      throw new DocumentError('YAML_PARSE_ERROR', `The key '${text}' is written twice`, Math.max(0, offset))
    return text
  }

  private anchorOf(event: { readonly anchorStart: number; readonly anchorEnd: number }): string | undefined {
    return event.anchorStart < 0 ? undefined : this.text.slice(event.anchorStart, event.anchorEnd)
  }

  /** The standard scalar and collection tags change nothing; any other is refused. */
  private tagOf(event: { readonly tagStart: number; readonly tagEnd: number }): string {
    if (event.tagStart < 0) return ''
    const tag = this.text.slice(event.tagStart, event.tagEnd)
    if (tag === '!') return 'str'
    const known = /^(?:!!|!<tag:yaml\.org,2002:)(str|int|float|bool|null|map|seq)>?$/.exec(tag)?.[1]
    if (known === undefined)
      throw new DocumentError(
        'YAML_SAFETY_ERROR',
        `The tag ${tag.slice(0, 40)} is refused; only plain data is read`,
        event.tagStart,
      )
    return known
  }
}

/** `dataObjects`, `dimensions`, … are keys of the document itself. */
export const SECTION_DEPTH = 2

/** No document can contain it: keys contain no NUL. */
const MERGE_KEY = '\0merge'

/** `<<` adds the keys that the mapping does not contain itself. */
function mergeInto(frame: Frame): void {
  if (Array.isArray(frame.value)) return
  for (const source of frame.merges.flatMap((merge) => (Array.isArray(merge) ? merge : [merge]))) {
    if (source === null || typeof source !== 'object') continue
    for (const [key, value] of Object.entries(source)) {
      if (!Object.hasOwn(frame.value, key)) setOwn(frame.value, key, value)
    }
  }
}

/** Sets an own property of any name: `__proto__` is an ordinary key. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}

const INTEGER = /^[-+]?\d+$/
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/

/** The key of a mapping that is written as this value. */
export const keyText = (key: unknown): string => (key === null ? '' : String(key))

/** YAML 1.2 core: `yes` and `on` are text. An integer that a double cannot represent remains text, so that it is exact. */
export function scalar(text: string, plain: boolean): unknown {
  if (!plain) return text
  switch (text) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
  }
  if (!/^[-+.\d]/.test(text)) return text
  if (INTEGER.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : text
  if (DECIMAL.test(text)) return Number.isFinite(Number(text)) ? Number(text) : text
  if (/^0x[\dA-Fa-f]+$|^0o[0-7]+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  return text
}
