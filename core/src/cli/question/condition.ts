import { operators, type ValueCount } from '../../model/operators.js'
import { UsageError } from '../command.js'
import { findField, type KnownField, spelled } from './spelling.js'

const [values, lists] = [operatorNames('one', 'two', 'list'), new Set(operatorNames('two', 'list'))]
/** The longer of two symbols is tried first, and so is the longer of two words. */
const SYMBOL = /^(.+?)\s*(>=|<=|!=|<>|=|>|<)\s*(.*)$/
const WORD = new RegExp(`^(.+?)\\s+(${values.join('|')})\\s+(.*)$`, 'i')
const WITHOUT_VALUE = new RegExp(`^(.+?)\\s+(${operatorNames('none').join('|')})$`, 'i')

/** The names of the operators that take so many values. */
function operatorNames(...takes: readonly ValueCount[]): string[] {
  const names = operators.filter((each) => takes.includes(each.takes)).map(({ name }) => name)
  return names.toSorted((a, b) => b.length - a.length)
}

/**
 * A condition in plain form: `Airline = Delta`, `origin_code in JFK,LGA`, `Date between 2013-01-01,2013-01-31`, `Tail Number is_null`; in
 * the expression grammar of the model if the text contains `{[`; as JSON if it begins with `{`; otherwise the name of a segment.
 */
export function conditionOf(text: string, fields: readonly KnownField[]): object {
  if (text.includes('{[')) return { expression: text }
  if (text.startsWith('{')) return jsonOf(text)
  const [bare, without = '', verb = ''] = WITHOUT_VALUE.exec(text) ?? []
  if (bare !== undefined) return { field: spelled(without, fields), op: verb.toLowerCase() }
  const [found, name = '', operator = '', value = ''] = firstOperator(text) ?? []
  if (found === undefined) return { segment: text }
  const op = operator.toLowerCase()
  const field = spelled(name.trim(), fields)
  const read = valueReader(field, fields)
  return { field, op, value: lists.has(op) ? value.split(',').map((part) => read(part.trim())) : read(value) }
}

/** The operator that comes first: any other is a part of the value. */
function firstOperator(text: string): readonly string[] | undefined {
  const found = [SYMBOL.exec(text), WORD.exec(text)].filter((each) => each !== null)
  return found.sort(([, a = ''], [, b = '']) => a.length - b.length)[0]
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
