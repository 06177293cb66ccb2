/**
 * The maximum length of a text that an expression can create. An engine's memory limit does not include the result of a function for one
 * value, and forty characters of a query can request gigabytes: expressions that may exceed these limits are refused before rendering, on
 * every engine.
 */

import { fail } from '../errors.js'
import { firstOf, itemAt } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { type Expr, isLiteral } from '../model/expression/ast.js'

/** The number of characters that an expression may add itself, and the maximum factor relative to the longest value that it reads. */
const MOST_CHARACTERS = 10_000
const MOST_TIMES = 100

/** At most `characters`, plus `times` the longest value that is read. */
interface Size {
  readonly characters: number
  readonly times: number
}

type Node = Expr<{ readonly kind: string }>

const NUMBER: Size = { characters: 64, times: 0 }
const VALUE: Size = { characters: 0, times: 1 }
/** The assumed length of a value that replaces each part of another, in characters. */
const USUAL_LENGTH = 100

/** Expressions share their parts; each that has several is measured once. */
const measured = new WeakMap<object, Size>()

/** Throws `STATEMENT_TOO_LARGE` if a text may become too long. */
export function refuseGrowth(node: Node): void {
  const { characters, times } = sizeOf(node)
  if (characters <= MOST_CHARACTERS && times <= MOST_TIMES) return
  const name = node.kind === 'call' ? (node as Node & { name: string }).name : node.kind
  const what = characters > MOST_CHARACTERS ? `${MOST_CHARACTERS} characters` : `${MOST_TIMES} times a value that it reads`
  fail('STATEMENT_TOO_LARGE', `'${name}' may make a text here that is longer than ${what}`, {
    hint: 'Pad to fewer characters, or replace and join fewer texts within each other.',
  })
}

/** What a list may add to each of its values: an engine joins millions of them outside its memory limit. */
const MOST_IN_LIST = 100
/** Names of several parts are common. */
const MOST_TIMES_IN_LIST = 10

/** Throws `STATEMENT_TOO_LARGE` if a list of texts would add many characters for each row. */
export function refuseLongList(delimiter: string | undefined, args: readonly Node[]): void {
  if (delimiter !== undefined && delimiter.length > MOST_IN_LIST)
    fail(
      'STATEMENT_TOO_LARGE',
      `The delimiter of 'listagg' has ${delimiter.length} characters; at most ${MOST_IN_LIST} are allowed`,
      {
        hint: 'Use a shorter delimiter.',
      },
    )
  const { characters, times } = longest(args)
  if (characters <= MOST_IN_LIST && times <= MOST_TIMES_IN_LIST) return
  fail(
    'STATEMENT_TOO_LARGE',
    `'listagg' may join texts here that have over ${MOST_IN_LIST} characters more than the values that they contain`,
    {
      hint: 'List the values themselves, or pad them to fewer characters.',
    },
  )
}

function sizeOf(node: Node): Size {
  if (node.kind !== 'call' && node.kind !== 'case') return measure(node)
  const known = measured.get(node)
  if (known) return known
  const size = measure(node)
  measured.set(node, size)
  return size
}

function measure(given: Node): Size {
  const node = given as Exclude<Expr<{ readonly kind: 'leaf' }>, { readonly kind: 'leaf' }>
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? { characters: node.value.length, times: 0 } : NUMBER
    case 'call':
      return sizeOfCall(node.name, node.args)
    case 'case':
      return longest([...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])])
    case 'cast':
      return sizeOf(node.operand)
    case 'unary':
    case 'binary':
    case 'in':
    case 'like':
    case 'is-null':
      return NUMBER
    default:
      return VALUE
  }
}

function sizeOfCall(name: string, args: readonly Node[]): Size {
  if (name === 'concat') return args.map(sizeOf).reduce(sum, { characters: 0, times: 0 })
  if (name === 'replace' && args.length === 3) return replaced(sizeOf(firstOf(args)), itemAt(args, 1), sizeOf(itemAt(args, 2)))
  if (name === 'lpad' || name === 'rpad') return padding(itemAt(args, 1))
  return longest(args)
}

const sum = (a: Size, b: Size): Size => ({ characters: a.characters + b.characters, times: a.times + b.times })

function longest(parts: readonly Node[]): Size {
  const sizes = parts.map(sizeOf)
  return {
    characters: Math.max(0, ...sizes.map(({ characters }) => characters)),
    times: Math.max(0, ...sizes.map(({ times }) => times)),
  }
}

function replaced(text: Size, part: Node, by: Size): Size {
  const least = isLiteral(part) && typeof part.value === 'string' ? Math.max(1, part.value.length) : 1
  const growth = Math.max(1, (by.characters + by.times * USUAL_LENGTH) / least)
  return { characters: text.characters * growth, times: text.times * growth }
}

/** A longer text is truncated. A length that is not a literal is limited where it is read. */
function padding(length: Node): Size {
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
