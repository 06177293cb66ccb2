/** Rows over Arrow Flight SQL compared with pyarrow servers over DuckDB with the same rows, read in turns by one client of pyarrow. */
import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import '../../config/garbage.cjs'
import { startFlight } from '../flight/server.js'
import { type Measurement, percentile } from './measurement.js'

const ROWS = 1_000_000
const ROUNDS = 9
const WARM = 3
/** Requests per round for the small query. */
const ASKS = 300
const python = path.resolve(import.meta.dirname, '../interop/flight/.clients/python/bin/python')

type Kind = 'int' | 'float' | 'string' | 'date' | 'decimal' | 'boolean'
interface Column {
  readonly kind: Kind
  /** SQL of DuckDB for row number `i`. */
  readonly sql: string
}

const int = (sql: string): Column => ({ kind: 'int', sql: `(${sql})::BIGINT` })
const float = (sql: string): Column => ({ kind: 'float', sql: `(${sql})::DOUBLE` })
const text = (sql: string): Column => ({ kind: 'string', sql })
const date = (sql: string): Column => ({ kind: 'date', sql: `DATE '2020-01-01' + (${sql})::INTEGER` })
const decimal = (sql: string): Column => ({ kind: 'decimal', sql: `(${sql})::DECIMAL(15,2)` })

/** Columns of the answers: all kinds, only numbers, long texts, columns with many NULLs. */
const SHAPES: Readonly<Record<string, readonly Column[]>> = {
  mixed: [int('i'), float('i * 0.37'), text("'order number ' || i % 9973"), date('i % 1500'), decimal('i % 100000 / 100')],
  numbers: [
    ...[int('i'), int('i % 1000'), int('i * 7'), float('i * 0.5'), float('sqrt(i)')],
    ...[float('i / 3'), date('i % 1500'), { kind: 'boolean', sql: 'i % 3 = 0' } as const],
  ],
  texts: [
    int('i'),
    text("'a customer with a long name, number ' || i"),
    text("'street ' || i % 5000 || ', a town'"),
    text("repeat('note ', (i % 8)::INTEGER)"),
  ],
  gaps: [
    int('CASE WHEN i % 3 > 0 THEN i END'),
    float('CASE WHEN i % 5 > 0 THEN i * 0.25 END'),
    text("CASE WHEN i % 4 > 0 THEN 'town ' || i % 300 END"),
    decimal('CASE WHEN i % 7 > 0 THEN i % 1000 / 10 END'),
  ],
}
const names = (shape: readonly Column[]): string[] => shape.map((_, i) => `C${i}`)

const init = Object.entries(SHAPES).map(([name, columns]) => {
  const values = columns.map(({ sql }, i) => `${sql} AS C${i}`).join(', ')
  return `CREATE TABLE ${name} AS SELECT ${values} FROM range(${ROWS}) AS t(i)`
})

const types: Readonly<Record<Kind, string>> = {
  int: 'abstractType: int',
  float: 'abstractType: float',
  string: 'abstractType: string',
  date: 'abstractType: date',
  decimal: "abstractType: float, sqlType: 'decimal(15,2)'",
  boolean: 'abstractType: boolean',
}
const model = `
version: 1.0
name: bench
dataObjects:
${Object.entries(SHAPES)
  .map(([name, columns]) => {
    const lines = columns.map(({ kind }, i) => `      C${i}: { code: C${i}, ${types[kind]} }`)
    return `  ${name}:\n    code: ${name}\n    columns:\n${lines.join('\n')}`
  })
  .join('\n')}
dimensions:
  Thousand: { dataObject: numbers, column: C1 }
measures:
  Total: { aggregation: sum, columns: [{ dataObject: numbers, column: C3 }] }
`

if (process.env['SERVE'] === 'yes') await serve()

/** The service in a separate process, so that the time of the client does not count. */
async function serve(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'grainline-bench-'))
  const file = path.join(folder, 'model.yaml')
  writeFileSync(file, model)
  const server = await startFlight({
    plugins: [{ use: '@grainline/vendor-duckdb', with: { init } }],
    preload: [{ session: 'bench', model: file }],
  })
  rmSync(folder, { recursive: true })
  process.send?.(server.port)
  await new Promise((resolve) => process.once('disconnect', resolve))
  process.exit()
}

interface Served {
  readonly port: number
  readonly pid: number
  readonly language: 'semantic' | 'sql'
  readonly stop: () => void
}

async function ours(): Promise<Served> {
  const child = fork(import.meta.filename, { env: { ...process.env, SERVE: 'yes' } })
  const [port] = (await Promise.race([once(child, 'message'), gone(child)])) as [number]
  return { port, pid: child.pid!, language: 'semantic', stop: () => child.disconnect() }
}

async function theirs(how: 'table' | 'reader'): Promise<Served> {
  const child = spawn(python, [path.join(import.meta.dirname, 'flight_server.py'), how, ...init], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = (await Promise.race([once(child.stdout, 'data'), gone(child)])) as [Buffer]
  return { port: Number(printed), pid: child.pid!, language: 'sql', stop: () => void child.kill('SIGKILL') }
}

async function gone(child: ReturnType<typeof spawn>): Promise<never> {
  await once(child, 'exit')
  throw new Error('a server did not start')
}

interface Question {
  readonly semantic: string
  readonly sql: string
  readonly rows: number
}

const whole = (name: string): Question => ({
  semantic: `SELECT ${names(SHAPES[name]!)
    .map((column) => `"${name}"."${column}"`)
    .join(', ')} FROM bench`,
  sql: `SELECT * FROM ${name}`,
  rows: ROWS,
})
const grouped: Question = {
  semantic: 'SELECT "Thousand", "Total" FROM bench ORDER BY 1',
  sql: 'SELECT C1, sum(C3) FROM numbers GROUP BY 1 ORDER BY 1',
  rows: 1000,
}
const one: Question = { semantic: 'SELECT 1 AS n', sql: 'SELECT 1::BIGINT AS n', rows: 1 }

interface Taken {
  readonly ms: number
  readonly processorMs: number
}
interface Found {
  readonly answers: Readonly<Record<string, Readonly<Record<Server, readonly Taken[]>>>>
  readonly small: Readonly<Record<Server, { readonly alone: readonly number[]; readonly beside: readonly number[] }>>
}
type Server = 'grainline' | 'table' | 'reader'

/** If the Python clients are not installed, nothing is measured and a line says so. */
export async function flightBench(): Promise<readonly Measurement[]> {
  if (!existsSync(python)) {
    console.error('flight: pyarrow is not installed; sh test/interop/flight/install.sh')
    return []
  }
  const servers = { grainline: await ours(), table: await theirs('table'), reader: await theirs('reader') }
  const questions = { ...Object.fromEntries(Object.keys(SHAPES).map((name) => [name, whole(name)])), grouped }
  const job = { servers, questions, small: one, bulk: whole('mixed'), rounds: ROUNDS, warm: WARM, asks: ASKS }
  try {
    const client = path.join(import.meta.dirname, 'flight_client.py')
    const { stdout } = await promisify(execFile)(python, [client, JSON.stringify(job)], { maxBuffer: 1 << 26 })
    return measurements(JSON.parse(stdout) as Found)
  } finally {
    for (const server of Object.values(servers)) server.stop()
  }
}

function measurements({ answers, small }: Found): Measurement[] {
  const { grouped: groups, ...shapes } = answers
  return [
    ...Object.entries(shapes).map(([name, taken]): Measurement => {
      const ratio = median(taken.table) / median(taken.grainline)
      return {
        name: `Flight SQL, 1M rows, ${name}, beside pyarrow of a table`,
        ...{ value: ratio, unit: '×', target: 0.8, better: 'more' },
        note: `${rate(taken.grainline)} M rows/s; ${(median(taken.reader) / median(taken.grainline)).toFixed(2)} of a pyarrow that streams; processor ${(['grainline', 'table', 'reader'] as const).map((server) => processorMs(taken[server])).join(', ')} ms`,
      }
    }),
    {
      name: 'Flight SQL, a question of 1,000 rows, beside pyarrow of a table',
      ...{ value: median(groups!.table) / median(groups!.grainline), unit: '×', target: undefined, better: 'more' },
      note: `median ${median(groups!.grainline).toFixed(1)} ms, theirs ${median(groups!.table).toFixed(1)} and ${median(groups!.reader).toFixed(1)} ms`,
    },
    {
      name: "Flight SQL, what a stream adds to another client's SELECT 1 (p95)",
      ...{ value: p95(small.grainline.beside) - p95(small.grainline.alone), unit: 'ms', target: 10, better: 'less' },
      note: (['grainline', 'table', 'reader'] as const)
        .map(
          (server) => `${server} ${p95(small[server].alone).toFixed(1)} ms alone, ${p95(small[server].beside).toFixed(1)} beside`,
        )
        .join('; '),
    },
  ]
}

const median = (taken: readonly Taken[]): number =>
  percentile(
    taken.map(({ ms }) => ms).toSorted((a, b) => a - b),
    0.5,
  )
const processorMs = (taken: readonly Taken[]): number =>
  Math.round(taken.reduce((sum, each) => sum + each.processorMs, 0) / taken.length)
const rate = (taken: readonly Taken[]): string => (ROWS / median(taken) / 1000).toFixed(1)
const p95 = (sorted: readonly number[]): number => percentile(sorted, 0.95)
