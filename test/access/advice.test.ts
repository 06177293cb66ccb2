/** Applies the advice of the errors of access rules. */
import { createHost } from '@grainline/core'
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { dialects } from '../rest/server.js'
import { shopModel } from '../rest/shop.js'
import { servedShop } from './served.js'
import { MODEL } from './shop.js'

const total = { select: { measures: ['Revenue'] } }
const FIRST = 'where: { field: Customers.Region, op: in, value: { attribute: regions } }'
const twins = (code: string) =>
  `  Twins:\n    code: ${code}\n    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Region: { code: region, abstractType: string } }\n    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]\n  Products:\n`

/** The code, the mistake, and the text that its advice gives in place of the mistake. */
const MODELS: readonly (readonly [code: string, was: string, mistake: string, advised: string])[] = [
  ['POLICY_DOES_NOT_BIND', 'unbound: [Products]', 'unbound: []', 'unbound: [Products]'],
  ['POLICY_MISSES_TABLE', '  Products:\n', twins('customers'), twins('twins')],
  [
    'POLICY_NEEDS_DENIES_BY',
    FIRST,
    "where: { field: Customers.Region, op: '<>', value: South }",
    "deniesBy: true, where: { field: Customers.Region, op: '<>', value: South }",
  ],
  [
    'POLICY_DOES_NOT_BIND',
    '  unbound: [Products]',
    '  unbound: []',
    "    - { name: products, dataObject: Products, where: { field: Products.Id, op: '=', value: 1 } }\n  unbound: []",
  ],
  [
    'POLICY_NEEDS_DENIES_BY',
    FIRST,
    "where: { field: Customers.Region, op: '<>', value: South }",
    'where: { field: Customers.Region, op: in, value: [North] }',
  ],
  ['UNKNOWN_ATTRIBUTE', FIRST, FIRST.replace('regions', 'region'), FIRST],
  [
    'UNKNOWN_ACCESS_FIELD',
    '  unbound:',
    '  fields: [{ hide: [Customers.Zipp] }]\n  unbound:',
    '  fields: [{ hide: [Customers.Zip] }]\n  unbound:',
  ],
]
const hides = (rule: string) => `  fields: [${rule}]\n  unbound:`
const WARNED: readonly (readonly [code: string, mistake: string, advised: string])[] = [
  ['COLUMN_NOT_HIDDEN', hides('{ hide: [Region] }'), hides('{ hide: [Region, Customers.Region] }')],
  [
    'PUBLISHES_VALUES',
    hides('{ hide: [Orders.Amount], publish: [Most] }'),
    hides('{ hide: [Orders.Amount], publish: [Revenue] }'),
  ],
]

t.test('the advice of each error of access rules works', async (t) => {
  for (const [code, was, mistake, advised] of MODELS) {
    const codes = parseModelSync({ text: MODEL.replace(was, mistake) }).errors.map((error) => error.code)
    t.same(codes, [code])
    t.same(parseModelSync({ text: MODEL.replace(was, advised) }).errors, [], `${code} is gone`)
  }
  const errorsOf = (was: string, is: string) => parseModelSync({ text: MODEL.replace(was, is) }).errors.map((error) => error.code)
  const region = FIRST.replace('regions', 'region')
  const declared = MODEL.replace(FIRST, region).replace('attributes: {', 'attributes: { region: { type: string, list: true },')
  t.same(parseModelSync({ text: declared }).errors, [], 'UNKNOWN_ATTRIBUTE: the attribute is declared')
  t.same(errorsOf('  unbound:', '  fields: [{ hide: [Big] }]\n  unbound:'), ['UNKNOWN_ACCESS_FIELD'])
  const segment = "segments: { Big: { filters: [{ field: Orders.Amount, op: '>', value: 50 }] } }\naccess:"
  const hidden = MODEL.replace('  unbound:', '  fields: [{ hide: [Big] }]\n  unbound:').replace(/^access:/m, segment)
  t.same(parseModelSync({ text: hidden }).errors, [], 'UNKNOWN_ACCESS_FIELD: a segment is hidden')
  const joined =
    'columns: { Id: { code: id, abstractType: int, primaryKey: true }, Customer: { code: c, abstractType: int } }\n    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]'
  const bound = MODEL.replace(
    '    code: products\n    columns: { Id: { code: id, abstractType: int, primaryKey: true } }',
    `    code: products\n    ${joined}`,
  )
  t.same(
    parseModelSync({ text: bound.replace('unbound: [Products]', 'unbound: []') }).errors,
    [],
    'POLICY_DOES_NOT_BIND: an object that it joins',
  )
  // The object is of the same table, and everybody may see its rows.
  const seen = MODEL.replace('  Products:\n', twins('customers')).replace('unbound: [Products]', 'unbound: [Products, Twins]')
  t.same(parseModelSync({ text: seen }).errors, [], 'POLICY_MISSES_TABLE is gone')
  const also = MODEL.replace('  Products:\n', twins('customers')).replace(
    '  unbound:',
    `    - { name: twins, dataObject: Twins, ${FIRST.replace('Customers', 'Twins')} }\n  unbound:`,
  )
  t.same(parseModelSync({ text: also }).errors, [], 'POLICY_MISSES_TABLE: the policy there as well')
  const archived = MODEL.replace('    code: customers\n', '    code: customers\n    schema: sales\n').replace(
    '  Products:\n',
    twins('customers\n    schema: archive'),
  )
  t.same(parseModelSync({ text: archived }).errors, [], 'POLICY_MISSES_TABLE: another table')
})

t.test('the advice of each warning about hidden fields works', async (t) => {
  const model = MODEL.replace(
    'metrics:',
    '  Most: { columns: [{ dataObject: Orders, column: Amount }], aggregation: max }\nmetrics:',
  )
  for (const [code, mistake, advised] of WARNED) {
    const codes = (rule: string) =>
      parseModelSync({ text: model.replace('  unbound:', rule) }).warnings.map((warning) => warning.code)
    t.match(codes(mistake), new Set([code]))
    t.notOk(codes(advised).includes(code as never), `${code} is gone`)
  }
})

t.test('the advice of each refusal by access rules works', async (t) => {
  const { rows, post } = await servedShop(t)
  t.same(await rows('north', total), [[30]], 'a key with the attribute asks for the answer only')
  t.equal(await rows('none', total), 'ACCESS_ATTRIBUTE_MISSING')
  const defaulted = await servedShop(t, { model: MODEL.replace('list: true }', 'list: true, default: [North] }') })
  t.same(await defaulted.rows('none', total), [[30]])
  t.match((await post('north', '/v1/query/sql', { query: total })).body, { code: 'SQL_WITHHELD' })
  t.equal((await post('developer', '/v1/query/sql', { query: total })).status, 200)
})

t.test('a request that names nobody is refused, and clients load no models beside access rules', async (t) => {
  const host = await createHost(
    { plugins: [...dialects, '@grainline/vendor-duckdb'], settings: { QUERY_EXECUTE: true } },
    { environment: { process: {}, dotenv: {} }, local: true },
  )
  t.teardown(() => host.close())
  const { service } = host
  await service.start([{ session: 'shop', source: MODEL, file: 'shop.yaml' }])
  const asked = { target: { model: 'shop' }, query: total }
  await t.rejects(service.execute({ ...asked, asker: undefined }), { code: 'PRINCIPAL_REQUIRED' })
  const asker = { principal: { id: 'ann', attributes: { regions: 'North' } }, surface: 'test' }
  // The tables do not exist: the refusal is that of the database.
  await t.rejects(service.execute({ ...asked, asker }), { code: 'DATABASE_ERROR' })
  const { session_id: session } = await service.createSession({ metadata: {}, client: 'ann', by: undefined })
  const around = service.loadModel(session, { model_json: shopModel, asker })
  await t.rejects(around, { code: 'MODELS_ARE_FIXED' })
  t.same(
    service.publishedModels(asker.principal).map(({ sessionId }) => sessionId),
    ['shop'],
    'published ones can be asked',
  )
})

t.test('a client cannot send access rules', async (t) => {
  const host = await createHost({ plugins: [...dialects], settings: {} }, { environment: { process: {}, dotenv: {} } })
  t.teardown(() => host.close())
  await host.service.start([])
  const { session_id: session } = await host.service.createSession({ metadata: {}, client: 'ann', by: undefined })
  await t.rejects(host.service.loadModel(session, { model_yaml: MODEL, asker: undefined }), { code: 'MODELS_ARE_FIXED' })
})

t.test('another published model shows no column that a rule hides, unless a rule of its own says to whom', async (t) => {
  const start = async (...models: readonly string[]) => {
    const host = await createHost(
      {
        plugins: [...dialects, '@grainline/vendor-duckdb'],
        settings: { QUERY_EXECUTE: true, AUTH_MODE: 'api_key', API_KEYS: 'svc_pat_0123456789abcdef0123456789abcdef' },
      },
      { environment: { process: {}, dotenv: {} } },
    )
    t.teardown(() => host.close())
    await host.service.start(models.map((source, i) => ({ session: `m${i}`, source, file: `m${i}.yaml` })))
  }
  const people = (name: string, columns: string, fields: string) => `version: 1
name: ${name}
dataObjects: { People: { code: staff, columns: { Id: { code: id, abstractType: int, primaryKey: true }${columns} } } }${fields}`
  const pay = ', Pay: { code: salary, abstractType: int }'
  const rule = (unless: string) => `
access: { fields: [{ hide: [People.Pay], unless: [${unless}] }] }`
  const closed = people('closed', pay, rule('hr'))
  await t.rejects(start(closed, people('open', pay, '')), {
    message: /COLUMN_NOT_HIDDEN 'People.Pay' of the model 'm1' is stored in a column that the access rules of 'm0' hide/,
  })
  await t.rejects(start(people('open', pay, ''), closed), { message: /COLUMN_NOT_HIDDEN/ })
  const double = ', Twice: { expression: "{Pay} * 2", abstractType: int }'
  await t.rejects(start(closed, people('more', `${pay}${double}`, '')), { message: /COLUMN_NOT_HIDDEN/ })
  await t.rejects(start(closed, people('spelled', pay, '').replace('code: staff', 'schema: main, code: STAFF')), {
    message: /COLUMN_NOT_HIDDEN/,
  })
  const orders = (name: string, nested: string, columns: string, fields = '') => `version: 1
name: ${name}
dataObjects:
  Orders: { code: orders, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Items: { code: ${columns}, abstractType: json } } }
  Lines: { code: items, nestedIn: { dataObject: Orders, column: Items }, columns: { Part: { code: ${nested}, abstractType: int } } }${fields}`
  const priced = orders('priced', 'price', 'items', '\naccess: { fields: [{ hide: [Lines.Part], unless: [hr] }] }')
  await t.rejects(start(priced, orders('other', 'price', 'items')), {
    message: /'Orders.Items' of the model 'm1'.*'Lines.Part' of the model 'm1'/s,
  })
  await start(priced, orders('other', 'price', 'lines'))
  await t.rejects(start(priced, orders('other', 'sku', 'items')), { message: /'Orders.Items' of the model 'm1'/ })
  await start(closed, people('other', '', ''))
  await start(closed, people('paid', pay.replace('salary', 'wage'), ''))
  await start(closed, people('staffed', pay, rule('hr, boss')))
})

t.test('a server that cannot hold access rules does not start', async (t) => {
  const start = async (settings: Record<string, unknown>, models: readonly string[], more: object = {}) => {
    const host = await createHost(
      { plugins: [...dialects, '@grainline/vendor-duckdb'], settings },
      { environment: { process: {}, dotenv: {} }, ...more },
    )
    t.teardown(() => host.close())
    await host.service.start(models.map((source, i) => ({ session: `m${i}`, source, file: `m${i}.yaml` })))
  }
  const keys = { AUTH_MODE: 'api_key', API_KEYS: 'svc_pat_0123456789abcdef0123456789abcdef', QUERY_EXECUTE: true }
  await start(keys, [MODEL])
  await t.rejects(
    start({ QUERY_EXECUTE: true }, [MODEL]),
    { message: /AUTH_MODE=none/ },
    'inside an application that may listen anywhere',
  )
  await start({ QUERY_EXECUTE: true }, [MODEL], { standalone: true })
  const open = { QUERY_EXECUTE: true, API_SERVER_HOST: '0.0.0.0' }
  await t.rejects(start(open, [MODEL], { standalone: true }), { message: /AUTH_MODE=none/ })
  const silent = MODEL.replace('  sql: [developer]\n', '')
  await t.rejects(start({ ...keys, QUERY_EXECUTE: false }, [silent]), { message: /runs no queries/ })
  const rolledUp = MODEL.replace(
    'examples:',
    'rollups: { Daily: { dataObject: Orders, dimensions: [Region], measures: [Revenue] } }\nexamples:',
  )
  const around = `version: 1
name: around
dataObjects: { People: { code: CUSTOMERS, columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }`
  await t.rejects(start(keys, [MODEL, around]), { message: /POLICY_MISSES_TABLE 'People' of the model 'm1' reads a table/ })
  await t.rejects(start(keys, [around, MODEL]), { message: /POLICY_MISSES_TABLE/ })
  await start(keys, [MODEL, around.replace('CUSTOMERS', 'people')])
  for (const table of ['schema: main, code: customers', 'database: shop, schema: main, code: customers', 'code: daily'])
    await t.rejects(start(keys, [rolledUp, around.replace('code: CUSTOMERS', table)]), { message: /POLICY_MISSES_TABLE/ }, table)
  const elsewhere = `${around.replace('CUSTOMERS', 'orders')}
access: { rows: [{ name: a, dataObject: People, where: { field: People.Id, op: '>', value: 0 } }] }`
  await t.rejects(start(keys, [MODEL, elsewhere]), {
    message: /'People' of the model 'm1' reads a table .*no policy of that model on the table of 'Customers' binds it/,
  })
})
