/** Models as semantic models of Ossie: a model that is exported and imported is the same, also where Ossie alone says it. */
import type { Exported, SemanticModel } from '@grainline/core'
import { exporterConformance } from '@grainline/core/testing'
import t from 'tap'
import { stringify } from 'yaml'
import { importer as ossie } from '../../plugins/importer-ossie/src/importer.js'
import { exporter } from '../../plugins/importer-ossie/src/index.js'
import { generateModel } from '../oracle/generate/model.js'
import { randomFrom } from '../oracle/generate/random.js'
import { PART } from '../support/amount.js'
import { anyModel, modelsAsked } from './any-model.js'
import { exportOf, linesOf, modelOf, parsed } from './exported-models.js'
import { meaningOf } from './same-meaning.js'

const SHOP = `
version: 1
name: my shop
owner: Ada
synonyms: [store]
dataObjects:
  Customers:
    code: customers
    synonyms: [buyers]
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region: { code: region, abstractType: string, description: Where }
  Orders:
    code: orders
    schema: main
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer id, abstractType: int }
      Amount: { code: amount, sqlType: 'decimal(18,2)' }
      Cost: { code: cost, sqlType: 'decimal(18,2)' }
      Margin: { expression: '{Amount} - {Cost}', abstractType: float }
      Day: { code: day, abstractType: date }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]
dimensions:
  region: { dataObject: Customers, column: Region, synonyms: [area] }
  Day of Order: { dataObject: Orders, column: Day }
  Month: { dataObject: Orders, column: Day, timeGrain: month }
  Bin: { dataObject: Orders, column: Amount, bins: { size: 10 } }
measures:
  revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], format: '0.00', description: In euros }
  northern: { aggregation: sum, columns: [{ dataObject: Orders, column: Margin }], filters: [{ field: Customers.Region, op: '=', value: north }] }
  last: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], semiAdditive: { timeDimension: Day of Order, take: last } }
metrics:
  average: { expression: '{[revenue]} / {[Orders Count]}' }
  rank: { type: window, windowFunction: rank, measure: revenue }
segments:
  Large: { filters: [{ field: region, op: '=', value: north }] }
`

t.setTimeout(600_000)

exporterConformance(t, { exporter, model: SHOP })

interface Yaml {
  readonly version: string
  readonly semantic_model: readonly (Record<string, unknown> & { readonly custom_extensions: readonly object[] })[]
}

async function yamlOf(model: SemanticModel): Promise<Exported & { readonly yaml: Yaml }> {
  const exported = await exportOf(model, exporter)
  if ('text' in exported.content) throw new Error(exported.content.text)
  return { ...exported, yaml: exported.content.yaml as unknown as Yaml }
}

async function imported(yaml: unknown) {
  const text = stringify(yaml, { aliasDuplicateObjects: false })
  const read = await ossie.read({ text })
  if ('faults' in read) throw new Error(`${JSON.stringify(read.faults)}\n${text}`)
  return read
}

/** What Ossie alone says. */
const without = ({ semantic_model: models, ...rest }: Yaml) => ({
  ...rest,
  semantic_model: models.map(({ custom_extensions: _, ...model }) => model),
})

t.test('the text is as the specification allows, and the list says what only the extension says', async (t) => {
  const exported = await yamlOf(modelOf(SHOP))
  const { yaml } = exported
  t.match(yaml, {
    version: '0.2.0.dev0',
    semantic_model: [
      {
        name: 'my_shop',
        datasets: [
          { name: 'Customers', source: 'customers', primary_key: ['id'], ai_context: { synonyms: ['buyers'] } },
          { name: 'Orders', source: 'main.orders' },
        ],
        relationships: [{ name: 'Orders_to_Customers', from: 'Orders', from_columns: ['customer id'], to_columns: ['id'] }],
        metrics: [
          { name: 'revenue', expression: { dialects: [{ dialect: 'ANSI_SQL', expression: 'SUM(Orders.amount)' }] } },
          { name: 'northern' },
          { name: 'Customers_Count', expression: { dialects: [{ expression: 'COUNT(Customers.id)' }] } },
          { name: 'Orders_Count' },
          {
            name: 'average',
            expression: {
              dialects: [{ expression: '(CAST(SUM(Orders.amount) AS DOUBLE PRECISION) / NULLIF(COUNT(Orders.id), 0))' }],
            },
          },
        ],
        custom_extensions: [{ vendor_name: 'GRAINLINE', data: String }],
      },
    ],
  })
  t.same(linesOf(exported), [
    'inert dimensions.Bin',
    'inert measures.last',
    'inert measures.revenue.format',
    'inert metrics.rank',
    'inert owner',
    'inert segments.Large',
    'rewritten dataObjects.Customers',
    'rewritten dataObjects.Orders',
    'rewritten dimensions.Day of Order',
    'rewritten dimensions.Month',
    'rewritten measures.northern',
  ])
})

t.test('a bridge is only in the extension: other tools would read it as a table like others', async (t) => {
  const bridge = `  Members:
    code: members
    bridge: true
    columns:
      Customer: { code: customer, abstractType: int }
      Group: { code: group_id, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Groups, columnsFrom: [Group], columnsTo: [Id] }
  Groups:
    code: groups
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
dimensions:
`
  const lines = linesOf(await exportOf(modelOf(SHOP.replace('dimensions:\n', bridge)), exporter))
  t.ok(lines.includes('inert dataObjects.Members'), lines.join('\n'))
})

t.test('filters on every question refuse the model, and access rules are no part of the extension', async (t) => {
  const text = `${SHOP}\nfilters: [{ dataObject: Orders, column: Day, operator: set }]`
  t.match(await exporter.write(modelOf(text)), { faults: [{ path: ['filters', 0], hint: /view/ }] })
  const { yaml } = await yamlOf(modelOf(`${SHOP}\naccess: { fields: [{ hide: [last] }] }`))
  t.notOk(Object.hasOwn((await imported(yaml)).document, 'access'))
})

t.test('a text that was changed is read as it is written, and says so', async (t) => {
  const { yaml } = await yamlOf(modelOf(SHOP))
  const [model] = yaml.semantic_model
  const read = await imported({ ...yaml, semantic_model: [{ ...model, description: 'Changed' }] })
  t.equal(read.document['description'], 'Changed')
  t.notOk(Object.hasOwn(read.document['metrics'] as object, 'rank'))
  t.match(
    read.losses.filter(({ kind }) => kind === 'refused'),
    [{ message: /changed after it was exported/ }],
  )
  for (const data of [
    '{',
    '7',
    '{"version":1}',
    JSON.stringify({ version: 1, digest: 'x', document: { extends: ['/etc/hosts'] } }),
  ]) {
    const custom_extensions = [{ vendor_name: 'GRAINLINE', data }]
    t.ok(
      Object.hasOwn((await imported({ ...yaml, semantic_model: [{ ...model, custom_extensions }] })).document, 'settings'),
      data,
    )
  }
})

const untyped = (meaning: unknown): unknown =>
  JSON.parse(JSON.stringify(meaning), (key, value: unknown) => (key === 'type' ? undefined : value))

/** A generated model whose names are words, as names of Ossie are. */
const plainModel = (seed: number): SemanticModel => {
  const { filters: _, ...document } = generateModel(randomFrom(seed)) as unknown as Record<string, unknown>
  return parsed(
    {
      json: JSON.parse(
        JSON.stringify(document)
          .replace(/(?<=[A-Za-z0-9]) (?=[a-z])/g, '_')
          .replaceAll('Promo Codes', 'PromoCodes'),
      ),
    },
    '',
  )
}

t.test('a model that is exported and imported is the same', async (t) => {
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
  t.comment(`INTERCHANGE_SEED=${seed}`)
  for (const model of [modelOf(SHOP), ...Array.from({ length: modelsAsked(8) }, (_, at) => anyModel(seed * 1000 + at))]) {
    const { yaml, losses } = await yamlOf(model)
    const read = await imported(yaml)
    t.same(read.losses, [])
    // Access rules are no part of a text, and their line is one of security.
    const { access, ...document } = model.document
    t.equal(
      losses.some(({ isSecurity }) => isSecurity === true),
      access !== undefined,
    )
    if (JSON.stringify(read.document) !== JSON.stringify(document)) t.same(read.document, document)
  }
})

t.test('what Ossie alone says means the same', async (t) => {
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
  let items = 0
  const models = modelsAsked(8)
  for (let at = 0; at < models; at++) {
    const model = plainModel(seed * 1000 + at)
    const { yaml, written, losses } = await yamlOf(model)
    const read = await imported(without(yaml))
    const refused = read.losses.filter(({ kind }) => kind === 'refused')
    t.same(refused, [], `model ${at} of ${seed}: ${refused.length > 0 ? stringify(without(yaml)) : ''}`)
    const other = parsed({ json: read.document }, '')
    const lost = new Set(losses.map(({ path }) => JSON.stringify(path)))
    for (const path of written.filter(
      (each) => !lost.has(JSON.stringify(each)) && each[2] !== 'columns' && each[0] !== 'metrics',
    )) {
      items++
      const [mine, its] = [model, other].map((each) => untyped(meaningOf(path, each, model)))
      if (JSON.stringify(mine) !== JSON.stringify(its))
        t.same(its, mine, `model ${at} of ${seed}: ${path.join('.')}\n${stringify(without(yaml))}`)
    }
  }
  t.comment(`${items} items of ${models} models`)
  t.ok(items > models, `${items} items of ${models} models`)
})

t.test('a model of which nothing can be written says why of each data object', async (t) => {
  const model = modelOf(
    "version: 1\ndataObjects: { Sales: { code: '(SELECT 1 AS id)', columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }",
  )
  t.match(await exporter.write(model), {
    faults: [{ message: /^No data object/ }, { message: /^.*'Sales'.*:/, path: ['dataObjects', 'Sales'] }],
  })
})
