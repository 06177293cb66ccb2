import { columnsOfField, measuresOfColumns } from '../model/columns-read.js'
import { type ColumnRef, leavesOf } from '../model/expression/ast.js'
import { nameOfGrain } from '../model/grain.js'
import {
  componentsOf,
  computedModel,
  type Graded,
  type SemanticModel,
  type View,
  type WindowSource,
} from '../model/semantic-model.js'
import type { QueryDimension, QueryFilter } from '../query/query-object.js'
import { find } from '../resolve/lookup.js'
import type { TimeRange } from '../resolve/resolved-query.js'
import { filtersOf, viewNamed } from '../resolve/views.js'
import type { CompileResult, ExecutionOutcome } from './asking.js'

/** The meaning of the numbers of an answer, for people who quote them. */
export interface Receipt {
  /** The name of the model, or else its id. */
  readonly model: string
  /** SHA-256 of the model's document. */
  readonly version: string
  /** For every selected field, and for the measures and metrics that it is computed from, in that order. */
  readonly definitions: readonly Definition[]
  /** The filters of the query, then those of the model. */
  readonly filters: readonly string[]
  /** The times of the metrics over time, level by level, and those with which they are compared. */
  readonly time_ranges?: readonly TimeRange[]
  /** The parameters that the numbers depend on, with their values. */
  readonly parameters?: readonly { readonly name: string; readonly value: unknown; readonly default?: true }[]
  readonly timezone: string
  /** The data objects that were read from rollup tables, and as of when. */
  readonly tables?: readonly ReadTable[]
  /** When the oldest rows were read from the database; ISO 8601, UTC. */
  readonly read_at: string
}

/** A data object as of the moment of a build. */
export interface ReadTable {
  readonly object: string
  /** ISO 8601, UTC. */
  readonly as_of: string
  /** The rollup. */
  readonly by: string
  readonly build: string
}

export interface Definition {
  readonly name: string
  readonly kind: 'dimension' | 'measure' | 'metric'
  /** The definition as the author of the model wrote it. */
  readonly definition: string
  /** `proposed`, `certified` or `deprecated`, if the model declares it. */
  readonly status?: string
}

type Asked = Pick<CompileResult, 'handle' | 'query' | 'parameters' | 'timeRanges' | 'rollups'>
type Read = Pick<ExecutionOutcome, 'timezone' | 'cache'>

/** The receipt of an answer whose rows were read at `now`, unless they come from the cache. */
export function receiptOf(
  { handle, query, parameters, timeRanges, rollups }: Asked,
  { timezone, cache }: Read,
  now: Date,
): Receipt {
  const { model } = handle
  const view = query.view === undefined ? undefined : viewNamed(query.view, computedModel(model))
  const selected = [
    ...query.select.dimensions.map(nameOf),
    ...query.select.measures,
    ...(query.columns ?? []).map(({ measure }) => measure),
  ]
  const names = withComponents(
    selected.map((name) => find(name, view?.fields ?? NO_NAMES) ?? name),
    model,
  )
  return {
    model: model.name ?? handle.modelId,
    version: model.contentHash,
    definitions: [...new Set(names)].flatMap((name) => definitionOf(name, model) ?? []),
    filters: [
      ...query.where.map(conditionText),
      ...query.having.map(conditionText),
      ...(view ? ofView(view) : []),
      ...staticFilters(model),
      ...policies(model),
    ],
    ...(timeRanges.length > 0 && { time_ranges: timeRanges }),
    ...(parameters.length > 0 && { parameters: parameters.map(readParameter) }),
    timezone,
    ...(rollups.length > 0 && { tables: rollups.flatMap((build) => tablesOf(build, model)) }),
    read_at: oldestOf([cache?.cachedAt ?? now.toISOString(), ...rollups.map(({ asOf }) => asOf)]),
  }
}

/** Of times of ISO 8601 in UTC. */
const oldestOf = (times: readonly string[]): string => times.toSorted()[0] ?? ''

/** Without objects that the principal does not see. */
const tablesOf = ({ objects, asOf, rollup, build }: Asked['rollups'][number], { dataObjects }: SemanticModel): ReadTable[] =>
  objects.filter((name) => dataObjects.has(name)).map((object) => ({ object, as_of: asOf, by: rollup, build }))

const readParameter = ({ name, value, from }: CompileResult['parameters'][number]) => ({
  name,
  value: value ?? null,
  ...(from === 'default' && { default: true as const }),
})

/** The name in `Name:grain`. An expression over dimensions has no other definition. */
function nameOf(dimension: QueryDimension): string {
  if (dimension.kind === 'per') return dimension.measure
  return dimension.kind === 'name' ? dimension.text.replace(/:[^:]*$/, '') : dimension.as
}

function withComponents(names: readonly string[], model: SemanticModel): readonly string[] {
  const found = new Set<string>()
  const queue = [...names]
  for (const name of queue) {
    if (found.has(name)) continue
    found.add(name)
    const metric = model.metrics.get(name)
    if (metric !== undefined) queue.push(...componentsOf(metric))
    queue.push(...columnMeasuresOf(name, model))
  }
  return [...found]
}

/** The measures that are columns and that a field reads. */
function columnMeasuresOf(name: string, model: SemanticModel): readonly string[] {
  const dimension = model.dimensions.get(name)
  const read = dimension ? leavesOf<ColumnRef>(dimension.expression) : columnsOfField(name, model)
  return measuresOfColumns(read, model)
}

function definitionOf(name: string, model: SemanticModel): Definition | undefined {
  const dimension = model.dimensions.get(name)
  if (dimension !== undefined) {
    const { dataObject, column } = dimension
    const definition = column === undefined ? dataObject : columnText(dataObject, column, model)
    return { name, kind: 'dimension', definition, ...statusOf(dimension) }
  }
  const kind = model.measures.has(name) ? 'measure' : model.metrics.has(name) ? 'metric' : undefined
  if (kind === undefined) return undefined
  if (model.hiding?.published.has(name)) return { name, kind, definition: name, ...statusOf(model[`${kind}s`].get(name)) }
  const written = model.document[`${kind}s`]?.[name]
  const definition = written === undefined ? 'count(rows)' : entryText(written)
  return { name, kind, definition, ...statusOf(model[`${kind}s`].get(name)) }
}

function columnText(object: string, column: string, { dataObjects }: SemanticModel): string {
  const source = dataObjects.get(object)?.columns.get(column)?.source
  const name = `${object}.${column}`
  if (source?.kind === 'exists') return `${name} (whether rows of ${source.target} connect)`
  if (source?.kind === 'window') return `${name} (${windowText(source)})`
  if (source?.kind !== 'measure') return name
  return `${name} (${source.measure} for each row of ${object}${source.grain ? `, by ${nameOfGrain(source.grain)}` : ''})`
}

/** `row_number by Customer, ordered by Ordered On, Id` */
function windowText({ function: called, column, partitionBy, orderBy, descending, filters }: WindowSource): string {
  const names = (refs: readonly ColumnRef[]): string => refs.map((ref) => ref.column).join(', ')
  return [
    column ? `${called} of ${column.column}` : called,
    ...(partitionBy.length > 0 ? [` by ${names(partitionBy)}`] : []),
    ...(orderBy.length > 0 ? [`, ordered by ${names(orderBy)}${descending ? ' descending' : ''}`] : []),
    ...(filters.length > 0 ? [', of some rows'] : []),
  ].join('')
}

const statusOf = (field: Partial<Graded> | undefined) => (field?.status === undefined ? {} : { status: field.status })

/** Keys that say how a number is shown or found, and not what it is. */
const UNSAID: ReadonlySet<string> = new Set([
  'description',
  'format',
  'synonyms',
  'owner',
  'resultType',
  'customExtensions',
  'status',
  'use',
])

/** `sum(Flights.Distance)`, an expression, or what else the entry says, with its filters. */
function entryText(entry: object): string {
  const { aggregation, columns, expression, filters, ...rest } = entry as Readonly<Record<string, unknown>>
  const of = typeof expression === 'string' ? expression.trim() : columnsText(columns)
  const computed = typeof aggregation === 'string' ? `${aggregation}(${of})` : of
  const others = Object.entries(rest).filter(([key]) => !UNSAID.has(key))
  return [
    computed,
    ...(Array.isArray(filters) && filters.length > 0 ? [`where ${filters.map(writtenText).join(' and ')}`] : []),
    ...others.map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** A filter of a model: `Flights.Departure Delay gt 15`. What is no condition on one field is given as it is written. */
function writtenText(filter: unknown): string {
  const { field, dataObject, column, op, operator, value, values, orMissing, ...rest } = filter as Readonly<
    Record<string, unknown>
  >
  const name = field ?? (column === undefined ? undefined : `${dataObject}.${column}`)
  if (name === undefined || Object.keys(rest).length > 0) return JSON.stringify(filter)
  return comparisonText(`${name} ${op ?? operator}`, value ?? values, orMissing)
}

function columnsText(columns: unknown): string {
  if (!Array.isArray(columns)) return ''
  const pairs = columns as readonly { readonly dataObject?: unknown; readonly column?: unknown }[]
  return pairs.map(({ dataObject, column }) => `${dataObject}.${column}`).join(', ')
}

function conditionText(filter: QueryFilter): string {
  switch (filter.kind) {
    case 'expression':
      return filter.expression
    case 'segment':
      return filter.name
    case 'leaf':
      return comparisonText(`${filter.field} ${filter.op}`, filter.value, filter.orMissing)
    case 'group': {
      const text = `(${filter.filters.map(conditionText).join(` ${filter.logic} `)})`
      return filter.negated ? `not ${text}${filter.orMissing ? ` ${OR_MISSING}` : ''}` : text
    }
  }
}

const comparisonText = (compared: string, value: unknown, orMissing: unknown): string =>
  [compared, ...(value === undefined ? [] : [JSON.stringify(value)]), ...(orMissing === true ? [OR_MISSING] : [])].join(' ')

const OR_MISSING = 'or missing'

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** The conditions of a view, over fields of the model. */
const ofView = ({ name, where }: View): readonly string[] =>
  filtersOf('view', name, where).map((filter) => `${conditionText(filter)} (view ${name})`)

/** Access rules by the names that people have for them. */
const policies = ({ restriction }: SemanticModel): readonly string[] =>
  (restriction?.rows ?? []).map(({ label }) => `${label} (access)`)

/** Filters of the model hold for every question, and no question can remove them. */
function staticFilters({ document }: SemanticModel): readonly string[] {
  return (document.filters ?? []).map((filter) => `${writtenText(filter)} (model)`)
}
