/** The meaning of a name of a statement in a model. */
import type { DataType, SemanticModel } from '@grainline/core'
import {
  bucketType,
  type Dimension,
  didYouMean,
  fieldOfSynonym,
  findNamed as find,
  findColumn,
  type Grain,
  isOffered,
  isTemporal,
  knownNames,
  lengthOfGrain,
  type Measure,
  nameOfGrain,
  shown,
  splitGrain,
  staysWithin,
  suggestedFields,
  TIME_GRAINS,
} from '@grainline/core/language'
import { type Place, refuse } from './refusal.js'

export type Field =
  | { readonly kind: 'dimension'; readonly dimension: Dimension; readonly grain: Grain | undefined }
  | { readonly kind: 'measure'; readonly name: string; readonly measure: Measure | undefined }
  | { readonly kind: 'column'; readonly name: string; readonly type: DataType }

/** The field of a name, or of two words as `Object.Column`. Throws `UNKNOWN_SELECT_ITEM` with suggestions. */
export function fieldOf(words: readonly string[], model: SemanticModel, at: Place | undefined): Field {
  return findField(words, model) ?? unknownField(words, model, at)
}

export const findField = (words: readonly string[], model: SemanticModel): Field | undefined =>
  words.length === 1 ? namedField(words.join(), model) : columnField(words, model)

/** The exact name, else the only name of any kind that differs only in case, else the field of a synonym, else a dimension with a grain after a colon. */
function namedField(text: string, model: SemanticModel): Field | undefined {
  const { dimensions, measures, metrics } = model
  const exact = [dimensions, measures, metrics].some((fields) => fields.has(text))
  const name = exact
    ? text
    : (soleSimilar(text, [...dimensions.keys(), ...measures.keys(), ...metrics.keys()]) ?? fieldOfSynonym(text, model))
  if (name === undefined) return withGrain(text, model)
  const dimension = dimensions.get(name)
  if (dimension) return { kind: 'dimension', dimension, grain: undefined }
  return { kind: 'measure', name, measure: measures.get(name) }
}

function soleSimilar(text: string, names: readonly string[]): string | undefined {
  const folded = text.toLowerCase()
  const similar = names.filter((name) => name.toLowerCase() === folded)
  return similar.length === 1 ? similar[0] : undefined
}

function withGrain(text: string, model: SemanticModel): Field | undefined {
  const { name, grain } = splitGrain(text, model)
  const dimension = grain && (find(name, model.dimensions) ?? model.dimensions.get(fieldOfSynonym(name, model) ?? ''))
  return dimension && isTemporal(dimension.type) ? { kind: 'dimension', dimension, grain } : undefined
}

function columnField(words: readonly string[], model: SemanticModel): Field | undefined {
  const found = findColumn(words.join('.'), model)
  return found && { kind: 'column', name: `${found.ref.object}.${found.ref.column}`, type: found.column.type }
}

function unknownField(words: readonly string[], model: SemanticModel, at: Place | undefined): never {
  const name = words.join('.')
  const fields = [...model.dimensions.values(), ...model.measures.values(), ...model.metrics.values()].filter(isOffered)
  const suggestions = suggestedFields(name, words.length === 1 ? fields : [...fields, ...columnNames(model)])
  const what = words.length === 1 ? 'a dimension, measure or metric' : 'a column'
  return refuse('UNKNOWN_SELECT_ITEM', `'${shown(name)}' is not ${what} of this model${didYouMean(suggestions)}`, {
    at,
    suggestions,
    ...(suggestions.length === 0 && knownNames(fields)),
  })
}

function* columnNames({ dataObjects }: SemanticModel): Iterable<string> {
  for (const object of dataObjects.values()) for (const column of object.columns.keys()) yield `${object.name}.${column}`
}

/** `Name` or `Name:grain`, as a query writes the dimension. */
export const dimensionText = (dimension: Dimension, grain: Grain | undefined): string =>
  grain === undefined || grain === dimension.timeGrain ? dimension.name : `${dimension.name}:${nameOfGrain(grain)}`

/** The type of the values of a dimension. */
export function shownType({ type, timeGrain }: Dimension, grain: Grain | undefined): DataType {
  const bucket = grain ?? timeGrain
  return bucket === undefined ? type : bucketType(bucket)
}

/** Whether buckets of a declared grain nest in those of a coarser grain. */
export function nests(fine: Grain | undefined, coarse: Grain): boolean {
  if (fine === undefined || fine === coarse) return true
  if (lengthOfGrain(fine) >= lengthOfGrain(coarse) || !staysWithin(fine, coarse)) return false
  const isCivilWeek = (grain: Grain): boolean => grain === 'week'
  return !isCivilWeek(fine) && (!isCivilWeek(coarse) || lengthOfGrain(fine) <= TIME_GRAINS.indexOf('day'))
}
