/** The notebook of `examples/notebook`, run by Jupyter's own client against a served process, and its numbers beside those of REST. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { start } from '../../host/process.js'

t.setTimeout(300_000)

const root = path.resolve(import.meta.dirname, '../../..')
const python = path.join(import.meta.dirname, '.clients/python/bin/python')
const notebook = path.join(root, 'examples/notebook/flights.ipynb')
const skip = existsSync(python) ? false : 'Jupyter is not installed (test/interop/notebook/install.sh)'

interface Cell {
  readonly cell_type: string
  readonly outputs?: readonly { readonly data?: Readonly<Record<string, string | readonly string[]>> }[]
}

t.test('every cell runs, its numbers are those of REST, and what is stored is what it shows', { skip }, async (t) => {
  const server = start(t, ['serve', '--config', path.join(root, 'config/demo.yaml')], {
    cwd: t.testdir({}),
    env: { API_SERVER_PORT: '0', CACHE_BACKEND: 'memory', PGWIRE_ENABLED: 'true', PGWIRE_HOST: '127.0.0.1', PGWIRE_PORT: '0' },
  })
  const [, address] = await server.shows(/(http:\/\/[\w.]+:\d+)/)
  const [, port] = await server.shows(/pgwire[^\n]*?:(\d+)/)
  const { stdout } = await promisify(execFile)(python, [path.join(import.meta.dirname, 'run.py'), notebook], {
    env: { ...process.env, GRAINLINE_URL: `postgresql://me@127.0.0.1:${port}/flights` },
    maxBuffer: 64 * 2 ** 20,
  })
  const [, byAirport, , growth, picture] = JSON.parse(stdout) as (readonly (readonly [
    text: string,
    kinds: readonly string[],
  ])[])[]

  const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] }, order_by: [{ field: 'Origin Code' }] }
  const answer = await fetch(`${address}/v1/query/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { rows } = (await answer.json()) as { readonly rows: readonly (readonly [string, number])[] }
  t.equal(rows.length, 3)
  for (const [code, flights] of rows) t.match(byAirport?.[0]?.[0], new RegExp(`${code}\\s+${flights}\\s`))
  t.match(growth?.[0]?.[0], /Flight Growth/)
  t.ok(picture?.some(([, kinds]) => kinds.includes('image/png')))

  const { cells } = JSON.parse(readFileSync(notebook, 'utf8')) as { readonly cells: readonly Cell[] }
  const stored = cells.filter(({ cell_type }) => cell_type === 'code').map(({ outputs = [] }) => textsOf(outputs))
  const shown = (JSON.parse(stdout) as (readonly (readonly [string | null])[])[]).map((outputs) => outputs.map(([text]) => text))
  // The picture is another object each time.
  t.same(stored.slice(0, 4), shown.slice(0, 4), 'run test/interop/notebook/run.py NOTEBOOK NOTEBOOK to store what it shows')
})

const textsOf = (outputs: NonNullable<Cell['outputs']>): readonly (string | null)[] =>
  outputs.flatMap(({ data }) => {
    if (data === undefined) return []
    const text = data['text/plain'] ?? null
    return [text === null || typeof text === 'string' ? text : text.join('')]
  })
