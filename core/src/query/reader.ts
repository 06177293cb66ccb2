/** Reads untrusted JSON field by field, and collects every error with its path. */

import type { ErrorCode, Finding } from '../errors.js'
import { isWhole } from '../invariant.js'
import { isRecord } from '../model/shape.js'
import { didYouMean, nearest } from '../nearest.js'

interface Meant {
  readonly key: string
  readonly say: string
}

/** Keys that people use out of habit from other languages, and the keys that they mean. */
const MEANT: ReadonlyMap<string, readonly Meant[]> = new Map(
  (
    [
      ['metrics', 'measures', "metrics are selected in 'measures', beside the measures"],
      ['metric', 'measures', "metrics are selected in 'measures', beside the measures"],
      ['columns', 'fields', "columns of plain rows are selected in 'fields'"],
      ['dimensions', 'select', "write it inside 'select'"],
      ['measures', 'select', "write it inside 'select'"],
      ['metrics', 'select', "metrics are selected in 'select.measures'"],
      ['fields', 'select', "write it inside 'select'"],
      ['group_by', 'select', "a query groups by its 'select.dimensions'"],
      ['filters', 'where', "write 'where'"],
      ['filter', 'where', "write 'where'"],
      ['sort', 'order_by', "write 'order_by'"],
      ['order', 'order_by', "write 'order_by'"],
      ['operator', 'op', "write 'op'"],
      ['values', 'value', "write 'value'; it takes a list where the operator does"],
      ['column', 'field', "write 'field'"],
      ['dimension', 'field', "write 'field'"],
      ['measure', 'field', "write 'field'"],
      ['desc', 'direction', `write "direction": "desc"`],
    ] as const
  ).reduce(
    (all, [written, key, say]) => all.set(written, [...(all.get(written) ?? []), { key, say }]),
    new Map<string, Meant[]>(),
  ),
)

/** More errors than any query of a person has; limits the answer to a hostile one. */
const MAX_FINDINGS = 100
/** Looking for the nearest name takes time: so many findings are worked out in full. */
const MAX_SUGGESTED = 20
/** More keys than any object of the language has. */
const MAX_KEYS = 100

/** A key of a client, as written and in snake case. */
interface UnknownKey {
  readonly key: string
  readonly name: string
  readonly known: readonly string[]
}

export class QueryReader {
  readonly findings: Finding[] = []

  report(code: ErrorCode, path: string, message: string, suggestions: readonly string[] = []): undefined {
    if (this.findings.length < MAX_FINDINGS) {
      this.findings.push({
        code,
        message: message + didYouMean(suggestions),
        path,
        severity: 'error',
        ...(suggestions.length > 0 && { suggestions }),
      })
    }
    return undefined
  }

  /** The fields of an object under their snake_case names; null counts as absent. Reports unknown keys and keys written both ways. */
  fields(
    value: unknown,
    known: readonly string[],
    path: string,
    code: ErrorCode = 'INVALID_QUERY',
  ): Readonly<Record<string, unknown>> | undefined {
    if (!isRecord(value)) return this.report(code, path, `${path || 'A query'} must be an object, not ${named(value)}`)
    const keys = Object.keys(value)
    if (keys.length > MAX_KEYS)
      return this.report(code, path, `${path || 'A query'} has ${keys.length} keys; known are ${known.join(', ')}`)
    const fields: Record<string, unknown> = {}
    for (const key of keys) {
      const item = value[key]
      const name = known.includes(key) ? key : snakeCase(key)
      if (!known.includes(name)) this.unknownKey({ key, name, known }, path, code)
      else if (Object.hasOwn(fields, name))
        this.report(code, join(path, key), `'${name}' is written twice, as ${name} and ${key}`)
      else if (item !== null && item !== undefined) fields[name] = item
      else if (name === 'value') fields[name] = null
    }
    return fields
  }

  private unknownKey({ key, name, known }: UnknownKey, path: string, code: ErrorCode): void {
    const at = join(path, key.slice(0, 100))
    const what = `'${key.slice(0, 100)}' is not a key of ${path || 'a query'}`
    const meant = MEANT.get(name.toLowerCase())?.find(({ key: other }) => known.includes(other))
    if (meant) return void this.report(code, at, `${what}; ${meant.say}`)
    const suggestions = this.findings.length < MAX_SUGGESTED ? nearest(name.slice(0, 100), known) : []
    this.report(code, at, `${what}; known are ${known.join(', ')}`, suggestions)
  }

  list<T>(value: unknown, path: string, read: (item: unknown, path: string) => T | undefined): T[] {
    if (value === undefined) return []
    if (!Array.isArray(value)) {
      this.report('INVALID_QUERY', path, `${path} must be a list, not ${named(value)}`)
      return []
    }
    const items: T[] = []
    value.forEach((given, i) => {
      const item = read(given, `${path}[${i}]`)
      if (item !== undefined) items.push(item)
    })
    return items
  }

  text(value: unknown, path: string): string | undefined {
    if (typeof value === 'string' && value !== '') return value
    return this.report(
      'INVALID_QUERY',
      path,
      `${path} must be a ${value === '' ? 'text that is not empty' : 'text'}, not ${named(value)}`,
    )
  }

  flag(value: unknown, path: string, or = ''): boolean | undefined {
    if (value === undefined || typeof value === 'boolean') return value
    return this.report('INVALID_QUERY', path, `${path} must be true or false${or}, not ${named(value)}`)
  }

  /** An integer of at least 0. */
  bound(value: unknown, path: string): number | undefined {
    if (value === undefined) return undefined
    if (isWhole(value) && value >= 0) return value
    return this.report('INVALID_QUERY', path, `${path} must be a whole number of at least 0, not ${named(value)}`)
  }

  choice<const T extends string>(
    value: unknown,
    options: readonly T[],
    path: string,
    code: ErrorCode = 'INVALID_QUERY',
  ): T | undefined {
    if (value === undefined) return undefined
    const found = typeof value === 'string' ? options.find((option) => option.toLowerCase() === value.toLowerCase()) : undefined
    if (found !== undefined) return found
    const suggestions =
      typeof value === 'string' && this.findings.length < MAX_SUGGESTED ? nearest(value.slice(0, 100), options, 1) : []
    return this.report(code, path, `${path} must be one of ${options.join(', ')}, not ${named(value)}`, suggestions)
  }
}

export const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

const snakeCase = (key: string): string => key.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export function named(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object'
  return String(value)
}
