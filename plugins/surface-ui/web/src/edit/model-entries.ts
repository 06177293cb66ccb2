import type { ModelText, TextEdit } from '@grainline/language'
import { flow, scalar } from './flow.js'
import { newSection, type Section } from './new-section.js'

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
function insertion(model: ModelText, section: Section, lines: readonly string[]): TextEdit {
  const { text, byPath } = model
  const first = [...byPath.values()].find(({ path, key }) => path.length === 2 && path[0] === section && key !== undefined)
  const at = first?.key?.range?.[0]
  if (at === undefined) return newSection(model, section, lines)
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const between = /^\s*$/.test(indent) ? `\n${indent}` : ', '
  return { from: at, to: at, text: lines.map((line) => `${line}${between}`).join('') }
}
