import { rowCount } from '../model/analyse/row-counts.js'
import { canonical } from '../model/content-hash.js'
import type { Dimension, SemanticModel } from '../model/semantic-model.js'

export interface Countable {
  readonly model: SemanticModel
  /** The name of the measure that counts the object's rows. */
  readonly count: string
}

/** The model with a measure that counts the rows of `object`: an existing one, or else a new one with an unused name. */
export function rowCountOf(object: string, model: SemanticModel): Countable {
  for (const measure of model.measures.values()) if (isRowCount(measure, object)) return { model, count: measure.name }
  const count = freeName('Count', model)
  const measure = rowCount(count, object)
  return {
    model: added(model, canonical({ count, object }), ({ measures }) => ({ measures: new Map([...measures, [count, measure]]) })),
    count,
  }
}

/** The model with one more dimension, with an unused name. */
export function withDimension(wanted: Dimension, model: SemanticModel): { readonly model: SemanticModel; readonly name: string } {
  const name = freeName(wanted.name, model)
  const withIt = ({ dimensions }: SemanticModel) => ({ dimensions: new Map([...dimensions, [name, { ...wanted, name }]]) })
  return { model: added(model, canonical(wanted), withIt), name }
}

/** The model with further fields, in what it shows and in what its queries are computed by. */
function added(model: SemanticModel, what: string, fields: (model: SemanticModel) => Partial<SemanticModel>): SemanticModel {
  const { hiding } = model
  return {
    ...model,
    ...fields(model),
    contentHash: `${model.contentHash}+${what}`,
    ...(hiding && { hiding: { ...hiding, computed: { ...hiding.computed, ...fields(hiding.computed) } } }),
  }
}

/** A measure that only counts the rows: without filters, scaling or a default. */
function isRowCount(measure: ReturnType<typeof rowCount>, object: string): boolean {
  return measure.rowCountOf === object && measure.inputs.length + measure.filters.length === 0 && isPlain(measure)
}

const isPlain = ({ total, grain, filterContext, semiAdditive, defaultValue }: ReturnType<typeof rowCount>): boolean =>
  !total && [grain, filterContext, semiAdditive, defaultValue].every((each) => each === undefined)

function freeName(wanted: string, { dimensions, measures, metrics }: SemanticModel): string {
  const taken = new Set([dimensions, measures, metrics].flatMap((map) => [...map.keys()].map((name) => name.toLowerCase())))
  let name = wanted
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted} ${n}`
  return name
}
