import type { ExportedPath } from '@grainline/core'
import { eachInSteps } from '@grainline/importer-dbt/foreign'
import type { OutItem, OutMetric, OutRelationship, OutTable, OutView } from './outline.js'

type Data = Readonly<Record<string, unknown>>

/** A semantic view as the data of its YAML. Each step makes an item. */
export function* yamlOf({ name, description, tables, relationships, metrics }: OutView): Generator<void, Data> {
  const data: Data[] = []
  for (const table of tables) data.push(yield* tableData(table))
  return present({
    name,
    description,
    tables: data,
    relationships: yield* eachInSteps(relationships, relationshipData),
    metrics: yield* eachInSteps(metrics, metricData),
  })
}

/** Where these data say the items of the model. Each step finds one. */
export function* pathsOf({ tables, relationships, metrics }: OutView): Generator<void, readonly ExportedPath[]> {
  const found: ExportedPath[] = []
  function* add(items: readonly Pick<OutItem, 'path'>[], at: ExportedPath['at']): Generator<void> {
    for (const [index, { path }] of items.entries()) {
      found.push({ path, at: [...at, index] })
      yield
    }
  }
  for (const [index, table] of tables.entries()) {
    found.push({ path: table.path, at: ['tables', index] })
    for (const [kind, key] of FIELDS) yield* add(table[kind], ['tables', index, key])
  }
  yield* add(relationships, ['relationships'])
  yield* add(metrics, ['metrics'])
  return found
}

const FIELDS = [
  ['dimensions', 'dimensions'],
  ['times', 'time_dimensions'],
  ['facts', 'facts'],
  ['filters', 'filters'],
  ['metrics', 'metrics'],
] as const

/** Without keys that say nothing. */
const present = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )

const PARTS = ['table', 'schema', 'database']

function* tableData(table: OutTable): Generator<void, Data> {
  return present({
    name: table.name,
    description: table.description,
    synonyms: table.synonyms,
    base_table: Object.fromEntries(table.base.map((part, at) => [PARTS[table.base.length - 1 - at], part])),
    primary_key: table.primaryKey.length > 0 ? { columns: table.primaryKey } : undefined,
    unique_keys: table.uniqueKeys.map((columns) => ({ columns })),
    dimensions: yield* eachInSteps(table.dimensions, itemData),
    time_dimensions: yield* eachInSteps(table.times, itemData),
    facts: yield* eachInSteps(table.facts, itemData),
    filters: yield* eachInSteps(table.filters, itemData),
    metrics: yield* eachInSteps(table.metrics, metricData),
  })
}

const itemData = ({ name, sql, type, description, synonyms, isPrivate }: OutItem): Data =>
  present({
    name,
    synonyms,
    description,
    expr: sql,
    data_type: type,
    access_modifier: isPrivate ? 'private_access' : undefined,
  })

const metricData = (metric: OutMetric): Data => {
  const { nonAdditive: by } = metric
  const end = by && {
    table: by.table,
    dimension: by.dimension,
    sort_direction: by.isLast ? 'ascending' : 'descending',
    // The last rows of the order are taken, and none without a time.
    null_order: 'first',
  }
  return { ...itemData(metric), ...(end && { non_additive_dimensions: [end] }) }
}

const relationshipData = ({ name, left, right, columns, isOneToOne }: OutRelationship): Data => ({
  name,
  left_table: left,
  right_table: right,
  relationship_columns: columns.map((pair) => ({
    left_column: pair.left,
    right_column: pair.right,
    ...(pair.isAsOf && { type: 'asof' }),
  })),
  relationship_type: isOneToOne ? 'one_to_one' : 'many_to_one',
})
