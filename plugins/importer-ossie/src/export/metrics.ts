/** Measures and metrics → metrics. */
import type { Measure } from '@grainline/core/language'
import {
  aggregateSql,
  checkKeys,
  countsRows,
  FieldTypes,
  FreeNames,
  homeOf,
  inOrder,
  type KeyUse,
  namesReadBy,
  objectsIn,
  restricted,
  Unsaid,
  writtenSql,
} from '@grainline/importer-dbt/foreign'
import { type Datasets, NOTES } from './datasets.js'
import { type Path, slugOf } from './outline.js'

export interface OutMetric {
  readonly path: Path
  /** The hidden ones that stand in its expression. */
  readonly inside: readonly Path[]
  readonly name: string
  readonly title: string
  readonly sql: string
  readonly description: string | undefined
  readonly synonyms: readonly string[]
}

const said = (keys: string) => Object.fromEntries(keys.split(' ').map((key) => [key, 'said' as const]))
const MEASURE_KEYS: Readonly<Record<string, KeyUse>> = {
  ...NOTES,
  unit: 'constant',
  ...said('aggregation columns expression distinct filters percentile anchor hidden description synonyms'),
}
const METRIC_KEYS: Readonly<Record<string, KeyUse>> = {
  ...NOTES,
  unit: 'constant',
  ...said('type expression hidden description synonyms'),
}

const AGGREGATES = Object.fromEntries(
  'sum count avg min max median stddev_samp stddev_pop var_samp var_pop'.split(' ').map((name) => [name, name.toUpperCase()]),
)

export function* metricsOf(datasets: Datasets): Generator<void, readonly OutMetric[]> {
  const { model, report } = datasets
  const removed = restricted(model)
  const found: OutMetric[] = []
  /** The SQL of each: a metric contains those that it reads. */
  const sqlOf = new Map<string, string>()
  const names = new FreeNames()
  const hiddenPaths = new Map<string, readonly Path[]>()
  const add = (
    title: string,
    sql: string,
    { description, synonyms = [], hidden }: Pick<Measure, 'description' | 'synonyms' | 'hidden'>,
    path: readonly string[],
    inside: readonly Path[] = [],
  ) => {
    if (hidden === true) {
      sqlOf.set(title, sql)
      hiddenPaths.set(title, [path, ...inside])
      for (const [key, value] of Object.entries({ description, synonyms }))
        if (value?.length) report.lose('inert', [...path, key], `'${key}' is only in the extension, which no other tool reads.`)
      return
    }
    const name = slugOf(title, names)
    found.push({ path, inside, name, title, sql, description, synonyms })
    sqlOf.set(title, sql)
    if (name !== title) report.lose('rewritten', path, `'${title}' is called ${name}: names there are letters and digits.`)
  }
  for (const measure of model.measures.values()) {
    const { name, rowCountOf } = measure
    const path = rowCountOf === undefined ? ['measures', name] : ['dataObjects', rowCountOf]
    const write = () => {
      if (rowCountOf === undefined) checkKeys(model.document.measures?.[name] ?? {}, MEASURE_KEYS)
      const home = homeOf(measure, objectsIn(measure), model)
      if (removed.has(home)) throw new Unsaid('a required join removes rows of its table')
      const { name: table, primaryKey } = datasets.dataset(home)
      const isOfRows = countsRows(measure)
      if (isOfRows && primaryKey.length !== 1) throw new Unsaid('it counts rows, and its table has no key of one column')
      const spelling = datasets.aggregated(home)
      const sql = isOfRows
        ? `COUNT(${table}.${primaryKey[0]})`
        : aggregateSql(measure, { home, model, report, path, spelling, aggregates: AGGREGATES })
      add(name, sql, measure, path)
      if (rowCountOf === undefined) report.inert(path, model.document.measures?.[name] ?? {}, MEASURE_KEYS)
    }
    if (rowCountOf === undefined) report.item(path, `The measure '${name}'`, write)
    else report.attempt(path, `The count of rows '${name}'`, write)
    yield
  }
  const types = new FieldTypes(model)
  for (const metric of inOrder(model.metrics)) {
    types.add(metric)
    const path = ['metrics', metric.name]
    report.item(path, `The metric '${metric.name}'`, () => {
      if (metric.type !== 'derived') throw new Unsaid(`it is of the type '${metric.type}'`)
      checkKeys(model.document.metrics?.[metric.name] ?? {}, METRIC_KEYS)
      const leaf = ({ name }: { readonly kind: 'field'; readonly name: string }): string => {
        const sql = sqlOf.get(name)
        if (sql === undefined) throw new Unsaid(`'${name}' has no place there`)
        return sql
      }
      const sql = writtenSql(metric.expression, { ...datasets.spelling(undefined), leaf, typeOf: types.typeOf })
      // A formula of formulas grows with each of them.
      if (sql.length > MOST_CHARACTERS) throw new Unsaid('its expression would be too long')
      add(
        metric.name,
        sql,
        metric,
        path,
        namesReadBy(metric).flatMap((name) => hiddenPaths.get(name) ?? []),
      )
      report.inert(path, model.document.metrics?.[metric.name] ?? {}, METRIC_KEYS)
    })
    yield
  }
  report.hidden(
    [...hiddenPaths].map(([name, [path = []]]) => [name, path]),
    found.flatMap(({ inside }) => inside),
  )
  return found
}

const MOST_CHARACTERS = 10_000
