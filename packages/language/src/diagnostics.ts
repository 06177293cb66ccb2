import { isCollection, isScalar } from 'yaml'
import { tokenAt } from './expression-token.js'
import { type Fix, fixesOf } from './fixes.js'
import type { Finding } from './knowledge.js'
import { contentOf, type Entry, entryAt, type ModelText, type Span, spanOfNode } from './model-text.js'

export interface Diagnostic extends Span {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
  readonly path: string
  /** Edits that apply the suggestion of the finding. */
  readonly fixes: readonly Fix[]
}

/** The findings about a text, each with the range of words that it concerns. */
export function diagnosticsOf(model: ModelText, findings: readonly Finding[]): Diagnostic[] {
  const lines = lineStarts(model.text)
  return findings.map((finding) => {
    const { severity, code, hint, path } = finding
    const span = spanOf(finding, model, lines)
    return {
      ...span,
      severity,
      code,
      message: messageOf(finding),
      hint,
      path,
      fixes: isElsewhere(finding) ? [] : fixesOf(finding, span, model),
    }
  })
}

/** Where each line begins. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return starts
}

/** A text that the document refers to has its own line numbers. */
const isElsewhere = ({ context }: Finding): boolean => typeof context?.source === 'string' && context.source !== ''

function messageOf(finding: Finding): string {
  if (!isElsewhere(finding)) return finding.message
  const place = finding.line === undefined ? '' : `, line ${finding.line}`
  return `In ${String(finding.context!.source)}${place}: ${finding.message}`
}

/** Codes of errors that concern one word of an expression and not all of it. */
const IN_EXPRESSION: ReadonlySet<string> = new Set([
  'INVALID_EXPRESSION',
  'UNKNOWN_COLUMN_IN_EXPRESSION',
  'UNKNOWN_DATA_OBJECT_IN_EXPRESSION',
  'INCOMPLETE_COLUMN_REF',
  'UNKNOWN_MEASURE_REF',
  'INVALID_METRIC',
  'NON_PORTABLE_FUNCTION',
  'MODEL_SQL_DENIED',
  'WRONG_FUNCTION_ARITY',
  'UNKNOWN_TIME_UNIT',
  'INVALID_JSON_PATH',
])

function spanOf(finding: Finding, model: ModelText, lines: readonly number[]): Span {
  if (isElsewhere(finding)) return spanOfSource(String(finding.context!.source), model)
  const { line, column } = finding
  const offset = line === undefined ? undefined : (lines[line - 1] ?? model.text.length) + (column ?? 1) - 1
  const { entry, exact } = entryAt(model, finding.path)
  if (finding.path === '' && offset !== undefined) return restOfLine(model.text, offset)
  if (!exact) return spanOfName(entry, model.text)
  if (entry.key && offset !== undefined && inside(spanOfNode(entry.key), offset)) return contentOf(entry.key)
  if (!isScalar(entry.value)) return spanOfValue(entry, model.text, offset === undefined)
  const value = contentOf(entry.value)
  const isWord = entry.path.at(-1) === 'expression' && IN_EXPRESSION.has(finding.code)
  return isWord && offset !== undefined ? tokenAt(model.text, offset, value) : trimmed(value, model.text)
}

const inside = ({ from, to }: Span, offset: number): boolean => from <= offset && offset < to

/** An error in an inherited model or a fragment is shown at the reference in the document. */
function spanOfSource(source: string, model: ModelText): Span {
  const { entry, exact } = entryAt(model, /^extends\[\d+\]$/.test(source) ? source : 'inherits')
  return exact && isScalar(entry.value) ? firstLine(contentOf(entry.value), model.text) : restOfLine(model.text, 0)
}

function spanOfName(entry: Entry, text: string): Span {
  return entry.key ? contentOf(entry.key) : spanOfValue(entry, text, false)
}

/** A mapping or list: its first line; if the finding is not about the value, its key. */
function spanOfValue(entry: Entry, text: string, preferKey: boolean): Span {
  const { value, key } = entry
  if (key && (preferKey || value === null)) return contentOf(key)
  if (!isCollection(value)) return value ? trimmed(spanOfNode(value), text) : restOfLine(text, 0)
  return firstLine(spanOfNode(value), text)
}

function firstLine({ from, to }: Span, text: string): Span {
  const end = text.indexOf('\n', from)
  return trimmed({ from, to: end < 0 ? to : Math.min(to, end) }, text)
}

function restOfLine(text: string, offset: number): Span {
  const start = Math.min(offset, text.length)
  const end = text.indexOf('\n', start)
  const span = trimmed({ from: start, to: end < 0 ? text.length : end }, text)
  return span.to > span.from ? span : { from: Math.max(0, start - 1), to: start }
}

const trimmed = ({ from, to }: Span, text: string): Span => ({ from, to: from + text.slice(from, to).trimEnd().length })
