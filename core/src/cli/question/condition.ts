import { UsageError } from '../command.js'
import { findField, type KnownField, spelled } from './spelling.js'

/** Word operators come first, and the longer of two symbols before the shorter. */
const SYMBOL = /^(.+?)\s*(>=|<=|!=|<>|=|>|<)\s*(.*)$/
const WORD = /^(.+?)\s+(not_in|in|not_contains|contains|starts_with|ends_with|not_like|like|not_between|between)\s+(.*)$/i
const WITHOUT_VALUE = /^(.+?)\s+(is_null|is_not_null|blank|not_blank)$/i
const LISTS: ReadonlySet<string> = new Set(['in', 'not_in', 'between', 'not_between'])

/**
 * A condition in plain form: `Airline = Delta`, `origin_code in JFK,LGA`, `Date between 2013-01-01,2013-01-31`, `Tail Number is_null`; in
 * the expression grammar of the model if the text contains `{[`; as JSON if it begins with `{`; otherwise the name of a segment.
 */
export function conditionOf(text: string, fields: readonly KnownField[]): object {
  if (text.includes('{[')) return { expression: text }
  if (text.startsWith('{')) return jsonOf(text)
  const [bare, without = '', verb = ''] = WITHOUT_VALUE.exec(text) ?? []
  if (bare !== undefined) return { field: spelled(without, fields), op: verb.toLowerCase() }
  const [found, name = '', operator = '', value = ''] = SYMBOL.exec(text) ?? WORD.exec(text) ?? []
  if (found === undefined) return { segment: text }
  const op = operator.toLowerCase()
  const field = spelled(name.trim(), fields)
  const read = valueReader(field, fields)
  return { field, op, value: LISTS.has(op) ? value.split(',').map((part) => read(part.trim())) : read(value) }
}

function jsonOf(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`The condition '${text}' is not well-formed JSON`)
  }
}

/** Values have the type of the field; quotes around a text are optional. */
function valueReader(name: string, fields: readonly KnownField[]): (text: string) => string | number | boolean | null {
  const type = findField(name, fields)?.type ?? 'string'
  return (text) => {
    const plain = /^(['"])(.*)\1$/.exec(text)?.[2]
    if (plain !== undefined) return plain
    if (/^(int|float|double|decimal|bigint)/.test(type) && text !== '' && Number.isSafeInteger(Math.trunc(Number(text))))
      return Number(text)
    if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
    return text
  }
}
