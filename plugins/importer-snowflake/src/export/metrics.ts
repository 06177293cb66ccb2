/** Measures and metrics → metrics of tables, and of the view. */
import type { SemanticModel } from '@grainline/core'
import type { Measure } from '@grainline/core/language'
import {
  aggregateSql,
  checkKeys,
  FieldTypes,
  homeOf,
  inOrder,
  type KeyUse,
  leftOut,
  objectsIn,
  restricted,
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
    'aggregation columns expression distinct filters percentile semiAdditive anchor defaultValue hidden description synonyms'
      .split(' ')
      .map((key) => [key, 'said' as const]),
  ),
  ...INERT,
  unit: 'constant',
  dataType: { refused: 'its values are rounded to a type' },
  grain: { refused: 'it has a grain of its own' },
  total: { refused: 'it is a total' },
  filterContext: { refused: 'it chooses the filters of a question' },
}

const METRIC_KEYS: Readonly<Record<string, KeyUse>> = {
  ...Object.fromEntries('type expression hidden description synonyms'.split(' ').map((key) => [key, 'said' as const])),
  ...INERT,
  unit: 'constant',
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
  readonly #types: FieldTypes

  constructor(private readonly tables: Tables) {
    this.#restricted = restricted(tables.model)
    this.#types = new FieldTypes(tables.model)
  }

  *write(): Generator<void, readonly OutMetric[]> {
    const { model, report } = this.tables
    for (const measure of model.measures.values()) {
      const { name, rowCountOf } = measure
      const path = ['measures', name]
      if (rowCountOf === undefined) report.item(path, `The measure '${name}'`, () => this.#measure(measure, path))
      else {
        const counted = ['dataObjects', rowCountOf]
        report.attempt(counted, `The count of rows '${name}'`, () => this.#measure(measure, counted))
      }
      yield
    }
    // A metric is written after those that it reads, whatever their order is.
    for (const metric of inOrder(model.metrics)) {
      this.#types.add(metric)
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
    const aggregate = aggregateSql(measure, {
      home,
      model,
      report,
      path,
      spelling: this.tables.spelling(home),
      aggregates: AGGREGATES,
      rewritten: REWRITTEN,
    })
    const isDefault = measure.defaultValue !== undefined
    if (isDefault && !/^-?\d+(\.\d+)?$/.test(String(measure.defaultValue))) throw new Unsaid('its default value is no number')
    const sql = isDefault ? `COALESCE(${aggregate}, ${String(measure.defaultValue)})` : aggregate
    if (isDefault) report.lose('rewritten', path, `'${name}' says its default value in its expression.`)
    const nonAdditive = this.#end(measure)
    if (isDefault && nonAdditive) throw new Unsaid('it is semi-additive with a default value')
    const written = this.tables.identifier(name)
    table.metrics.push({
      path,
      name: written,
      sql,
      description,
      synonyms,
      isPrivate: measure.hidden === true,
      ...(nonAdditive && { nonAdditive }),
    })
    this.#names.set(name, `${quotedName(keyOf(table.name))}.${quotedName(keyOf(written))}`)
    report.inert(path, entry, MEASURE_KEYS)
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
        if (found === undefined) throw leftOut(`'${name}'`)
        return found
      },
      typeOf: this.#types.typeOf,
    })
    const name = this.tables.identifier(metric.name)
    const { description, synonyms = [], hidden } = metric
    this.#derived.push({ path, name, sql, description, synonyms, isPrivate: hidden === true })
    this.#names.set(metric.name, quotedName(keyOf(name)))
    report.inert(path, entry, METRIC_KEYS)
  }
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
