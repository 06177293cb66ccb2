import { isHiddenName } from '../hidden-name.js'
import { entryOf } from '../invariant.js'
import { equalColumns } from '../model/join-term.js'
import type { Column, DataObject, Join, SemanticModel } from '../model/semantic-model.js'
import { shownJoin } from './join-graph-view.js'

export const DIAGRAM_THEMES = ['default', 'neutral', 'dark', 'forest', 'base'] as const

export interface DiagramOptions {
  readonly showColumns: boolean
  readonly theme: (typeof DIAGRAM_THEMES)[number]
}

/**
 * The model as the text of a Mermaid `erDiagram`. Names are free text, so an entity has a generated id and its name as an alias; a column
 * is a plain word, followed by its name if that differs.
 */
export function erDiagram({ dataObjects }: SemanticModel, { showColumns, theme }: DiagramOptions): string {
  const ids = new Map([...dataObjects.keys()].map((name, i) => [name, `e${i + 1}`]))
  const objects = [...dataObjects.values()]
  const lines = [
    ...(theme === 'default' ? [] : [`%%{init: {"theme": "${theme}"}}%%`]),
    'erDiagram',
    ...objects.flatMap((object) => entity(object, entryOf(ids, object.name), showColumns)),
    ...objects.flatMap(({ joins, nestedIn }) =>
      joins.map(shownJoin).map((join) => relationship(join, labelOf(join, nestedIn), ids)),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function entity(object: DataObject, id: string, showColumns: boolean): string[] {
  const head = `    ${id}["${escaped(headingOf(object))}"]`
  if (!showColumns || object.columns.size === 0) return [head]
  const words = new Map<string, number>()
  const foreign = new Set(object.joins.flatMap((join) => equalColumns(join.on).columnsFrom))
  const rows = [...object.columns.values()].map((column) => attribute(column, wordFor(column.name, words), foreign))
  return [`${head} {`, ...rows, '    }']
}

function headingOf({ name, bridge, closure }: DataObject): string {
  if (closure) return `${name} (tree of ${closure.dataObject}, by ${closure.parent})`
  return bridge ? `${name} (bridge)` : name
}

function attribute({ name, type, primaryKey }: Column, word: string, foreign: ReadonlySet<string>): string {
  const keys = [...(primaryKey ? ['PK'] : []), ...(foreign.has(name) ? ['FK'] : [])].join(', ')
  const comment = word === name ? '' : ` "${escaped(name)}"`
  return `        ${type.kind} ${word}${keys && ` ${keys}`}${comment}`
}

/** A word that Mermaid accepts as the name of an attribute, unique in its entity. */
function wordFor(name: string, taken: Map<string, number>): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '')
  const base = /^[A-Za-z]/.test(plain) && !RESERVED.test(plain) ? plain : `c_${plain}`
  // Many names may give one word: the next try begins where the last one ended.
  const key = base.toLowerCase()
  let next = taken.get(key) ?? 1
  let word = base
  for (; taken.has(word.toLowerCase()); next++) word = `${base}_${next + 1}`
  taken.set(word.toLowerCase(), taken.get(word.toLowerCase()) ?? 1)
  taken.set(key, next)
  return word
}

/** Mermaid reads these as key marks, in any case. */
const RESERVED = /^(pk|fk|uk)$/i

/** The join from elements to the row that contains them is named after the column of the elements. */
function labelOf({ to, pathName, on }: Join, nestedIn: DataObject['nestedIn']): string {
  return pathName ?? (nestedIn?.dataObject === to && !isHiddenName(nestedIn.column) ? `in ${nestedIn.column}` : comparedText(on))
}

function comparedText(on: Join['on']): string {
  const texts = on.map((term) => {
    if (term.kind === 'equal') return term.from
    if (term.kind === 'as-of') return `${term.value} as of`
    const { interval, value, start, end } = term
    return interval === 'to' ? `${value} during` : `during ${start.at} to ${end.at}`
  })
  return texts.join(', ')
}

function relationship({ from, to, cardinality, secondary, required }: Join, label: string, ids: ReadonlyMap<string, string>) {
  const left = cardinality === 'one-to-one' ? '|o' : '}o'
  const right = cardinality === 'many-to-many' ? 'o{' : required ? '||' : 'o|'
  return `    ${ids.get(from)} ${left}${secondary ? '..' : '--'}${right} ${ids.get(to)} : "${escaped(label)}"`
}

/** Every character that Mermaid or the page around it could read as markup is written as its number. */
function escaped(text: string): string {
  const characters = text.replace(/\s+/gu, ' ').replace(/[^\p{L}\p{N}\p{M} _.,()-]/gu, (c) => `#${c.codePointAt(0)};`)
  return characters.trim() === '' ? '#160;' : characters
}
