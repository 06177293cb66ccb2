/** Vendors with behaviour that a real database rarely shows. */
import { randomBytes } from 'node:crypto'
import { definePlugin, Type } from '@grainline/core'
import type { ColumnVector, RecordBatch, Vendor, VendorConnection } from '@grainline/core/vendor'
import { dialects, type TestOptions } from './server.js'

/** A vendor whose behaviour the test defines. */
export function vendorThat(query: VendorConnection['query'], connect?: Vendor['connect']) {
  const seen = { connects: 0 }
  const connection: VendorConnection = {
    query,
    check: async () => ({ valid: true }),
    explain: async () => ({ format: 'text', output: 'a plan' }),
    timezone: async () => 'UTC',
    close: async () => {},
  }
  const plugin = definePlugin({
    name: 'test-vendor',
    host: '*',
    options: Type.Object({}),
    setup(host) {
      const open: Vendor['connect'] = async (context) => {
        seen.connects += 1
        return connect ? connect(context) : connection
      }
      host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect: open } as Vendor)
    },
  })
  return { seen, options: { plugins: [...dialects, plugin], settings: { QUERY_EXECUTE: true } } as TestOptions }
}

export async function* nothing(): AsyncGenerator<RecordBatch> {}

/** Endless batches, and the number of them that were created. */
export function endless() {
  const rowCount = 4096
  // Values that do not compress well, so that buffers fill.
  const values = BigInt64Array.from({ length: rowCount * 2 }, (_, i) =>
    i % 2 === 0 ? randomBytes(8).readBigInt64LE() >> 2n : 0n,
  )
  for (let i = 0; i < values.length; i += 2) values[i + 1] = values[i]! >> 63n
  const bytes = Buffer.from(
    randomBytes(rowCount * 8)
      .toString('base64')
      .slice(0, rowCount * 10),
  )
  const seen = { batches: 0, ended: deferred<void>() }
  const query: VendorConnection['query'] = async function* (_sql, { schema }) {
    const offsets = Int32Array.from({ length: rowCount + 1 }, (_, i) => i * 10)
    try {
      for (;;) {
        seen.batches += 1
        await new Promise((turn) => setImmediate(turn))
        const columns: ColumnVector[] = schema.map(({ type }) =>
          type.kind === 'string'
            ? { kind: 'utf8', length: rowCount, validity: undefined, offsets, bytes }
            : { kind: 'decimal128', length: rowCount, validity: undefined, values },
        )
        yield { schema, rowCount, columns }
      }
    } finally {
      seen.ended.resolve()
    }
  }
  return { seen, query }
}

export function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
