/** Models → semantic models of Ossie. */
import type { ExportedPath, Exporter, SemanticModel } from '@grainline/core'
import {
  checkKeys,
  eachInSteps,
  FreeNames,
  inTurns,
  type KeyUse,
  loseAccess,
  Report,
  reportDetours,
  restOf,
  Unsaid,
} from '@grainline/importer-dbt/foreign'
import { extensionOf } from '../extension.js'
import { Datasets, NOTES } from './datasets.js'
import { metricsOf, type OutMetric } from './metrics.js'
import { type OutDataset, type OutField, type Path, slugOf, wordOf } from './outline.js'

type Data = Readonly<Record<string, unknown>>

/** A semantic model, in which an extension says what Ossie does not. */
export const exporter: Exporter = { name: 'ossie', write: (model) => inTurns(steps(model)) }

function* steps(model: SemanticModel): Generator<unknown, Awaited<ReturnType<Exporter['write']>>> {
  const filters = model.filters.map((_filter, at) => ({
    message: 'Ossie has no filter on every question, and every number depends on it.',
    hint: 'Write the filter in a view of the database, and use that as the table.',
    path: ['filters', at],
  }))
  if (filters.length > 0) return { faults: filters }
  const report = new Report({ kind: 'inert', says: 'is only in the extension, which no other tool reads' })
  const datasets = new Datasets(model, report)
  yield* datasets.write()
  const { relationships, joins } = relationshipsOf(datasets)
  const metrics = yield* metricsOf(datasets)
  if (datasets.all.length === 0) return { faults: report.faults('No data object of the model can be a dataset.') }
  reportRest(model, report)
  const { name = 'model', description, document } = model
  const { synonyms = [], access: _access, extends: _extends, inherits: _inherits, ...rest } = document
  const said = present({
    name: wordOf(name),
    description,
    ai_context: synonyms.length > 0 ? { synonyms } : undefined,
    datasets: yield* datasetsData(datasets),
    relationships,
    metrics: yield* eachInSteps(metrics, metricData),
  })
  const extension = yield* extensionOf(said, { ...rest, ...(synonyms.length > 0 && { synonyms }) })
  const extended = { ...said, custom_extensions: [extension] }
  const { written, losses } = report
  const paths = pathsOf(datasets, joins, metrics)
  return { content: { yaml: { version: '0.2.0.dev0', semantic_model: [extended] }, paths }, written, losses }
}

/** Where the data say the items of the model. */
function pathsOf({ all }: Datasets, joins: readonly Path[], metrics: readonly OutMetric[]): readonly ExportedPath[] {
  const root = ['semantic_model', 0]
  return [
    ...all.flatMap(({ path, fields }, at) => [
      { path, at: [...root, 'datasets', at] },
      ...fields.flatMap((field, index) =>
        field.paths.map((each) => ({ path: each, at: [...root, 'datasets', at, 'fields', index] })),
      ),
    ]),
    ...joins.map((path, at) => ({ path, at: [...root, 'relationships', at] })),
    ...metrics.flatMap(({ path, inside }, at) => [path, ...inside].map((each) => ({ path: each, at: [...root, 'metrics', at] }))),
  ]
}

const JOIN_KEYS: Readonly<Record<string, KeyUse>> = {
  ...NOTES,
  ...Object.fromEntries(
    'joinType joinTo columnsFrom columnsTo pathName secondary required'.split(' ').map((key) => [key, 'said' as const]),
  ),
}

interface Relationships {
  readonly relationships: readonly Data[]
  /** The join of each. */
  readonly joins: readonly Path[]
}

function relationshipsOf(datasets: Datasets): Relationships {
  const found: Data[] = []
  const joins: Path[] = []
  const names = new FreeNames()
  const { model, report } = datasets
  for (const object of model.dataObjects.values())
    for (const [at, join] of object.joins.entries())
      report.item(['dataObjects', object.name, 'joins', at], `The join of '${object.name}' to '${join.to}'`, () => {
        const entry = model.document.dataObjects?.[object.name]?.joins?.[at] ?? {}
        checkKeys(entry, JOIN_KEYS)
        const { from, to, cardinality, on, secondary, required } = join
        if (cardinality === 'many-to-many') throw new Unsaid('it is many-to-many')
        if (secondary || required) throw new Unsaid(secondary ? 'it is a second way' : 'it removes rows')
        const pairs = on.map((term) => {
          if (term.kind !== 'equal') throw new Unsaid('it is a join over time')
          return [datasets.keyColumn(from, term.from), datasets.keyColumn(to, term.to)] as const
        })
        const [left, right] = [datasets.dataset(from), datasets.dataset(to)]
        needKey(
          to,
          pairs.map(([, column]) => column),
          datasets,
        )
        if (cardinality === 'one-to-one')
          needKey(
            from,
            pairs.map(([column]) => column),
            datasets,
          )
        const name = slugOf(join.pathName ?? `${from}_to_${to}`, names)
        const columns = { from_columns: pairs.map(([column]) => column), to_columns: pairs.map(([, column]) => column) }
        found.push({ name, from: left.name, to: right.name, ...columns })
        joins.push(['dataObjects', object.name, 'joins', at])
        report.inert(['dataObjects', object.name, 'joins', at], entry, JOIN_KEYS)
      })
  reportDetours(model, report)
  return { relationships: found, joins }
}

/** A relationship ends at a key. */
function needKey(object: string, columns: readonly string[], datasets: Datasets): void {
  const { primaryKey, uniqueKeys } = datasets.dataset(object)
  const keys = [primaryKey, ...uniqueKeys].filter((key) => key.length > 0)
  if (keys.some((key) => key.every((column) => columns.includes(column)))) return
  uniqueKeys.push(columns)
  const message = `The columns (${columns.join(', ')}) of '${object}' are a unique key: a join says so.`
  datasets.report.lose('rewritten', ['dataObjects', object], message)
}

/** Parts of the document that only the extension says. */
function reportRest(model: SemanticModel, report: Report): void {
  for (const name of model.segments.keys())
    report.lose('inert', ['segments', name], `The segment '${name}' is only in the extension, which no other tool reads.`)
  for (const key of restOf(model)) {
    if (key === 'access') loseAccess(report, 'Ossie')
    else if (!SAID.has(key)) report.lose('inert', [key], `'${key}' is only in the extension, which no other tool reads.`)
  }
}

const SAID = new Set(['name', 'description', 'synonyms'])

/** Without keys that say nothing. */
const present = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )

const notes = ({ name, title, description, synonyms }: Pick<OutMetric, 'name' | 'title' | 'description' | 'synonyms'>): Data => {
  const all = [...new Set([...(name === title ? [] : [title]), ...synonyms])]
  return { description, ai_context: all.length > 0 ? { synonyms: all } : undefined }
}

const expression = (sql: string): Data => ({ dialects: [{ dialect: 'ANSI_SQL', expression: sql }] })

function* datasetsData({ all }: Datasets): Generator<void, readonly Data[]> {
  const found: Data[] = []
  for (const dataset of all) found.push(datasetData(dataset, yield* eachInSteps(dataset.fields, fieldData)))
  return found
}

const datasetData = (dataset: OutDataset, fields: readonly Data[]): Data =>
  present({
    name: dataset.name,
    source: dataset.source,
    primary_key: dataset.primaryKey,
    unique_keys: dataset.uniqueKeys,
    ...notes(dataset),
    fields,
  })

const fieldData = (field: OutField): Data =>
  present({
    name: field.name,
    expression: expression(field.sql),
    datatype: field.type,
    dimension: field.isDimension ? {} : undefined,
    ...notes(field),
  })

const metricData = (metric: OutMetric): Data =>
  present({ name: metric.name, expression: expression(metric.sql), ...notes(metric) })
