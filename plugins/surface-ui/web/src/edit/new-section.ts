import type { ModelText, TextEdit } from '@grainline/language'

export type Section = 'measures' | 'metrics' | 'examples'

/** The edit that writes a section which a model does not have, or has without entries. */
export function newSection({ text, byPath }: ModelText, section: Section, lines: readonly string[]): TextEdit {
  const rest = byPath.has(section) ? withoutEmpty(text, section) : { from: text.length, to: text.length }
  const start = text.length === 0 || text.endsWith('\n') || rest.from < text.length ? '' : '\n'
  return { ...rest, text: `${start}${section}:\n${lines.map((line) => `  ${line}\n`).join('')}` }
}

const EMPTY = { measures: /^measures:.*(?:\n|$)/m, metrics: /^metrics:.*(?:\n|$)/m, examples: /^examples:.*(?:\n|$)/m }

/** The line of an empty section. */
function withoutEmpty(text: string, section: Section): { readonly from: number; readonly to: number } {
  const found = EMPTY[section].exec(text)
  const from = found?.index ?? text.length
  return { from, to: from + (found?.[0].length ?? 0) }
}
