/** The grammar that reads SQL cuts names of more than 63 bytes: such a name is never read as another one that begins like it. */
import type { Importer } from '@grainline/core'
import t from 'tap'
import { FORMATS } from './formats.js'

const CUT = 'a'.repeat(63)
const LONG = `${CUT}b`

/** Models with a measure over the column of the longer name, beside one with the shorter. */
const TEXTS: Readonly<Record<string, string>> = {
  cube: `cubes:
  - name: o
    sql_table: o
    dimensions: [{ name: short, sql: ${CUT}, type: number }, { name: other, sql: '${LONG} + 0', type: number }]
    measures: [{ name: long, sql: ${LONG}, type: sum }]
`,
  databricks: `version: 1.1
source: c.s.o
fields: [{ name: short, expr: ${CUT} }, { name: other, expr: ${LONG} + 0 }]
measures: [{ name: long, expr: SUM(${LONG}) }]
`,
  dbt: `semantic_models:
  - name: o
    model: ref('o')
    entities: [{ name: id, type: primary }]
    dimensions: [{ name: short, type: categorical, expr: ${CUT} }, { name: other, type: categorical, expr: 'upper(${LONG})' }]
    measures: [{ name: long, agg: sum, expr: ${LONG} }]
`,
  lookml: `view: o {
  sql_table_name: o ;;
  dimension: short { type: number sql: \${TABLE}.${CUT} ;; }
  dimension: other { type: number sql: \${TABLE}.${LONG} + 0 ;; }
  measure: long { type: sum sql: \${TABLE}.${LONG} ;; }
}
explore: o {}
`,
  ossie: `version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - name: o
        source: s.o
        fields:
          - { name: short, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${CUT} }] }, dimension: {} }
          - { name: other, expression: { dialects: [{ dialect: ANSI_SQL, expression: '${LONG} + 0' }] }, dimension: {} }
    metrics:
      - { name: long, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(o.${LONG}) }] } }
`,
  snowflake: `name: v
tables:
  - name: O
    base_table: { table: O }
    dimensions:
      - { name: SHORT, expr: '"${CUT}"', data_type: NUMBER }
      - { name: OTHER, expr: '"${LONG}" + 0', data_type: NUMBER }
    metrics:
      - { name: LONG, expr: 'SUM("${LONG}")' }
`,
}

const SQL = FORMATS.filter(({ importer }) => Object.hasOwn(TEXTS, importer.name))

t.test('a name that the grammar would cut is itself, or its item is left out', async (t) => {
  t.equal(SQL.length, Object.keys(TEXTS).length)
  for (const { importer } of SQL) {
    const { document, losses } = await imported(importer, TEXTS[importer.name] ?? '')
    const columns = Object.values((document['dataObjects'] ?? {}) as Readonly<Record<string, Columns>>).flatMap((object) =>
      Object.values(object.columns),
    )
    const text = JSON.stringify(document)
    t.ok(
      columns.some(({ code }) => code === CUT),
      `${importer.name}: the shorter name is read`,
    )
    const isLeftOut = losses.some(({ kind, message }) => kind === 'refused' && /'?(?:o\.)?long'?.*63 bytes/i.test(message))
    const isRead = columns.some(({ code }) => code === LONG) && /"(?:o\.)?long"/i.test(text)
    t.ok(isRead || isLeftOut, `${importer.name}: ${text} ${JSON.stringify(losses)}`)
    const other = losses.some(({ kind, message }) => kind === 'refused' && /other.*63 bytes/i.test(message))
    t.ok(other || text.includes(LONG), `${importer.name}: the expression: ${text} ${JSON.stringify(losses)}`)
  }
})

interface Columns {
  readonly columns: Readonly<Record<string, { readonly code?: string }>>
}

async function imported(importer: Importer, text: string) {
  const read = await importer.read({ text })
  if ('faults' in read) throw new Error(`${importer.name}: ${JSON.stringify(read.faults)}`)
  return read
}
