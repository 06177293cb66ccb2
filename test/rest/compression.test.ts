/** A compressed answer has the bytes of the plain one, whatever they begin with. */
import zlib from 'node:zlib'
import memory from '@grainline/cache-memory'
import type { ColumnVector, VendorConnection } from '@grainline/core/vendor'
import vendor from '@grainline/vendor-duckdb'
import t from 'tap'
import { dialects, startRest } from './server.js'
import { shopQuery } from './shop.js'
import { vendorThat } from './vendor.js'

const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.gunzipSync }
const ENCODINGS = [
  ['gzip', zlib.gunzipSync],
  ['br', zlib.brotliDecompressSync],
  ...(zstdDecompressSync ? ([['zstd', zstdDecompressSync]] as const) : []),
] as const

/** Read as the first two bytes of a zlib stream (RFC 1950), these letters are valid; the third is an ordinary name. */
const NAMES = ['HK sales', 'XG', 'hC', 'x^2', '(r)', '80', 'Sales']
/** As RFC 1950 and the parity of its header have it. */
const looksCompressed = (bytes: Buffer): boolean => (bytes[0]! & 0x8f) === 8 && bytes.readUInt16BE() % 31 === 0

const columns = Object.fromEntries(NAMES.map((name) => [name, { code: 'n', abstractType: 'int' }]))
const MODEL = {
  version: 1,
  name: 'things',
  dataObjects: { Things: { code: 'things', columns } },
  dimensions: Object.fromEntries(NAMES.map((name) => [name, { dataObject: 'Things', column: name }])),
}

t.test('column names that look like the start of compressed bytes are compressed like others', async (t) => {
  t.equal(NAMES.filter((name) => looksCompressed(Buffer.from(name))).length, 6)
  for (const CACHE_BACKEND of ['noop', 'memory']) {
    const server = await startRest({
      plugins: [
        ...dialects,
        memory,
        { use: vendor, with: { init: ['CREATE VIEW things AS SELECT range AS n FROM range(30000)'] } },
      ],
      settings: {
        QUERY_EXECUTE: true,
        ANSWER_MAX_ROWS: 30_000,
        CACHE_BACKEND,
        CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl',
      },
    })
    t.teardown(() => server.close())
    const session_id: string = (await server.post('/v1/sessions')).body.session_id
    await server.post(`/v1/sessions/${session_id}/models`, { model_json: MODEL })
    for (const format of ['csv', 'tsv']) {
      for (const name of NAMES) {
        for (const limit of [1000, 5000, 30_000]) {
          const query = { select: { dimensions: [name] }, order_by: [{ field: name }], limit }
          const ask = (encoding: string) =>
            server.app.inject({
              method: 'POST',
              url: `/v1/query/execute?session_id=${session_id}&format=${format}`,
              headers: { 'accept-encoding': encoding },
              payload: { query },
            })
          for (const [encoding, decode] of ENCODINGS) {
            // With a cache the first is streamed, and the next are sent whole.
            for (let time = 0; time < 2; time++) {
              const { headers, rawPayload, statusCode } = await ask(encoding)
              t.equal(statusCode, 200, rawPayload.toString('latin1', 0, 300))
              const text = decode(rawPayload).toString()
              t.equal(headers['content-encoding'], encoding)
              t.equal(text.trimEnd().split('\n').length, limit + 1, `${name}, ${limit} rows of ${format} as ${encoding}`)
            }
          }
          const plain = (await ask('identity')).rawPayload
          t.equal(plain.toString().trimEnd().split('\n').length, limit + 1)
        }
      }
    }
  }
})

t.test('an error in the middle of a compressed answer breaks it off, or is readable', async (t) => {
  // Slow enough that the answer has begun, and so few bytes that a compressor may not have emitted any.
  const query: VendorConnection['query'] = async function* (_sql, { schema }) {
    const columns: ColumnVector[] = schema.map(({ type }) =>
      type.kind === 'string'
        ? { kind: 'utf8', length: 1, validity: undefined, offsets: Int32Array.of(0, 1), bytes: Buffer.from('a') }
        : { kind: 'decimal128', length: 1, validity: undefined, values: BigInt64Array.of(1n, 0n) },
    )
    yield { schema, rowCount: 1, columns }
    await new Promise((later) => setTimeout(later, 50))
    throw new Error('The rows end here')
  }
  const server = await startRest(vendorThat(query).options)
  t.teardown(() => server.close())
  await server.shop()
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
  for (const accept of ['application/json', 'text/csv', 'application/x-ndjson', 'application/vnd.apache.arrow.stream']) {
    for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
      const answer = await fetch(`${address}/v1/query/execute`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, 'accept-encoding': encoding },
        body: JSON.stringify({ query: shopQuery }),
      })
      const text = answer.text()
      if (answer.status === 200) await t.rejects(text, /terminated/, `${accept} as ${encoding}`)
      else t.match(JSON.parse(await text), { status: answer.status, code: String }, `${accept} as ${encoding}`)
    }
  }
})
