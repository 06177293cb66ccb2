import { isNumeric, isTemporal } from '../../model/data-type.js'
import type { DraftColumn } from './draft.js'
import { isId, isNameOf } from './guess-keys.js'
import type { ModelObject } from './model-object.js'
import type { ColumnFacts, Structure } from './structure.js'
import {
  ADDED,
  ADDED_OF_THINGS,
  AVERAGED,
  CATEGORIES,
  CHANGES,
  CONTACT,
  LENGTHS,
  NAMES,
  PLACES,
  PROSE,
  REFERRING,
  SUMMED,
} from './vocabulary.js'

/** What a column becomes. `why` explains it where a reader may expect something else. */
export type ColumnUse =
  | { readonly kind: 'none'; readonly why?: string }
  | { readonly kind: 'group' | 'time'; readonly hidden?: string; readonly why?: string }
  | { readonly kind: 'measure'; readonly aggregation: 'sum' | 'avg' }
  /** A text that is a day; `isIso` if it is written as a cast reads it. */
  | { readonly kind: 'date-text'; readonly isIso: boolean }
  /** Neither its name nor its values say how it adds up. */
  | { readonly kind: 'unsure' }

/** Texts of more characters are read, and not grouped by. */
const LONG_TEXT = 300
/** A number with so few values, each on several rows, is a code. */
const FEW_CODES = 12
const ROWS_OF_CODES = 12

export function useOf(object: ModelObject, column: DraftColumn, structure: Structure, facts: ColumnFacts | undefined): ColumnUse {
  const { type } = column
  if (type === undefined) return { kind: 'group' }
  if (type.kind === 'json') return { kind: 'none', why: 'JSON: read its parts in a column with an expression' }
  if (isKey(object, column, structure)) return { kind: 'none' }
  if (facts !== undefined && facts.rows > 0 && facts.present === 0) return { kind: 'none', why: 'no row has a value' }
  if (isTemporal(type)) return timeUse(object, column)
  if (type.kind === 'boolean') return { kind: 'group' }
  if (type.kind === 'string') return textUse(object, column, facts)
  return isNumeric(type) ? numberUse(object, column, structure, facts) : { kind: 'none' }
}

/** Numeric keys have no meaning; a text key may be queried. */
function isKey({ table }: ModelObject, column: DraftColumn, { keys, links }: Structure): boolean {
  if (column.type !== undefined && isTemporal(column.type)) return false
  const link = links.find(({ from, columnsFrom }) => from === table && columnsFrom.includes(column))
  if (link !== undefined)
    return !isReadable(column) && (column.type?.kind !== 'string' || isId(column) || link.to.columns.some(isReadable))
  const isOwn = keys.get(table)?.columns.includes(column) === true
  return isOwn && (column.type?.kind !== 'string' || /uuid/i.test(column.sqlType))
}

/** A name is read, whatever joins it; so is a text that refers to rows without a name. */
const isReadable = ({ type, words }: DraftColumn): boolean => type?.kind === 'string' && NAMES.has(words.at(-1) ?? '')

const timeUse = ({ table }: ModelObject, column: DraftColumn): ColumnUse => {
  if (isOfChange(column)) return { kind: 'time', hidden: 'the time of the last change' }
  const others = table.columns.filter((other) => other !== column && other.type && isTemporal(other.type) && !isOfChange(other))
  const isCreation = column.words.some((word) => ['created', 'inserted'].includes(word))
  return isCreation && others.length > 0 ? { kind: 'time', hidden: 'the time when the row was added' } : { kind: 'time' }
}

export const isOfChange = ({ words }: DraftColumn): boolean => words.some((word) => CHANGES.has(word))

function textUse({ table }: ModelObject, column: DraftColumn, facts: ColumnFacts | undefined): ColumnUse {
  const { words, sqlType } = column
  const last = words.at(-1) ?? ''
  if (/uuid/i.test(sqlType)) return { kind: 'none' }
  if (isOfChange(column)) return { kind: 'group', hidden: 'of the last change' }
  if (PROSE.has(last) || (!NAMES.has(last) && (facts?.longest ?? 0) > LONG_TEXT)) return { kind: 'group', hidden: 'long text' }
  if (isContact(words) && !(last === 'email' && !table.columns.some(isReadable))) return { kind: 'group', hidden: 'contact' }
  const written = facts === undefined ? undefined : dateFormOf(facts)
  if (written !== undefined) return { kind: 'date-text', isIso: written === 'iso' }
  const flag = facts === undefined ? undefined : flagOf(facts)
  return flag === undefined ? { kind: 'group' } : { kind: 'group', why: asBoolean(column, `'${flag}'`) }
}

const isContact = (words: readonly string[]): boolean =>
  CONTACT.has(words.at(-1) ?? '') || words.slice(-2).join(' ') === 'postal code' || words.slice(-2).join(' ') === 'zip code'

/** How texts write a day: all that lie between two days of one form have it, too, as far as a catalogue of them can say. */
function dateFormOf({ first = '', last = '', distinct }: ColumnFacts): 'iso' | 'other' | undefined {
  if (distinct < 2) return undefined
  if (ISO_DAY.test(first) && ISO_DAY.test(last)) return 'iso'
  return OTHER_DAY.test(first) && OTHER_DAY.test(last) ? 'other' : undefined
}

const ISO_DAY = /^\d{4}-[01]\d-[0-3]\d([T ]|$)/
const OTHER_DAY = /^(\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|(\d{1,2} )?[A-Z][a-z]{2} (\d{1,2},? )?\d{4}|\d{8})\b/

/** The text that means true, of two texts that say yes and no. */
function flagOf({ distinct, first, last }: ColumnFacts): string | undefined {
  if (distinct !== 2 || first === undefined || last === undefined) return undefined
  const pair = `${first} ${last}`.toLowerCase()
  return ['n y', 'no yes', 'f t', 'false true', '0 1'].includes(pair) ? last : undefined
}

const asBoolean = ({ label }: DraftColumn, value: string): string =>
  `a flag; for true and false add a column: { expression: "{${label}} = ${value}", abstractType: boolean }`

function numberUse(object: ModelObject, column: DraftColumn, structure: Structure, facts: ColumnFacts | undefined): ColumnUse {
  const { words, type } = column
  const { table } = object
  const last = words.at(-1) ?? ''
  const isInt = type?.kind === 'int'
  if (isId(column) || isClock(words)) return { kind: 'none' }
  if (isInt && CATEGORIES.has(last)) return isNameOf(words, table.words) ? { kind: 'none' } : { kind: 'group' }
  if (isNameOf(words, table.words) && words.length === 1 && !hasAny(words, ADDED)) return { kind: 'none' }
  if ((isInt && hasAny(words, CATEGORIES)) || CATEGORIES.has(last) || hasAny(words, PLACES)) return { kind: 'none' }
  // `reports_to`, `created_by`: refers to a row of some table.
  if (isInt && words.length > 1 && REFERRING.has(last)) return { kind: 'none' }
  if (facts !== undefined && isInt && !hasAny(words, ADDED)) {
    const codes = codesOf(column, facts)
    if (codes) return codes
  }
  // A role of a table is only looked up; its numbers belong to the table.
  if (object.role.length > 0) return { kind: 'none' }
  return aggregated(isThing(object, structure), column, facts)
}

const isClock = (words: readonly string[]): boolean => words.at(-1) === 'time' && !LENGTHS.has(words.at(-2) ?? '')

/** Years, flags and codes are grouped by, whatever their name. */
function codesOf(column: DraftColumn, { rows, distinct, min, max }: ColumnFacts): ColumnUse | undefined {
  if (min === undefined || max === undefined) return undefined
  if (min === 0 && max === 1) return { kind: 'group', why: asBoolean(column, '1') }
  if (hasAny(column.words, AVERAGED)) return undefined
  const isYear = min >= 1700 && max <= 2200 && distinct <= max - min + 1 && distinct > 1
  const isCode = rows >= ROWS_OF_CODES && distinct <= FEW_CODES && distinct * 4 <= rows && min >= 0
  return isYear || isCode ? { kind: 'group' } : undefined
}

/** How a number adds up: by its words, and by its values where the words say nothing. */
function aggregated(isThing: boolean, { words, type }: DraftColumn, facts: ColumnFacts | undefined): ColumnUse {
  const avg: ColumnUse = { kind: 'measure', aggregation: 'avg' }
  const sum: ColumnUse = { kind: 'measure', aggregation: 'sum' }
  if (hasAny(words, AVERAGED) && !hasAny(words, SUMMED)) return avg
  // Fractions between 0 and 1 are rates, whatever their name.
  const isFraction = type?.kind !== 'int' && facts?.min !== undefined && facts.min >= 0 && (facts.max ?? 2) <= 1
  if (isFraction) return avg
  if (hasAny(words, ADDED)) return !isThing || hasAny(words, ADDED_OF_THINGS) ? sum : avg
  // Amounts of events are money more often than not, and are never below 0 like a temperature.
  const isAmount = type?.kind === 'decimal' && type.scale > 0 && (facts?.min ?? 0) >= 0
  return isAmount && !isThing ? sum : { kind: 'unsure' }
}

/** A table to which others refer, and that describes no event: films, not rentals. */
function isThing({ table }: ModelObject, { links }: Structure): boolean {
  if (!links.some(({ to, from }) => to === table && from !== table)) return false
  const hasTime = table.columns.some((column) => column.type && isTemporal(column.type) && !isOfChange(column))
  return !(hasTime && links.some(({ from, to }) => from === table && to !== table))
}

const hasAny = (words: readonly string[], known: ReadonlySet<string>): boolean => words.some((word) => known.has(word))
