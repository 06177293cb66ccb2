import type { OutItem, OutMetric, OutPair, OutRelationship, OutTable, OutView } from './outline.js'

/** A semantic view as the statement that creates it. */
export function statementText({ name, description, tables, relationships, metrics }: OutView): string {
  const fields = (items: (table: OutTable) => readonly OutItem[]) =>
    tables.flatMap((table) => items(table).map((item) => fieldText(item, table.name)))
  const clauses: readonly (readonly [string, readonly string[]])[] = [
    ['TABLES', tables.map(tableText)],
    ['RELATIONSHIPS', relationships.map(relationshipText)],
    ['FACTS', fields(({ facts }) => facts)],
    ['DIMENSIONS', fields(({ dimensions, times }) => [...dimensions, ...times])],
    [
      'METRICS',
      [
        ...tables.flatMap((table) => table.metrics.map((metric) => metricText(metric, table.name))),
        ...metrics.map((metric) => metricText(metric, undefined)),
      ],
    ],
  ]
  const written = clauses.flatMap(([clause, lines]) =>
    lines.length === 0 ? [] : [`  ${clause} (\n    ${lines.join(',\n    ')}\n  )`],
  )
  const comment = description ? [`  COMMENT = ${text(description)}`] : []
  return `${[`CREATE OR REPLACE SEMANTIC VIEW ${name}`, ...written, ...comment].join('\n')};\n`
}

const list = (names: readonly string[]): string => `(${names.join(', ')})`

function tableText({ name, base, primaryKey, uniqueKeys, range, ...notes }: OutTable): string {
  const parts = [
    `${name} AS ${base.join('.')}`,
    ...(primaryKey.length > 0 ? [`PRIMARY KEY ${list(primaryKey)}`] : []),
    ...uniqueKeys.map((key) => `UNIQUE ${list(key)}`),
    ...(range ? [`CONSTRAINT periods DISTINCT RANGE BETWEEN ${range[0]} AND ${range[1]} EXCLUSIVE`] : []),
  ]
  return `${parts.join(' ')}${notesText(notes)}`
}

const relationshipText = ({ name, left, right, columns }: OutRelationship): string =>
  `${name} AS ${left} ${list(columns.map((pair) => pair.left))} REFERENCES ${right} ${list(columns.map(targetText))}`

const targetText = ({ right, until, isAsOf }: OutPair): string => {
  if (until !== undefined) return `BETWEEN ${right} AND ${until} EXCLUSIVE`
  return isAsOf ? `ASOF ${right}` : right
}

const fieldText = (item: OutItem, table: string): string =>
  `${visible(item)}${table}.${item.name} AS ${item.sql}${notesText(item)}`

function metricText(metric: OutMetric, table: string | undefined): string {
  const { nonAdditive: by } = metric
  const end = by ? ` NON ADDITIVE BY (${by.table}.${by.dimension} ${by.isLast ? 'ASC NULLS FIRST' : 'DESC NULLS FIRST'})` : ''
  const name = table === undefined ? metric.name : `${table}.${metric.name}`
  return `${visible(metric)}${name}${end} AS ${metric.sql}${notesText(metric)}`
}

const visible = ({ isPrivate }: OutItem): string => (isPrivate ? 'PRIVATE ' : '')

const notesText = ({ synonyms, description }: Pick<OutItem, 'synonyms' | 'description'>): string =>
  `${synonyms.length > 0 ? ` WITH SYNONYMS = ${list(synonyms.map(text))}` : ''}${description ? ` COMMENT = ${text(description)}` : ''}`

/** Some clients read a backslash in quotes as the beginning of an escape; between two dollar signs it is itself. A dollar sign at the end would be one of them. */
const text = (value: string): string =>
  value.includes('\\') && !/\$\$|\$$/.test(value) ? `$$${value}$$` : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
