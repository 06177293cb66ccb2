/** Semantic models of Ossie: a list of what is lost, and no text that breaks the importer. */
import { importerConformance } from '@grainline/core/testing'
import t from 'tap'
import { databricks } from '../../plugins/importer-databricks/src/index.js'
import { dbt } from '../../plugins/importer-dbt/src/index.js'
import { ossie } from '../../plugins/importer-ossie/src/index.js'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { readsBroken } from './broken.js'
import { at, readBy, textOf } from './foreign-texts.js'
import { serviceWith } from './numbers-by-hand.js'

const shop = textOf('ossie/shop.yaml')

const imported = readBy(ossie)

importerConformance(t, {
  importer: ossie,
  model: shop,
  invalid: 'version: 0.2.0.dev0\nsemantic_model:\n  - name: a\n    datasets: []\n',
})

t.test('the list says what the model does not say as it is written', async (t) => {
  const { losses } = await imported(shop)
  const inert = losses.filter(({ kind }) => kind === 'inert').map(({ message }) => message)
  t.match(inert.toSorted(), [
    "'examples' of 'shop' is not in the model: it says nothing about numbers here.",
    "'instructions' of 'shop' is not in the model: it says nothing about numbers here.",
    "'label' of 'region' is not in the model: it says nothing about numbers here.",
    "The expression of 'size' in MAQL is not in the model: it has that in ANSI_SQL.",
    "What ACME says of 'shop' is in its customExtensions, on which nothing acts.",
  ])
  t.same(
    losses.filter(({ kind }) => kind === 'refused'),
    [],
  )
  t.ok(losses.every(({ place }) => place !== undefined))
})

t.test('a rule of a vendor about who sees what refuses the text, and its filter has a line', async (t) => {
  const text = shop.replace(`'{"theme": "dark"}'`, () => `'{"filter": "a > 1", "deep": [{"row_access_policy": "own"}]}'`)
  const service = await serviceWith(t, ossie)
  const asked = { asker: undefined, model_yaml: text, format: 'ossie' }
  t.match((await service.validate(asked)).errors, [{ message: /'row_access_policy', which ACME says of 'shop'/, line: Number }])
  const { losses } = await service.convert({ ...asked, drop_security: true })
  t.match(
    losses.find(({ message }) => message.startsWith("'filter'")),
    { kind: 'refused', hint: /filters of the model/ },
  )
})

t.test('a text is recognized as a model of one product only', async (t) => {
  const texts = {
    databricks: textOf('databricks/shop.yaml'),
    dbt: textOf('dbt/new.yml'),
    ossie: shop,
    snowflake: textOf('snowflake/shop.yaml'),
  }
  for (const [name, text] of Object.entries(texts))
    t.same(
      [databricks, dbt, ossie, snowflake].filter((importer) => importer.detect({ text })).map((importer) => importer.name),
      [name],
    )
})

t.test('names, keys and joins are those of the text', async (t) => {
  const read = await imported(shop)
  t.match(at(read, 'settings'), { strictFilters: true })
  t.same(at(read, 'customExtensions'), [{ vendor: 'ACME', data: '{"theme": "dark"}' }])
  t.match(at(read, 'dataObjects', 'orders'), {
    code: 'orders',
    schema: 'main',
    columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, Amount: { code: 'Amount', abstractType: 'float' } },
  })
  t.match(at(read, 'dataObjects', 'sales', 'joins'), [
    { joinTo: 'stock', columnsFrom: ['store', 'sku'] },
    { joinTo: 'users', secondary: true, pathName: 'made_by' },
    { joinTo: 'users', secondary: true, pathName: 'sold_by' },
  ])
  t.match(at(read, 'measures', 'revenue'), { aggregation: 'sum', description: 'In euros', synonyms: ['turnover'] })
})

t.test('a draft without a version and a list, and another version, are read', async (t) => {
  const draft =
    'name: d\ndatasets:\n  - { name: a, source: a, fields: [{ name: x, expression: x, dimension: {} }] }\nmetrics:\n  - { name: n, expression: COUNT(a.x) }\n'
  t.match(at(await imported(draft), 'measures', 'n'), { aggregation: 'count' })
  t.ok(await imported(shop.replace('0.2.0.dev0', '0.1.1')))
})

t.test('what the specification does not allow refuses the text, at its place', async (t) => {
  for (const [from, to, message] of [
    ['version: 0.2.0.dev0', 'version: 7', /version '7' is not known/],
    ['description: Who buys', 'descriptoin: Who buys', /'descriptoin' is no key of a dataset/],
    ['label: geography', 'role: geography', /'role' is no key of a field/],
    ['source: main.orders', 'source: SELECT * FROM orders', /is a query/],
    ['datatype: Decimal', 'datatype: Money', /'Money' is no datatype/],
    ['from_columns: [store, sku]', 'from_columns: [store]', /as many columns on both sides/],
    ['{ is_time: false }', '{ is_tim: false }', /'is_tim' is no key of a dimension/],
    ["data: '{", "dat: '{", /'dat' is no key of an extension|'data' is missing/],
    ['semantic_model:', 'ontology: []\nsemantic_model:', /is an ontology/],
  ] as const) {
    t.ok(shop.includes(from), from)
    t.match(await ossie.read({ text: shop.replace(from, to) }), { faults: [{ message, place: { line: Number } }] }, to)
  }
})

t.test('what has no place in a model refuses its metric, with what reads it', async (t) => {
  for (const [expression, message] of [
    ['AVG(AVG(orders.amount))', /aggregates an aggregate/],
    ['SUM(orders.amount) OVER ()', /window/],
    ['COUNT(*)', /one table/],
    ['SUM(id)', /one table/],
    ['SUM(orders.amount * returns.amount)', /one table/],
    ['SUM((SELECT 1))', /not part of expressions/],
  ] as const) {
    const { losses, document } = await imported(shop.replace('expression: SUM(orders.amount)', `expression: '${expression}'`))
    const refused = losses.filter(({ kind }) => kind === 'refused')
    t.match(refused[0], { message, place: { line: Number } }, expression)
    t.match(refused[1], { message: /'share_returned' is left out: 'revenue' is left out/ }, expression)
    t.notOk(Object.hasOwn(document['measures'] as object, 'revenue'))
  }
  const mdx = await imported(shop.replace('dialect: ANSI_SQL, expression: SUM(returns', 'dialect: MDX, expression: SUM(returns'))
  t.match(
    mdx.losses.filter(({ kind }) => kind === 'refused'),
    [{ message: /'return_total' is left out: the function 'mdx' is not known/ }, {}],
  )
})

readsBroken({ what: 'models of Ossie', importer: ossie, texts: [shop], service: (t) => serviceWith(t, ossie) })
