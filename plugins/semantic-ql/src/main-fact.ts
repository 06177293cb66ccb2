/** Whose rows a model stands for where a statement asks for rows: `SELECT *`, `COUNT(*)`, bare projections. */
import type { SemanticModel } from '@grainline/core'
import type { NamedModel } from '@grainline/core/surface'
import { baseOf, type JoinGraph, joinGraph, type Measure } from '@grainline/core/unstable'

import { attempt } from './attempt.js'
import type { Place } from './place.js'
import { refuse } from './refusal.js'

/** The data objects of a model at which measures are counted. */
export interface Facts {
  /** `undefined` where several objects count as many measures, and the model does not say which it is. */
  readonly main: string | undefined
  /** Those with measures of their own beside the count of their rows, the main one among them. */
  readonly all: readonly string[]
  /** The objects that tie for being the main one. */
  readonly tied: readonly string[]
}

const known = new WeakMap<SemanticModel, Facts>()

export function factsOf(model: SemanticModel): Facts {
  const facts = known.get(model) ?? find(model)
  known.set(model, facts)
  return facts
}

function find(model: SemanticModel): Facts {
  const graph = joinGraph(model, [])
  const counted = new Map<string, number>()
  const declared = new Set<string>()
  for (const measure of model.measures.values()) {
    const base = baseOrNone(measure, graph)
    if (base === undefined) continue
    counted.set(base, (counted.get(base) ?? 0) + 1)
    if (measure.rowCountOf === undefined) declared.add(base)
  }
  const most = Math.max(0, ...counted.values())
  const tied = [...counted].filter(([, count]) => count === most).map(([object]) => object)
  const main = model.settings.mainFact ?? (tied.length === 1 ? tied[0] : undefined)
  return { main, tied, all: [...new Set([...(main === undefined ? [] : [main]), ...declared])] }
}

/** The object whose rows a relation stands for. Throws `ANCHOR_REQUIRED`, naming the choices. */
export function factOf({ model, fact, names }: NamedModel, at: Place | undefined): string {
  const { main, tied, all } = factsOf(model)
  const found = fact ?? main
  if (found !== undefined) return found
  const choices = tied.length > 0 ? tied : [...model.dataObjects.keys()]
  const quoted = choices.slice(0, 5).map((name) => `'${name}'`)
  return refuse(
    'ANCHOR_REQUIRED',
    `The model does not say whose rows it stands for: ${quoted.join(' or ')}; set settings.mainFact, or name the relation of one`,
    { at, suggestions: all.map((object) => relationName(names[0]!, object)) },
  )
}

/** What the relation of a further fact is called. */
export const relationName = (model: string, fact: string): string => `${model}__${fact}`

/** The measure that counts the rows of an object, all of them and nothing else; `undefined` where the model offers none. */
export const rowCountOf = (model: SemanticModel, object: string): Measure | undefined =>
  [...model.measures.values()].find((measure) => measure.rowCountOf === object && isPlain(measure))

/** True for a measure whose value depends on the rows that it is shown for, and on nothing else. */
export const isOfItsRows = ({ total, grain, filterContext, semiAdditive }: Measure): boolean =>
  !total && grain === undefined && filterContext === undefined && semiAdditive === undefined

const isPlain = (measure: Measure): boolean => isOfItsRows(measure) && measure.filters.length === 0

/** The measures that are counted at the rows of an object. */
export function measuresAt(model: SemanticModel, object: string): readonly string[] {
  const graph = joinGraph(model, [])
  return [...model.measures.values()].filter((measure) => baseOrNone(measure, graph) === object).map(({ name }) => name)
}

const baseOrNone = (measure: Measure, graph: JoinGraph): string | undefined => attempt(() => baseOf(measure, graph, ''))
