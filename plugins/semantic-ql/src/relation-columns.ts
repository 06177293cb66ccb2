/** The columns of a relation, for `SELECT *` and for the catalogue, in the same order. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SemanticModel } from '@grainline/core'
import {
  combines,
  componentsOf,
  computedModel,
  type Dimension,
  type FieldCatalogues,
  factsOf,
  joinGraph,
  measuresAt,
  modelColumns,
  type NamedModel,
  type ResultSchema,
} from '@grainline/core/language'
import { isOfItsRows } from './main-fact.js'

export interface RelationColumns {
  readonly schema: ResultSchema
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
  /** Measures whose value depends on rows other than the fact rows that their row of the answer represents. */
  readonly beyondRows: ReadonlySet<string>
}

const known = new WeakMap<SemanticModel, Map<string | undefined, Promise<RelationColumns>>>()

/** The dimensions that the relation's fact reaches, and the measures and metrics that compose with them. Computed once per model. */
export function relationColumns({ model, fact, view }: Pick<NamedModel, 'model' | 'fact' | 'view'>, catalogue: FieldCatalogues) {
  const ofModel = known.get(model) ?? new Map<string | undefined, Promise<RelationColumns>>()
  known.set(model, ofModel)
  const found =
    ofModel.get(fact) ??
    columnsOf({ model, readBy: view === undefined ? model : computedModel(model) }, fact ?? factsOf(model).main, catalogue)
  ofModel.set(fact, found)
  return found
}

interface Related {
  readonly model: SemanticModel
  /** Has the measures that metrics read: those of a view may read some that it does not show. */
  readonly readBy: SemanticModel
}

async function columnsOf(
  { model, readBy }: Related,
  fact: string | undefined,
  catalogue: FieldCatalogues,
): Promise<RelationColumns> {
  const all = await modelColumns(model, catalogue)
  const reached = fact === undefined ? [] : dimensionsOf(model, fact)
  const dimensions = reached.map((d) => d.name)
  const fitting = new Set(dimensions)
  const beside = representatives(reached, model)
  for (const { name, role } of all) {
    if (role === 'dimension' || fact === undefined) continue
    if (combines({ dimensions: beside, measure: name }, model, catalogue)) fitting.add(name)
    await nextTurn()
  }
  // Without a fact the rows are undefined, so the catalogue lists every field.
  const schema = fact === undefined ? all : all.filter((column) => fitting.has(column.name))
  const measures = schema.filter(({ role }) => role !== 'dimension').map(({ name }) => name)
  const counted = fact === undefined ? new Set<string>() : new Set(measuresAt(readBy, fact))
  return { schema, dimensions, measures, beyondRows: new Set(measures.filter((name) => !isOfRows(name, counted, readBy))) }
}

function dimensionsOf(model: SemanticModel, fact: string): Dimension[] {
  const graph = joinGraph(model, [])
  return [...model.dimensions.values()].filter((d) => !d.hidden && graph.reaches(fact, d.dataObject, d.via))
}

/** One dimension for each path to an object, and those that metrics run along: a measure that composes with these composes with all. */
function representatives(dimensions: readonly Dimension[], { metrics }: SemanticModel): string[] {
  const along = new Set([...metrics.values()].flatMap((metric) => ('timeDimension' in metric ? [metric.timeDimension] : [])))
  const ways = new Map(dimensions.toReversed().map((d) => [`${d.dataObject} ${d.via ?? ''}`, d]))
  return dimensions.filter((d) => along.has(d.name) || ways.get(`${d.dataObject} ${d.via ?? ''}`) === d).map((d) => d.name)
}

/** True for a measure that counts only the rows that its row of the answer represents. */
function isOfRows(name: string, counted: ReadonlySet<string>, model: SemanticModel): boolean {
  const measure = model.measures.get(name)
  if (measure) return counted.has(name) && isOfItsRows(measure)
  const metric = model.metrics.get(name)
  return metric?.type === 'derived' && componentsOf(metric).every((each) => isOfRows(each, counted, model))
}
