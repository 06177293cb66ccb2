/**
 * JSON is YAML, and V8 parses it some twenty times as fast. So a JSON text is parsed by V8 if both parsers give the same result; texts that
 * YAML refuses, or reads differently, are left to the YAML parser, including every error message.
 */
import { isRecord } from '../shape.js'
import { MAX_CHARACTERS } from './characters.js'
import { MAX_ENTRIES } from './yaml.js'

/** The document of a JSON text; undefined if the YAML parser must read it. */
export function plainJson(text: string, mostEntries = MAX_ENTRIES): Readonly<Record<string, unknown>> | undefined {
  if (!/^\s*\{/.test(text) || text.length > MAX_CHARACTERS || OTHERWISE.test(text)) return undefined
  const value = parsed(text)
  // A key that is written twice is stored once.
  return isRecord(value) && keysIn(value, mostEntries) === keysWritten(text) ? value : undefined
}

/** Tabs may not indent YAML, some characters must be escaped there, and keys contain no NUL. */
const OTHERWISE = /[\t\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]|\p{Surrogate}|\\u0000/u

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Less than the limit of the YAML parser. */
const MAX_LEVELS = 50

/** The number of keys in it; undefined if the YAML parser would refuse its size, or keep a number as text. */
function keysIn(document: Readonly<Record<string, unknown>>, mostEntries: number): number | undefined {
  let keys = 0
  const ahead: { readonly items: object; readonly level: number }[] = [{ items: document, level: 1 }]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { items, level } = next
    const values: readonly unknown[] = Array.isArray(items) ? items : Object.values(items)
    if (level > MAX_LEVELS || values.length > mostEntries) return undefined
    if (!Array.isArray(items)) keys += values.length
    for (const value of values) {
      if (typeof value === 'number' && !isExact(value)) return undefined
      if (typeof value === 'object' && value !== null) ahead.push({ items: value, level: level + 1 })
    }
  }
  return keys
}

const isExact = (value: number): boolean => Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** Every colon outside of a text follows a key. */
function keysWritten(text: string): number {
  let keys = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON) keys++
    if (code !== QUOTE) continue
    at++
    for (let inside = text.charCodeAt(at); inside !== QUOTE; inside = text.charCodeAt(at)) at += inside === BACKSLASH ? 2 : 1
  }
  return keys
}
