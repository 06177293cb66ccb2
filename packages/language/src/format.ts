import { isCollection, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml'
import { lineStarts } from './diagnostics.js'
import type { TextEdit } from './fixes.js'
import { type ModelText, spanOfNode } from './model-text.js'

/**
 * The text with two spaces for every level, no white space at the ends of lines, at most one blank line, and one line break at the end.
 * Comments, quotes and line breaks are kept. Undefined if the text is not YAML, or if the result would have another meaning.
 */
export function formatEdits({ text, document }: ModelText): TextEdit[] {
  if (document.errors.length > 0 || text.includes('\t')) return []
  const lines = text.split('\n')
  const kept = linesOfTexts(document.contents, text)
  const deltas = deltasOf(document.contents, lines, text)
  const moved = lines.map((line, i) => {
    const shifted = shift(line, deltas[i]!)
    return kept.has(i) ? shifted : shifted.trimEnd()
  })
  const squeezed = moved.filter((line, i) => kept.has(i) || line !== '' || (i > 0 && moved[i - 1] !== ''))
  const result = `${squeezed.join('\n').trimEnd()}\n`
  if (result === text || !saysTheSame(text, result)) return []
  return [{ from: 0, to: text.length, text: result }]
}

const saysTheSame = (before: string, after: string): boolean => {
  const [a, b] = [before, after].map((text) => parseDocument(text, { logLevel: 'silent' }))
  return b!.errors.length === 0 && JSON.stringify(a!.toJS()) === JSON.stringify(b!.toJS())
}

function shift(line: string, delta: number): string {
  if (line.trim() === '') return line
  return delta >= 0 ? ' '.repeat(delta) + line : line.slice(Math.min(-delta, line.length - line.trimStart().length))
}

/** The shift of each line: that of the item that begins on it, or that it continues; for a comment that of the next line. */
function deltasOf(root: Node | null, lines: readonly string[], text: string): number[] {
  const starts = lineStarts(text)
  const own = new Map<number, number>()
  const visit = (node: unknown, level: number): void => {
    if (!isCollection(node) || node.flow) return
    for (const item of node.items as readonly { key?: unknown; value?: unknown }[]) {
      const first = isMap(node) ? item.key : item
      const from = isSeq(node) ? dashBefore(text, spanOfNode(first as Node).from) : isScalar(first) ? spanOfNode(first).from : 0
      const line = lineOf(starts, from)
      const column = from - starts[line]!
      // An item that begins in the middle of a line moves with the line.
      if (!own.has(line) && lines[line]!.slice(0, column).trim() === '') own.set(line, level * 2 - column)
      visit(isMap(node) ? item.value : item, level + 1)
    }
  }
  visit(root, 0)
  const deltas: number[] = []
  let current = 0
  for (let i = 0; i < lines.length; i++) {
    current = own.get(i) ?? (isComment(lines[i]!) ? (own.get(nextItem(lines, i)) ?? current) : current)
    deltas.push(current)
  }
  return deltas
}

const isComment = (line: string): boolean => /^\s*#/.test(line)

function nextItem(lines: readonly string[], from: number): number {
  let i = from
  while (i < lines.length && (isComment(lines[i]!) || lines[i]!.trim() === '')) i++
  return i
}

function dashBefore(text: string, from: number): number {
  return Math.max(0, text.lastIndexOf('-', from))
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** Lines inside texts, where white space matters. */
function linesOfTexts(root: Node | null, text: string): ReadonlySet<number> {
  const starts = lineStarts(text)
  const kept = new Set<number>()
  const visit = (node: unknown): void => {
    if (isScalar(node)) {
      const { from, to } = spanOfNode(node)
      for (let line = lineOf(starts, from) + 1; line <= lineOf(starts, Math.max(from, to - 1)); line++) kept.add(line)
    } else if (isMap(node)) for (const pair of node.items) visit(pair.value)
    else if (isSeq(node)) for (const item of node.items) visit(item)
  }
  visit(root)
  return kept
}
