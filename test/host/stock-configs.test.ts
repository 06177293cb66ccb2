/** The shipped configurations with the shipped plugins. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHost, readConfig } from '@grainline/core'
import t, { type Test } from 'tap'
import { holds } from '../specification/holds.js'
import { hostOf, refusalOf } from './support.js'

const folder = fileURLToPath(new URL('../../config/', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

const SALES = `
version: 1
name: sales
dataObjects:
  Orders:
    code: orders
    columns:
      Order: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
      Amount: { code: amount, abstractType: float }
dimensions:
  Country: { dataObject: Orders, column: Country, resultType: string }
measures:
  Revenue: { columns: [{ dataObject: Orders, column: Amount }], resultType: float, aggregation: sum }
`

async function configOf(name: string, variables: Record<string, string> = {}) {
  return readConfig(path.join(folder, name), (variable) => variables[variable])
}

/** The host of a shipped config with these variables. */
async function bootOf(t: Test, name: string, variables: Record<string, string> = {}) {
  const environment = { process: variables, dotenv: {} }
  const host = await createHost(await configOf(name, variables), { environment })
  t.teardown(() => host.close())
  return host
}

t.test('the stock server has the web page unless UI_ENABLED is false', async (t) => {
  holds(t, 'setting.UI_ENABLED')
  const host = await bootOf(t, 'default.yaml', { UI_ENABLED: 'false' })
  t.same(host.surfaces.names(), ['rest'])
})

t.test('default.yaml is the stock server with the defaults of the specification', async (t) => {
  const host = await bootOf(t, 'default.yaml')
  await host.start()
  const stock = JSON.stringify(await configOf('default.yaml'))
  const listed = (kind: string): string[] => stock.match(new RegExp(`(?<=@grainline/${kind}-)\\w+`, 'g'))!.sort()
  t.same(host.dialects.names().sort(), listed('dialect'), 'every dialect is known by the name of its package')
  const beside = ['mariadb']
  t.same(host.vendors.names().sort(), [...listed('vendor'), ...beside].sort(), 'and so is every vendor')
  t.same(host.surfaces.names(), ['rest', 'ui'])
  t.same(
    host.inspect().settings.filter(({ origin }) => origin !== 'default'),
    [],
    'the config repeats no default',
  )
  t.ok(
    host.inspect().settings.some(({ name }) => name === 'DUCKDB_DATABASE'),
    'variables of plugins are in the same table',
  )
})

t.test('FLIGHT_ENABLED=true alone loads its surface, and a missing package is refused with the install command', async (t) => {
  const variables = { FLIGHT_ENABLED: 'true', PGWIRE_ENABLED: 'true' }
  const config = await configOf('default.yaml')
  const absent = JSON.parse(
    JSON.stringify(config).replaceAll('surface-flight', 'surface-absent').replaceAll('surface-pgwire', 'surface-gone'),
  ) as typeof config
  t.match(await refusalOf(absent, { environment: { process: variables, dotenv: {} } }), {
    code: 'PLUGIN_NOT_FOUND',
    details: { hint: 'npm install @grainline/surface-absent @grainline/surface-gone' },
  })
})

t.test('minimal.yaml needs no database', async (t) => {
  const host = await bootOf(t, 'minimal.yaml')
  t.same([host.dialects.names(), host.vendors.names(), host.surfaces.names()], [['postgres'], [], ['rest']])
})

t.test('curated.yaml serves the models of MODEL_FILES and reports if there are none', async (t) => {
  await t.rejects(configOf('curated.yaml'), { code: 'INVALID_CONFIG', message: /MODEL_FILES is not set/ })
  const models = t.testdir({ 'sales.yaml': SALES })
  const host = await bootOf(t, 'curated.yaml', { MODEL_FILES: 'sales.yaml', MODEL_DIR: models })
  await host.start()
  t.ok(host.service.curated)
  t.same(
    host.service.publishedModels(undefined).map(({ sessionId }) => sessionId),
    ['sales'],
  )
})

t.test('demo.yaml serves the flights in a protected session', async (t) => {
  const host = await bootOf(t, 'demo.yaml')
  await host.start()
  t.ok(host.service.executionEnabled)
  t.notOk(host.service.curated)
  const query = { select: { measures: ['Flight Count'] } }
  const { batches, schema } = await host.service.execute({ asker: undefined, target: { sessionId: 'flights' }, query })
  let rows = 0
  for await (const batch of batches) rows += batch.rowCount
  t.same([schema.map(({ name }) => name), rows], [['Flight Count'], 1])
})

t.test('demo.yaml serves another database or other models if variables name them', async (t) => {
  const models = t.testdir({ 'sales.yaml': SALES })
  const other = await bootOf(t, 'demo.yaml', {
    DUCKDB_DATABASE: path.join(models, 'other.duckdb'),
    DUCKDB_READ_ONLY: 'false',
  })
  await other.start()
  t.same(other.service.publishedModels(undefined), [])
  const curated = await bootOf(t, 'demo.yaml', { MODEL_FILES: path.join(models, 'sales.yaml') })
  await curated.start()
  t.same(
    curated.service.publishedModels(undefined).map(({ sessionId }) => sessionId),
    ['sales'],
  )
})

t.test('without the REST surface the host boots and compiles', async (t) => {
  const host = await hostOf({ plugins: ['@grainline/dialect-duckdb', '@grainline/dialect-postgres'], base: here })
  t.teardown(() => host.close())
  await host.start()
  t.same(host.surfaces.names(), [])
  const { session_id } = await host.service.createSession({ metadata: {}, client: 'test', by: undefined })
  await host.service.loadModel(session_id, { asker: undefined, model_yaml: SALES })
  const query = { select: { dimensions: ['Country'], measures: ['Revenue'] } }
  for (const dialect of ['duckdb', 'postgres']) {
    const { sql } = await host.service.compile({ asker: undefined, target: { sessionId: session_id }, query, dialect })
    t.match(sql, /SELECT[\s\S]*SUM\([\s\S]*GROUP BY/i, dialect)
  }
})
