/**
 * The maximum length of a text that an expression can create. An engine's memory limit does not include the result of a function for one
 * value, and forty characters of a query can request gigabytes: expressions that may exceed these limits are refused before rendering, on
 * every engine.
 */

import { fail } from '../errors.js'
import { firstOf, itemAt } from '../invariant.js'
import { type DataType, INT } from '../model/data-type.js'
import { type Expr, isLiteral } from '../model/expression/ast.js'
import type { AggregateCall, SqlExpr, SqlLeaf, WindowCall } from './statement.js'

/** The number of characters that an expression may add itself, and the maximum factor relative to the longest value that it reads. */
const MOST_CHARACTERS = 10_000
const MOST_TIMES = 100

/** At most `characters`, plus `times` the longest value that is read. */
export interface Size {
  readonly characters: number
  readonly times: number
}

const NOTHING: Size = { characters: 0, times: 0 }
const NUMBER: Size = { characters: 64, times: 0 }
const VALUE: Size = { characters: 0, times: 1 }
/** The assumed length of a value that replaces each part of another, in characters. */
const USUAL_LENGTH = 100
/** What a list may add to each of its values: an engine joins millions of them outside its memory limit. */
const MOST_IN_LIST = 100
/** Names of several parts are common. */
const MOST_TIMES_IN_LIST = 10

type Call = Extract<SqlExpr, { readonly kind: 'call' }>
type Column = Extract<SqlLeaf, { readonly kind: 'column' }>

/** The sizes of the texts of expressions. They share their parts; each part is visited once. */
export class TextSizes {
  readonly #sizes = new Map<SqlExpr, Size>()

  /** The size of the values of a column, if it is known; otherwise it is one value. */
  constructor(private readonly columnSize: (column: Column) => Size | undefined = () => undefined) {}

  /** Throws `STATEMENT_TOO_LARGE` if the text of a call may become too long. */
  refuseGrowth(call: Call): void {
    const { characters, times } = this.of(call)
    if (characters <= MOST_CHARACTERS && times <= MOST_TIMES) return
    const what = characters > MOST_CHARACTERS ? `${MOST_CHARACTERS} characters` : `${MOST_TIMES} times a value that it reads`
    fail('STATEMENT_TOO_LARGE', `'${call.name}' may make a text here that is longer than ${what}`, {
      hint: 'Pad to fewer characters, or replace and join fewer texts within each other.',
    })
  }

  /** Throws `STATEMENT_TOO_LARGE` if a list of texts would add many characters for each row. */
  refuseLongList({ delimiter, args }: AggregateCall): void {
    if (delimiter !== undefined && delimiter.length > MOST_IN_LIST)
      fail(
        'STATEMENT_TOO_LARGE',
        `The delimiter of 'listagg' has ${delimiter.length} characters; at most ${MOST_IN_LIST} are allowed`,
        { hint: 'Use a shorter delimiter.' },
      )
    const { characters, times } = this.#longest(args)
    if (characters <= MOST_IN_LIST && times <= MOST_TIMES_IN_LIST) return
    fail(
      'STATEMENT_TOO_LARGE',
      `'listagg' may join texts here that have over ${MOST_IN_LIST} characters more than the values that they contain`,
      { hint: 'List the values themselves, or pad them to fewer characters.' },
    )
  }

  of(node: SqlExpr): Size {
    // Not worth keeping.
    if (node.kind === 'column') return this.#measure(node)
    const known = this.#sizes.get(node)
    if (known) return known
    const size = this.#measure(node)
    this.#sizes.set(node, size)
    return size
  }

  #measure(node: SqlExpr): Size {
    switch (node.kind) {
      case 'literal':
        return typeof node.value === 'string' ? { characters: node.value.length, times: 0 } : NUMBER
      case 'call':
        return this.#call(node)
      case 'case':
        return this.#longest([...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])])
      case 'cast':
        return this.of(node.operand)
      case 'unary':
      case 'binary':
      case 'in':
      case 'like':
      case 'is-null':
        return NUMBER
      case 'aggregate':
      case 'window':
        return this.#ofRows(node)
      case 'column':
        return this.columnSize(node) ?? VALUE
      case 'parameter':
      case 'output':
        return VALUE
    }
  }

  /** One of the values of many rows, or a number. */
  #ofRows({ type, args }: AggregateCall | WindowCall): Size {
    return isText(type) && args.length > 0 ? this.#longest(args) : VALUE
  }

  #call({ name, args }: Call): Size {
    if (name === 'concat') return args.map((arg) => this.of(arg)).reduce(sum, { characters: 0, times: 0 })
    if (name === 'replace' && args.length === 3)
      return replaced(this.of(firstOf(args)), itemAt(args, 1), this.of(itemAt(args, 2)))
    if (name === 'lpad' || name === 'rpad') return padding(itemAt(args, 1))
    if (name === 'length') return NUMBER
    return this.#longest(args)
  }

  #longest(parts: readonly SqlExpr[]): Size {
    let most = NOTHING
    for (const part of parts) most = longer(most, this.of(part))
    return most
  }
}

/** Whether values of a type may be long. */
export const isText = ({ kind }: DataType): boolean => kind === 'string' || kind === 'json'

/** A size that is no less than each of these. */
export const longest = (sizes: readonly Size[]): Size => sizes.reduce(longer, NOTHING)

/** Mostly one of both. */
function longer(a: Size, b: Size): Size {
  if (a.characters <= b.characters && a.times <= b.times) return b
  if (b.characters <= a.characters && b.times <= a.times) return a
  return { characters: Math.max(a.characters, b.characters), times: Math.max(a.times, b.times) }
}

const sum = (a: Size, b: Size): Size => ({ characters: a.characters + b.characters, times: a.times + b.times })

function replaced(text: Size, part: SqlExpr, by: Size): Size {
  const least = isLiteral(part) && typeof part.value === 'string' ? Math.max(1, part.value.length) : 1
  const growth = Math.max(1, (by.characters + by.times * USUAL_LENGTH) / least)
  return { characters: text.characters * growth, times: text.times * growth }
}

/** A longer text is truncated. A length that is not a literal is limited where it is read. */
function padding(length: SqlExpr): Size {
  return { characters: isLiteral(length) ? Math.max(0, Number(length.value)) : MOST_CHARACTERS, times: 0 }
}

/** The arguments to be rendered: a computed length of a padding is at most `MOST_CHARACTERS`, and NULL remains NULL. */
export function boundedLength<L extends { readonly kind: string }>(name: string, args: readonly Expr<L>[]): readonly Expr<L>[] {
  const [text, length, ...rest] = args
  if ((name !== 'lpad' && name !== 'rpad') || text === undefined || length === undefined) return args
  if (isLiteral(length)) return args
  const most: Expr<L> = { kind: 'literal', value: MOST_CHARACTERS, type: INT }
  const tooLong: Expr<L> = { kind: 'binary', operator: '>', left: length, right: most }
  return [text, { kind: 'case', branches: [{ when: tooLong, then: most }], otherwise: length }, ...rest]
}
