/** A hidden column shows in no other place where it is stored: in the list that holds it, in its element, in a second object over the elements, and in the keys of elements. */
import t, { type Test } from 'tap'
import { servedShop } from './served.js'
import type { Who } from './shop.js'

const model = (hide: string, publish = '') => `
version: 1
name: shop
settings: { defaultDialect: duckdb }
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Items: { code: items, abstractType: json }
      As Text: { expression: 'cast({Items} as text)', abstractType: string }
  Items:
    code: items
    nestedIn: { dataObject: Orders, column: Items }
    columns:
      Sku: { code: sku, abstractType: string }
      Price: { code: price, abstractType: int }
      Whole: { code: '*', abstractType: json }
      Parts: { code: parts, abstractType: json }
  Lines:
    code: items
    nestedIn: { dataObject: Orders, column: Items }
    columns: { Cost: { code: price, abstractType: int } }
  Parts:
    code: parts
    nestedIn: { dataObject: Items, column: Parts }
    columns: { Part: { code: '*', abstractType: int } }
  Others:
    schema: main
    code: ORDERS
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Lists: { code: items, abstractType: json }
dimensions: { Sku: { dataObject: Items, column: Sku } }
measures:
  Price: { columns: [{ dataObject: Items, column: Price }], aggregation: sum }
  Cost: { columns: [{ dataObject: Lines, column: Cost }], aggregation: sum }
access: { fields: [{ hide: [${hide}]${publish && `, publish: [${publish}]`}, unless: [admin] }] }`

const ITEM = 'STRUCT(sku VARCHAR, price INTEGER, parts INTEGER[])[]'
const TABLES = [
  `CREATE TABLE orders AS SELECT 4711 AS id, [{'sku': 'a', 'price': 4712, 'parts': [4713]}, {'sku': 'b', 'price': 1, 'parts': [2]}]::${ITEM} AS items`,
]

const RAW = [
  ...['Orders.Id', 'Orders.Items', 'Orders.As Text', 'Items.Sku', 'Items.Price', 'Items.Whole', 'Items.Parts', 'Items.Orders Id'],
  ...[
    'Lines.Cost',
    'Lines.Orders Id',
    'Parts.Part',
    'Parts.Items Orders Id',
    'Parts.Items Position',
    'Others.Id',
    'Others.Lists',
  ],
  ...['Items.Position', 'Lines.Position'],
]
const MEASURES = ['Price', 'Cost', 'Items Count', 'Lines Count', 'Parts Count', 'Orders Count']

/** The columns and measures that the principal reads. */
async function read(
  t: Test,
  who: Who,
  hide: string,
  publish?: string,
): Promise<{ readonly seen: string[]; readonly text: string }> {
  const { post, get } = await servedShop(t, { model: model(hide, publish), tables: TABLES })
  const asked = [
    ...RAW.map((name) => [name, { select: { fields: [name] } }] as const),
    ...MEASURES.map((name) => [name, { select: { measures: [name] } }] as const),
  ]
  const [seen, texts]: [string[], string[]] = [[], []]
  for (const [name, query] of asked) {
    const { status, text } = await post(who, '/v1/query/execute', { query })
    if (status === 200) seen.push(name)
    texts.push(text)
  }
  const schema = (await get(who, '/v1/schema')).text
  t.same(
    ['"Items"', '"Lines"', '"Parts"', '"Whole"', '"Sku"', '"Cost"'].filter((name) => schema.includes(name)).length > 0,
    seen.some((name) => /^(Items|Lines|Parts)\./.test(name)),
    'the schema names what is shown',
  )
  return { seen, text: texts.join('\n') }
}

const all = [...RAW, ...MEASURES]
const without = (...names: readonly string[]) => all.filter((name) => !names.includes(name))

t.test('a principal who may see every field reads all of them', async (t) => {
  t.same((await read(t, 'ops', 'Items.Price')).seen, all)
})

t.test('a field of elements is hidden with what holds it, and with the same field of another object', async (t) => {
  const { seen, text } = await read(t, 'north', 'Items.Price')
  const holds = ['Orders.Items', 'Orders.As Text', 'Items.Whole', 'Others.Lists']
  t.same(seen, without('Items.Price', 'Lines.Cost', 'Price', 'Cost', ...holds))
  t.notMatch(text, /4712/)
})

t.test('with a list, its elements are hidden at any depth, and how many there are', async (t) => {
  const { seen, text } = await read(t, 'north', 'Orders.Items')
  t.same(seen, ['Orders.Id', 'Others.Id', 'Orders Count'])
  t.notMatch(text, /4712|4713/)
})

t.test('a list within elements is hidden, and what is around it', async (t) => {
  const { seen } = await read(t, 'north', 'Items.Parts')
  const parts = all.filter((name) => name.startsWith('Parts'))
  t.same(seen, without('Items.Parts', ...parts, 'Orders.Items', 'Orders.As Text', 'Items.Whole', 'Others.Lists'))
})

t.test('with a key, the keys of elements are hidden', async (t) => {
  const { seen, text } = await read(t, 'north', 'Orders.Id')
  t.same(seen, without('Orders.Id', 'Items.Orders Id', 'Lines.Orders Id', 'Parts.Items Orders Id', 'Others.Id'))
  t.notMatch(text, /4711/)
})

t.test('a published measure over a hidden list has its number', async (t) => {
  const { seen } = await read(t, 'north', 'Orders.Items', 'Price')
  t.same(seen, ['Orders.Id', 'Others.Id', 'Price', 'Orders Count'])
})
