/** Measures and metrics that a query writes itself. The rules are those of the model. */

import { finished } from '../../finished.js'
import { measureSchema } from '../document/measure.js'
import { metricSchema } from '../document/metric.js'
import { modelSchema } from '../document.js'
import { type Fault, Faults } from '../faults.js'
import type { AggregateSpec, FunctionSpec } from '../functions/function-spec.js'
import type { Segments } from '../parse/locate.js'
import type { Measure, Metric, SemanticModel } from '../semantic-model.js'
import { type Schema, ShapeChecker, WRITTEN_IN_QUERY } from '../shape.js'
import { checkUnitsOf } from './check-units.js'
import type { Context, DraftObject } from './context.js'
import { readMeasures } from './measures.js'
import { readMetrics } from './metrics.js'

/** A definition as in a model. It has none of the keys that serve lists of fields. */
export interface OwnMeasure {
  readonly name: string
  readonly definition: Readonly<Record<string, unknown>>
}

/** The fields of the entries. The place of a fault is `[index, …key]`: the index is that of the entry. */
export interface OwnMeasures {
  readonly measures: ReadonlyMap<string, Measure>
  readonly metrics: ReadonlyMap<string, Metric>
  readonly faults: readonly Fault[]
}

interface Catalogue {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** Reads the entries. Their names differ, and no field of the model has one of them. Mistakes in an entry are faults; this function does not throw. */
export function readOwnMeasures(own: readonly OwnMeasure[], model: SemanticModel, catalogue: Catalogue): OwnMeasures {
  const faults = new Faults()
  const entries = own.map((one, at) => ({ ...one, section: sectionOf(one), entry: shaped(one, at, faults) }))
  const indexOf = new Map(own.map(({ name }, at) => [name, at]))
  const placed = () => faults.list.map((fault) => ({ ...fault, segments: inOwn(fault.segments, indexOf) }))
  if (faults.list.length > 0) return { measures: NONE, metrics: NONE, faults: placed() }
  const context = contextOf(entries, model, { ...catalogue, faults })
  const { dimensions } = model
  const measures = finished(readMeasures(dimensions, context))
  const known = { measures: new Map([...model.measures, ...measures]), dimensions, metrics: model.metrics }
  const metrics = finished(readMetrics(known, context))
  const all = { ...model, measures: known.measures, metrics: new Map([...model.metrics, ...metrics]) }
  if (faults.list.length === 0) checkUnitsOf([...measures.keys(), ...metrics.keys()], all, context)
  return { measures, metrics, faults: placed() }
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>()

type Section = 'measures' | 'metrics'

/** Metrics can have an aggregation too, but only metrics have a type. */
const sectionOf = ({ definition }: OwnMeasure): Section =>
  Object.hasOwn(definition, 'aggregation') && !Object.hasOwn(definition, 'type') ? 'measures' : 'metrics'

/** Keys that describe a field in lists of fields, or hide it there. */
const OF_LISTS: ReadonlySet<string> = new Set(['hidden', 'owner', 'synonyms', 'status', 'use', 'customExtensions', 'comment'])

const withoutLists = (schema: Schema): Schema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([key]) => !OF_LISTS.has(key))),
})

const SCHEMAS: Readonly<Record<Section, Schema>> = {
  measures: withoutLists(measureSchema as unknown as Schema),
  metrics: withoutLists(metricSchema as unknown as Schema),
}

const shaped = (one: OwnMeasure, at: number, faults: Faults): unknown =>
  finished(
    new ShapeChecker(modelSchema as unknown as Schema, faults).check(one.definition, SCHEMAS[sectionOf(one)], [
      WRITTEN_IN_QUERY,
      at,
    ]),
  )

interface Entry extends OwnMeasure {
  readonly section: Section
  readonly entry: unknown
}

/** The context of a model that has only these entries. Functions of a single engine are not there: only authors of models may call them. */
function contextOf(entries: readonly Entry[], model: SemanticModel, reading: Catalogue & { readonly faults: Faults }): Context {
  const section = (wanted: Section) =>
    Object.fromEntries(entries.flatMap(({ section, name, entry }) => (section === wanted ? [[name, entry]] : [])))
  return {
    ...reading,
    functions: new Map([...reading.functions].filter(([, { internal = false }]) => !internal)),
    document: {
      ...model.document,
      dataObjects: pathsOf(model),
      measures: section('measures'),
      metrics: section('metrics'),
    } as Context['document'],
    isBroken: () => false,
    portable: true,
    grains: model.grains,
    parameters: model.parameters,
    objects: draftsOf(model),
  }
}

/** The names of joins, which a filter with `exists` can need. Askers who may not read the text of the model may know these names. */
function pathsOf({ dataObjects }: SemanticModel): Context['document']['dataObjects'] {
  const named = [...dataObjects].map(([name, { joins }]) => [
    name,
    { joins: joins.flatMap(({ pathName }) => (pathName === undefined ? [] : [{ pathName }])) },
  ])
  return Object.fromEntries(named) as Context['document']['dataObjects']
}

const DRAFTS = new WeakMap<SemanticModel, Context['objects']>()

/** The objects of a model in the form that the readers of measures and metrics take. They are made once, because a model can have 100,000 columns. */
function draftsOf(model: SemanticModel): Context['objects'] {
  const known = DRAFTS.get(model)
  if (known) return known
  const drafts = [...model.dataObjects].map(([name, object]): [string, DraftObject] => [
    name,
    { broken: false, columnNames: new Set(object.columns.keys()), columns: new Map(object.columns), object },
  ])
  const made = new Map(drafts)
  DRAFTS.set(model, made)
  return made
}

/** Replaces the section and the name of an entry by its index. */
function inOwn([section, name, ...rest]: Segments, indexOf: ReadonlyMap<string, number>): Segments {
  return section === WRITTEN_IN_QUERY ? [name ?? 0, ...rest] : [indexOf.get(String(name)) ?? 0, ...rest]
}
