import zlib from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { executing, startRest, type TestServer } from './server.js'
import { shopQuery } from './shop.js'
import { endless, vendorThat } from './vendor.js'

async function raw(server: TestServer, url: string, headers: Record<string, string> = {}, query: object = shopQuery) {
  return server.app.inject({ method: 'POST', url, headers, payload: { query } })
}

t.test('the format is that of the URL, or else one that the client accepts, or else JSON', async (t) => {
  holds(t, 'route.formats')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const cases: readonly (readonly [url: string, accept: string | undefined, type: string])[] = [
    ['', undefined, 'application/json; charset=utf-8'],
    ['', '*/*', 'application/json; charset=utf-8'],
    ['', 'application/json', 'application/json; charset=utf-8'],
    ['', 'text/csv', 'text/csv; charset=utf-8; header=present'],
    ['', 'text/*', 'text/csv; charset=utf-8; header=present'],
    ['', 'text/tab-separated-values', 'text/tab-separated-values; charset=utf-8'],
    ['', 'application/x-ndjson', 'application/x-ndjson'],
    ['', 'application/jsonl', 'application/x-ndjson'],
    ['', 'application/vnd.apache.arrow.stream', 'application/vnd.apache.arrow.stream'],
    ['', 'application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    ['', 'text/html, text/csv;q=0.5, application/json;q=0.4', 'text/csv; charset=utf-8; header=present'],
    ['?format=csv', 'application/json', 'text/csv; charset=utf-8; header=present'],
    ['?format=JSON', 'text/csv', 'application/json; charset=utf-8'],
    ['?format=parquet', undefined, 'application/vnd.apache.parquet'],
  ]
  for (const [url, accept, type] of cases) {
    const answer = await raw(server, `/v1/query/execute${url}`, accept === undefined ? {} : { accept })
    t.same([answer.statusCode, answer.headers['content-type']], [200, type], `${url} ${accept}`)
  }
})

t.test('an unknown format is 406, and the error lists the formats', async (t) => {
  holds(t, 'status.406', 'route.formats')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  for (const url of ['/v1/query/execute', `/v1/sessions/${session}/query/execute`]) {
    const body = { model_id: model, query: shopQuery }
    const problem = { status: 406, body: { code: 'NOT_ACCEPTABLE', detail: /json, ndjson, csv, tsv, arrow, parquet/ } }
    t.match(await server.post(url, body, { accept: 'text/html' }), problem)
    t.match(await server.post(url, body, { accept: 'application/json;q=0' }), problem)
    t.match(await server.post(`${url}?format=xml`, body), problem)
    t.match(await server.post(`${url}?format=arow`, body), { ...problem, body: { suggestions: ['arrow'] } })
  }
})

t.test('every format contains the same rows', async (t) => {
  holds(t, 'route.formats')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  t.equal((await raw(server, '/v1/query/execute?format=csv')).payload, 'Region,Revenue\r\nNorth,30\r\nSouth,5\r\n,1\r\n')
  t.equal((await raw(server, '/v1/query/execute?format=tsv')).payload, 'Region\tRevenue\r\nNorth\t30\r\nSouth\t5\r\n\t1\r\n')
  t.equal(
    (await raw(server, '/v1/query/execute?format=ndjson')).payload,
    '{"Region":"North","Revenue":"30"}\n{"Region":"South","Revenue":"5"}\n{"Region":null,"Revenue":"1"}\n',
  )
  const url = `/v1/sessions/${session}/query/execute?format=arrow`
  const arrow = await server.app.inject({ method: 'POST', url, payload: { model_id: model, query: shopQuery } })
  const table = tableFromIPC(arrow.rawPayload)
  t.same([...table.getChild('Region')!], ['North', 'South', null])
  t.match(Object.fromEntries(table.schema.metadata), {
    dialect: 'duckdb',
    timezone: 'UTC',
    truncated: 'false',
    sql: /SELECT/,
    model_id: model,
  })
  const parquet = (await raw(server, '/v1/query/execute?format=parquet')).rawPayload
  t.equal(parquet.subarray(0, 4).toString() + parquet.subarray(-4).toString(), 'PAR1PAR1')
})

t.test('a format with its own codecs accepts one of them, and an unknown codec is refused with the list', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const asked = (url: string) => raw(server, `/v1/query/execute?${url}`)
  const [plain, packed] = [await asked('format=parquet'), await asked('format=parquet&compression=GZIP')]
  t.same([plain.statusCode, packed.statusCode], [200, 200])
  t.not(packed.rawPayload.length, plain.rawPayload.length)
  const wrong = await asked('format=parquet&compression=gzp')
  t.equal(wrong.statusCode, 422)
  t.match(wrong.json(), { code: 'INVALID_REQUEST', errors: [{ path: 'compression' }], suggestions: ['gzip'] })
  const csv = await asked('format=csv&compression=gzip')
  t.equal(csv.statusCode, 422)
  t.match(csv.json(), { code: 'INVALID_REQUEST', errors: [{ path: 'compression' }], hint: /Accept-Encoding/ })
})

t.test('an answer that the default limit truncated says so in a header if the format cannot', async (t) => {
  const server = await startRest({ ...executing, settings: { QUERY_EXECUTE: true, QUERY_DEFAULT_LIMIT: 2 } })
  t.teardown(() => server.close())
  await server.shop()
  const cut = await raw(server, '/v1/query/execute?format=csv')
  t.equal(cut.payload, 'Region,Revenue\r\nNorth,30\r\nSouth,5\r\n')
  t.match(cut.headers, {
    'x-grainline-truncated': 'true',
    'x-grainline-warnings': 'DEFAULT_LIMIT_APPLIED',
    'x-grainline-timezone': 'UTC',
  })
  const { metadata } = tableFromIPC((await raw(server, '/v1/query/execute?format=arrow')).rawPayload).schema
  t.equal(metadata.get('truncated'), 'true')
  t.match(JSON.parse(metadata.get('warnings')!), [{ code: 'DEFAULT_LIMIT_APPLIED' }])
  const whole = await raw(server, '/v1/query/execute?format=csv', {}, { ...shopQuery, limit: 3 })
  t.match(whole.headers, { 'x-grainline-truncated': 'false' })
})

t.test('display strings are in separate columns, in the effective locale', async (t) => {
  holds(t, 'route.format-values')
  const server = await startRest({ ...executing, settings: { QUERY_EXECUTE: true, DEFAULT_LOCALE: 'de-DE' } })
  t.teardown(() => server.close())
  await server.shop()
  const run = async (url: string) => (await raw(server, `/v1/query/execute?format_values=true&${url}`)).payload
  t.match(JSON.parse(await run('')), {
    columns: [{ name: 'Region' }, { name: 'Revenue' }, { name: 'Revenue (formatted)', type: 'string', role: 'display' }],
    rows: [
      ['North', '30', '30,00'],
      ['South', '5', '5,00'],
      [null, '1', '1,00'],
    ],
  })
  const cells = async (written: string) =>
    JSON.parse((await raw(server, `/v1/query/execute?format_values=${written}`)).payload).rows
  t.same(await cells('1'), await cells('true'), '1 is true')
  t.same(await cells('0'), await cells('false'), '0 is false')
  t.match(JSON.parse(await run('locale=en-GB')).rows[0], ['North', '30', '30.00'])
  t.match(await run('format=csv'), 'Region,Revenue,Revenue (formatted)\r\nNorth,30,"30,00"\r\n')
  t.match(await server.post('/v1/query/execute?format_values=true&locale=x', { query: shopQuery }), {
    status: 422,
    body: { code: 'INVALID_REQUEST', errors: [{ path: 'locale' }] },
  })
  t.match(await server.post('/v1/query/execute?timezone=Mars', { query: shopQuery }), {
    status: 422,
    body: { code: 'INVALID_REQUEST', errors: [{ path: 'timezone' }] },
  })
})

t.test('an answer is compressed as the client accepts, and not otherwise', async (t) => {
  holds(t, 'route.compression')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const query = { select: { fields: ['Sales.Id', 'Sales.Amount'] } }
  // Node supports it from 22.15 on; if a client requests an unsupported encoding, the answer is not encoded.
  const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.gunzipSync }
  const zstd = zstdDecompressSync ? ([['zstd', zstdDecompressSync]] as const) : []
  const plain = await raw(server, '/v1/query/execute', {}, query)
  t.equal(plain.headers['content-encoding'], undefined)
  const { rows } = JSON.parse(plain.payload)
  for (const [encoding, decode] of [['gzip', zlib.gunzipSync], ['br', zlib.brotliDecompressSync], ...zstd] as const) {
    const answer = await raw(server, '/v1/query/execute', { 'accept-encoding': encoding }, query)
    t.equal(answer.headers['content-encoding'], encoding)
    t.match(answer.headers.vary, /accept-encoding/)
    t.same(JSON.parse(decode(answer.rawPayload).toString()).rows, rows)
  }
  const unknown = await raw(server, '/v1/query/execute', { 'accept-encoding': zstdDecompressSync ? 'compress' : 'zstd' }, query)
  t.same([unknown.headers['content-encoding'], JSON.parse(unknown.payload).rows], [undefined, rows])
})

for (const [format, encoding] of [
  ['ndjson', 'identity'],
  ['csv', 'identity'],
  ['arrow', 'identity'],
  ['parquet', 'identity'],
  ['csv', 'gzip'],
] as const) {
  t.test(`${format} (${encoding}) is produced at the speed of the client, and not after it disconnects`, async (t) => {
    holds(t, 'route.backpressure')
    const { seen, query } = endless()
    const server = await startRest(vendorThat(query).options)
    t.teardown(() => server.close())
    await server.shop()
    const address = await server.app.listen({ port: 0 })
    const client = new AbortController()
    const answer = await fetch(`${address}/v1/query/execute?format=${format}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': encoding },
      body: JSON.stringify({ query: { ...shopQuery, limit: 1e12 } }),
      signal: client.signal,
    })
    t.equal(answer.status, 200)
    let before = -1
    while (before !== seen.batches && seen.batches <= 1000) {
      before = seen.batches
      await new Promise((later) => setTimeout(later, 300))
    }
    t.ok(seen.batches <= 1000, `${seen.batches} batches wait for a client that does not read`)
    client.abort()
    await seen.ended.promise
  })
}
