import { Document, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml'
import type { FirstModel, Note } from './first-model.js'

/** The model as YAML: the reference to its schema for editors, if there is one, then the document with its notes as comments. */
export function writeModel({ document, notes }: FirstModel, schema: string | undefined): string {
  const yaml = new Document(document)
  for (const section of ['dataObjects', 'dimensions', 'measures']) onLines(yaml.get(section), section === 'dataObjects' ? 3 : 1)
  for (const note of notes) comment(yaml, note)
  const marked = notes.length === 0 ? '' : MARKED
  const line = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`
  return `${line}${marked}${yaml.toString({ lineWidth: 130, singleQuote: true })}`
}

const MARKED = `# Lines under a comment "guessed" are suggestions: the database does not declare them. Check each, then delete its comment.\n`

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
