/**
 * Arrow and Parquet answers read by the Python library of Arrow, through HTTP and in every encoding, compared value by value with the JSON
 * answer.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import t from 'tap'
import { executing, startRest } from '../../rest/server.js'

const here = import.meta.dirname
const python = path.join(here, '../pgwire/.clients/python/bin/python')
const ROWS = 20_000
/** Node supports it from 22.15 on. */
const zstd = 'createZstdCompress' in zlib

/** A column of every type: its SQL in DuckDB, and the type in the model. */
const columns: Readonly<Record<string, readonly [sql: string, type: object]>> = {
  text: [
    `list_value('', 'quote " here', 'two' || chr(10) || 'lines', 'ünï 🦆', 'n' || i)[1 + i % 5]`,
    { abstractType: 'string' },
  ],
  flag: ['i % 3 = 0', { abstractType: 'boolean' }],
  whole: ['(i - 10000) * 461168601842387', { abstractType: 'int' }],
  real: ['(i - 10000) / 7.0::DOUBLE', { abstractType: 'float' }],
  money: ['((i - 10000) * 1.37)::DECIMAL(12,2)', { abstractType: 'float', sqlType: 'decimal(12,2)' }],
  large: [
    `((i - 10000)::DECIMAL(38,4) * 12345678901234567890123456)::DECIMAL(38,4)`,
    { abstractType: 'float', sqlType: 'decimal(38,4)' },
  ],
  day: [`DATE '0001-01-01' + (i * 91)::INTEGER`, { abstractType: 'date' }],
  clock: [`TIME '00:00:00' + to_microseconds(i * 2159999)`, { abstractType: 'time' }],
  wall: [`TIMESTAMP '1899-12-31 23:59:59.999999' + to_microseconds(i * 104729000017)`, { abstractType: 'timestamp' }],
  moment: [`TIMESTAMPTZ '1969-12-31 23:59:59.999999Z' + to_microseconds(i * 43200000001)`, { abstractType: 'timestamp_tz' }],
  document: [`'{"i": ' || i || ', "list": [1, null]}'`, { abstractType: 'json' }],
}
const selected = Object.entries(columns).map(
  ([name, [sql]], at) => `CASE WHEN i % ${at + 7} = 5 THEN NULL ELSE ${sql} END AS ${name}`,
)
const typed = Object.entries(columns).map(([name, [, type]]) => [name, { code: name, ...type }])
const model = {
  version: 1,
  name: 'types',
  dataObjects: {
    Things: {
      code: `(SELECT i, ${selected.join(', ')} FROM range(${ROWS}) t (i))`,
      columns: { i: { code: 'i', abstractType: 'int', primaryKey: true }, ...Object.fromEntries(typed) },
    },
  },
}

t.test(
  'pyarrow reads the values of a JSON answer, for every type, format and encoding',
  { skip: missing(), timeout: 300_000 },
  async (t) => {
    const file = path.join(t.testdir({ 'types.json': JSON.stringify(model) }), 'types.json')
    const server = await startRest({ ...executing, preload: [{ session: 'types', model: file }] })
    t.teardown(() => server.close())
    const address = await server.app.listen({ port: 0 })
    for (const timezone of ['UTC', 'America/St_Johns']) {
      const query = {
        select: { fields: ['i', ...Object.keys(columns)].map((name) => `Things.${name}`) },
        order_by: [{ field: 1 }],
        timezone,
      }
      const given = JSON.stringify({ url: `${address}/v1/query/execute`, query, limit: ROWS, zstd })
      const { stdout } = await promisify(execFile)(python, [path.join(here, 'read_answers.py'), given], { maxBuffer: 1 << 24 })
      const checks = stdout.split('\n').filter((line) => line.startsWith('{'))
      t.equal(checks.length, zstd ? 8 : 6, 'answers were read')
      for (const line of checks) {
        const { name, ok, ...about } = JSON.parse(line)
        t.ok(ok, `${name}, in ${timezone}`, about)
      }
    }
  },
)

function missing(): string | false {
  return existsSync(python) ? false : 'pyarrow is not there; test/interop/install.sh says why'
}
