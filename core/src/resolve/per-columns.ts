/** Measures for each row of an object that a query names itself: columns of a model that only such queries see. */
import { fail } from '../errors.js'
import { lastOf } from '../invariant.js'
import { fieldsBelow } from '../model/columns-read.js'
import type { DataType } from '../model/data-type.js'
import { isTemporal } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { Column, DataObject, Dimension, MeasureSource, SemanticModel } from '../model/semantic-model.js'
import type { QueryColumn, QueryFilter, QueryObject, QueryPer } from '../query/query-object.js'
import { isSame } from '../same.js'
import { bucketType } from './bucket.js'
import { grainNamed } from './fields.js'
import { find, unknownName } from './lookup.js'
import { measureQuery } from './measure-column.js'
import type { ResolveContext } from './resolved-query.js'
import { withoutSegments } from './segments.js'
import { unknownMeasure } from './unknown-field.js'

interface QueryOnModel {
  readonly query: QueryObject
  readonly model: SemanticModel
}

type Catalogue = Pick<ResolveContext, 'functions' | 'aggregates' | 'time'>

/** A measure per object under the name by which the query reads it. */
interface PerColumn extends QueryPer {
  readonly name: string
  readonly grain: string | undefined
  readonly path: string
}

/** The query and the model with a dimension for each measure per object. The same ones if the query has none. */
export function withPerColumns({ query, model }: QueryOnModel, catalogue: Catalogue): QueryOnModel {
  const dimensions = query.select.dimensions.map((dimension, i) => ({ dimension, path: `select.dimensions[${i}]` }))
  const selected = dimensions.flatMap(({ dimension, path }): readonly PerColumn[] =>
    dimension.kind === 'per' ? [{ ...dimension, name: dimension.as, grain: dimension.grain, path }] : [],
  )
  const where = withoutSegments(query.where, model)
  const all = [...declared(query.columns ?? []), ...selected, ...where.flatMap(namedIn)]
  if (all.length === 0) return { query, model }
  const names = { ...query, select: { ...query.select, dimensions: dimensions.map(({ dimension }) => plain(dimension)) } }
  return { query: names, model: modelWith(all, model, catalogue) }
}

const declared = (columns: readonly QueryColumn[]): readonly PerColumn[] =>
  columns.map((one, i) => ({ ...one, name: one.as, grain: undefined, path: `columns[${i}]` }))

/** The model with a dimension for each of these columns. Throws the errors of a query for them. */
export const withColumns = (model: SemanticModel, columns: readonly QueryColumn[], catalogue: Catalogue): SemanticModel =>
  modelWith(declared(columns), model, catalogue)

const plain = (dimension: QueryObject['select']['dimensions'][number]): typeof dimension =>
  dimension.kind === 'per' ? { kind: 'name', text: dimension.as } : dimension

function namedIn(filter: QueryFilter): readonly PerColumn[] {
  if (filter.kind === 'group') return filter.filters.flatMap(namedIn)
  if (filter.kind !== 'leaf') return []
  const own = filter.of ? [{ ...filter.of, name: filter.field, grain: undefined, path: filter.path }] : []
  return [...own, ...(filter.subquery?.filter ?? []).flatMap(namedIn)]
}

const latest = new WeakMap<SemanticModel, Map<string, SemanticModel>>()
/** What is found about a model is found again for each of these, so only a few are kept. */
const MOST = 8

/** One model for the same columns, because what is found about a model is kept by it. */
function modelWith(all: readonly PerColumn[], model: SemanticModel, catalogue: Catalogue): SemanticModel {
  const known = latest.get(model) ?? new Map<string, SemanticModel>()
  latest.set(model, known)
  const key = JSON.stringify(all)
  const found = known.get(key)
  if (found) return found
  const made = all.reduce((of, one) => withOne(one, of, { model, ...catalogue }), model)
  if (known.size >= MOST) known.clear()
  known.set(key, made)
  return made
}

/** `model` is that of the names, in which no column of the query is found. */
function withOne(asked: PerColumn, of: SemanticModel, context: Catalogue & Pick<QueryOnModel, 'model'>): SemanticModel {
  const { name, path } = asked
  const object = of.dataObjects.get(objectOf(asked, context.model).name)!
  const source = sourceOf(asked, object, context)
  refuseTaken(asked, of, { object: object.name, source })
  const column = columnOfSource(object, source)
  const ref: ColumnRef = { kind: 'column', object: object.name, column: column ?? freeName(name, object) }
  const type = typeOf(ref, source, context, path)
  const columns =
    column === undefined ? new Map([...object.columns, [ref.column, made(ref.column, source, type)]]) : object.columns
  return {
    ...of,
    dataObjects: new Map([...of.dataObjects, [object.name, { ...object, columns }]]),
    dimensions: new Map([...of.dimensions, [name, dimensionOf(name, ref, type)]]),
  }
}

function objectOf({ per, path }: PerColumn, { dataObjects }: SemanticModel): DataObject {
  const object =
    find(per, dataObjects) ??
    unknownName(
      'UNKNOWN_DATA_OBJECT',
      { name: per, what: 'not a data object of this model', known: dataObjects.keys() },
      `${path}.per`,
    )
  if (object.key.length === 0)
    fail('KEY_REQUIRED', `'${object.name}' has no primaryKey, so its rows have no values of a measure`, { path: `${path}.per` })
  if (object.calendar?.generated)
    fail('INVALID_COLUMN', `'${object.name}' is a generated calendar; use the measure by day`, { path: `${path}.per` })
  return object
}

const OVER_ROWS: ReadonlySet<string> = new Set(['window', 'cumulative', 'period_over_period'])

function sourceOf(
  { measure, grain, path }: PerColumn,
  object: DataObject,
  { model }: Pick<QueryOnModel, 'model'>,
): MeasureSource {
  const field = find(measure, model.measures) ?? find(measure, model.metrics)
  if (!field) return unknownMeasure('UNKNOWN_MEASURE', measure, model, `${path}.measure`)
  const over = fieldsBelow(field.name, model).find((name) => OVER_ROWS.has(model.metrics.get(name)?.type ?? ''))
  if (over !== undefined)
    fail(
      'INVALID_COLUMN',
      `'${over}' depends on other rows of an answer, and a row of '${object.name}' has no answer around it`,
      {
        path: `${path}.measure`,
      },
    )
  return {
    kind: 'measure',
    measure: field.name,
    grain: grain === undefined ? undefined : grainNamed(grain, model, `${path}.grain`),
    pins: [],
    parameters: [],
  }
}

/** A name of the model means what the model says. Two parts of a query may name the same values. */
function refuseTaken(
  { name, path }: PerColumn,
  { dimensions, measures, metrics, dataObjects }: SemanticModel,
  { object, source }: { readonly object: string; readonly source: MeasureSource },
): void {
  const known = dimensions.get(name)
  const column = known?.column === undefined ? undefined : dataObjects.get(known.dataObject)?.columns.get(known.column)
  const isKnown = known?.dataObject === object && column !== undefined && isSameSource(column.source, source)
  if ((known && !isKnown) || find(name, measures) || find(name, metrics))
    fail('DUPLICATE_IDENTIFIER', `'${name}' is the name of another field; choose another 'as'`, { path })
}

const isSameSource = (one: Column['source'], { measure, grain }: MeasureSource): boolean =>
  one.kind === 'measure' && one.measure === measure && isSame(one.grain, grain) && one.pins.length === 0

/** A column that has the values already. */
const columnOfSource = ({ columns }: DataObject, source: MeasureSource): string | undefined =>
  [...columns.values()].find((column) => isSameSource(column.source, source))?.name

function freeName(name: string, { columns }: DataObject): string {
  let free = name
  for (let n = 2; columns.has(free); n++) free = `${name} ${n}`
  return free
}

function typeOf(
  ref: ColumnRef,
  source: MeasureSource,
  { model, ...catalogue }: Catalogue & Pick<QueryOnModel, 'model'>,
  path: string,
): DataType {
  const { query } = measureQuery(ref, source, { model, ...catalogue, warn: () => undefined })
  const { type } = lastOf(query.outputs)
  if (!source.grain) return type
  if (!isTemporal(type) || type.kind === 'time')
    fail('TIME_GRAIN_ON_NON_TEMPORAL', `'${source.measure}' is ${type.kind}; a grain needs a date or a timestamp`, {
      path: `${path}.grain`,
    })
  return bucketType(source.grain)
}

const UNDESCRIBED = { description: undefined, owner: undefined, synonyms: [] } as const

const made = (name: string, source: MeasureSource, type: DataType): Column => ({
  name,
  source,
  type,
  isTyped: true,
  abstractType: type.kind === 'decimal' ? 'float' : type.kind,
  sqlType: undefined,
  numClass: undefined,
  primaryKey: false,
  comment: undefined,
  ...UNDESCRIBED,
})

const dimensionOf = (name: string, ref: ColumnRef, type: DataType): Dimension => ({
  name,
  dataObject: ref.object,
  expression: ref,
  column: ref.column,
  type,
  resultType: undefined,
  timeGrain: undefined,
  via: undefined,
  format: undefined,
  hidden: false,
  hierarchy: [],
  sequence: undefined,
  sortBy: undefined,
  status: undefined,
  use: undefined,
  ...UNDESCRIBED,
})
