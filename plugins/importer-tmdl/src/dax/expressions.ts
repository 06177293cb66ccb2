/** DAX → expressions of the model. A blank is NULL here, and counts as 0 or '' where DAX says so. */
import { LeftOut } from '@grainline/importer-dbt/foreign'
import type { Kind } from './kind.js'
import type { Dax } from './parse.js'

/** A value in the grammar of the model. */
export interface Value {
  readonly text: string
  /** Undefined for a blank. */
  readonly kind: Kind | undefined
  readonly isNeverBlank: boolean
  /** What is written out, in a form that is compared as the value is. */
  readonly constant?: number | string | boolean
}

const MOST_NODES = 5000

/** Writes expressions. What a name means is told by those who know: in the rows of a table, or between aggregates. */
export abstract class Expressions {
  /** Whether texts were compared: DAX ignores their case. */
  comparesTexts = false
  #count = 0

  protected abstract column(dax: DaxOf<'column'>): Value
  protected abstract variable(dax: DaxOf<'variable'>): Value
  /** A function that only these expressions have. */
  protected abstract own(name: string, args: readonly Dax[]): Value | undefined
  /** What the value of a function or name is part of, for messages. */
  protected abstract readonly where: string

  value(dax: Dax): Value {
    if (++this.#count > MOST_NODES) throw new LeftOut(`its DAX has more than ${MOST_NODES} parts`)
    switch (dax.kind) {
      case 'number':
        return { text: dax.text.replace(/^\./, '0.'), kind: 'number', isNeverBlank: true, constant: Number(dax.text) }
      case 'text':
        return { text: quoted(dax.text), kind: 'text', isNeverBlank: true, constant: dax.text }
      case 'boolean':
        return { text: dax.value ? 'TRUE' : 'FALSE', kind: 'boolean', isNeverBlank: true, constant: dax.value }
      case 'blank':
        return { text: 'NULL', kind: undefined, isNeverBlank: false }
      case 'column':
        return this.column(dax)
      case 'variable':
        return this.variable(dax)
      case 'negative':
        return negative(this.number(dax.value))
      case 'not':
        return truth(`(NOT ${certain(this.condition(dax.value))})`)
      case 'operation':
        return this.#operation(dax.sign, dax.left, dax.right)
      case 'call':
        return this.#call(dax.name, dax.args)
      case 'name':
        throw new LeftOut(`'${dax.name}' is a table, and no value of ${this.where}`)
      case 'list':
        throw new LeftOut(`a list is no value of ${this.where}`)
    }
  }

  condition(dax: Dax): Value {
    return this.#as('boolean', dax)
  }

  number(dax: Dax): Value {
    return this.#as('number', dax)
  }

  #as(kind: Kind, dax: Dax): Value {
    const value = this.value(dax)
    if (value.kind !== undefined && value.kind !== kind) throw new LeftOut(`${value.text.slice(0, 60)} is no ${kind}`)
    return value
  }

  #operation(sign: string, left: Dax, right: Dax): Value {
    if (sign === '&&' || sign === '||') {
      const [one, other] = [this.condition(left), this.condition(right)]
      return truth(`(${certain(one)} ${sign === '&&' ? 'AND' : 'OR'} ${certain(other)})`)
    }
    if (sign === 'IN') return this.#isIn(left, right)
    if (sign === '&') return { text: `concat(${this.#text(left)}, ${this.#text(right)})`, kind: 'text', isNeverBlank: true }
    if (!'+-*/^'.includes(sign)) return this.#compared(sign, this.value(left), this.value(right))
    return arithmetic(sign, this.number(left), this.number(right))
  }

  /** A text, which a blank is an empty one of. */
  #text(dax: Dax): string {
    const value = this.#as('text', dax)
    return value.isNeverBlank ? value.text : `coalesce(${value.text}, '')`
  }

  #isIn(left: Dax, list: Dax): Value {
    if (list.kind !== 'list' || list.items.length === 0) throw new LeftOut('IN without a list has no place in the model')
    const value = this.value(left)
    const items = list.items.map((item) => this.value(item))
    if (items.some((item, at) => !isConstant(list.items[at]) || (item.kind !== undefined && item.kind !== value.kind)))
      throw new LeftOut('IN compares with constants of another type, or with no constants')
    if (value.kind === 'text') this.comparesTexts = true
    const written = items.filter(({ kind }) => kind !== undefined).map(({ text }) => text)
    const tests = [
      ...(written.length > 0 ? [`(${value.text} IN (${written.join(', ')}))`] : []),
      ...(written.length < items.length ? [`(${value.text} IS NULL)`] : []),
    ]
    return truth(tests.length > 1 ? `(${tests.join(' OR ')})` : (tests[0] ?? 'FALSE'))
  }

  #compared(sign: string, left: Value, right: Value): Value {
    const kind = left.kind ?? right.kind
    if (kind === undefined || (right.kind !== undefined && left.kind !== undefined && right.kind !== left.kind))
      throw new LeftOut(`it compares ${left.text.slice(0, 60)} with ${right.text.slice(0, 60)}`)
    if (kind === 'text') this.comparesTexts = true
    if (sign === '==') {
      if (left.kind === undefined || right.kind === undefined)
        return truth(`(${left.kind === undefined ? right.text : left.text} IS NULL)`)
      if (!left.isNeverBlank && !right.isNeverBlank) throw new LeftOut("'==' compares two values that may be blank")
      return truth(`(${left.text} = ${right.text})`)
    }
    if (isMissed(sign, left, right, kind))
      return { text: `(${left.text} ${sign} ${right.text})`, kind: 'boolean', isNeverBlank: false }
    const [one, other] = [filled(left, kind), filled(right, kind)]
    return truth(`(${one} ${sign} ${other})`)
  }

  #call(name: string, args: readonly Dax[]): Value {
    const [first, second, third] = args
    const has = (least: number, most = least) => {
      if (args.length < least || args.length > most) throw new LeftOut(`${name} has ${args.length} arguments`)
    }
    const own = this.own(name, args)
    if (own) return own
    if (name === 'IF') {
      has(2, 3)
      return this.#choice([[first, second]], third)
    }
    if (name === 'SWITCH') return this.#switch(args)
    if (name === 'AND' || name === 'OR') {
      has(2)
      return this.#operation(name === 'AND' ? '&&' : '||', first as Dax, second as Dax)
    }
    if (name === 'ISBLANK') {
      has(1)
      return truth(`(${this.value(first as Dax).text} IS NULL)`)
    }
    if (name === 'COALESCE') {
      const values = args.map((each) => this.value(each))
      const kind = values.find((value) => value.kind !== undefined)?.kind
      if (values.length < 2 || values.some((value) => value.kind !== undefined && value.kind !== kind))
        throw new LeftOut('COALESCE has values of several types')
      return {
        text: `coalesce(${values.map(({ text }) => text).join(', ')})`,
        kind,
        isNeverBlank: values.some(({ isNeverBlank }) => isNeverBlank),
      }
    }
    if (name === 'DIVIDE') {
      has(2, 3)
      return divided(this.number(first as Dax), this.number(second as Dax), third && this.number(third))
    }
    if (name === 'DATE')
      return { text: `TIMESTAMP '${dayOf(args)} 00:00:00'`, kind: 'time', isNeverBlank: true, constant: dayOf(args) }
    return this.#plainCall(name, args)
  }

  #plainCall(name: string, args: readonly Dax[]): Value {
    const part = Object.hasOwn(TIME_PARTS, name) ? TIME_PARTS[name] : undefined
    const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined
    const [first, more] = args
    if ((part === undefined && !plain) || !first || more)
      throw new LeftOut(
        `the function ${name} has no place in ${this.where} of the model`,
        undefined,
        Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined,
      )
    const takes = part === undefined ? (plain?.takes ?? 'number') : 'time'
    const value = this.#as(takes, first)
    // A blank is a day here, or an empty text.
    const of = takes === 'number' ? value.text : filled(value, takes)
    const text = part === undefined ? `${plain?.as}(${of})` : `extract('${part}', ${of})`
    return {
      text,
      kind: part === undefined ? (plain?.gives ?? 'number') : 'number',
      isNeverBlank: value.isNeverBlank || value.kind !== 'number',
    }
  }

  #switch([subject, ...rest]: readonly Dax[]): Value {
    const pairs: [Dax | undefined, Dax | undefined][] = []
    for (let at = 0; at + 1 < rest.length; at += 2) pairs.push([rest[at], rest[at + 1]])
    const last = rest.length % 2 === 1 ? rest.at(-1) : undefined
    if (!subject || pairs.length === 0) throw new LeftOut('SWITCH has no branch')
    if (subject.kind === 'boolean' && subject.value) return this.#choice(pairs, last)
    return this.#choice(
      pairs.map(([test, result]) => [test && { kind: 'operation', sign: '=', left: subject, right: test }, result]),
      last,
    )
  }

  #choice(pairs: readonly (readonly [Dax | undefined, Dax | undefined])[], rest: Dax | undefined): Value {
    const results = [...pairs.map(([, result]) => result), rest].flatMap((each) => (each ? [this.value(each)] : []))
    const kind = results.find((value) => value.kind !== undefined)?.kind
    if (results.some((value) => value.kind !== undefined && value.kind !== kind))
      throw new LeftOut('its branches have several types')
    const branches = pairs.map(([test, _result], at) => ` WHEN ${certain(this.condition(test as Dax))} THEN ${results[at]?.text}`)
    return {
      text: `CASE${branches.join('')}${rest ? ` ELSE ${results.at(-1)?.text}` : ''} END`,
      kind,
      isNeverBlank: rest !== undefined && results.every(({ isNeverBlank }) => isNeverBlank),
    }
  }
}

type DaxOf<K extends Dax['kind']> = Extract<Dax, { readonly kind: K }>

const TIME_PARTS: Readonly<Record<string, string>> = {
  YEAR: 'year',
  MONTH: 'month',
  DAY: 'day',
  HOUR: 'hour',
  MINUTE: 'minute',
  SECOND: 'second',
  QUARTER: 'quarter',
}

const PLAIN: Readonly<Record<string, { readonly as: string; readonly takes: Kind; readonly gives: Kind }>> = {
  ABS: { as: 'abs', takes: 'number', gives: 'number' },
  SQRT: { as: 'sqrt', takes: 'number', gives: 'number' },
  INT: { as: 'floor', takes: 'number', gives: 'number' },
  UPPER: { as: 'upper', takes: 'text', gives: 'text' },
  LOWER: { as: 'lower', takes: 'text', gives: 'text' },
  LEN: { as: 'length', takes: 'text', gives: 'number' },
}

/** What says nearly the same in the model. */
const INSTEAD: Readonly<Record<string, string>> = {
  // What it is beside a blank is not documented.
  DATEDIFF:
    "Add a column with the expression date_diff('day', {start}, {end}) to the model: it is NULL where one of the days is.",
  // Its texts depend on the language of the reader.
  FORMAT: 'Write the format of a measure as its formatString; for a time, group by it at a grain, such as Orders.day:month.',
}

/** What a blank counts as in a comparison. */
const BLANKS: Readonly<Record<Kind, string>> = {
  number: '0',
  text: "''",
  boolean: 'FALSE',
  time: "TIMESTAMP '1899-12-30 00:00:00'",
}

const ZEROS: Readonly<Record<Kind, number | string | boolean>> = { number: 0, text: '', boolean: false, time: '1899-12-30' }

/** Whether a blank on one side does not meet a comparison with a constant: it then is the same as in SQL. */
function isMissed(sign: string, left: Value, right: Value, kind: Kind): boolean {
  const [one, other] = [left.constant ?? ZEROS[kind], right.constant ?? ZEROS[kind]]
  if (left.kind === undefined || right.kind === undefined || (left.constant === undefined) === (right.constant === undefined))
    return false
  return !COMPARISONS[sign]?.(one, other)
}

const COMPARISONS: Readonly<Record<string, (one: number | string | boolean, other: number | string | boolean) => boolean>> = {
  '=': (one, other) => one === other,
  '<>': (one, other) => one !== other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
}

export const filled = ({ text, kind, isNeverBlank }: Value, as: Kind): string =>
  kind === undefined ? BLANKS[as] : isNeverBlank ? text : `coalesce(${text}, ${BLANKS[as]})`

const truth = (text: string): Value => ({ text, kind: 'boolean', isNeverBlank: true })

const certain = ({ text, isNeverBlank }: Value): string => (isNeverBlank ? text : `coalesce(${text}, FALSE)`)

const negative = ({ text, isNeverBlank, constant }: Value): Value => ({
  ...{ text: `(-${text})`, kind: 'number', isNeverBlank },
  ...(typeof constant === 'number' && { constant: -constant }),
})

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

export function isConstant(dax: Dax | undefined): boolean {
  if (dax?.kind === 'negative') return isConstant(dax.value)
  if (dax?.kind === 'call') return dax.name === 'DATE' && dax.args.every(isConstant)
  return dax !== undefined && ['number', 'text', 'boolean', 'blank'].includes(dax.kind)
}

/** A sum or difference with a blank is the other operand; a product or quotient with one is blank. */
export function arithmetic(sign: string, left: Value, right: Value): Value {
  const [one, other] = [left.text, right.text]
  if (sign === '^')
    return { text: `power(${one}, ${other})`, kind: 'number', isNeverBlank: left.isNeverBlank && right.isNeverBlank }
  const plain = `(${one} ${sign} ${other})`
  if (sign === '*' || sign === '/')
    return { text: plain, kind: 'number', isNeverBlank: sign === '*' && left.isNeverBlank && right.isNeverBlank }
  if (left.isNeverBlank && right.isNeverBlank) return { text: plain, kind: 'number', isNeverBlank: true }
  const alone = [...(right.isNeverBlank ? [] : [one]), ...(left.isNeverBlank ? [] : [sign === '-' ? `(-${other})` : other])]
  return {
    text: `coalesce(${[plain, ...alone].join(', ')})`,
    kind: 'number',
    isNeverBlank: left.isNeverBlank || right.isNeverBlank,
  }
}

/** A quotient, and what stands for one without a divisor. */
export function divided(left: Value, right: Value, rest: Value | undefined): Value {
  const plain = `(${left.text} / ${right.text})`
  if (!rest) return { text: plain, kind: 'number', isNeverBlank: false }
  return {
    text: `CASE WHEN ${filled(right, 'number')} = 0 THEN ${rest.text} ELSE ${plain} END`,
    kind: 'number',
    isNeverBlank: false,
  }
}

function dayOf(args: readonly Dax[]): string {
  const [year, month, day] = args.map((arg) =>
    arg.kind === 'number' && /^\d{1,4}$/.test(arg.text) ? Number(arg.text) : Number.NaN,
  )
  const date = new Date(Date.UTC(year ?? Number.NaN, (month ?? Number.NaN) - 1, day))
  if (args.length !== 3 || Number.isNaN(date.getTime()) || !(date.getUTCFullYear() >= 1900) || date.getUTCMonth() + 1 !== month)
    throw new LeftOut('DATE without constants has no place in the model')
  return date.toISOString().slice(0, 10)
}
