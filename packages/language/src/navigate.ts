import type { TextEdit } from './fixes.js'
import { contentOf, entryOver, isQuoted, type ModelText, type Span } from './model-text.js'
import { countName, isSame, type ModelSymbol, namesOf, type Occurrence, occurrencesOf } from './symbols.js'
import { writeLike, writeScalar, writeWithin } from './write-scalar.js'

/** The name at an offset. */
export function symbolAt(model: ModelText, offset: number): Occurrence | undefined {
  return occurrencesOf(model).find(({ from, to }) => from <= offset && offset <= to)
}

/** Where the name at an offset is declared; for a row count, its data object. */
export function definitionAt(model: ModelText, offset: number): Span | undefined {
  const symbol = symbolAt(model, offset)
  if (!symbol) return undefined
  const found = occurrencesOf(model).find((other) => other.declares && isSame(other, symbol)) ?? objectOfCount(model, symbol)
  return found && { from: found.from, to: found.to }
}

/** Every use of the name at an offset, including its declaration. */
export function referencesAt(model: ModelText, offset: number): Occurrence[] {
  const symbol = symbolAt(model, offset)
  return symbol ? occurrencesOf(model).filter((other) => isSame(other, symbol)) : []
}

export type Renaming = { readonly edits: readonly TextEdit[] } | { readonly refused: string }

/** Renames the name at an offset everywhere. Refused if the new name is taken, or could not be written. */
export function renameAt(model: ModelText, offset: number, name: string): Renaming {
  const symbol = symbolAt(model, offset)
  if (!symbol) return { refused: 'There is no name here' }
  if (!occurrencesOf(model).some((other) => other.declares && isSame(other, symbol)))
    return { refused: `'${symbol.name}' is not declared in this document` }
  const fault = faultOf(name, symbol, model)
  if (fault !== undefined) return { refused: fault }
  const places = occurrencesOf(model).filter((other) => isSame(other, symbol))
  return { edits: [...writtenAll(places, name, model.text), ...countEdits(model, symbol, name)] }
}

function faultOf(name: string, { kind, object, name: was }: ModelSymbol, model: ModelText): string | undefined {
  if (name.trim() === '') return 'A name must not be empty'
  if (/[[\]{}\n]/.test(name)) return 'A name with brackets or braces cannot be written in expressions'
  return name !== was && namesOf(model, kind, object).includes(name) ? `'${name}' is there already` : undefined
}

/** The edits of a rename. A plain scalar that contains more than the name may then need quotes: it is replaced as a whole. */
function writtenAll(places: readonly Occurrence[], name: string, text: string): TextEdit[] {
  const nodes = new Set(places.map(({ node }) => node))
  return [...nodes].flatMap((node) => {
    const inNode = places.filter((place) => place.node === node)
    const content = contentOf(node)
    const whole = inNode[0]!.from === content.from && inNode[0]!.to === content.to
    if (whole) return [{ ...content, text: writeLike(node, name) }]
    const edits = inNode.map(({ from, to }) => ({ from, to, text: writeWithin(node, name) }))
    return isQuoted(node) || node.type !== 'PLAIN' || writeScalar(name) === name
      ? edits
      : [{ ...content, text: quoted(text, content, edits) }]
  })
}

function quoted(text: string, { from, to }: Span, edits: readonly TextEdit[]): string {
  const changed = edits
    .toReversed()
    .reduce((now, edit) => now.slice(0, edit.from - from) + edit.text + now.slice(edit.to - from), text.slice(from, to))
  return `'${changed.replaceAll("'", "''")}'`
}

/** A row count is named after its object, and is used by that name. */
function countEdits(model: ModelText, { kind, name: was }: ModelSymbol, name: string): TextEdit[] {
  const count = kind === 'object' ? countName(model, was) : undefined
  if (count === undefined || model.byPath.has(`dataObjects.${was}.countLabel`)) return []
  const renamed = countName(model, name) ?? count
  const places = occurrencesOf(model).filter((place) => place.kind === 'field' && place.name === count && !place.declares)
  return writtenAll(places, renamed, model.text)
}

function objectOfCount(model: ModelText, { kind, name }: ModelSymbol): Occurrence | undefined {
  if (kind !== 'field') return undefined
  return occurrencesOf(model).find((other) => other.kind === 'object' && other.declares && countName(model, other.name) === name)
}

/** The name at an offset, if it can be renamed: for the editor's input box. */
export function renameSpanAt(model: ModelText, offset: number): (Span & { readonly name: string }) | undefined {
  const symbol = entryOver(model, offset) && symbolAt(model, offset)
  return symbol && { from: symbol.from, to: symbol.to, name: symbol.name }
}
