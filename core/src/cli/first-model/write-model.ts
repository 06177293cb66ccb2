import { Document, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml'
import type { FirstModel } from './first-model.js'
import type { Note } from './note.js'

/** A first model with what its file says first. */
interface WrittenModel extends FirstModel {
  /** Sentences about the whole model. */
  readonly head?: readonly string[]
}

/** The model as YAML: the reference to its schema for editors, if there is one, then the document with its notes as comments. */
export function writeModel({ document, notes, unsure, head = [] }: WrittenModel, schema: string | undefined): string {
  const yaml = new Document(document)
  for (const [section, depth] of Object.entries(DEPTHS)) onLines(yaml.get(section), depth)
  for (const note of notes) comment(yaml, note)
  const marked = notes.some(({ text }) => text.startsWith('guessed')) ? MARKED : ''
  const told = head.map((sentence) => `# ${sentence}\n`).join('')
  if (unsure.length > 0) yaml.comment = ` ${[UNSURE, ...unsure.map((line) => `  ${line}`)].join('\n ')}`
  const line = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`
  return `${line}${marked}${told}${yaml.toString({ lineWidth: 130, singleQuote: true })}`
}

const MARKED = `# Lines under a comment "guessed" are suggestions: the database does not declare them. Check each, then delete its comment.\n`

/** From which depth on the values of a section are written on one line. */
const DEPTHS = { dataObjects: 3, dimensions: 1, measures: 1, examples: 2, decisions: 2 }

const UNSURE = 'Neither names nor values say how these numbers add up. Add those that you need to measures, with sum or avg:'

/** Columns, joins, dimensions and measures are one line each: collections at this depth in their section. */
function onLines(node: unknown, depth: number): void {
  if (!isMap(node) && !isSeq(node)) return
  if (depth === 0) node.flow = true
  else for (const item of node.items) onLines(isMap(node) ? (item as Pair).value : item, depth - 1)
}

function comment(yaml: Document, { path, text }: Note): void {
  const parent = yaml.getIn(path.slice(0, -1))
  const last = path.at(-1)
  const node = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === last)?.key : yaml.getIn(path)
  if (isNode(node)) node.commentBefore = ` ${text.replaceAll('\n', '\n ')}`
}
