/** Every format that is read, with texts of ours. A new format is one more entry, and its texts are attacked like the others. */
import type { Importer } from '@grainline/core'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { obmlWith } from '../../core/src/model/obml.js'
import { cube } from '../../plugins/importer-cube/src/index.js'
import { databricks } from '../../plugins/importer-databricks/src/index.js'
import { dbt } from '../../plugins/importer-dbt/src/index.js'
import { lookml } from '../../plugins/importer-lookml/src/index.js'
import { ossie } from '../../plugins/importer-ossie/src/index.js'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { tmdl } from '../../plugins/importer-tmdl/src/index.js'
import { textOf } from './foreign-texts.js'

interface Format {
  readonly importer: Importer
  readonly texts: readonly string[]
  /** The first text with a rule that decides who sees what. */
  readonly ruled: (text: string) => string
}

const OBML = `version: 1.0
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer, abstractType: int }
      Amount: { code: amount, abstractType: float }
      Large: { expression: "CASE WHEN {Amount} > 100 THEN 'large' ELSE 'small' END", abstractType: string }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region: { code: region, abstractType: string }
dimensions:
  Region: { dataObject: Customers, column: Region }
  Large: { dataObject: Orders, column: Large }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Mean: { aggregation: avg, expression: '{[Orders].[Amount]} * 2' }
metrics:
  Share: { expression: '{[Revenue]} / {[Mean]}' }
`

const before = (line: RegExp, added: string) => (text: string) => text.replace(line, (found) => `${added}\n${found}`)

export const FORMATS: readonly Format[] = [
  { importer: cube, texts: [textOf('cube/shop.yml')], ruled: before(/^ {4}joins:/m, '    access_policy: [{ role: own }]') },
  { importer: databricks, texts: [textOf('databricks/shop.yaml')], ruled: before(/^source:/m, 'row_filter: own_rows') },
  {
    importer: dbt,
    texts: [textOf('dbt/legacy.yml'), textOf('dbt/new.yml')],
    ruled: before(/^semantic_models:/m, '    meta: { required_attributes: { region: own } }'),
  },
  {
    importer: lookml,
    texts: [textOf('lookml/shop.lkml')],
    ruled: (text) =>
      text.replace(/^explore: orders \{/m, 'explore: orders {\n  access_filter: { field: orders.id user_attribute: own }'),
  },
  {
    importer: obmlWith(() => ({ functions: builtInFunctions, aggregates: builtInAggregates })),
    texts: [OBML],
    ruled: before(/^ {4}columns:/m, '    rowFilters: [own]'),
  },
  {
    importer: ossie,
    texts: [textOf('ossie/shop.yaml')],
    ruled: (text) => text.replace(`'{"theme": "dark"}'`, `'{"row_filters": ["own"]}'`),
  },
  {
    importer: snowflake,
    texts: [textOf('snowflake/shop.yaml'), textOf('snowflake/shop.sql')],
    ruled: before(/^tables:/m, 'row_access_policy: { name: own }'),
  },
  {
    importer: tmdl,
    texts: [textOf('tmdl/shop.tmdl')],
    ruled: (text) => `${text}\nrole Own\n\ttablePermission Orders = Orders[channel] = "web"\n`,
  },
]
