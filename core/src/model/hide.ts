/** The view of a principal from whom fields are hidden. */

import { isHiddenName } from '../hidden-name.js'
import { columnsOfCondition } from './columns-read.js'
import type { ModelDocument } from './document.js'
import { columnKey, mentionsOf, readsHidden } from './hidden-fields.js'
import { type Renaming, renamed } from './renamed.js'
import type { DataObject, Dimension, HiddenNames, Measure, Metric, SemanticModel } from './semantic-model.js'

/**
 * The model without what is hidden. Queries are computed by `hiding.computed`, in which everything hidden has a name that `secretOf` makes, so that a name in a
 * query never means it, while the measures and metrics that are published still read it.
 */
export function withoutFields(model: SemanticModel, hidden: HiddenNames, secretOf: (name: string) => string): SemanticModel {
  const names: Renaming = {
    object: (name) => (hidden.objects.has(name) ? secretOf(name) : name),
    column: (object, column) => (hidden.columns.has(columnKey({ object, column })) ? secretOf(`${object}\0${column}`) : column),
    field: (name) => (hidden.fields.has(name) ? secretOf(name) : name),
  }
  const other = renamed(model, names)
  const computed = {
    ...other,
    ...segmentsAndExamples(model, hidden),
    views: shownViews(model, hidden),
    restriction: other.restriction && { ...other.restriction, whole: model },
  }
  const published = [...model.measures.keys(), ...model.metrics.keys()].filter(
    (name) => !hidden.fields.has(name) && readsHidden(name, hidden, model),
  )
  const shown = shownOf(computed)
  return {
    ...shown,
    document: shownDocument(model.document, shown, new Set(published), mentionsOf(hidden)),
    hiding: { computed, published: new Set(published), dataObjects: model.dataObjects },
  }
}

function segmentsAndExamples(
  { segments, examples }: SemanticModel,
  hidden: HiddenNames,
): Pick<SemanticModel, 'segments' | 'examples'> {
  const mentions = mentionsOf(hidden)
  return {
    segments: new Map([...segments].filter(([name]) => !hidden.segments.has(name))),
    examples: examples.filter(({ query }) => !mentions(query)),
  }
}

/** The views without the fields that are hidden. One whose conditions read such a field is not there. */
function shownViews({ views }: SemanticModel, hidden: HiddenNames): SemanticModel['views'] {
  const mentions = mentionsOf(hidden)
  return new Map(
    [...views]
      .filter(([, { where }]) => !mentions(where))
      .map(([name, view]) => [
        name,
        { ...view, fields: new Map([...view.fields].filter(([, field]) => !hidden.fields.has(field))) },
      ]),
  )
}

/** Every list without the names that nobody may see. */
export function shownOf(computed: SemanticModel): SemanticModel {
  const { settings, dataObjects, dimensions, measures, metrics, filters } = computed
  const { mainFact } = settings
  return {
    ...computed,
    settings: mainFact !== undefined && isHiddenName(mainFact) ? { ...settings, mainFact: undefined } : settings,
    dataObjects: new Map(
      [...dataObjects].flatMap(([name, object]) =>
        isHiddenName(name) || isHiddenTree(object) || isHiddenList(object) ? [] : [[name, shownObject(object)] as const],
      ),
    ),
    dimensions: without(dimensions),
    measures: without(measures),
    metrics: without(metrics),
    filters: filters.filter(
      ({ dataObject, condition }) =>
        !isHiddenName(dataObject) && !columnsOfCondition(condition).some(({ column }) => isHiddenName(column)),
    ),
  }
}

const without = <F extends Dimension | Measure | Metric>(fields: ReadonlyMap<string, F>): ReadonlyMap<string, F> =>
  new Map([...fields].filter(([name]) => !isHiddenName(name)).map(([name, field]) => [name, shownField(field)]))

/** Names of other fields that are beside a definition, and not in it. */
function shownField<F extends Dimension | Measure | Metric>(field: F): F {
  const use = field.use !== undefined && isHiddenName(field.use) ? undefined : field.use
  return 'hierarchy' in field
    ? { ...field, use, hierarchy: field.hierarchy.filter((name) => !isHiddenName(name)) }
    : { ...field, use }
}

/** A closure over what is hidden is not there at all. */
const isHiddenTree = ({ closure }: DataObject): boolean =>
  closure !== undefined && [closure.dataObject, closure.key, closure.parent].some(isHiddenName)

/** Nor are the elements of a hidden list. A list that holds a hidden field has other columns. */
const isHiddenList = ({ nestedIn, columns }: DataObject): boolean =>
  nestedIn !== undefined && [...columns.keys()].every((name) => isHiddenName(name))

const shownObject = (object: DataObject): DataObject => ({
  ...object,
  columns: new Map([...object.columns].filter(([name]) => !isHiddenName(name))),
  key: object.key.some(isHiddenName) ? [] : object.key,
  joins: object.joins.filter(({ to }) => !isHiddenName(to)),
  uniqueKeys: object.uniqueKeys.filter((key) => !key.some(isHiddenName)),
  weight: object.weight !== undefined && isHiddenName(object.weight) ? undefined : object.weight,
})

/** The text of the model as receipts and descriptions repeat it: of a published field only what is not its definition. */
function shownDocument(
  document: ModelDocument,
  shown: SemanticModel,
  published: ReadonlySet<string>,
  mentions: (written: unknown) => boolean,
): ModelDocument {
  const { access: _access, tests: _tests, decisions: _decisions, dataObjects: _dataObjects, views: _views, ...rest } = document
  const { dimensions = {}, measures = {}, metrics = {}, segments = {}, filters = [], examples = [] } = document
  const kept = <E>(entries: Readonly<Record<string, E>>, known: ReadonlyMap<string, unknown>): Record<string, E> =>
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, entry]) =>
        known.has(name) ? [[name, published.has(name) ? ({} as E) : entry]] : [],
      ),
    )
  return {
    ...rest,
    dimensions: kept(dimensions, shown.dimensions),
    measures: kept(measures, shown.measures),
    metrics: kept(metrics, shown.metrics),
    segments: kept(segments, shown.segments),
    filters: filters.filter((filter) => !namesColumn(filter, mentions)),
    examples: examples.filter(({ query }) => !mentions(query)),
  }
}

/** A static filter names its object and its column apart. */
function namesColumn(filter: object, mentions: (written: unknown) => boolean): boolean {
  const { dataObject, column } = filter as Readonly<Record<string, unknown>>
  return mentions(filter) || mentions(`${dataObject}.${column}`)
}
