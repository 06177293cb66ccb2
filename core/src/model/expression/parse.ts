/** From text to expression, by precedence climbing. The text is never copied anywhere: syntax that the grammar does not know is refused. */
import type { ErrorCode } from '../../errors.js'
import { didYouMean, nearest } from '../../nearest.js'
import { spend } from '../../work.js'
import { BOOLEAN, DATE, parseDataType, STRING, TIMESTAMP } from '../data-type.js'
import { FUNCTION_ALIASES, TIME_UNITS } from '../functions/catalogue.js'
import type { AggregateSpec, FunctionSpec } from '../functions/function-spec.js'
import { endsInEscape } from '../operators.js'
import type { ModelParameter } from '../parameter.js'
import { type BinaryOperator, type Expr, isLiteral, type Literal } from './ast.js'
import { ExpressionError, type Token, tokenize } from './tokenize.js'
import { isNumber, isoDate, isoTimestamp, negate, numberLiteral } from './written-literal.js'

export interface ParseContext<L> {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** Creates the leaf of a `{…}` from the `text` between the braces. It reports unknown names itself. */
  readonly leaf: (text: string, offset: number) => L
  /** What `{@Name}` may read; without them, nothing. */
  readonly parameters?: ReadonlyMap<string, Pick<ModelParameter, 'type' | 'list'>> | undefined
  /** The reference to write for the name at the beginning of the rest of the text; `undefined` if it begins with no name. */
  readonly meant?: (rest: string) => string | undefined
  /** Gets every error except a syntax error, which is thrown as `ExpressionError`. Offsets count UTF-16 units from the text's start. */
  /** `name` is the name of the call, if that is the error. */
  readonly report: (code: ErrorCode, message: string, offset: number, name?: string) => void
}

/** Deep enough for any formula that a person writes; keeps every later recursion within the stack. */
const MAX_DEPTH = 250
/** BETWEEN and simple CASE repeat their subject, so nesting them could make a short text very large. */
const MAX_SIZE = 50_000
const MAX_CHARACTERS = 100_000

/** The expression of a text. Throws `ExpressionError` for a syntax error. */
export function parseExpression<L extends { readonly kind: string }>(text: string, context: ParseContext<L>): Expr<L> {
  if (text.length > MAX_CHARACTERS) throw new ExpressionError(`The expression has more than ${MAX_CHARACTERS} characters`, 0)
  spend(Math.ceil(text.length / 4))
  return new Parser(text, tokenize(text), context).parse()
}

/** Comparison operators as they are written, including `!=` for `<>`. */
export const COMPARISONS: Readonly<Record<string, BinaryOperator>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}
/** The advice for an expression with OVER. */
const WINDOWS =
  "OVER makes a window of it, and windows are metrics: type 'window' for ranks and neighbours, 'cumulative' for running totals; a total beside each row is a measure with a 'grain'"
const RESERVED = new Set('and or not case when then else end in between like ilike is null true false cast as'.split(' '))

class Parser<L extends { readonly kind: string }> {
  private next = 0
  private nesting = 0
  private closing: ReadonlyMap<number, number> | undefined
  private readonly sizes = new WeakMap<object, { readonly depth: number; readonly size: number }>()

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
    private readonly context: ParseContext<L>,
  ) {}

  parse(): Expr<L> {
    if (this.peek().kind === 'end') this.broken('The expression is empty')
    const expr = this.or()
    if (this.peek().kind !== 'end') this.broken(`'${this.peek().text}' was not expected here`)
    return expr
  }

  private or(): Expr<L> {
    this.enter()
    let left = this.and()
    while (this.takeWord('or')) left = this.binary('or', left, this.and())
    this.nesting--
    return left
  }

  private and(): Expr<L> {
    let left = this.not()
    while (this.takeWord('and')) left = this.binary('and', left, this.not())
    return left
  }

  private not(): Expr<L> {
    let count = 0
    while (this.takeWord('not')) count++
    const operand = this.comparison()
    return count % 2 === 1 ? this.negation(operand) : operand
  }

  private comparison(): Expr<L> {
    let left = this.sum()
    for (;;) {
      const operator = this.peek().kind === 'operator' ? COMPARISONS[this.peek().text] : undefined
      if (operator !== undefined) {
        this.next++
        left = this.binary(operator, left, this.sum())
      } else if (this.isPredicate()) {
        left = this.predicate(left)
      } else return left
    }
  }

  private isPredicate(): boolean {
    const at = this.isWord('not') ? 1 : 0
    return ['in', 'between', 'like', 'ilike', ...(at === 0 ? ['is'] : [])].some((word) => this.isWord(word, at))
  }

  private predicate(operand: Expr<L>): Expr<L> {
    const negated = this.takeWord('not')
    const expr = this.positivePredicate(operand)
    return negated ? this.negation(expr) : expr
  }

  private positivePredicate(operand: Expr<L>): Expr<L> {
    if (this.takeWord('is')) {
      const negated = this.takeWord('not')
      this.expectWord('null')
      const test = this.node({ kind: 'is-null', operand }, operand)
      return negated ? this.negation(test) : test
    }
    if (this.takeWord('in')) {
      this.expect('(')
      const list = this.list()
      return this.node({ kind: 'in', operand, list }, operand, ...list)
    }
    if (this.takeWord('between')) {
      const low = this.sum()
      this.expectWord('and')
      const high = this.sum()
      return this.binary('and', this.binary('>=', operand, low), this.binary('<=', operand, high))
    }
    const insensitive = this.isWord('ilike')
    this.next++
    const pattern = this.sum()
    if (isLiteral(pattern) && typeof pattern.value === 'string' && endsInEscape(pattern.value))
      this.broken('The pattern ends in one backslash, which escapes nothing; write two')
    const [subject, mask] = insensitive ? [this.call('lower', [operand]), this.call('lower', [pattern])] : [operand, pattern]
    return this.node({ kind: 'like', operand: subject, pattern: mask }, subject, mask)
  }

  private sum(): Expr<L> {
    let left = this.product()
    for (;;) {
      if (this.take('+')) left = this.binary('+', left, this.product())
      else if (this.take('-')) left = this.binary('-', left, this.product())
      else if (this.take('||')) left = this.call('concat', [left, this.product()])
      else return left
    }
  }

  private product(): Expr<L> {
    let left = this.signed()
    for (;;) {
      if (this.take('*')) left = this.binary('*', left, this.signed())
      else if (this.take('/')) left = this.binary('/', left, this.signed())
      else if (this.take('%')) left = this.call('mod', [left, this.signed()])
      else return left
    }
  }

  private signed(): Expr<L> {
    let negative = false
    for (;;) {
      if (this.take('-')) negative = !negative
      else if (!this.take('+')) break
    }
    const operand = this.primary()
    if (!negative) return operand
    return isNumber(operand) ? negate(operand) : this.node({ kind: 'unary', operator: '-', operand }, operand)
  }

  private primary(): Expr<L> {
    const token = this.peek()
    this.next++
    switch (token.kind) {
      case 'number':
        return numberLiteral(token.text)
      case 'string':
        return { kind: 'literal', value: token.text, type: STRING }
      case 'reference':
        return token.text.startsWith('@') ? this.parameter(token) : this.context.leaf(token.text, token.offset)
      case 'word':
        return this.word(token)
      case 'operator':
        if (token.text === '(') {
          const inner = this.or()
          this.expect(')')
          return inner
        }
    }
    this.next--
    return this.broken(token.kind === 'end' ? 'The expression ends too early' : `'${token.text}' was not expected here`)
  }

  private word(token: Token): Expr<L> {
    const name = token.text.toLowerCase()
    switch (name) {
      case 'null':
        return { kind: 'literal', value: null, type: STRING }
      case 'true':
      case 'false':
        return { kind: 'literal', value: name === 'true', type: BOOLEAN }
      case 'case':
        return this.caseOf()
      case 'cast':
        return this.castOf()
      case 'date':
      case 'timestamp':
        if (this.peek().kind === 'string') return this.temporal(name)
        break
      case 'current_date':
        if (!this.is('(')) return this.call('current_date', [])
    }
    if (this.take('(')) return this.callOf(name, token.offset)
    if (RESERVED.has(name)) this.broken(`'${token.text}' was not expected here`, token.offset)
    const meant = this.context.meant?.(this.text.slice(token.offset))
    const instead = meant ?? `{${token.text}} for a column and '${token.text}' for text`
    return this.broken(`'${token.text}' has no braces; write ${instead}`, token.offset)
  }

  /** `{@Name}`. Lists belong in filters, which know how many values there are. */
  private parameter({ text, offset }: Token): Expr<L> {
    const name = text.slice(1).trim()
    const known = this.context.parameters ?? new Map<string, never>()
    const found = known.get(name)
    if (found && !found.list) return { kind: 'parameter', name, type: found.type }
    const [code, message] = found
      ? ([
          'INVALID_EXPRESSION',
          `'${name}' is a list; write it as the value of a filter with 'in': {parameter: ${name}}`,
        ] as const)
      : (['UNKNOWN_PARAMETER', `'${name}' is not a parameter of this model${didYouMean(nearest(name, known.keys()))}`] as const)
    this.context.report(code, message, offset, name)
    return { kind: 'literal', value: null, type: STRING }
  }

  private caseOf(): Expr<L> {
    const subject = this.isWord('when') ? undefined : this.or()
    const branches: { when: Expr<L>; then: Expr<L> }[] = []
    while (this.takeWord('when')) {
      const test = this.or()
      this.expectWord('then')
      branches.push({ when: subject === undefined ? test : this.binary('=', subject, test), then: this.or() })
    }
    if (branches.length === 0) this.broken('CASE needs at least one WHEN')
    const otherwise = this.takeWord('else') ? this.or() : undefined
    this.expectWord('end')
    const parts = [...branches.flatMap((branch) => [branch.when, branch.then]), ...(otherwise ? [otherwise] : [])]
    return this.node({ kind: 'case', branches, otherwise }, ...parts)
  }

  private castOf(): Expr<L> {
    this.expect('(')
    const operand = this.or()
    this.expectWord('as')
    const start = this.peek().offset
    let spelling = ''
    let level = 0
    while (this.peek().kind !== 'end' && (level > 0 || !this.is(')'))) {
      level += this.is('(') ? 1 : this.is(')') ? -1 : 0
      spelling += `${/\w$/.test(spelling) && this.peek().kind === 'word' ? ' ' : ''}${this.peek().text}`
      this.next++
    }
    this.expect(')')
    const type = parseDataType(spelling) ?? this.broken(`'${spelling.slice(0, 60)}' is not a type`, start)
    return this.node({ kind: 'cast', operand, type }, operand)
  }

  private temporal(kind: 'date' | 'timestamp'): Literal {
    const token = this.peek()
    this.next++
    const value = kind === 'date' ? isoDate(token.text) : isoTimestamp(token.text)
    if (value === undefined) {
      const form = kind === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:MM:SS'
      this.broken(`'${token.text.slice(0, 40)}' is not a ${kind} of the form ${form}`, token.offset)
    }
    return { kind: 'literal', value, type: kind === 'date' ? DATE : TIMESTAMP }
  }

  private callOf(spelled: string, offset: number): Expr<L> {
    const name = FUNCTION_ALIASES.get(spelled) ?? spelled
    const spec = this.context.functions.get(name)
    if (!spec && this.context.aggregates.has(name)) {
      const advice = this.isWindow() ? WINDOWS : `it belongs in a measure's 'aggregation', not in an expression`
      this.broken(`${name}() is an aggregation; ${advice}`, offset)
    }
    if (!spec && this.isWindow()) this.broken(`${name}() is a window function; ${WINDOWS}`, offset)
    const args = spec?.takesUnit ? this.argsWithUnit(name) : this.args()
    if (!spec) {
      const suggestion = partOfTime(name) ?? didYouMean(nearest(name, this.context.functions.keys(), 1))
      this.context.report(
        'NON_PORTABLE_FUNCTION',
        `'${name}' is not in the portable catalogue, so the engine decides its meaning${suggestion}`,
        offset,
        name,
      )
      return this.node({ kind: 'call', name, args, portable: false }, ...args)
    }
    this.checkArity(spec, args.length, offset)
    if (name === 'json_value') this.checkJsonPath(args[1], offset)
    if (name === 'regexp_extract') this.checkGroup(args, offset)
    if (name === 'substring') this.checkPlace(args, offset)
    return this.call(name, args)
  }

  /** Whether OVER follows the call whose arguments begin here. */
  private isWindow(): boolean {
    this.closing ??= closingOf(this.tokens)
    const end = this.closing.get(this.next - 1)
    return end !== undefined && this.isWord('over', end + 1 - this.next)
  }

  private args(): Expr<L>[] {
    return this.take(')') ? [] : this.list()
  }

  /** `date_trunc('month', x)`, `date_trunc(month, x)`, `extract(month FROM x)`. */
  private argsWithUnit(name: string): Expr<L>[] {
    const token = this.peek()
    if (this.take(')')) return []
    const written = (token.kind === 'string' || token.kind === 'word') && this.unitEndsAt(1)
    if (!written) {
      this.context.report(
        'UNKNOWN_TIME_UNIT',
        `The first argument of ${name} is a unit, written out: ${TIME_UNITS.join(', ')}`,
        token.offset,
      )
      return this.list()
    }
    this.next++
    const unit = token.text.toLowerCase()
    if (!(TIME_UNITS as readonly string[]).includes(unit)) {
      const message = `'${token.text}' is not a time unit${didYouMean(nearest(unit, TIME_UNITS, 1))}`
      this.context.report('UNKNOWN_TIME_UNIT', message, token.offset)
    }
    const literal: Literal = { kind: 'literal', value: unit, type: STRING }
    if (this.take(')')) return [literal]
    if (!this.takeWord('from')) this.expect(',')
    return [literal, ...this.list()]
  }

  private unitEndsAt(ahead: number): boolean {
    const token = this.peek(ahead)
    return token.text === ',' || token.text === ')' || this.isWord('from', ahead)
  }

  private checkArity(spec: FunctionSpec, given: number, offset: number): void {
    const [least, most] = spec.arity
    if (given >= least && given <= most) return
    const wanted = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
    this.context.report(
      'WRONG_FUNCTION_ARITY',
      `${spec.name} takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${given}`,
      offset,
    )
  }

  private checkJsonPath(path: Expr<L> | undefined, offset: number): void {
    if (path === undefined) return
    const text = isLiteral(path) ? path.value : undefined
    if (typeof text === 'string' && /^\$(?:\.[A-Za-z_]\w*|\[\d{1,9}\])+$/.test(text)) return
    this.context.report('INVALID_JSON_PATH', "A JSON path is a literal of the form '$.name' or '$[0].name'", offset)
  }

  /** Engines give different answers for a group that the pattern has not, and some read a literal only. */
  private checkGroup([, pattern, group]: readonly Expr<L>[], offset: number): void {
    if (!pattern || !group) return
    const number = isLiteral(group) ? group.value : undefined
    const most = isLiteral(pattern) && pattern.value !== null ? groupsOf(String(pattern.value)) : Number.POSITIVE_INFINITY
    if (typeof number === 'number' && number >= 0 && number <= most) return
    const written =
      most === Number.POSITIVE_INFINITY ? 'a whole number' : `a whole number from 0 to ${most}, the groups of the pattern`
    this.context.report('INVALID_EXPRESSION', `The third argument of regexp_extract is ${written}, written as a literal`, offset)
  }

  /** Some databases count a position below 1 from the end. */
  private checkPlace([, start, length]: readonly Expr<L>[], offset: number): void {
    const written = (expr: Expr<L> | undefined) =>
      expr && isLiteral(expr) && expr.value !== null ? Number(expr.value) : undefined
    const from = written(start) ?? 1
    if (from < 1) {
      const last = from < 0 ? `; for the last characters of x write substring(x, greatest(length(x) - ${-from - 1}, 1))` : ''
      this.context.report('INVALID_EXPRESSION', `The position of substring is 1 or more, not ${from}${last}`, offset)
    }
    const count = written(length) ?? 0
    if (count < 0) this.context.report('INVALID_EXPRESSION', `The length of substring is 0 or more, not ${count}`, offset)
  }

  /** One or more expressions up to the closing parenthesis. */
  private list(): Expr<L>[] {
    const items = [this.or()]
    while (this.take(',')) items.push(this.or())
    this.expect(')')
    return items
  }

  private call(name: string, args: readonly Expr<L>[]): Expr<L> {
    return this.node({ kind: 'call', name, args, portable: true }, ...args)
  }

  private negation(operand: Expr<L>): Expr<L> {
    return this.node({ kind: 'unary', operator: 'not', operand }, operand)
  }

  private binary(operator: BinaryOperator, left: Expr<L>, right: Expr<L>): Expr<L> {
    return this.node({ kind: 'binary', operator, left, right }, left, right)
  }

  private node(node: Expr<L>, ...children: Expr<L>[]): Expr<L> {
    let depth = 0
    let size = 1
    for (const child of children) {
      const known = this.sizes.get(child)
      depth = Math.max(depth, known?.depth ?? 0)
      size += known?.size ?? 1
    }
    if (depth >= MAX_DEPTH) this.broken(`The expression is nested deeper than ${MAX_DEPTH} levels`)
    if (size > MAX_SIZE) this.broken(`The expression has more than ${MAX_SIZE} parts`)
    this.sizes.set(node, { depth: depth + 1, size })
    return node
  }

  private enter(): void {
    if (++this.nesting > MAX_DEPTH) this.broken(`The expression is nested deeper than ${MAX_DEPTH} levels`)
  }

  private peek(ahead = 0): Token {
    return this.tokens[Math.min(this.next + ahead, this.tokens.length - 1)]!
  }

  private is(operator: string): boolean {
    return this.peek().kind === 'operator' && this.peek().text === operator
  }

  private take(operator: string): boolean {
    if (!this.is(operator)) return false
    this.next++
    return true
  }

  private expect(operator: string): void {
    if (!this.take(operator)) this.broken(`'${operator}' is missing here`)
  }

  private isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'word' && token.text.toLowerCase() === word
  }

  private takeWord(word: string): boolean {
    if (!this.isWord(word)) return false
    this.next++
    return true
  }

  private expectWord(word: string): void {
    if (!this.takeWord(word)) this.broken(`${word.toUpperCase()} is missing here`)
  }

  private broken(message: string, offset = this.peek().offset): never {
    throw new ExpressionError(message, offset)
  }
}

/** The expression for a part of a time that other databases have a function for; `undefined` for other names. */
function partOfTime(name: string): string | undefined {
  if ((TIME_UNITS as readonly string[]).includes(name)) return `; write extract('${name}', …)`
  return WEEKDAYS.has(name)
    ? "; write date_diff('day', date_trunc('week', x), x) + 1, which is 1 on the first day of the week"
    : undefined
}

const WEEKDAYS: ReadonlySet<string> = new Set(['dow', 'isodow', 'dayofweek', 'day_of_week', 'weekday'])

/** The number of groups in parentheses that a pattern captures, in one pass: parentheses in a class of characters are none. */
function groupsOf(pattern: string): number {
  let groups = 0
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at]
    if (letter === '\\') at++
    else if (letter === '[') at = endOfClass(pattern, at)
    else if (letter === '(' && /^(?:[^?]|\?P?<[^=!]|$)/.test(pattern.slice(at + 1, at + 5))) groups++
  }
  return groups
}

/** Where a class of characters ends that begins at `start`; a bracket that comes first is one of its characters. */
function endOfClass(pattern: string, start: number): number {
  const first = start + (pattern[start + 1] === '^' ? 2 : 1)
  for (let at = pattern[first] === ']' ? first + 1 : first; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === ']') return at
  }
  return pattern.length
}

/** For each opening bracket the place of the one that closes it. */
function closingOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>()
  const open: number[] = []
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'operator') continue
    if (text === '(') open.push(at)
    const start = text === ')' ? open.pop() : undefined
    if (start !== undefined) closing.set(start, at)
  }
  return closing
}
