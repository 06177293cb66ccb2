import type { ModelText, TextEdit } from '@grainline/language'

type Section = 'measures' | 'metrics'

/** A new entry of a section of a model, on one line. */
export interface ModelEntry {
  readonly name: string
  readonly definition: unknown
}

/** The edit that adds entries to a section of a model; none if it has them. */
export function addEntries(model: ModelText, section: Section, entries: readonly ModelEntry[]): readonly TextEdit[] {
  const missing = entries
    .filter(({ name }) => !model.byPath.has(`${section}.${name}`))
    .map(({ name, definition }) => `${scalar(name)}: ${flow(definition)}`)
  return missing.length === 0 ? [] : [insertion(model, section, missing)]
}

/** Before the first entry, in its style; a new section if there is none. */
function insertion({ text, byPath }: ModelText, section: Section, lines: readonly string[]): TextEdit {
  const first = [...byPath.values()].find(({ path, key }) => path.length === 2 && path[0] === section && key !== undefined)
  const at = first?.key?.range?.[0]
  if (at === undefined) {
    const rest = byPath.has(section) ? withoutEmpty(text, section) : { from: text.length, to: text.length }
    const start = text.length === 0 || text.endsWith('\n') || rest.from < text.length ? '' : '\n'
    return { ...rest, text: `${start}${section}:\n${lines.map((line) => `  ${line}\n`).join('')}` }
  }
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const between = /^\s*$/.test(indent) ? `\n${indent}` : ', '
  return { from: at, to: at, text: lines.map((line) => `${line}${between}`).join('') }
}

const EMPTY = { measures: /^measures:.*(?:\n|$)/m, metrics: /^metrics:.*(?:\n|$)/m }

/** The line of an empty section. */
function withoutEmpty(text: string, section: Section): { readonly from: number; readonly to: number } {
  const found = EMPTY[section].exec(text)
  const from = found?.index ?? text.length
  return { from, to: from + (found?.[0].length ?? 0) }
}

/** A value as YAML on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => flow(each)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${scalar(key)}: ${flow(each)}`)
    .join(', ')} }`
}

/** Unquoted if YAML reads it as text, even inside braces. */
function scalar(text: string): string {
  const plain = /^[A-Za-z](?:[\w ]*\w)?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return plain ? text : JSON.stringify(text)
}
