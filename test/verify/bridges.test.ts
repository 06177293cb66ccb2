/** The findings of `verify` about bridges and joins, and the warnings of answers after that. */
import t from 'tap'
import { executing, startRest } from '../rest/server.js'

const values = (columns: string, rows: string) => `(SELECT * FROM (VALUES ${rows}) t (${columns}))`
const id = { code: 'id', abstractType: 'int', primaryKey: true }
const int = (code: string) => ({ code, abstractType: 'int' })
const to = (joinTo: string, from: string) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [from], columnsTo: ['Id'] })
const model = {
  name: 'bank',
  dataObjects: {
    Accounts: { code: values('id', '(1), (2), (2), (3)'), columns: { Id: id } },
    Owners: { code: values('id', '(1), (2)'), columns: { Id: id } },
    'Account Owners': {
      code: values('account, owner, share', '(1, 1, 0.3333), (1, 2, 0.6666), (2, 1, 0.5), (3, 1, NULL)'),
      bridge: true,
      weight: 'Share',
      columns: { Account: int('account'), Owner: int('owner'), Share: { code: 'share', abstractType: 'float' } },
      joins: [to('Accounts', 'Account'), to('Owners', 'Owner')],
    },
    Transactions: {
      code: values('id, account', '(1, 1), (2, 2)'),
      columns: { Id: id, Account: int('account') },
      joins: [to('Accounts', 'Account')],
    },
  },
  dimensions: { Account: { dataObject: 'Accounts', column: 'Id' }, Owner: { dataObject: 'Owners', column: 'Id' } },
}

t.test('weights with a wrong sum are found on the side that facts reach', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: model })
  t.equal(loaded.status, 201, loaded.text)
  const ask = async (dimensions: readonly string[]) => {
    const query = { select: { dimensions, measures: ['Transactions Count'] } }
    const url = `/v1/sessions/${session}/query/execute`
    const { status, body, text } = await server.post(url, { model_id: loaded.body.model_id, query })
    t.equal(status, 200, text)
    return body.warnings.map(({ code }: { code: string }) => code)
  }
  t.same(await ask(['Account']), [], 'nothing is known yet')
  const { body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
  t.match(body.weights, [{ bridge: 'Account Owners', to_object: 'Accounts', groups: 3, off: 2, examples: [2, 3] }])
  t.equal(body.weights.length, 1, 'no fact reaches the owners')
  t.match(
    body.findings.filter((f: { code: string }) => f.code === 'VERIFY_WEIGHTS'),
    [{ severity: 'warning', path: 'dataObjects.Account Owners.weight', message: /2 values of Account, such as 2, 3/ }],
  )
  t.same(await ask(['Account']), ['VERIFY_CARDINALITY'], 'a join that meets rows twice is said where it is used')
  t.same(await ask([]), [], 'and nowhere else')
})

t.test('correct weights, and a bridge without weights, have no findings', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const { weight: _, ...unweighted } = model.dataObjects['Account Owners']
  const whole = {
    ...unweighted,
    weight: 'Share',
    code: values('account, owner, share', '(1, 1, 0.5), (1, 2, 0.5), (2, 1, 1), (3, 1, 1)'),
  }
  for (const bridge of [whole, unweighted]) {
    const model_json = { ...model, dataObjects: { ...model.dataObjects, 'Account Owners': bridge } }
    const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json })
    const { body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
    t.same(
      body.findings.filter((f: { code: string }) => f.code === 'VERIFY_WEIGHTS'),
      [],
    )
  }
})

t.test('answers over a join that ends at no key have a warning until verify has proved it', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const prices = (rows: string, more: object = {}) => ({
    dataObjects: {
      Prices: {
        code: values('sku, region, price', rows),
        columns: { Sku: { ...id, code: 'sku' }, Region: { ...id, code: 'region' }, Price: int('price') },
        ...more,
      },
      Sales: {
        code: values('id, sku', '(1, 1), (2, 2)'),
        columns: { Id: id, Sku: int('sku') },
        joins: [{ joinType: 'many-to-one', joinTo: 'Prices', columnsFrom: ['Sku'], columnsTo: ['Sku'] }],
      },
    },
    dimensions: { Price: { dataObject: 'Prices', column: 'Price' } },
  })
  const load = async (model_json: object) => {
    const { body, text, status } = await server.post(`/v1/sessions/${session}/models`, { model_json })
    t.equal(status, 201, text)
    const codesOf = (found: readonly { code: string }[]) => found.map(({ code }) => code)
    return {
      warnings: codesOf(body.warnings),
      ask: async () => {
        const query = { select: { dimensions: ['Price'], measures: ['Sales Count'] } }
        return codesOf(
          (await server.post(`/v1/sessions/${session}/query/execute`, { model_id: body.model_id, query })).body.warnings,
        )
      },
      verify: async () => codesOf((await server.post(`/v1/sessions/${session}/models/${body.model_id}/verify`)).body.findings),
    }
  }
  const single = await load(prices('(1, 1, 5), (2, 1, 6)'))
  t.same(single.warnings, ['JOIN_NOT_TO_A_KEY'])
  t.same(await single.ask(), ['JOIN_NOT_TO_A_KEY'])
  t.same(await single.verify(), [])
  t.same(await single.ask(), [], 'verify has proved it')
  const several = await load(prices('(1, 1, 5), (1, 2, 6)'))
  t.ok((await several.verify()).includes('VERIFY_CARDINALITY'))
  t.same(await several.ask(), ['VERIFY_CARDINALITY'])
  const declared = await load(prices('(1, 1, 5), (1, 2, 7)', { uniqueKeys: [['Sku']] }))
  t.same(declared.warnings, [])
  t.ok((await declared.verify()).includes('VERIFY_DUPLICATE_KEY'))
})

t.test('JSON that is no array has no elements, and is counted; after the correction nothing is found', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const orders = (rows: string) => ({
    name: 'orders',
    dataObjects: {
      Orders: {
        code: `(SELECT id, CAST(lines AS JSON) AS lines FROM (VALUES ${rows}) t (id, lines))`,
        columns: { Id: id, Lines: { code: 'lines', abstractType: 'json', sqlType: 'json' } },
      },
      Lines: {
        code: '-',
        nestedIn: { dataObject: 'Orders', column: 'Lines' },
        columns: { Sku: { code: 'sku', abstractType: 'string' }, Marks: { code: 'marks', abstractType: 'json' } },
      },
      Marks: {
        code: '-',
        nestedIn: { dataObject: 'Lines', column: 'Marks' },
        columns: { Mark: { code: '*', abstractType: 'string' } },
      },
    },
    dimensions: { Sku: { dataObject: 'Lines', column: 'Sku' } },
  })
  const dirty = `(1, '[{"sku": "a", "marks": ["x"]}, {"sku": "b", "marks": {}}]'), (2, '{}'), (3, '"x"'), (4, '5'), (5, 'null'), (6, NULL)`
  for (const [rows, lines, marks] of [
    [dirty, 3, 1],
    [`(1, '[]')`, 0, 0],
  ] as const) {
    const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: orders(rows) })
    const at = { model_id: loaded.body.model_id, query: { select: { measures: ['Orders Count', 'Lines Count', 'Marks Count'] } } }
    const answer = await server.post(`/v1/sessions/${session}/query/execute`, at)
    t.same(answer.body.rows, lines > 0 ? [[6, 2, 1]] : [[1, 0, 0]], answer.text)
    const { body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
    t.match(body.arrays, [
      { name: 'Lines', data_object: 'Orders', column: 'Lines', rows: lines > 0 ? 6 : 1, not_arrays: lines },
      { name: 'Marks', data_object: 'Lines', column: 'Marks', not_arrays: marks },
    ])
    t.match(
      body.findings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`),
      lines > 0 ? ['VERIFY_NOT_AN_ARRAY dataObjects.Lines.nestedIn', 'VERIFY_NOT_AN_ARRAY dataObjects.Marks.nestedIn'] : [],
    )
  }
})

t.test(
  'nested in another column, or in a view, that has only arrays, nothing is found, and its elements are counted',
  async (t) => {
    const server = await startRest(executing)
    t.teardown(() => server.close())
    const session = (await server.post('/v1/sessions')).body.session_id
    const texts = `(VALUES (1, '[{"sku": "a"}, {"sku": "b"}]', '[{"sku": "a"}]'), (2, '"x"', '[]'), (3, NULL, '[{"sku": "c"}, {"sku": "d"}]')) t (id, lines, parts)`
    const view = `SELECT id, CASE WHEN CAST(lines AS VARCHAR) LIKE '[%' THEN lines END AS lines, parts FROM`
    const countedIn = async (column: string, select = 'SELECT * FROM') => {
      const json = (code: string) => ({ code, abstractType: 'json', sqlType: 'json' })
      const model_json = {
        name: 'orders',
        dataObjects: {
          Orders: {
            code: `(${select} (SELECT id, CAST(lines AS JSON) AS lines, CAST(parts AS JSON) AS parts FROM ${texts}))`,
            columns: { Id: id, Lines: json('lines'), Parts: json('parts') },
          },
          Items: { nestedIn: { dataObject: 'Orders', column }, columns: { Sku: { code: 'sku', abstractType: 'string' } } },
        },
        dimensions: { Sku: { dataObject: 'Items', column: 'Sku' } },
      }
      const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json })
      const { model_id } = loaded.body
      if (model_id === undefined) throw new Error(loaded.text)
      const { body } = await server.post(`/v1/sessions/${session}/models/${model_id}/verify`)
      const query = { select: { measures: ['Orders Count', 'Items Count'] } }
      const answer = await server.post(`/v1/sessions/${session}/query/execute`, { model_id, query })
      return { codes: body.findings.map(({ code }: { code: string }) => code), rows: answer.body.rows }
    }
    t.same(await countedIn('Lines'), { codes: ['VERIFY_NOT_AN_ARRAY'], rows: [[3, 2]] })
    t.same(await countedIn('Parts'), { codes: [], rows: [[3, 3]] })
    t.same(await countedIn('Lines', view), { codes: [], rows: [[3, 2]] })
  },
)
