/** Reads statements with the grammar. A text that cannot be read results in a fault and not in an exception, because results also cross threads. */
import { messageOf } from '@grainline/core'
import type { Node } from './node.js'

export interface Grammar {
  parseSync(text: string): { readonly stmts?: readonly { readonly stmt?: Node }[] }
}

export interface ReadText {
  readonly statements: readonly Node[]
  /** A trailing WITH ROLLUP or WITH CUBE, which the grammar does not know. */
  readonly withGrouping: 'rollup' | 'cube' | undefined
}

/** Why a text cannot be read; `character` is the position of the error. */
export interface TextFault {
  readonly message: string
  readonly character?: number
}

/** Maximum depth of the syntax tree; it keeps every later recursion within the stack. */
const MAX_DEPTH = 900
/** Maximum number of columns of a SELECT, as in PostgreSQL. */
const MAX_COLUMNS = 1664
const TOO_DEEP: TextFault = { message: 'The statement is nested too deeply' }
const TOO_WIDE: TextFault = { message: `A SELECT has more than ${MAX_COLUMNS} columns` }

let loading: Promise<Grammar> | undefined

/** Loads the parser, which is WebAssembly, on first use. */
export function loadGrammar(): Promise<Grammar> {
  loading ??= load()
  return loading
}

async function load(): Promise<Grammar> {
  const module = await import('libpg-query')
  // A CommonJS package: exports that Node did not detect by name are on `default`.
  const grammar = 'default' in module ? (module.default as unknown as typeof module) : module
  await grammar.loadModule()
  return grammar
}

export function readText(grammar: Grammar, text: string): ReadText | { readonly fault: TextFault } {
  const asWritten = statementsOf(grammar, text)
  if (!('fault' in asWritten)) return checked(asWritten, undefined)
  const trailing = trailingGrouping(text)
  const without = trailing && statementsOf(grammar, trailing.without)
  // The position of a fault is that in the text of the client.
  return without === undefined || 'fault' in without ? asWritten : checked(without, trailing?.grouping)
}

/** The statements, or the reason why they are too large. */
export function checked(statements: readonly Node[], withGrouping: ReadText['withGrouping']) {
  const fault = tooMuchIn(statements)
  return fault ? { fault } : { statements, withGrouping }
}

function statementsOf(grammar: Grammar, text: string): readonly Node[] | { readonly fault: TextFault } {
  try {
    return (grammar.parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]))
  } catch (error) {
    if (error instanceof RangeError) return { fault: TOO_DEEP }
    const { sqlDetails: details }: { readonly sqlDetails?: { readonly message: string; readonly cursorPosition: number } } =
      Object(error)
    if (details === undefined) return { fault: { message: `The statement cannot be read: ${messageOf(error)}` } }
    return { fault: { message: details.message, character: details.cursorPosition } }
  }
}

const TRAILING = /\bWITH\s+(ROLLUP|CUBE)\b/gi

/** The text with blanks in place of its last WITH ROLLUP, so that all positions stay the same. */
function trailingGrouping(text: string): { readonly without: string; readonly grouping: 'rollup' | 'cube' } | undefined {
  const found = [...text.matchAll(TRAILING)].at(-1)
  if (!found) return undefined
  const end = found.index + found[0].length
  const without = text.slice(0, found.index) + ' '.repeat(found[0].length) + text.slice(end)
  return { without, grouping: /rollup/i.test(found[0]) ? 'rollup' : 'cube' }
}

/** Finds what is too large in a tree, without recursion. */
function tooMuchIn(root: unknown): TextFault | undefined {
  const stack: (readonly [unknown, number])[] = [[root, 0]]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [value, depth] = top
    if (typeof value !== 'object' || value === null) continue
    if (depth > MAX_DEPTH) return TOO_DEEP
    const { targetList }: { readonly targetList?: unknown } = value
    if (Array.isArray(targetList) && targetList.length > MAX_COLUMNS) return TOO_WIDE
    for (const item of Object.values(value)) stack.push([item, depth + 1])
  }
  return undefined
}
