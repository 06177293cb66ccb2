/** Clients that others generate from /openapi.json can ask. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { start } from '../../host/process.js'

const run = promisify(execFile)
const here = import.meta.dirname
const python = path.resolve(here, '../node_modules/.generators/bin')
const clients = path.join(here, '.clients/node_modules')
const missing = [path.join(python, 'openapi-python-client'), path.join(clients, 'openapi-typescript')].filter(
  (file) => !existsSync(file),
)

if (missing.length > 0)
  t.plan(0, `not installed, since PyPI or npm did not answer: ${missing.map((file) => path.basename(file)).join(', ')}`)
else {
  const demo = path.resolve(here, '../../../config/demo.yaml')
  const server = start(t, ['serve', '--config', demo], { cwd: t.testdir(), env: { PORT: '0' } })
  const served = server.shows(/listens? on (http[^,]+), TLS/).then(([, url = '']) => ({ url }))
  const documentIn = async (folder: string) => {
    const { url } = await served
    const file = path.join(folder, 'openapi.json')
    writeFileSync(file, await (await fetch(`${url}/openapi.json`)).text())
    return file
  }

  t.test('openapi-python-client generates every route, and its client asks', async (t) => {
    const folder = t.testdir()
    const document = await documentIn(folder)
    const target = path.join(folder, 'client')
    const env = { ...process.env, PATH: `${python}:${process.env.PATH}` }
    const { stdout, stderr } = await run(
      path.join(python, 'openapi-python-client'),
      ['generate', '--path', document, '--output-path', target],
      { env },
    )
    t.notMatch(stdout + stderr, /WARNING|will not be generated|omitted/)
    const { url } = await served
    const answer = JSON.parse((await run(path.join(python, 'python'), [path.join(here, 'ask.py'), url, target])).stdout)
    t.match(answer.sql, /GROUP BY/)
    t.same(answer.rows, [
      ['JetBlue Airways', 54_635],
      ['Delta Air Lines Inc.', 48_110],
    ])
    t.same(answer.bare, answer.rows, 'a bare query, too')
  })

  t.test('openapi-typescript generates types that a query and its answer fit', async (t) => {
    const folder = t.testdir({
      'ask.ts': `import type { paths, components } from './api.js'
const query: components['schemas']['QueryObject'] = {
  select: { dimensions: ['Airline'], measures: ['Flight Count'] },
  where: [{ logic: 'or', filters: [{ field: 'Airline', op: 'in', value: ['JetBlue Airways'] }, { segment: 'Long' }] }],
  order_by: [{ field: 1, direction: 'desc' }],
}
type Execute = paths['/v1/query/execute']['post']
export const body: NonNullable<Execute['requestBody']>['content']['application/json'] = { query }
export const rows = (answer: Execute['responses']['200']['content']['application/json']): number => answer.rows.length
// @ts-expect-error a key that does not exist
export const wrong: components['schemas']['QueryObject'] = { select: {}, limits: 5 }
`,
    })
    const document = await documentIn(folder)
    await run(process.execPath, [
      path.join(clients, 'openapi-typescript/bin/cli.js'),
      document,
      '-o',
      path.join(folder, 'api.ts'),
    ])
    const tsc = path.join(clients, 'typescript/bin/tsc')
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--moduleResolution',
      'nodenext',
      '--target',
      'es2022',
      'ask.ts',
    ]
    const { stdout } = await run(process.execPath, [tsc, ...options], { cwd: folder }).catch((error) => error)
    t.equal(stdout, '')
  })
}
