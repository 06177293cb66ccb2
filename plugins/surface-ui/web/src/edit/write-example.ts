import type { ModelText, TextEdit } from '@grainline/language'
import type { Query } from '../query/query.js'
import { flow } from './flow.js'
import { newSection } from './new-section.js'

/** A question under the name that people see among the examples. */
export interface Example {
  readonly name: string
  readonly query: Query
}

/** The edit that adds a question to the examples of a model, before the others; its name gets a number if one of them has it. */
export function writeExample(model: ModelText, { name, query }: Example): TextEdit {
  const item = flow({ name: freeName(model, name), query })
  const at = model.byPath.get('examples[0]')?.value?.range?.[0]
  if (at === undefined) return newSection(model, 'examples', [`- ${item}`])
  const start = model.text.lastIndexOf('\n', at - 1) + 1
  const before = model.text.slice(start, at)
  // A list in brackets, or one item on each line.
  if (!/^\s*-\s+$/.test(before)) return { from: at, to: at, text: `${item}, ` }
  const indent = before.slice(0, before.indexOf('-'))
  return { from: start, to: start, text: `${indent}- ${item}\n` }
}

function freeName({ document }: ModelText, name: string): string {
  const { examples } = (document.toJS() ?? {}) as { readonly examples?: unknown }
  const taken = new Set(Array.isArray(examples) ? examples.map((one: { name?: unknown } | null) => one?.name) : [])
  let free = name
  for (let i = 2; taken.has(free); i++) free = `${name} (${i})`
  return free
}
