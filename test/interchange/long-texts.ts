/** A text of each format with as many copies of an item as are asked for; each copy has as many characters as the others. */

export interface LongText {
  readonly format: string
  readonly of: (copies: number) => string
}

const numbers = (copies: number) => Array.from({ length: copies }, (_, at) => at + 1_000_000)
const lines = (copies: number, line: (at: number) => string) => numbers(copies).map(line).join('\n')
const words = 'What it means, and for whom. '.repeat(30)

export const LONG_TEXTS: readonly LongText[] = [
  {
    format: 'cube',
    of: (copies) =>
      `cubes:\n${lines(
        copies,
        (at) => `  - name: cube_${at}
    sql_table: shop.table_${at}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: kind, sql: "CASE WHEN {CUBE}.a > 1 THEN 'x' END", type: string }
    measures: [{ name: total, sql: amount, type: sum, filters: [{ sql: "{CUBE}.kind = 'x'" }] }]`,
      )}`,
  },
  {
    // A view has one list of measures, which has at most 10,000 entries, so each of them is long.
    format: 'databricks',
    of: (copies) =>
      `version: 1.1\nsource: shop.orders\ndimensions:\n  - { name: kind, expr: kind }\nmeasures:\n${lines(
        copies,
        (at) => `  - { name: total_${at}, expr: "SUM(amount_${at}) FILTER (WHERE kind = 'x')", comment: "${words}" }`,
      )}`,
  },
  {
    format: 'dbt',
    of: (copies) =>
      `semantic_models:\n${lines(
        copies,
        (at) => `  - name: model_${at}
    model: ref('table_${at}')
    entities: [{ name: entity_${at}, type: primary, expr: id }]
    dimensions: [{ name: kind, type: categorical, expr: "case when a > 1 then 'x' end" }]
    measures: [{ name: sum_${at}, agg: sum, expr: amount, create_metric: true }]`,
      )}`,
  },
  {
    format: 'lookml',
    of: (copies) =>
      lines(
        copies,
        (at) => `view: view_${at} {
  sql_table_name: shop.table_${at} ;;
  dimension: id { primary_key: yes type: number sql: \${TABLE}.id ;; }
  dimension: kind { type: string sql: CASE WHEN \${TABLE}.a > 1 THEN 'x' END ;; }
  measure: total { type: sum sql: \${TABLE}.amount ;; filters: [kind: "x"] }
}`,
      ),
  },
  {
    format: 'ossie',
    of: (copies) =>
      `version: "0.2.0.dev0"\nsemantic_model:\n  - name: shop\n    datasets:\n${lines(
        copies,
        (at) => `      - name: set_${at}
        source: main.shop.table_${at}
        primary_key: [id]
        fields:
          - { name: id, expression: { dialects: [{ dialect: ANSI_SQL, expression: id }] }, datatype: Integer }
          - { name: kind_${at}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "UPPER(a)" }] }, dimension: {}, datatype: String }`,
      )}`,
  },
  {
    format: 'snowflake',
    of: (copies) =>
      `name: shop\ntables:\n${lines(
        copies,
        (at) => `  - name: table_${at}
    base_table: { database: main, schema: shop, table: t_${at} }
    primary_key: { columns: [id] }
    dimensions:
      - { name: id, expr: id, data_type: NUMBER }
      - { name: kind_${at}, expr: "CASE WHEN a > 1 THEN 'x' END", data_type: VARCHAR }
    metrics: [{ name: total_${at}, expr: SUM(amount) }]`,
      )}`,
  },
  {
    format: 'tmdl',
    of: (copies) =>
      lines(
        copies,
        (at) => `table Table${at}

\tmeasure Total${at} = CALCULATE(SUM(Table${at}[amount]), KEEPFILTERS(Table${at}[kind] = "x"))

\tcolumn id
\t\tdataType: int64
\t\tisKey
\t\tsourceColumn: id

\tcolumn kind
\t\tdataType: string
\t\tsourceColumn: kind

\tcolumn amount
\t\tdataType: double
\t\tsourceColumn: amount

\tpartition Table${at} = entity
\t\tmode: directQuery
\t\tsource
\t\t\tentityName: table_${at}
\t\t\tschemaName: shop
`,
      ),
  },
]
