/** Every format is read back by somebody else: Arrow's own library, and DuckDB for files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import {
  BOOLEAN,
  batchFromRows,
  builtInFormats,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  formatDataType,
  INT,
  JSON_TYPE,
  type RecordBatch,
  type ResultSchema,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
} from '@grainline/core/format'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { parquet } from './parquet.js'

const formats = new Map([...builtInFormats, parquet].map((format) => [format.name, format]))

/** A column of every type with values that break careless writers, and the type that DuckDB calls it. */
const columns: readonly (readonly [DataType, string, readonly unknown[]])[] = [
  [STRING, 'VARCHAR', ['plain', '', 'a,b', 'tab\there', 'quote " here', 'two\r\nlines', ' spaces ', 'NULL', 'ünï 🦆', null]],
  [BOOLEAN, 'BOOLEAN', [true, false, null, true, true, false, false, true, false, null]],
  [INT, 'BIGINT', [0, 1, -1, 9007199254740993n, -9223372036854775808n, 9223372036854775807n, null, 5, 6, 7]],
  [FLOAT, 'DOUBLE', [0, -0.1, 1e300, 5e-324, 0.1, 123456.78, null, 1 / 3, -1e21, 2]],
  [
    decimal(12, 2),
    'DECIMAL(12,2)',
    ['0.00', '-0.01', '9999999999.99', '-9999999999.99', null, '1.50', '2.00', '3.00', '4.00', '5.00'],
  ],
  [
    decimal(38, 4),
    'DECIMAL(38,4)',
    [
      '0.0001',
      '-0.0001',
      '1234567890123456789012345678901234.5678',
      '-9999999999999999999999999999999999.9999',
      null,
      '1',
      '2',
      '-3',
      '4',
      '5',
    ],
  ],
  [
    DATE,
    'DATE',
    [
      '1970-01-01',
      '2024-02-29',
      '0001-01-01',
      '9999-12-31',
      null,
      '1969-12-31',
      '2000-01-01',
      '2000-01-02',
      '2000-01-03',
      '2000-01-04',
    ],
  ],
  [
    TIME,
    'TIME',
    ['00:00:00', '23:59:59.999999', '12:34:56.7', null, '01:00:00', '02:00:00', '03:00:00', '04:00:00', '05:00:00', '06:00:00'],
  ],
  [
    TIMESTAMP,
    'TIMESTAMP',
    [
      '1970-01-01T00:00:00',
      '2024-02-29T23:59:59.999999',
      '1900-01-01T00:00:00.000001',
      null,
      ...Array(6).fill('2024-01-01T00:00:00'),
    ],
  ],
  [
    TIMESTAMP_TZ,
    'TIMESTAMPTZ',
    [
      '1970-01-01T00:00:00Z',
      '2024-02-29T23:59:59.999999Z',
      '1969-12-31T23:59:59.999999Z',
      null,
      ...Array(6).fill('2024-07-01T10:00:00Z'),
    ],
  ],
  [JSON_TYPE, 'JSON', ['{"a":1}', '[1,2]', '"text"', null, ...Array(6).fill('{}')]],
]
/** What DuckDB calls its types where it has another name for them; Parquet's JSON is text. */
const NAMES: Readonly<Record<string, string>> = { TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE', JSON: 'VARCHAR' }
const schema: ResultSchema = columns.map(([type], index) => ({
  name: index === 0 ? 'comma, "quote"' : formatDataType(type),
  type,
  role: 'field',
}))
const rows = Array.from({ length: 10 }, (_, row) => columns.map(([, , values]) => values[row] ?? null))
const batches = [batchFromRows(schema, rows.slice(0, 3)), batchFromRows(schema, []), batchFromRows(schema, rows.slice(3))]

async function encoded(
  name: string,
  given: readonly RecordBatch[] = batches,
  of: ResultSchema = schema,
  compression?: string,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const answer = { schema: of, batches: given, timezone: 'UTC', metadata: { question: 'why?' }, compression }
  for await (const piece of formats.get(name)!.encode(answer)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Rows as DuckDB reads them, each value cast to text; the expected ones are cast the same way. */
async function readBack(bytes: Buffer, scan: (file: string) => string): Promise<{ types: string[]; rows: unknown[][] }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-formats-'))
  const file = path.join(folder, 'answer')
  await writeFile(file, bytes)
  const connection = await (await DuckDBInstance.create()).connect()
  try {
    await connection.run(`SET TimeZone = 'UTC'`)
    const result = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM ${scan(file)}`)
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${scan(file)}`)
    return { types: described.getRows().map(([, type]) => String(type)), rows: result.getRows() as unknown[][] }
  } finally {
    connection.closeSync()
    await rm(folder, { recursive: true })
  }
}

async function expectedRows(): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`SET TimeZone = 'UTC'`)
  const literal = (value: unknown, type: string): string =>
    value === null ? 'NULL' : `CAST('${String(value).replaceAll("'", "''")}' AS ${type})::VARCHAR`
  const texts = rows.map((row) => `(${row.map((value, index) => literal(value, columns[index]![1])).join(', ')})`)
  const read = await connection.runAndReadAll(`SELECT * FROM (VALUES ${texts.join(', ')})`)
  connection.closeSync()
  return read.getRows() as unknown[][]
}

t.test('DuckDB reads every type and value of Parquet', async (t) => {
  const { types, rows: read } = await readBack(await encoded('parquet'), (file) => `read_parquet('${file}')`)
  const wanted = columns.map(([, type]) => NAMES[type] ?? type)
  t.same(types, wanted)
  t.same(read, await expectedRows())
})

for (const compression of parquet.compressions ?? []) {
  t.test(`DuckDB reads Parquet with ${compression}, and finds that codec in it`, async (t) => {
    const file = await encoded('parquet', batches, schema, compression)
    const { rows: read } = await readBack(file, (name) => `read_parquet('${name}')`)
    t.same(read, await expectedRows())
    const { rows: codecs } = await readBack(file, (name) => `(SELECT DISTINCT compression FROM parquet_metadata('${name}'))`)
    t.same(codecs, [[compression === 'none' ? 'UNCOMPRESSED' : compression.toUpperCase()]])
  })
}

t.test('Parquet offers the codecs of Node, and compresses only on request', async (t) => {
  t.same(parquet.compressions, ['none', 'gzip', 'brotli', ...('zstdCompressSync' in zlib ? ['zstd'] : [])])
  const [plain, none] = [await encoded('parquet'), await encoded('parquet', batches, schema, 'none')]
  t.ok(plain.equals(none))
})

t.test('a row group of Parquet ends when it has many rows or many bytes of text', async (t) => {
  const groupsOf = async (text: string, count: number): Promise<unknown[][]> => {
    const one: ResultSchema = [{ name: 'a', type: STRING, role: 'field' }]
    const file = await encoded(
      'parquet',
      [
        batchFromRows(
          one,
          Array.from({ length: count }, (_, i) => [`${text}${i}`]),
        ),
      ],
      one,
    )
    const scan = (name: string) => `(SELECT row_group_num_rows FROM parquet_metadata('${name}') ORDER BY row_group_id)`
    return (await readBack(file, scan)).rows
  }
  t.same(await groupsOf('', 40_000), [['16384'], ['16384'], ['7232']])
  const long = await groupsOf('x'.repeat(10_000), 1000)
  t.ok(long.length >= 4 && long.every(([rows]) => Number(rows) < 420), JSON.stringify(long))
})

for (const [name, delimiter] of [
  ['csv', ','],
  ['tsv', '\\t'],
] as const) {
  t.test(`DuckDB reads every type and value of ${name}`, async (t) => {
    const types = schema.map(({ name: column }, index) => `'${column}': '${columns[index]![1]}'`).join(', ')
    const options = `delim = '${delimiter}', header = true, quote = '"', escape = '"', allow_quoted_nulls = false, columns = {${types}}, auto_detect = false`
    const { rows: read } = await readBack(await encoded(name), (file) => `read_csv('${file}', ${options})`)
    t.same(read, await expectedRows())
  })
}

t.test('every line of NDJSON is an object with the values of the row of a JSON answer', async (t) => {
  const lines = (await encoded('ndjson')).toString().split('\n')
  t.equal(lines.pop(), '')
  t.equal(lines.length, 10)
  const first = JSON.parse(lines[0]!)
  t.same(
    Object.keys(first),
    schema.map(({ name }) => name),
  )
  t.match(first, {
    'comma, "quote"': 'plain',
    boolean: true,
    int: 0,
    'decimal(12,2)': '0.00',
    date: '1970-01-01',
    json: { a: 1 },
  })
  t.match(JSON.parse(lines[3]!), { int: '9007199254740993', 'comma, "quote"': 'tab\there', date: '9999-12-31', time: null })
})

t.test('the Arrow library reads every type and value of an Arrow stream', async (t) => {
  const table = tableFromIPC(await encoded('arrow'))
  t.equal(table.numRows, 10)
  t.equal(table.schema.metadata.get('question'), 'why?')
  t.same(
    table.schema.fields.map(({ type }) => String(type)),
    [
      'Utf8',
      'Bool',
      'Int64',
      'Float64',
      'Decimal[12e+2]',
      'Decimal[38e+4]',
      'Date32<DAY>',
      'Time64<MICROSECOND>',
      'Timestamp<MICROSECOND>',
      'Timestamp<MICROSECOND, UTC>',
      'Utf8',
    ],
  )
  t.same(table.schema.fields[4]?.metadata.get('type'), 'decimal(12,2)')
  const column = (index: number) => [...table.getChildAt(index)!]
  t.same(column(0), columns[0]![2])
  t.same(column(1), columns[1]![2])
  t.same(
    column(2),
    columns[2]![2].map((value) => (typeof value === 'number' ? BigInt(value) : value)),
  )
  t.same(column(3), columns[3]![2])
  t.same(table.getChildAt(0)!.nullCount, 1)
  t.same(table.getChildAt(6)!.nullCount, 1)
})

t.test('an answer without rows is complete in every format', async (t) => {
  t.equal((await encoded('csv', [])).toString().split('\r\n').length, 2)
  t.equal((await encoded('ndjson', [])).length, 0)
  const table = tableFromIPC(await encoded('arrow', []))
  t.same([table.numRows, table.numCols], [0, columns.length])
  const { types, rows: read } = await readBack(await encoded('parquet', []), (file) => `read_parquet('${file}')`)
  t.same([types.length, read.length], [columns.length, 0])
})

t.test('text whose offsets do not start at 0 is written from 0', async (t) => {
  const one: ResultSchema = [{ name: 'a', type: STRING, role: 'field' }]
  const bytes = Buffer.from('skipped|one|two')
  const batch: RecordBatch = {
    schema: one,
    rowCount: 2,
    columns: [{ kind: 'utf8', length: 2, validity: undefined, offsets: Int32Array.from([8, 11, 15]), bytes }],
  }
  t.same([...tableFromIPC(await encoded('arrow', [batch], one)).getChildAt(0)!], ['one', '|two'])
  t.equal((await encoded('csv', [batch], one)).toString(), 'a\r\none\r\n|two\r\n')
})

t.test('many rows become several row groups of a Parquet file', async (t) => {
  const one: ResultSchema = [{ name: 'n', type: INT, role: 'field' }]
  const many = [20_000, 1, 30_000].map((count) =>
    batchFromRows(
      one,
      Array.from({ length: count }, (_, n) => [n]),
    ),
  )
  const bytes = await encoded('parquet', many, one)
  const { rows: read } = await readBack(bytes, (file) => `(SELECT count(*), sum(n) FROM read_parquet('${file}'))`)
  t.same(read, [['50001', String((20_000 * 19_999) / 2 + (30_000 * 29_999) / 2)]])
  const { rows: groups } = await readBack(bytes, (file) => `(SELECT count(*) FROM parquet_metadata('${file}'))`)
  // A group ends with the batch or the part of it that fills it.
  t.same(groups, [['3']])
})

t.test('repeated texts, texts with equal hashes, and long texts are written unchanged, with their bounds', async (t) => {
  // The first four are two pairs of one FNV-1a hash.
  const words = [
    'costarring',
    'liquid',
    'declinate',
    'macallums',
    '',
    'ü🦆',
    'x'.repeat(64),
    'x'.repeat(65),
    `${'é'.repeat(400)}z`,
  ]
  const texts = Array.from({ length: 40_000 }, (_, i) => (i % 11 === 0 ? null : words[(i * 7919) % words.length]!))
  const one: ResultSchema = [{ name: 's', type: STRING, role: 'field' }]
  const batches = [0, 1, 2, 3].map((part) =>
    batchFromRows(
      one,
      texts.slice(part * 10_000, (part + 1) * 10_000).map((text) => [text]),
    ),
  )
  const bytes = await encoded('parquet', batches, one)
  const { rows: read } = await readBack(bytes, (file) => `(SELECT s FROM read_parquet('${file}'))`)
  t.same(
    read.map(([text]) => text),
    texts,
  )
  const found = (file: string) => `(SELECT count(*) FROM read_parquet('${file}') WHERE s >= 'ü')`
  t.equal(Number((await readBack(bytes, found)).rows[0]![0]), texts.filter((text) => text === 'ü🦆').length, 'bounds hide no row')
  const bounds = (file: string) => `(SELECT DISTINCT stats_min_value, stats_max_value FROM parquet_metadata('${file}'))`
  t.same((await readBack(bytes, bounds)).rows, [['', 'ü🦆']])
})
