// Insertions into a source text, for faults (mutants.mjs) and branches (branches-of.mjs).
import { Visitor } from 'oxc-parser'

/** Types contain literals and conditions as well, but do not run. */
export function rangesOfTypes(program) {
  const ranges = []
  const note = ({ start, end }) => ranges.push([start, end])
  new Visitor({
    TSTypeAnnotation: note,
    TSTypeAliasDeclaration: note,
    TSInterfaceDeclaration: note,
    TSTypeParameterInstantiation: note,
    TSTypeParameterDeclaration: note,
  }).visit(program)
  return ranges
}

/** At one place, ends come before starts; of ends the smaller range is first, and of starts the larger. */
export function applied(text, edits) {
  const order = edits.toSorted((a, b) => a.at - b.at || a.side - b.side || (a.side === 0 ? a.size - b.size : b.size - a.size))
  let [result, at] = ['', 0]
  for (const edit of order) {
    result += text.slice(at, edit.at) + edit.text
    at = edit.until ?? edit.at
  }
  return result + text.slice(at)
}
