/** The claims of a page of the docs: queries with their answers, and parts of the example model or of a model and tables on the page. */
import type { Cell } from '../support/answers.js'

export interface PageExample {
  /** `flights`, or a model that the page contains completely. */
  readonly model: string
  readonly name: string
  readonly query: unknown
  /** The codes of the warnings of the answer, sorted. */
  readonly warns: readonly string[]
  /** The code of the error, if the page shows one. */
  readonly refused: string | undefined
  /** The table after the query: cells as written. Without rows if the query is refused. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const EXAMPLE = /<!-- (\w+): ([^\n]*?) -->\n```json\n(.*?)```\n(?:\n((?:\|[^\n]*\n)+))?/gs
const BY_HAND = /<!-- (\w+) by hand: ([^\n]*?) -->\n```sql\n(.*?)```\n/gs
const MODEL = /<!-- flights model -->\n```yaml\n(.*?)```/gs

/** The marked queries of a page, in order. Throws if a query is not JSON. */
export const pageExamples = (text: string): PageExample[] => [...text.matchAll(EXAMPLE)].map(toExample)

/** Texts of SQL that a page writes by hand for one of its queries: each has the same answer. */
export const pageTexts = (text: string): readonly { readonly model: string; readonly name: string; readonly sql: string }[] =>
  [...text.matchAll(BY_HAND)].map(([, model = '', name = '', sql = '']) => ({ model, name, sql }))

/** The marked YAML texts of a page, which the example model must contain unchanged. */
export const modelSnippets = (text: string): string[] => [...text.matchAll(MODEL)].map(([, yaml = '']) => yaml)

/** The value as a page shows it: floats rounded to four decimals, without trailing zeros. */
export const asWritten = (cell: Cell): string =>
  typeof cell === 'number' ? String(Number(cell.toFixed(4))) : String(cell ?? 'NULL')

/** A marked block of a page, such as the model or the tables of its own example. Throws if the page has none. */
export function pageBlock(text: string, mark: string): string {
  const [, block] = new RegExp(`<!-- ${mark} -->\\n\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(text) ?? []
  if (block === undefined) throw new Error(`no block is marked '${mark}'`)
  return block
}

function toExample([, model = '', mark = '', json = '', table]: RegExpMatchArray): PageExample {
  const [name = '', ...notes] = mark.split('; ')
  const note = (word: string): string | undefined => notes.find((n) => n.startsWith(`${word} `))?.slice(word.length + 1)
  const [columns = [], , ...rows] = (table ?? '').trimEnd().split('\n').map(cellsOf)
  return {
    model,
    name,
    query: JSON.parse(json),
    warns: note('warns')?.split(' ').toSorted() ?? [],
    refused: note('refused'),
    columns,
    rows,
  }
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
