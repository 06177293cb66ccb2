/** Measures and metrics → metrics of tables, and of the view. */
import type { SemanticModel } from '@grainline/core'
import type { Measure } from '@grainline/core/language'
import {
  type ColumnRef,
  checkKeys,
  conditionSql,
  homeOf,
  type KeyUse,
  reachOf,
  restricted,
  type SqlSpelling,
  Unsaid,
  writtenSql,
} from '@grainline/importer-dbt/foreign'
import { keyOf, quotedName } from './identifier.js'
import type { OutMetric } from './outline.js'
import type { Tables } from './tables.js'

type Metric = NonNullable<ReturnType<SemanticModel['metrics']['get']>>

const INERT = Object.fromEntries(
  'owner customExtensions status use format resultType allowFanOut'.split(' ').map((key) => [key, 'inert' as const]),
)

const MEASURE_KEYS: Readonly<Record<string, KeyUse>> = {
  ...Object.fromEntries(
    'aggregation columns expression distinct filters percentile semiAdditive anchor defaultValue description synonyms'
      .split(' ')
      .map((key) => [key, 'said' as const]),
  ),
  ...INERT,
  dataType: { refused: 'its values are rounded to a type' },
  grain: { refused: 'it has a grain of its own' },
  total: { refused: 'it is a total' },
  filterContext: { refused: 'it chooses the filters of a question' },
}

const METRIC_KEYS: Readonly<Record<string, KeyUse>> = {
  ...Object.fromEntries('type expression description synonyms'.split(' ').map((key) => [key, 'said' as const])),
  ...INERT,
  dataType: { refused: 'its values are rounded to a type' },
}

/** Adds the metrics of tables. Returns those of the view. */
export function* metricsOf(tables: Tables): Generator<void, readonly OutMetric[]> {
  return yield* new Writer(tables).write()
}

class Writer {
  readonly #restricted: ReadonlySet<string>
  /** How a measure or metric is read; absent if it is left out. */
  readonly #names = new Map<string, string>()
  readonly #derived: OutMetric[] = []

  constructor(private readonly tables: Tables) {
    this.#restricted = restricted(tables.model)
  }

  *write(): Generator<void, readonly OutMetric[]> {
    const { model, report } = this.tables
    for (const measure of model.measures.values()) {
      const { name, rowCountOf } = measure
      const path = ['measures', name]
      if (rowCountOf === undefined) report.item(path, `The measure '${name}'`, () => this.#measure(measure, path))
      else report.attempt(['dataObjects', rowCountOf], `The count of rows '${name}'`, () => this.#measure(measure, path))
      yield
    }
    // A metric is written after those that it reads, whatever their order is.
    for (const metric of inOrder(model.metrics)) {
      const path = ['metrics', metric.name]
      report.item(path, `The metric '${metric.name}'`, () => this.#metric(metric, path))
      yield
    }
    return this.#derived
  }

  #measure(measure: Measure, path: readonly string[]): void {
    const { model, report } = this.tables
    const { name, rowCountOf, description, synonyms = [] } = measure
    const entry = rowCountOf === undefined ? (model.document.measures?.[name] ?? {}) : {}
    checkKeys(entry, MEASURE_KEYS)
    const home = homeOf(measure, objectsIn(measure), model)
    const table = this.tables.table(home)
    if (this.#restricted.has(home)) throw new Unsaid('a required join removes rows of its table')
    const aggregate = this.#aggregate(measure, home, path)
    const isDefault = measure.defaultValue !== undefined
    if (isDefault && !/^-?\d+(\.\d+)?$/.test(String(measure.defaultValue))) throw new Unsaid('its default value is no number')
    const sql = isDefault ? `COALESCE(${aggregate}, ${String(measure.defaultValue)})` : aggregate
    if (isDefault) report.lose('rewritten', path, `'${name}' says its default value in its expression.`)
    const nonAdditive = this.#end(measure)
    if (isDefault && nonAdditive) throw new Unsaid('it is semi-additive with a default value')
    const written = this.tables.identifier(name)
    table.metrics.push({ name: written, sql, description, synonyms, ...(nonAdditive && { nonAdditive }) })
    this.#names.set(name, `${quotedName(keyOf(table.name))}.${quotedName(keyOf(written))}`)
    report.inert(path, entry, MEASURE_KEYS)
  }

  #aggregate(measure: Measure, home: string, path: readonly string[]): string {
    const { aggregation, inputs, distinct, filters, name } = measure
    const spelling = this.tables.spelling(home)
    let reached: ReadonlySet<string> | undefined
    const inReach: SqlSpelling<ColumnRef> = {
      ...spelling,
      leaf: (leaf) => {
        if (leaf.object !== home) reached ??= reachOf(home, this.tables.model)
        if (reached && leaf.object !== home && !reached.has(leaf.object))
          throw new Unsaid(`rows of '${home}' do not lead to one row of '${leaf.object}'`)
        return spelling.leaf(leaf)
      },
    }
    const tests = filters.map((filter) => conditionSql(filter, inReach))
    if (tests.length > 0)
      this.tables.report.lose('rewritten', path, `The filters of '${name}' are conditions inside of its aggregate.`)
    const when = (value: string) => (tests.length === 0 ? value : `CASE WHEN ${tests.join(' AND ')} THEN ${value} END`)
    const [input, second] = inputs
    if (second !== undefined) throw new Unsaid('it has several inputs')
    if (input === undefined) {
      if (aggregation !== 'count') throw new Unsaid('it has no input')
      return tests.length === 0 ? 'COUNT(*)' : `COUNT(${when('1')})`
    }
    const value = when(writtenSql(input, inReach))
    if (aggregation === 'percentile') return `PERCENTILE_CONT(${measure.percentile}) WITHIN GROUP (ORDER BY ${value})`
    if (aggregation === 'count_distinct') return `COUNT(DISTINCT ${value})`
    const change = REWRITTEN[aggregation]
    if (change) this.tables.report.lose('rewritten', path, `'${name}' ${change.says}.`)
    const written = change?.name ?? (Object.hasOwn(AGGREGATES, aggregation) ? AGGREGATES[aggregation] : undefined)
    if (written === undefined) throw new Unsaid(`the aggregation '${aggregation}' has another meaning there, or none`)
    return `${written}(${distinct ? 'DISTINCT ' : ''}${value})`
  }

  #end({ semiAdditive }: Measure): OutMetric['nonAdditive'] {
    if (!semiAdditive) return undefined
    const { timeDimension, take, per } = semiAdditive
    if (take !== 'first' && take !== 'last') throw new Unsaid(`it takes the '${take}' of its values over time`)
    if (per.length > 0) throw new Unsaid("it is semi-additive with 'per'")
    if (this.tables.model.dimensions.get(timeDimension)?.timeGrain) throw new Unsaid('its time has a grain')
    const { table, name: dimension } = this.tables.dimension(timeDimension)
    return { table, dimension, isLast: take === 'last' }
  }

  #metric(metric: Metric, path: readonly string[]): void {
    const { model, report } = this.tables
    if (metric.type !== 'derived') throw new Unsaid(`a metric of the type '${metric.type}' has no place in a semantic view`)
    const entry = model.document.metrics?.[metric.name] ?? {}
    checkKeys(entry, METRIC_KEYS)
    const sql = writtenSql(metric.expression, {
      ...this.tables.spelling(undefined),
      leaf: ({ name }: { readonly kind: 'field'; readonly name: string }) => {
        const found = this.#names.get(name)
        if (found === undefined) throw new Unsaid(`'${name}' is left out`)
        return found
      },
      typeOf: () => undefined,
    })
    const name = this.tables.identifier(metric.name)
    this.#derived.push({ name, sql, description: metric.description, synonyms: metric.synonyms ?? [] })
    this.#names.set(metric.name, quotedName(keyOf(name)))
    report.inert(path, entry, METRIC_KEYS)
  }
}

/** The objects whose columns are inputs. */
const objectsIn = ({ inputs }: Measure): ReadonlySet<string> =>
  new Set(inputs.flatMap((input) => leavesOf(input).map(({ object }) => object)))

type Input = Measure['inputs'][number]

function leavesOf(input: Input): readonly ColumnRef[] {
  const found: ColumnRef[] = []
  const ahead: unknown[] = [input]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (isColumn(next)) found.push(next)
    else ahead.push(...Object.values(next))
  }
  return found
}

const isColumn = (node: object): node is ColumnRef => 'kind' in node && node.kind === 'column'

function* inOrder(metrics: SemanticModel['metrics']): Generator<Metric> {
  const open = new Set(metrics.values())
  for (const metric of metrics.values()) {
    // The last one is next; it waits for those that it reads.
    const ahead = [metric]
    for (let next = ahead.at(-1); next; next = ahead.at(-1)) {
      const reads = next.type === 'derived' ? namesIn(next.expression).flatMap((name) => metrics.get(name) ?? []) : []
      const first = open.has(next) ? reads.find((other) => open.has(other) && !ahead.includes(other)) : undefined
      if (first) ahead.push(first)
      else {
        ahead.pop()
        if (open.delete(next)) yield next
      }
    }
  }
}

function namesIn(expression: unknown): readonly string[] {
  if (typeof expression !== 'object' || expression === null) return []
  if ('kind' in expression && expression.kind === 'field' && 'name' in expression) return [String(expression.name)]
  return Object.values(expression).flatMap(namesIn)
}

const AGGREGATES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'sum count avg min max median stddev_samp stddev_pop var_samp var_pop count_if approx_count_distinct'
      .split(' ')
      .map((name) => [name, name.toUpperCase()]),
  ),
  bool_and: 'BOOLAND_AGG',
  bool_or: 'BOOLOR_AGG',
}

/** Aggregates whose value is one of several there. */
const REWRITTEN: Readonly<Record<string, { readonly name: string; readonly says: string }>> = {
  any_value: { name: 'MIN', says: 'is the least of its values, as here' },
  mode: { name: 'MODE', says: 'is any of the most frequent values there, and the least of them here' },
}
