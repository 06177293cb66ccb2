/** What a page of the docs claims: questions with their answers, and pieces of the example's model or a model and tables of its own. */
import type { Cell } from '../support/answers.js'

export interface PageExample {
  /** `flights`, or a model that the page shows in full. */
  readonly model: string
  readonly name: string
  readonly query: unknown
  /** The codes of the warnings that come with the answer, sorted. */
  readonly warns: readonly string[]
  /** The code of the refusal, where the page shows one. */
  readonly refused: string | undefined
  /** The table under the question: cells as written. Without rows where the question is refused. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const EXAMPLE = /<!-- (\w+): ([^\n]*?) -->\n```json\n(.*?)```\n(?:\n((?:\|[^\n]*\n)+))?/gs
const MODEL = /<!-- flights model -->\n```yaml\n(.*?)```/gs

/** The marked questions of a page, in its order. Throws where a question is no JSON. */
export const pageExamples = (text: string): PageExample[] => [...text.matchAll(EXAMPLE)].map(toExample)

/** The marked YAML texts of a page, which the example's model must hold as they are. */
export const modelSnippets = (text: string): string[] => [...text.matchAll(MODEL)].map(([, yaml = '']) => yaml)

/** The value as a page writes it: floats rounded to four decimals, without trailing zeros. */
export const asWritten = (cell: Cell): string =>
  typeof cell === 'number' ? String(Number(cell.toFixed(4))) : String(cell ?? 'NULL')

/** A marked block of a page, such as the model or the tables of an example of its own. Throws where the page has none. */
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
