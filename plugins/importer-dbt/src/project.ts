/** Semantic models and metrics of dbt in one form, whichever of its specifications they are written in. */
import { type Section, type SwitchNote, switchesOf, switchNote, switchOf } from './enabled.js'
import { type Part, type Place, Refused } from './part.js'

export interface Entity {
  readonly name: string
  readonly type: string
  readonly expr: string
  readonly part: Part
}

export interface Dimension {
  readonly name: string
  readonly isTime: boolean
  readonly expr: string
  readonly granularity: string
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly part: Part
}

export interface SemanticModel {
  readonly name: string
  readonly relation: { readonly code: string; readonly schema?: string | undefined; readonly database?: string | undefined }
  readonly description?: string | undefined
  readonly primaryEntity: string | undefined
  readonly defaultTime: string | undefined
  readonly entities: readonly Entity[]
  readonly dimensions: readonly Dimension[]
  /** Types of columns that the project declares. */
  readonly types: ReadonlyMap<string, string>
  readonly part: Part
}

/** A condition, as it is written. */
export interface Condition {
  readonly text: string
  readonly place: Place
}

export interface Aggregate {
  readonly model: string
  readonly name: string
  readonly agg: string
  readonly expr: string
  readonly time: string | undefined
  readonly percentile: Part | undefined
  readonly nonAdditive: Part | undefined
  readonly description?: string | undefined
  readonly part: Part
}

export interface Input {
  readonly name: string
  readonly alias?: string | undefined
  readonly conditions: readonly Condition[]
  readonly offsetWindow?: unknown
  readonly offsetToGrain?: string | undefined
  readonly fill?: unknown
  readonly place: Place
  readonly part?: Part
  /** A measure and not a metric, which may have the same name. */
  readonly isMeasure?: boolean
}

export interface Metric {
  readonly name: string
  readonly type: string
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly conditions: readonly Condition[]
  /** Of a simple metric: its own aggregate, or the name of a measure. */
  readonly aggregate?: Aggregate | undefined
  readonly inputs: readonly Input[]
  readonly expr?: string | undefined
  /** Further keys: windows and entities. */
  readonly more: Part
  readonly fill?: unknown
  readonly part: Part
}

export interface Project {
  readonly models: readonly SemanticModel[]
  readonly measures: readonly Aggregate[]
  readonly metrics: readonly Metric[]
  readonly savedQueries: readonly Part[]
  /** Names of disabled metrics, and of the measures that these read. */
  readonly disabled: { readonly metrics: ReadonlySet<string>; readonly measures: ReadonlySet<string> }
  /** What is disabled, or may be. */
  readonly switches: readonly SwitchNote[]
  readonly roots: readonly Part[]
}

/** Throws `Refused`. */
export function projectOf(documents: readonly Part[]): Project {
  const { roots, enabled, isOff, notes } = enabledIn(documents)
  const types = new Map<string, ReadonlyMap<string, string>>()
  for (const root of roots) for (const model of root.parts('models')) types.set(model.needed('name'), typesOf(model))
  const models: SemanticModel[] = []
  const measures: Aggregate[] = []
  const metrics: Metric[] = []
  const disabled: Metric[] = []
  const savedQueries: Part[] = []
  for (const root of roots) {
    for (const part of itemsOf(root, 'semantic_models', 'semantic_model')) {
      if (!enabled('semantic-models', part, [part])) continue
      const model = legacyModel(part, types)
      if (isOff(model)) continue
      models.push(model)
      for (const each of part.parts('measures')) measures.push(legacyMeasure(each, model))
    }
    for (const part of root.parts('models')) {
      if (!isSemantic(part) || !enabled('models', part, [part]) || !enabled('semantic-models', part, inlineOwners(part))) continue
      const model = inlineModel(part)
      models.push(model)
      for (const each of part.parts('metrics')) {
        const metric = newMetric(each, model)
        if (enabled('metrics', each, [each])) metrics.push(metric)
        else disabled.push(metric)
      }
    }
    for (const part of itemsOf(root, 'metrics', 'metric')) {
      const metric = part.has('type_params') ? legacyMetric(part) : newMetric(part, undefined)
      if (enabled('metrics', part, [part])) metrics.push(metric)
      else disabled.push(metric)
    }
    for (const part of itemsOf(root, 'saved_queries', 'saved_query'))
      if (enabled('saved-queries', part, [part])) savedQueries.push(part)
  }
  for (const root of roots) root.text('version')
  return { models, measures, metrics, savedQueries, disabled: namesOf(disabled), switches: notes, roots }
}

/** The entries of a list, and that of a document which is one item: MetricFlow reads both. */
function itemsOf(root: Part, list: string, one: string): readonly Part[] {
  const item = root.part(one)
  return item ? [...root.parts(list), item] : root.parts(list)
}

const namesOf = (disabled: readonly Metric[]): Project['disabled'] => ({
  metrics: new Set(disabled.map(({ name }) => name)),
  measures: new Set(disabled.flatMap(({ inputs }) => inputs.flatMap(({ name, isMeasure }) => (isMeasure ? [name] : [])))),
})

const NOUNS: Readonly<Record<Section, string>> = {
  ...{ models: 'model', 'semantic-models': 'semantic model', metrics: 'metric', 'saved-queries': 'saved query' },
}

/** Tells which items are enabled, and notes those that are not. */
function enabledIn(documents: readonly Part[]) {
  const { roots, sections, notes: first } = switchesOf(documents)
  const notes = [...first]
  const enabled = (section: Section, part: Part, owners: readonly Part[]): boolean => {
    const state = switchOf(owners, sections.get(section))
    if (state !== 'on') notes.push(switchNote(`The ${NOUNS[section]} '${part.needed('name')}'`, state, part.place))
    return state !== 'off'
  }
  const off = new Set<string>()
  for (const root of roots)
    for (const part of root.parts('models')) if (switchOf([part], sections.get('models')) === 'off') off.add(part.needed('name'))
  const isOff = ({ name, relation, part }: SemanticModel): boolean => {
    if (part.has('node_relation') || !off.has(relation.code)) return false
    notes.push(switchNote(`The semantic model '${name}'`, 'off', part.place, `dbt has its model '${relation.code}' disabled`))
    return true
  }
  return { roots, enabled, isOff, notes }
}

const isSemantic = (part: Part): boolean => {
  const inline = part.value('semantic_model')
  return inline !== undefined && inline !== false
}

/** The mapping `semantic_model`, if it is one. */
function inlineOwners(part: Part): readonly Part[] {
  const inline = typeof part.value('semantic_model') === 'object' ? part.part('semantic_model') : undefined
  inline?.value('enabled')
  return inline ? [inline] : []
}

const typesOf = (model: Part): ReadonlyMap<string, string> =>
  new Map(
    model.parts('columns').flatMap((column) => {
      const type = column.text('data_type')
      // Without a type, nothing is said of the column but its notes.
      column.text('name')
      return type === undefined ? [] : [[column.needed('name'), type]]
    }),
  )

function legacyModel(part: Part, types: ReadonlyMap<string, ReadonlyMap<string, string>>): SemanticModel {
  const node = part.part('node_relation')
  const reference = node ? undefined : referenceOf(part)
  const entities = part.parts('entities').map(entityOf)
  return {
    name: part.needed('name'),
    relation: node
      ? { code: node.needed('alias'), schema: node.text('schema_name'), database: node.text('database') }
      : { code: reference ?? '' },
    description: part.text('description')?.trim(),
    primaryEntity: part.text('primary_entity') ?? entities.find(({ type }) => type === 'primary')?.name,
    defaultTime: part.part('defaults')?.text('agg_time_dimension'),
    entities,
    dimensions: part.parts('dimensions').map(dimensionOf),
    types: types.get(reference ?? node?.text('alias') ?? '') ?? new Map(),
    part,
  }
}

function referenceOf(part: Part): string {
  const written = part.needed('model')
  const found = /^(?:\{\{)?ref\((['"])([^'"]+)\1(?:,(['"])([^'"]+)\3)?\)(?:\}\})?$/.exec(written.replaceAll(/\s/g, ''))
  const name = found?.[4] ?? found?.[2]
  if (name === undefined) throw new Refused(`'${written}' is no reference to a model.`, part.at('model'), "Write ref('orders').")
  return name
}

function entityOf(part: Part): Entity {
  const name = part.needed('name')
  return { name, type: part.needed('type'), expr: part.text('expr') ?? name, part }
}

function dimensionOf(part: Part): Dimension {
  const name = part.needed('name')
  const isTime = part.needed('type').toLowerCase() === 'time'
  // Of another dimension, a granularity is a key that nothing reads.
  const written = isTime ? (part.part('type_params')?.text('time_granularity') ?? part.text('granularity')) : undefined
  return {
    ...{ name, granularity: written ?? 'day', part, isTime },
    expr: part.text('expr') ?? name,
    label: part.text('label'),
    description: part.text('description')?.trim(),
  }
}

function legacyMeasure(part: Part, model: SemanticModel): Aggregate {
  const name = part.needed('name')
  return {
    ...{ name, part },
    model: model.name,
    agg: part.needed('agg').toLowerCase(),
    expr: part.text('expr') ?? name,
    time: part.text('agg_time_dimension') ?? model.defaultTime,
    percentile: part.part('agg_params'),
    nonAdditive: part.part('non_additive_dimension'),
    description: part.text('description')?.trim(),
  }
}

/** The new specification: entities and dimensions are at the columns of the model. */
function inlineModel(part: Part): SemanticModel {
  const semantic = typeof part.value('semantic_model') === 'object' ? part.part('semantic_model') : undefined
  const entities: Entity[] = []
  const dimensions: Dimension[] = []
  const types = new Map<string, string>()
  for (const column of part.parts('columns')) {
    const code = column.needed('name')
    const type = column.text('data_type')
    if (type !== undefined) types.set(code, type)
    const entity = partOrType(column, 'entity')
    if (entity) entities.push({ name: entity.name ?? code, type: entity.type, expr: code, part: entity.part })
    const dimension = partOrType(column, 'dimension')
    if (!dimension) continue
    dimensions.push({
      name: dimension.name ?? code,
      isTime: dimension.type === 'time',
      expr: code,
      granularity: column.text('granularity') ?? 'day',
      label: dimension.part.text('label'),
      description: (dimension.part.text('description') ?? column.text('description'))?.trim(),
      part: dimension.part,
    })
  }
  const derived = part.part('derived_semantics')
  for (const each of derived?.parts('entities') ?? []) entities.push(entityOf(each))
  for (const each of derived?.parts('dimensions') ?? []) dimensions.push(dimensionOf(each))
  return {
    ...{ entities, dimensions, types, part },
    name: semantic?.text('name') ?? part.needed('name'),
    relation: { code: part.text('alias') ?? part.needed('name') },
    description: part.text('description')?.trim(),
    primaryEntity: part.text('primary_entity') ?? entities.find(({ type }) => type === 'primary')?.name,
    defaultTime: part.text('agg_time_dimension'),
  }
}

/** `dimension: categorical` is short for a mapping with this type. */
function partOrType(column: Part, key: string) {
  const value = column.value(key)
  if (value === undefined) return undefined
  if (typeof value !== 'object') return { name: undefined, type: String(value), part: column }
  const part = column.part(key)
  return part && { name: part.text('name'), type: part.needed('type').toLowerCase(), part }
}

/** The keys of the inputs of a metric, by its type. */
const LEGACY_INPUTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    simple: ['measure'],
    cumulative: ['measure', 'metric'],
    ratio: ['numerator', 'denominator'],
    conversion: ['base_measure', 'conversion_measure', 'base_metric', 'conversion_metric'],
  }),
)

/** The same in the new specification. */
const INPUTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    cumulative: ['input_metric'],
    ratio: ['numerator', 'denominator'],
    derived: ['input_metrics'],
    conversion: ['base_metric', 'conversion_metric'],
  }),
)

function legacyMetric(part: Part): Metric {
  const params = part.part('type_params')
  if (!params) throw new Refused('The metric has no type_params.', part.place)
  const type = part.needed('type').toLowerCase()
  const nested = params.part(type === 'conversion' ? 'conversion_type_params' : 'cumulative_type_params')
  const from = type === 'conversion' ? (nested ?? params) : params
  const own = params.part('metric_aggregation_params')
  return {
    ...headOf(part, type),
    inputs:
      type === 'derived'
        ? inputsOf(params, 'metrics')
        : (LEGACY_INPUTS.get(type) ?? []).flatMap((key) => [
            ...inputsOf(from, key),
            ...(nested && from !== nested ? inputsOf(nested, key) : []),
          ]),
    expr: type === 'derived' ? params.text('expr') : undefined,
    more: nested && !params.has('window') && !params.has('grain_to_date') ? nested : params,
    fill: params.value('fill_nulls_with'),
    aggregate: own && { ...ownAggregate(own, params, part), model: own.needed('semantic_model') },
  }
}

const ownAggregate = (own: Part, params: Part, metric: Part): Omit<Aggregate, 'model'> => ({
  name: metric.needed('name'),
  agg: own.needed('agg').toLowerCase(),
  expr: own.text('expr') ?? params.text('expr') ?? metric.needed('name'),
  time: own.text('agg_time_dimension'),
  percentile: own.part('agg_params'),
  nonAdditive: own.part('non_additive_dimension'),
  part: metric,
})

function newMetric(part: Part, model: SemanticModel | undefined): Metric {
  const type = part.text('type')?.toLowerCase() ?? 'simple'
  const name = part.needed('name')
  const owner = model?.name ?? part.text('semantic_model')
  if (type === 'simple' && owner === undefined) throw new Refused(`The simple metric '${name}' belongs to no model.`, part.place)
  const isPercentile = part.has('percentile') || part.has('percentile_type')
  return {
    ...headOf(part, type),
    inputs: (INPUTS.get(type) ?? []).flatMap((key) => inputsOf(part, key)),
    expr: type === 'derived' ? part.text('expr') : undefined,
    more: part,
    fill: part.value('fill_nulls_with'),
    aggregate:
      type === 'simple' && owner !== undefined
        ? {
            ...{ name, part },
            model: owner,
            agg: part.needed('agg').toLowerCase(),
            expr: part.text('expr') ?? name,
            time: part.text('agg_time_dimension') ?? model?.defaultTime,
            percentile: isPercentile ? part : undefined,
            nonAdditive: part.part('non_additive_dimension'),
          }
        : undefined,
  }
}

const headOf = (part: Part, type: string) => ({
  ...{ type, part },
  name: part.needed('name'),
  label: part.text('label'),
  description: part.text('description')?.trim(),
  conditions: conditionsOf(part, 'filter'),
})

const inputsOf = (from: Part, key: string): readonly Input[] =>
  writtenInputs(from, key).map((input) => (key.endsWith('measure') ? { ...input, isMeasure: true } : input))

function writtenInputs(from: Part, key: string): readonly Input[] {
  const value = from.value(key)
  if (value === undefined) return []
  if (typeof value === 'string') return [{ name: value, conditions: [], place: from.at(key) }]
  if (!Array.isArray(value)) {
    const part = from.part(key)
    return part ? [inputOf(part)] : []
  }
  // A name is short for a mapping with it.
  return from
    .entries(key)
    .map((each) => (typeof each === 'string' ? { name: each, conditions: [], place: from.at(key) } : inputOf(each)))
}

const inputOf = (part: Part): Input => ({
  name: part.needed('name'),
  alias: part.text('alias'),
  conditions: conditionsOf(part, 'filter'),
  offsetWindow: part.window('offset_window'),
  offsetToGrain: part.text('offset_to_grain'),
  fill: part.value('fill_nulls_with'),
  place: part.place,
  part,
})

/** A text, a list of texts, or a manifest's mapping of them. */
export function conditionsOf(part: Part, key: string): readonly Condition[] {
  const value = part.value(key)
  if (value === undefined) return []
  if (typeof value === 'object' && !Array.isArray(value)) {
    const filters = part.part(key)?.parts('where_filters') ?? []
    return filters.map((each) => ({ text: each.needed('where_sql_template'), place: each.place }))
  }
  return part.texts(key).map((text) => ({ text, place: part.at(key) }))
}
