import { isMap, isScalar } from 'yaml'
import { referencesIn } from './expression-token.js'
import type { Finding } from './knowledge.js'
import { type Entry, entryAt, type ModelText, type Span, spanOfNode } from './model-text.js'
import { writeLike, writeScalar, writeWithin } from './write-scalar.js'

export interface TextEdit extends Span {
  readonly text: string
}

export interface Fix {
  readonly title: string
  readonly edits: readonly TextEdit[]
}

/** The suggestion of a finding as edits. Only safe ones: the marked words are replaced by the suggested name. */
export function fixesOf(finding: Finding, span: Span, model: ModelText): Fix[] {
  const { suggestions = [], code, path } = finding
  const { entry, exact } = entryAt(model, path)
  if (!exact || NO_REPLACEMENT.has(code)) return []
  if (code === 'MISSING_VIA') return suggestions.flatMap((name) => insertion(entry, `via: ${writeScalar(name)}`, model))
  return suggestions.flatMap((name) => {
    const edit = replacement(name, finding, { entry, span, model })
    return edit ? [{ title: `Replace with '${name}'`, edits: [edit] }] : []
  })
}

/** Codes whose suggestions are not names for the marked place. */
const NO_REPLACEMENT: ReadonlySet<string> = new Set(['SEVERAL_PATHS', 'AMBIGUOUS_JOIN', 'NO_JOIN_PATH'])

interface Place {
  readonly entry: Entry
  readonly span: Span
  readonly model: ModelText
}

function replacement(name: string, { code }: Finding, { entry, span, model }: Place): TextEdit | undefined {
  const { key, value, path } = entry
  if (key && span.from >= spanOfNode(key).from && span.to <= spanOfNode(key).to) return { ...span, text: writeLike(key, name) }
  if (!isScalar(value)) return undefined
  if (path.at(-1) === 'expression') return inExpression(name, code, { entry, span, model })
  if (path.at(-1) === 'field' && /COLUMN/.test(code)) {
    const dot = model.text.slice(span.from, span.to).lastIndexOf('.')
    return { from: span.from + dot + 1, to: span.to, text: writeWithin(value, name) }
  }
  return { ...span, text: writeLike(value, name) }
}

function inExpression(name: string, code: string, { entry, span, model }: Place): TextEdit | undefined {
  const written = writeWithin(entry.value, name)
  const [reference] = referencesIn(model.text, span)
  if (!reference) return /^[\p{L}_]\w*$/u.test(model.text.slice(span.from, span.to)) ? { ...span, text: written } : undefined
  const { from, to } = code === 'UNKNOWN_DATA_OBJECT_IN_EXPRESSION' && reference.object ? reference.object : reference.name
  return { from, to, text: written }
}

/** A new key in a mapping, before its first one. */
function insertion({ value, path }: Entry, line: string, { text }: ModelText): Fix[] {
  const first = isMap(value) ? value.items[0]?.key : undefined
  if (!isMap(value) || !isScalar(first)) return []
  const { from } = spanOfNode(first)
  const start = text.lastIndexOf('\n', from - 1) + 1
  const gap = value.flow ? ', ' : `\n${text.slice(start, from).replace(/[^ ]/g, ' ')}`
  return [{ title: `Add '${line}' to '${path.at(-1)}'`, edits: [{ from, to: from, text: `${line}${gap}` }] }]
}
