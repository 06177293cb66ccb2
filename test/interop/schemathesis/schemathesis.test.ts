/** A third-party fuzzer reads /openapi.json and sends all that it allows, and much that it does not. SCHEMATHESIS_SECONDS sets the duration. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { restConfig, startWatched } from '../../load/server.js'

const program = path.resolve(import.meta.dirname, '../node_modules/.schemathesis/bin/schemathesis')
const seconds = Number(process.env.SCHEMATHESIS_SECONDS ?? 60)
const CHECKS = [
  'not_a_server_error',
  'response_schema_conformance',
  'content_type_conformance',
  'status_code_conformance',
  'response_headers_conformance',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
]
/** The table of the models in the examples: without it, the database would refuse questions over them, which is no fault of the server. */
const SALES = "CREATE TABLE sales AS SELECT * FROM (VALUES ('north', 1.5), ('south', NULL), (NULL, 2)) v(region, amount)"
t.setTimeout(seconds * 3000 + 120_000)

if (!existsSync(program)) t.plan(0, 'schemathesis is not installed: it comes from PyPI, with Python 3')
else {
  t.test(`schemathesis finds no 5xx and no response that violates its schema in ${seconds} s`, async (t) => {
    const server = await startWatched({ METRICS_ENABLED: 'true', MAX_SESSIONS: '5000' }, restConfig({ init: [SALES] }))
    t.teardown(() => server.kill('SIGTERM'))
    const options = [
      '--max-time',
      String(seconds),
      '--request-timeout',
      '60',
      '--continue-on-failure',
      '--no-color',
      '--seed',
      '20261121',
    ]
    const run = spawn(program, ['run', `${server.url}/openapi.json`, ...options, '-c', CHECKS.join(',')], {
      cwd: t.testdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const pieces: string[] = []
    for (const stream of [run.stdout, run.stderr]) stream.setEncoding('utf8').on('data', (text: string) => void pieces.push(text))
    const [code] = await once(run, 'close')
    const output = pieces.join('')
    t.match(output, /Test cases:\s+\d{2,} generated/, 'it has asked')
    t.equal(code, 0, output.slice(-8000))
  })
}
