/** Checks a value against a JSON Schema of ours, reports every error with its path, and returns the valid part. */
import { didYouMean, nearest } from '../nearest.js'
import { LATER_ROLLUP_KEYS } from './document/rollup.js'
import type { Faults } from './faults.js'
import type { Segments } from './parse/locate.js'
import { setOwn } from './parse/yaml.js'

/** The keywords that our schemas use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** Returns the valid part of a value; yields to other work in between. */
type Checking = Generator<undefined, unknown, unknown>

/** The replacement for an invalid value. */
export const BROKEN = Symbol('broken')
const MAX_DEPTH = 100

const ENTRIES_PER_TURN = 16
/** In place of a section: an entry that a query writes itself. */
export const WRITTEN_IN_QUERY = 'query'
/** The sections of which no key is ignored. */
const STRICT: ReadonlySet<string | number | undefined> = new Set(['access', 'rollups', WRITTEN_IN_QUERY])

export class ShapeChecker {
  private entries = 0
  /** The path of the value that is checked. */
  private path: (string | number)[] = []

  constructor(
    private readonly root: Schema,
    private readonly faults: Faults,
  ) {}

  /**
   * A copy of the valid parts: unknown keys (with a warning) and optional keys that are null are left out, and so is everything with a
   * wrong shape. `BROKEN` if nothing is left. Yields after some entries of mappings and items of lists.
   */
  *check(value: unknown, schema: Schema, segments: Segments): Checking {
    this.path = [...segments]
    return isLeaf(value) ? this.checkItself(value, schema) : yield* this.checkWhole(value, schema)
  }

  /** A list or mapping with its parts. */
  private checkWhole(value: unknown, schema: Schema): Checking {
    const rule = this.ruleFor(value, schema)
    if (Array.isArray(value)) return this.checkList(value, rule)
    const record = value as Readonly<Record<string, unknown>>
    const entry = rule.patternProperties && Object.values(rule.patternProperties)[0]
    return entry ? this.checkEntries(record, rule, entry) : this.checkProperties(record, rule)
  }

  /** All but the parts of a list or mapping. Most values have none, and need no generator. */
  private checkItself(value: unknown, schema: Schema): unknown {
    const rule = this.ruleFor(value, schema)
    if (this.path.length > MAX_DEPTH) return this.wrong('This is nested too deeply')
    if (rule.enum) return this.checkEnum(value, rule.enum)
    if (rule.anyOf || !fitsType(value, rule.type)) return this.wrong(`This must be ${this.wanted(rule)}, not ${named(value)}`)
    return this.checkBounds(value, rule)
  }

  /** Of several options the one that a value matches; if it matches none, all of them. */
  private ruleFor(value: unknown, schema: Schema): Schema {
    const rule = this.follow(schema)
    const fitting = rule.anyOf?.find((option) => fitsType(value, this.follow(option).type))
    return fitting ? this.ruleFor(value, fitting) : rule
  }

  private wanted(rule: Schema): string {
    return rule.anyOf ? rule.anyOf.map((option) => describe(this.follow(option))).join(' or ') : describe(rule)
  }

  private follow(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.root.$defs![schema.$ref.slice('#/$defs/'.length)]!
  }

  private checkEnum(value: unknown, allowed: readonly unknown[]): unknown {
    if (allowed.includes(value)) return value
    const suggestions = typeof value === 'string' ? nearest(value, allowed as string[], 1) : []
    return this.wrong(`${named(value)} is not one of ${allowed.join(', ')}${didYouMean(suggestions)}`, suggestions)
  }

  private *checkList(value: readonly unknown[], rule: Schema): Checking {
    if (this.checkItself(value, rule) === BROKEN) return BROKEN
    if (rule.minItems !== undefined && value.length < rule.minItems) {
      return this.wrong(`This list must hold at least ${rule.minItems} item${rule.minItems === 1 ? '' : 's'}`)
    }
    if (!rule.items) return value
    const kept: unknown[] = []
    for (let i = 0; i < value.length; i++) {
      this.path.push(i)
      const item = value[i]
      const checked = isLeaf(item) ? this.checkItself(item, rule.items) : yield* this.checkWhole(item, rule.items)
      this.path.pop()
      // An empty item replaces one that does not fit, so that the others keep their positions.
      kept.push(checked === BROKEN ? {} : checked)
      if (this.isTurnOver()) yield
    }
    return kept
  }

  private *checkEntries(value: Readonly<Record<string, unknown>>, rule: Schema, entry: Schema): Checking {
    if (this.checkItself(value, rule) === BROKEN) return BROKEN
    const kept: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      this.path.push(key)
      const item = value[key] ?? (this.follow(entry).type === 'object' ? {} : value[key])
      const checked = isLeaf(item) ? this.checkItself(item, entry) : yield* this.checkWhole(item, entry)
      this.path.pop()
      setOwn(kept, key, checked === BROKEN ? {} : checked)
      if (this.isTurnOver()) yield
    }
    return kept
  }

  private *checkProperties(value: Readonly<Record<string, unknown>>, rule: Schema): Checking {
    if (this.checkItself(value, rule) === BROKEN) return BROKEN
    const { properties, required = [] } = rule
    if (!properties) return value
    const kept: Record<string, unknown> = {}
    const meant: string[] = []
    for (const key of Object.keys(value)) {
      const item = value[key]
      const schema = Object.hasOwn(properties, key) ? properties[key]! : undefined
      const misspelt = schema ? undefined : keyMeant(key, value, { properties, required }, this.path.length === 0)
      if (misspelt !== undefined) {
        this.misspeltKey(key, misspelt)
        meant.push(misspelt)
        // The intended key is validated as well, so that no other key is reported as missing.
        this.path.push(key)
        const checked = isLeaf(item)
          ? this.checkItself(item, properties[misspelt]!)
          : yield* this.checkWhole(item, properties[misspelt]!)
        this.path.pop()
        if (checked !== BROKEN) kept[misspelt] = checked
      } else if (!schema) {
        this.unknownKey(key, Object.keys(properties))
        if (this.isTurnOver()) yield
      } else if (item !== null && item !== undefined) {
        this.path.push(key)
        const checked = isLeaf(item) ? this.checkItself(item, schema) : yield* this.checkWhole(item, schema)
        this.path.pop()
        if (checked !== BROKEN) kept[key] = checked
      } else if (allowsNull(this.follow(schema))) kept[key] = null
      else if (STRICT.has(this.path[0])) this.faults.error('SCHEMA_VALIDATION', [...this.path, key], `'${key}' has no value`)
    }
    for (const key of required) {
      if (meant.includes(key)) continue
      if (!Object.hasOwn(value, key) || (value[key] === null && !allowsNull(this.follow(properties[key]!)))) {
        this.faults.error('SCHEMA_VALIDATION', [...this.path], `'${key}' is missing`, { onKey: true })
      }
    }
    return kept
  }

  /** Yielding goes through every level of the value, and costs as much as checking a small one. */
  private isTurnOver(): boolean {
    this.entries = (this.entries + 1) % ENTRIES_PER_TURN
    return this.entries === 0
  }

  private misspeltKey(key: string, meant: string): void {
    this.faults.error('UNKNOWN_PROPERTY', [...this.path, key], `'${key}' is not a key that is known here; write '${meant}'`, {
      onKey: true,
      suggestions: [meant],
    })
  }

  private unknownKey(key: string, known: readonly string[]): void {
    const suggestions = this.faults.nearest(key, known)
    const details = { onKey: true, ...(suggestions.length > 0 && { suggestions }) }
    const at = [...this.path, key]
    if (this.path[0] === 'rollups' && LATER_ROLLUP_KEYS.includes(key)) {
      this.faults.error('UNKNOWN_PROPERTY', at, `'${key}' is a key of a later version of rollup tables; leave it out`, details)
      return
    }
    // A rule of access or a rollup table that is not understood must not be ignored, nor a key without which a join would find other rows.
    if (STRICT.has(this.path[0]) || this.isOfPeriod(suggestions)) {
      this.faults.error('UNKNOWN_PROPERTY', at, `'${key}' is not a key that is known here${didYouMean(suggestions)}`, details)
      return
    }
    const message = `'${key}' is not a key that is known here; it is ignored${didYouMean(suggestions)}`
    this.faults.warn('UNKNOWN_PROPERTY', at, message, details)
  }

  private isInJoin(): boolean {
    return this.path[0] === 'dataObjects' && this.path[2] === 'joins'
  }

  /** Whether a key is one of a join over time, or nearly that of one. */
  private isOfPeriod(suggestions: readonly string[]): boolean {
    return this.isInJoin() && OVER_TIME.some((key) => this.path[4] === key || suggestions.includes(key))
  }

  private checkBounds(value: unknown, rule: Schema): unknown {
    if (typeof value === 'string' && value.length < (rule.minLength ?? 0)) return this.wrong('This must not be empty')
    if (typeof value !== 'number') return value
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = rule
    if (value >= minimum && value <= maximum && value > exclusiveMinimum) return value
    const bounds = [
      minimum > -Infinity && `at least ${minimum}`,
      exclusiveMinimum > -Infinity && `more than ${exclusiveMinimum}`,
      maximum < Infinity && `at most ${maximum}`,
    ]
    return this.wrong(`This must be ${bounds.filter(Boolean).join(' and ')}, not ${value}`)
  }

  private wrong(message: string, suggestions: readonly string[] = []): typeof BROKEN {
    this.faults.error('SCHEMA_VALIDATION', [...this.path], message, suggestions.length > 0 ? { suggestions } : {})
    return BROKEN
  }
}

/** The keys by which a join finds rows over time. */
const OVER_TIME = ['during', 'asOf']

/** Keys by their names in other languages. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  agg: 'aggregation',
  aggregate: 'aggregation',
  func: 'aggregation',
  table: 'code',
  sql: 'code',
  to: 'joinTo',
  target: 'joinTo',
  relationship: 'joinType',
  cardinality: 'joinType',
  object: 'dataObject',
  formula: 'expression',
}

/**
 * The known key that was intended: the same letters in another spelling (`join_type`, `Measures`), or another name of a required key. Not
 * if that key exists as well.
 */
function keyMeant(
  key: string,
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [] }: Pick<Schema, 'properties' | 'required'>,
  isTop: boolean,
): string | undefined {
  const letters = lettersOf(key)
  const known = byLetters(properties)
  const other = Object.hasOwn(OTHER_NAMES, letters) ? OTHER_NAMES[letters] : undefined
  const found = known.get(letters) ?? (isTop ? known.get(`${letters}s`) : undefined) ?? required.find((name) => name === other)
  return found !== undefined && !Object.hasOwn(value, found) ? found : undefined
}

/** The keys of a shape by their letters; a document may have a hundred thousand unknown ones. */
function byLetters(properties: NonNullable<Schema['properties']>): ReadonlyMap<string, string> {
  const before = lettersKnown.get(properties)
  if (before) return before
  const names = new Map(Object.keys(properties).map((name) => [lettersOf(name), name]))
  lettersKnown.set(properties, names)
  return names
}

const lettersKnown = new WeakMap<object, ReadonlyMap<string, string>>()

const lettersOf = (key: string): string =>
  key
    .slice(0, 100)
    .toLowerCase()
    .replace(/[\s_-]/g, '')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isLeaf = (value: unknown): boolean => typeof value !== 'object' || value === null

function fitsType(value: unknown, type: Schema['type']): boolean {
  if (type === undefined) return true
  if (typeof type !== 'string') return type.some((one) => fitsType(value, one))
  switch (type) {
    case 'object':
      return isRecord(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

const allowsNull = (schema: Schema): boolean =>
  fitsType(null, schema.type) && schema.enum === undefined && (schema.anyOf?.some(allowsNull) ?? schema.type !== undefined)

const WORDS: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'null',
}

function describe(schema: Schema): string {
  const types = schema.type === undefined ? [] : [schema.type].flat()
  return types.map((type) => WORDS[type] ?? type).join(' or ') || 'of another shape'
}

function named(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping'
  return String(value)
}
