/** The object whose rows a model represents if a statement reads rows: `SELECT *`, `COUNT(*)`, bare projections. */
import type { SemanticModel } from '@grainline/core'
import { factsOf, type Measure, type NamedModel } from '@grainline/core/language'
import { type Place, refuse } from './refusal.js'

/** The object whose rows a relation represents. Throws `ANCHOR_REQUIRED`, naming the choices. */
export function factOf({ model, fact, names }: NamedModel, at: Place | undefined): string {
  const { main, tied, all } = factsOf(model)
  const found = fact ?? main
  if (found !== undefined) return found
  const choices = tied.length > 0 ? tied : [...model.dataObjects.keys()]
  const quoted = choices.slice(0, 5).map((name) => `'${name}'`)
  return refuse(
    'ANCHOR_REQUIRED',
    `The model does not say which rows SELECT * reads: ${quoted.join(' or ')}; set settings.mainFact, or name the relation of one`,
    { at, suggestions: all.map((object) => relationName(names[0] ?? '', object)) },
  )
}

/** The name of the relation of another fact. */
export const relationName = (model: string, fact: string): string => `${model}__${fact}`

/** The measure that counts the rows of an object, all of them and nothing else; `undefined` if the model has none. */
export const rowCountOf = (model: SemanticModel, object: string): Measure | undefined =>
  [...model.measures.values()].find((measure) => measure.rowCountOf === object && isPlain(measure))

/** The measure that `COUNT(*)` means: the count of an object's rows, also if the relation is a view that does not show it. */
export const countedRowsOf = ({ model, rowCounts }: NamedModel, object: string): Measure | undefined =>
  rowCountOf(model, object) ?? rowCounts?.find((measure) => measure.rowCountOf === object && isPlain(measure))

/** True for a measure whose value depends only on the rows of its group. */
export const isOfItsRows = ({ total, grain, filterContext, semiAdditive }: Measure): boolean =>
  !total && grain === undefined && filterContext === undefined && semiAdditive === undefined

const isPlain = (measure: Measure): boolean => isOfItsRows(measure) && measure.filters.length === 0
