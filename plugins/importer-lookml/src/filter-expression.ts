/** Filter expressions of LookML (`"-cancelled,%new%"`, `">5 AND <10"`) → conditions of the model. */
import { LeftOut } from '@grainline/importer-dbt/foreign'

/** The kinds of values that such expressions are about; each has its own words. */
export type FilterKind = 'string' | 'number' | 'yesno' | 'time'

/** The condition on a value, and undefined for an expression that every row meets. Throws `LeftOut`. */
export function conditionOn(value: string, written: string, kind: FilterKind): string | undefined {
  const text = written.trim()
  if (text === '') return undefined
  if (/^null$/i.test(text) && kind !== 'yesno') return `(${value} IS NULL)`
  if (/^(-|not )null$/i.test(text) && kind !== 'yesno') return `(${value} IS NOT NULL)`
  return READERS[kind](value, text)
}

const READERS: Readonly<Record<FilterKind, (value: string, text: string) => string>> = { string, number, yesno, time }

const odd = (text: string): LeftOut =>
  new LeftOut(
    `the filter "${text.slice(0, 60)}" has no place in the model`,
    undefined,
    'Write the condition in SQL, as a dimension of the type yesno.',
  )

function yesno(value: string, text: string): string {
  if (/^(yes|true)$/i.test(text)) return `coalesce(${value}, FALSE)`
  if (/^(no|false)$/i.test(text)) return `(NOT coalesce(${value}, FALSE))`
  throw odd(text)
}

const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Values that are wanted, or those that are not: rows without a value are none of these. */
function string(value: string, text: string): string {
  if (/[\^"\\]/.test(text)) throw odd(text)
  const items = text.split(',').map((item) => item.trim())
  if (items.includes('')) throw odd(text)
  const wanted = items.filter((item) => !item.startsWith('-')).map((item) => likeness(value, item, text))
  const unwanted = items.filter((item) => item.startsWith('-')).map((item) => unlike(value, item.slice(1), text))
  const either = wanted.length > 1 ? `(${wanted.join(' OR ')})` : (wanted[0] ?? '')
  return [...(either ? [either] : []), ...unwanted].reduce((one, other) => `(${one} AND ${other})`)
}

function likeness(value: string, item: string, text: string): string {
  if (/^empty$/i.test(item)) return `(${value} IS NULL OR ${value} = '')`
  if (/^null$/i.test(item)) return `(${value} IS NULL)`
  if (!item.includes('%')) return `(${value} = ${sqlText(item)})`
  if (item.includes('_')) throw odd(text)
  return `(${value} LIKE ${sqlText(item)})`
}

function unlike(value: string, item: string, text: string): string {
  if (/^(empty|null)$/i.test(item)) return `(NOT ${likeness(value, item, text)})`
  return `((NOT ${likeness(value, item, text)}) OR ${value} IS NULL)`
}

const NUMBER = String.raw`-?\d{1,18}(?:\.\d{1,18})?`
const COMPARED = new RegExp(`^(<=|>=|<>|!=|<|>|=|not )?\\s{0,9}(${NUMBER})$`, 'i')
const RANGE = new RegExp(`^(${NUMBER}) to (${NUMBER})$`, 'i')
const INTERVAL = new RegExp(`^([[(])\\s{0,9}(${NUMBER}|-inf)?\\s{0,9},\\s{0,9}(${NUMBER}|inf)?\\s{0,9}([\\])])$`, 'i')

function number(value: string, text: string): string {
  const interval = INTERVAL.exec(text)
  if (interval) return between(value, interval, text)
  const items = text.split(/,| or /i).map((item) => item.trim())
  const isNot = (item: string) => /^(not |<>|!=)/i.test(item)
  const wanted = items.filter((item) => !isNot(item)).map((item) => range(value, item, text))
  const unwanted = items.filter(isNot).map((item) => range(value, item, text))
  const either = wanted.length > 1 ? `(${wanted.join(' OR ')})` : (wanted[0] ?? '')
  return [...(either ? [either] : []), ...unwanted].reduce((one, other) => `(${one} AND ${other})`)
}

function range(value: string, item: string, text: string): string {
  const [, from, to] = RANGE.exec(item) ?? []
  if (from !== undefined) return `(${value} BETWEEN ${from} AND ${to})`
  const tests = item.split(/ and /i).map((each) => {
    const [, sign = '=', compared] = COMPARED.exec(each.trim()) ?? []
    if (compared === undefined) throw odd(text)
    if (/^(not |<>|!=)$/i.test(sign)) return `(${value} <> ${compared} OR ${value} IS NULL)`
    return `(${value} ${sign} ${compared})`
  })
  return tests.reduce((one, other) => `(${one} AND ${other})`)
}

function between(value: string, [, open, from, to, close]: RegExpExecArray, text: string): string {
  const low = from === undefined || /inf/i.test(from) ? [] : [`(${value} ${open === '[' ? '>=' : '>'} ${from})`]
  const high = to === undefined || /inf/i.test(to) ? [] : [`(${value} ${close === ']' ? '<=' : '<'} ${to})`]
  const tests = [...low, ...high]
  if (tests.length === 0) throw odd(text)
  return tests.reduce((one, other) => `(${one} AND ${other})`)
}

/** Days that are written out; times that depend on today are refused. */
function time(value: string, text: string): string {
  const [, word, year, month, day] = /^(before |after )?\s{0,9}(\d{4})[-/](\d\d)[-/](\d\d)$/i.exec(text) ?? []
  if (year === undefined) throw odd(text)
  const sign = word === undefined ? '=' : /before/i.test(word) ? '<' : '>='
  return `(date_trunc('day', ${value}) ${sign} DATE '${year}-${month}-${day}')`
}
