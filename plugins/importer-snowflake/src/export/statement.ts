import { PlacedText } from '@grainline/importer-dbt/foreign'
import type { OutItem, OutMetric, OutPair, OutRelationship, OutTable, OutView } from './outline.js'

/** A semantic view as the statement that creates it. Each step writes an item. */
export function* statementText({ name, description, tables, relationships, metrics }: OutView): Generator<void, PlacedText> {
  function* said<Out extends Pick<OutItem, 'path'>>(items: readonly Out[], write: (item: Out) => string): Generator<Line> {
    for (const item of items) yield { path: item.path, text: write(item) }
  }
  function* fields(items: (table: OutTable) => readonly OutItem[]): Generator<Line> {
    for (const table of tables) yield* said(items(table), (item) => fieldText(item, table.name))
  }
  function* allMetrics(): Generator<Line> {
    for (const table of tables) yield* said(table.metrics, (metric) => metricText(metric, table.name))
    yield* said(metrics, (metric) => metricText(metric, undefined))
  }
  const clauses: readonly (readonly [string, Iterable<Line>])[] = [
    ['TABLES', said(tables, tableText)],
    ['RELATIONSHIPS', said(relationships, relationshipText)],
    ['FACTS', fields(({ facts }) => facts)],
    ['DIMENSIONS', fields(({ dimensions, times }) => [...dimensions, ...times])],
    ['METRICS', allMetrics()],
  ]
  const written = new PlacedText()
  written.add(`CREATE OR REPLACE SEMANTIC VIEW ${name}`)
  for (const [clause, lines] of clauses) {
    let isEmpty = true
    for (const line of lines) {
      written.add(isEmpty ? `\n  ${clause} (\n    ` : ',\n    ')
      written.add(line.text, line.path)
      isEmpty = false
      yield
    }
    if (!isEmpty) written.add('\n  )')
  }
  written.add(`${description ? `\n  COMMENT = ${text(description)}` : ''};\n`)
  return written
}

/** An item as it is written. */
interface Line {
  readonly path: OutItem['path']
  readonly text: string
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
