/**
 * A tiny parser and evaluator for the expressions of models: references, arithmetic, comparison, logic, CASE, IS NULL, IN, CAST to a date,
 * and a few functions.
 */
import { parseDay, parseMoment, startOfDay } from './calendar.js'
import { compareTimes, timeFunction } from './time-functions.js'
import {
  add,
  and,
  Day,
  type Dec,
  divide,
  Moment,
  multiply,
  not,
  or,
  parseDec,
  subtract,
  type Tri,
  toDouble,
  type Value,
} from './values.js'
import type { Kind } from './world.js'
import { namedIn } from './zones.js'

/** A reference: `{A}` has one part, `{[A].[B]}` two, `{[A]}` one. */
export interface Ref {
  readonly kind: 'ref'
  readonly parts: readonly string[]
}
export type Node =
  | Ref
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly kind: 'case'; readonly branches: readonly (readonly [Node, Node])[]; readonly otherwise: Node }

const TOKEN = /\s*(?:(\{[^}]*\})|('(?:[^']|'')*')|(\d+(?:\.\d+)?)|(<>|<=|>=|!=|\|\||[-+*/=<>(),])|([A-Za-z_]\w*))/y

function tokenize(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text)
    if (!match) throw new Error(`cannot read the expression ${text}`)
    tokens.push(match[0].trim())
  }
  return tokens
}

const parsed = new Map<string, Node>()

export function parseExpression(text: string): Node {
  const known = parsed.get(text)
  if (known) return known
  const tokens = tokenize(text)
  let at = 0
  const peek = (): string => (tokens[at] ?? '').toLowerCase()
  const take = (): string => tokens[at++] ?? ''
  const accept = (word: string): boolean => {
    const found = peek() === word
    if (found) at++
    return found
  }
  const expect = (word: string): void => {
    if (!accept(word)) throw new Error(`expected ${word} in ${text}`)
  }
  const call = (name: string, ...args: Node[]): Node => ({ kind: 'call', name, args })

  const orLevel = (): Node => leftAssociative(andLevel, ['or'])
  const andLevel = (): Node => leftAssociative(notLevel, ['and'])
  const notLevel = (): Node => (accept('not') ? call('not', notLevel()) : comparison())
  const sum = (): Node => leftAssociative(product, ['+', '-'])
  const product = (): Node => leftAssociative(unary, ['*', '/'])
  const unary = (): Node => (accept('-') ? call('-', { kind: 'literal', value: parseDec('0')! }, unary()) : primary())

  function leftAssociative(next: () => Node, operators: readonly string[]): Node {
    let left = next()
    while (operators.includes(peek())) left = call(take().toLowerCase(), left, next())
    return left
  }

  function comparison(): Node {
    const left = sum()
    if (accept('is')) {
      const negated = accept('not')
      expect('null')
      return negated ? call('not', call('is null', left)) : call('is null', left)
    }
    if (accept('in')) return call('in', left, ...list())
    if (['=', '<>', '!=', '<', '<=', '>', '>='].includes(peek())) return call(take().replace('!=', '<>'), left, sum())
    return left
  }

  function list(): Node[] {
    expect('(')
    const items = [orLevel()]
    while (accept(',')) items.push(orLevel())
    expect(')')
    return items
  }

  function primary(): Node {
    if (accept('(')) {
      const inner = orLevel()
      expect(')')
      return inner
    }
    if (accept('case')) return caseWhen()
    if (accept('cast')) return castToDate()
    const token = take()
    if (token.startsWith('{')) return { kind: 'ref', parts: reference(token) }
    if (token.startsWith("'")) return { kind: 'literal', value: token.slice(1, -1).replaceAll("''", "'") }
    if (/^\d/.test(token)) return { kind: 'literal', value: parseDec(token)! }
    const word = token.toLowerCase()
    if (word === 'null') return { kind: 'literal', value: null }
    if (word === 'date' && peek().startsWith("'")) return { kind: 'literal', value: parseDay(take().slice(1, -1))! }
    if (word === 'timestamp' && peek().startsWith("'")) return { kind: 'literal', value: parseMoment(take().slice(1, -1))! }
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' }
    return call(word, ...list())
  }

  function castToDate(): Node {
    expect('(')
    const operand = orLevel()
    for (const word of ['as', 'date', ')']) expect(word)
    return call('day', operand)
  }

  function caseWhen(): Node {
    const branches: (readonly [Node, Node])[] = []
    while (accept('when')) {
      const when = orLevel()
      expect('then')
      branches.push([when, orLevel()])
    }
    const otherwise: Node = accept('else') ? orLevel() : { kind: 'literal', value: null }
    expect('end')
    return { kind: 'case', branches, otherwise }
  }

  const node = orLevel()
  if (at !== tokens.length) throw new Error(`something is left over in ${text}`)
  parsed.set(text, node)
  return node
}

/** `{[A].[B]}` → [A, B]; `{[A]}` and `{A}` → [A]. */
function reference(token: string): string[] {
  const inner = token.slice(1, -1).trim()
  return inner.startsWith('[') ? inner.slice(1, -1).split(/\]\s*\.\s*\[/) : [inner]
}

export function refsOf(node: Node): Ref[] {
  if (node.kind === 'ref') return [node]
  if (node.kind === 'call') return node.args.flatMap(refsOf)
  if (node.kind === 'case') return [...node.branches.flatMap(([w, t]) => [...refsOf(w), ...refsOf(t)]), ...refsOf(node.otherwise)]
  return []
}

/** True if the expression computes in doubles: a division, or a part that is a float itself. */
export function isFloat(node: Node, refIsFloat: (ref: Ref) => boolean): boolean {
  if (node.kind === 'ref') return refIsFloat(node)
  if (node.kind === 'case') return [...node.branches.map((b) => b[1]), node.otherwise].some((n) => isFloat(n, refIsFloat))
  if (node.kind === 'literal') return typeof node.value === 'number'
  if (node.name === '/') return true
  return ['+', '-', '*', 'coalesce'].includes(node.name) && node.args.some((n) => isFloat(n, refIsFloat))
}

/** The value of an expression whose type is known: an exact part of a float expression becomes a double. */
export function evaluateTyped(node: Node, read: (ref: Ref) => Value, refIsFloat: (ref: Ref) => boolean): Value {
  const value = evaluateNode(node, read)
  return isFloat(node, refIsFloat) && value !== null && typeof value === 'object' ? toDouble(value as Dec) : value
}

export function evaluateNode(node: Node, read: (ref: Ref) => Value): Value {
  if (node.kind === 'ref') return read(node)
  if (node.kind === 'literal') return node.value
  if (node.kind === 'case') {
    const branch = node.branches.find(([when]) => evaluateNode(when, read) === true)
    return evaluateNode(branch ? branch[1] : node.otherwise, read)
  }
  const args = node.args.map((a) => evaluateNode(a, read))
  return apply(node.name, COMPARES.has(node.name) ? besideInstants(node.args, args) : args)
}

/** A local time that is written beside an instant means the first instant at which clocks show it. */
function besideInstants(nodes: readonly Node[], values: readonly Value[]): readonly Value[] {
  const zone = values.find((v): v is Moment => v instanceof Moment && v.instant !== undefined)?.zone
  if (zone === undefined) return values
  return values.map((value, i) => {
    const local = nodes[i]?.kind !== 'literal' ? undefined : value instanceof Day ? startOfDay(value) : value
    return local instanceof Moment ? new Moment(local.micros, local.micros, namedIn(zone, local.micros), zone) : value
  })
}

/** Whether the value is one of those that the references have, or one of them moved by hours, minutes or seconds. */
export function isChoice(node: Node): boolean {
  if (node.kind === 'ref') return true
  if (node.kind === 'literal') return node.value === null
  if (node.kind === 'case') return [...node.branches.map(([, then]) => then), node.otherwise].every(isChoice)
  if (node.name === 'date_add') return isPassing(node.args[0]!) && isChoice(node.args[2]!)
  return ['coalesce', 'greatest', 'least', 'nullif'].includes(node.name) && node.args.every(isChoice)
}

function apply(name: string, args: readonly Value[]): Value {
  const [a, b] = [args[0] as Value, args[1] as Value]
  switch (name) {
    case '+':
      return add(a, b)
    case '-':
      return subtract(a, b)
    case '*':
      return multiply(a, b)
    case '/':
      return divide(a, b)
    case 'and':
      return and(args as Tri[])
    case 'or':
      return or(args as Tri[])
    case 'not':
      return not(a as Tri)
    case 'is null':
      return a === null
    case 'coalesce':
      return args.find((v) => v !== null) ?? null
    case 'in':
      return or(args.slice(1).map((v) => comparing('=', a, v)))
    case 'greatest':
    case 'least':
      return args.includes(null) ? null : args.reduce((x, y) => (comparing(name === 'least' ? '<=' : '>=', x, y) ? x : y))
    case 'nullif':
      return comparing('=', a, b) === true ? null : a
    default:
      return OPERATORS.has(name) ? comparing(name, a, b) : timeFunction(name, args)
  }
}

const OPERATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])
const COMPARES: ReadonlySet<string> = new Set([...OPERATORS, 'in', 'nullif'])

function comparing(operator: string, a: Value, b: Value): Tri {
  if (a === null || b === null) return null
  const order = compareTimes(a, b)
  switch (operator) {
    case '=':
      return order === 0
    case '<>':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    default:
      throw new Error(`the oracle does not know ${operator}`)
  }
}

const TIMES: Readonly<Record<string, Kind>> = {
  day: 'date', last_day: 'date', extract: 'int', date_diff: 'int', to_char_iso: 'string', and: 'boolean', or: 'boolean', not: 'boolean', in: 'boolean', 'is null': 'boolean',
} // biome-ignore format: a table

/** The kind of the values of an expression; of numbers only whether they are doubles. */
export function kindOfExpression(node: Node, kindOfRef: (ref: Ref) => Kind): Kind {
  const value = chosen(node)
  const isDouble = isFloat(node, (ref) => kindOfRef(ref) === 'float')
  // The other values of a choice may be doubles, and then all of them are.
  if (value.kind === 'ref') return isDouble && isNumber(kindOfRef(value)) ? 'float' : kindOfRef(value)
  if (value.kind === 'call') {
    if (value.name === 'date_trunc' || value.name === 'date_add') return kindOfPeriod(value.name, value.args, kindOfRef)
    const known = OPERATORS.has(value.name) ? 'boolean' : TIMES[value.name]
    if (known) return known
  }
  return isDouble ? 'float' : 'decimal'
}

const isNumber = (kind: Kind): boolean => kind === 'int' || kind === 'decimal'

/** The first value that a choice may take. */
function chosen(node: Node): Node {
  if (!isChoice(node) || node.kind === 'ref' || node.kind === 'literal') return node
  return chosen(node.kind === 'case' ? node.branches[0]![1] : node.args[node.name === 'date_add' ? 2 : 0]!)
}

function kindOfPeriod(name: string, args: readonly Node[], kindOfRef: (ref: Ref) => Kind): Kind {
  if (isPassing(args[0]!)) return 'timestamp'
  return name === 'date_trunc' ? 'date' : kindOfExpression(args[2]!, kindOfRef)
}

const isPassing = (unit: Node): boolean => unit.kind === 'literal' && ['hour', 'minute', 'second'].includes(String(unit.value))
