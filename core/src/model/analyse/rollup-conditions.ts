/** Conditions of a rollup as they are written, before a query reads them: what they name, and whether they read the clock. */
import { operatorOf } from '../operators.js'
import { isReference } from '../parameter.js'
import type { Segment } from '../semantic-model.js'
import { isRecord } from '../shape.js'

/** What conditions name, with those of the segments among them. */
interface Named {
  readonly names: ReadonlySet<string>
  readonly parameters: readonly string[]
  readonly written: readonly unknown[]
}

export function segmentsIn(where: readonly unknown[], segments: ReadonlyMap<string, Segment>): Named {
  const written = [...where, ...everyRecord(where).flatMap(({ segment }) => segments.get(String(segment))?.filters ?? [])]
  const records = everyRecord(written)
  const texts = records.flatMap(({ expression }) => (typeof expression === 'string' ? [expression] : []))
  const inTexts = texts.flatMap((text) => [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name.trim()))
  const fields = records.flatMap(({ field }) => (typeof field === 'string' ? [field] : []))
  return {
    names: new Set([...fields, ...inTexts.map((name) => name.replaceAll(/^\[|\]$/g, ''))]),
    parameters: [
      ...records.flatMap((record) => (isReference(record) ? [record.parameter] : [])),
      ...inTexts.flatMap((name) => (name.startsWith('@') ? [name.slice(1).trim()] : [])),
    ],
    written,
  }
}

/** What of the clock the conditions read. */
export function clockIn(written: readonly unknown[]): string | undefined {
  const records = everyRecord(written)
  const isRelative = records.some(
    ({ op, relative }) => relative !== undefined || (typeof op === 'string' && operatorOf(op) === 'relative'),
  )
  if (isRelative) return 'a relative condition'
  const isDated = records.some(({ expression }) => typeof expression === 'string' && /\bcurrent_(date|time)/i.test(expression))
  return isDated ? 'the present (current_date)' : undefined
}

/** The records in a value, at any depth. */
function everyRecord(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = []
  const ahead: unknown[] = [value]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (Array.isArray(next)) ahead.push(...next.filter((item) => item !== null && item !== undefined))
    else if (isRecord(next)) {
      found.push(next)
      ahead.push(...Object.values(next).filter((item) => item !== null && item !== undefined))
    }
  }
  return found
}
