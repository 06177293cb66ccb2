/** The Python client of MCP and the command line of the Inspector, over stdio, over HTTP, and with the server itself. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { serveDemo } from '../../mcp/served.js'

const run = promisify(execFile)
const here = import.meta.dirname
const python = path.join(here, '.clients/python/bin/python')
const inspector = path.join(here, '.clients/npm/node_modules/.bin/mcp-inspector')
const bin = fileURLToPath(new URL('../../../plugins/surface-mcp/bin.mjs', import.meta.url))
const loader = new URL('../../bundled.mjs', import.meta.url).href
const stdio = [process.execPath, '--conditions=@grainline/source', '--import', loader, bin]
const missing = (file: string) =>
  existsSync(file) ? false : `${path.relative(here, file)} is not there; test/interop/mcp/install.sh says why`

t.setTimeout(300_000)
if (missing(python) && missing(inspector)) t.plan(0, 'no client of MCP is installed; test/interop/mcp/install.sh says why')
else {
  const url = await serveDemo(t)
  const env = { ...process.env, API_BASE_URL: url, MCP_TOOLSETS: 'query,authoring' }
  const ways = [
    ['stdio', stdio],
    ['HTTP', [`${url}/v1/mcp`]],
  ] as const

  for (const [way, target] of ways) {
    t.test(`the Python client over ${way}`, { skip: missing(python) }, async (t) => {
      const { stdout } = await run(python, [path.join(here, 'python_client.py'), ...target], { env })
      t.match(JSON.parse(stdout), {
        protocol: /^20\d\d-\d\d-\d\d$/,
        tools: ['describe_fields', 'field_values', 'load_model', 'query', 'remove_model', 'search_fields', 'validate_model'],
        rows: [
          ['EWR', 120835],
          ['JFK', 111279],
          ['LGA', 104662],
        ],
        wrong: true,
        says: /Flight Count/,
        described: /^Cancellation Rate: metric/,
        resource: /Airline/,
      })
    })

    t.test(`the Inspector over ${way}`, { skip: missing(inspector) }, async (t) => {
      const http = way === 'HTTP' ? ['--transport', 'http'] : []
      const ask = async (...args: string[]) => {
        const { stdout } = await run(inspector, ['--cli', ...target, ...http, ...args], { env })
        return JSON.parse(stdout)
      }
      const { tools } = await ask('--method', 'tools/list')
      t.equal(tools.length, 7)
      t.ok(tools.every(({ annotations }: { annotations?: object }) => annotations !== undefined))
      const call = ['--method', 'tools/call', '--tool-name', 'query', '--tool-arg', 'measures=["Flight Count"]']
      t.match(await ask(...call), { content: [{ type: 'text', text: /^Flight Count\n336776$/ }] })
    })
  }
}
