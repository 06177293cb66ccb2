import type { ExportedPath } from '@grainline/core'
import type { OutItem, OutMetric, OutRelationship, OutTable, OutView } from './outline.js'

type Data = Readonly<Record<string, unknown>>

/** A semantic view as the data of its YAML. */
export function yamlOf({ name, description, tables, relationships, metrics }: OutView): Data {
  return present({
    name,
    description,
    tables: tables.map(tableData),
    relationships: relationships.map(relationshipData),
    metrics: metrics.map(metricData),
  })
}

/** Where these data say the items of the model. */
export function pathsOf({ tables, relationships, metrics }: OutView): readonly ExportedPath[] {
  const each = (items: readonly Pick<OutItem, 'path'>[], at: ExportedPath['at']): readonly ExportedPath[] =>
    items.map(({ path }, index) => ({ path, at: [...at, index] }))
  return [
    ...tables.flatMap((table, index) => [
      { path: table.path, at: ['tables', index] },
      ...FIELDS.flatMap(([kind, key]) => each(table[kind], ['tables', index, key])),
    ]),
    ...each(relationships, ['relationships']),
    ...each(metrics, ['metrics']),
  ]
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

const tableData = (table: OutTable): Data =>
  present({
    name: table.name,
    description: table.description,
    synonyms: table.synonyms,
    base_table: Object.fromEntries(table.base.map((part, at) => [PARTS[table.base.length - 1 - at], part])),
    primary_key: table.primaryKey.length > 0 ? { columns: table.primaryKey } : undefined,
    unique_keys: table.uniqueKeys.map((columns) => ({ columns })),
    dimensions: table.dimensions.map(itemData),
    time_dimensions: table.times.map(itemData),
    facts: table.facts.map(itemData),
    filters: table.filters.map(itemData),
    metrics: table.metrics.map(metricData),
  })

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
