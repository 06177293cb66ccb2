import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Cell } from './answer.js'

/** A question in plain words, and its truth. */
export interface Question {
  readonly ask: string
  /** The name of a published model. */
  readonly model: string
  readonly truth: Truth
  /** Whether the order of the rows matters. */
  readonly ordered: boolean
}

/** What the right answer is: these rows, those of this query, or that there is none. */
export type Truth =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'query'; readonly query: object }
  | { readonly kind: 'refused' }

/** A file of questions that cannot be read: where, and why. */
export class QuestionFault extends Error {}

const KEYS = ['ask', 'model', 'rows', 'query', 'refused', 'ordered']

/** The questions of a file in YAML or JSON: a list, whose entries have `ask` and one of `rows`, `query` and `refused`. Throws `QuestionFault`. */
export function readQuestions(text: string, model?: string): readonly Question[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [broken] = document.errors
  if (broken) throw new QuestionFault(broken.message.split('\n')[0])
  const place = (node: unknown) => `line ${lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line}`
  if (!isSeq(document.contents))
    throw new QuestionFault('A file of questions is a list: - { ask: How many flights were there?, rows: [[336776]] }')
  return document.contents.items.map((item) => {
    const refuse = (why: string) => new QuestionFault(`${place(item)}: ${why}`)
    if (!isMap(item)) throw refuse('a question is a map with ask, and with rows, query or refused')
    const given: Record<string, unknown> = item.toJSON()
    return question(given, model, refuse)
  })
}

function question(given: Record<string, unknown>, named: string | undefined, refuse: (why: string) => QuestionFault): Question {
  const strange = Object.keys(given).find((key) => !KEYS.includes(key))
  if (strange !== undefined) throw refuse(`'${strange}' is no key of a question; there are ${KEYS.join(', ')}`)
  const { ask, model = named, ordered = false } = given
  if (typeof ask !== 'string' || ask === '') throw refuse('ask is missing: the question in plain words')
  if (typeof model !== 'string') throw refuse('no model is named: give the question a model, or the command --model NAME')
  if (typeof ordered !== 'boolean') throw refuse('ordered is true or false')
  return { ask, model, ordered, truth: truthOf(given, refuse) }
}

function truthOf({ rows, query, refused }: Record<string, unknown>, refuse: (why: string) => QuestionFault): Truth {
  if ([rows, query, refused].filter((one) => one !== undefined).length !== 1)
    throw refuse('a question has one truth: rows, query or refused')
  if (refused !== undefined) {
    if (refused !== true) throw refuse('refused is true where the right answer is none')
    return { kind: 'refused' }
  }
  if (query !== undefined) {
    if (typeof query !== 'object' || query === null || Array.isArray(query))
      throw refuse('query is an object, such as { select: { measures: [Flight Count] } }')
    return { kind: 'query', query }
  }
  if (!isRows(rows)) throw refuse('rows is a list of rows, and each row a list of values of one width: [[AA, 12], [UA, 7]]')
  return { kind: 'rows', rows }
}

function isRows(rows: unknown): rows is readonly (readonly Cell[])[] {
  if (!Array.isArray(rows)) return false
  const [first]: unknown[] = rows
  const width = Array.isArray(first) ? first.length : 0
  return rows.every((row: unknown) => Array.isArray(row) && row.length === width && row.every(isCell))
}

const isCell = (cell: unknown): cell is Cell => cell === null || ['string', 'number', 'boolean'].includes(typeof cell)
