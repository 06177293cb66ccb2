import { mock } from 'node:test'
import t from 'tap'
import { SessionStore } from '../../core/src/session/session-store.js'
import { shopModel } from '../rest/shop.js'
import { holds } from '../specification/holds.js'
import { hostOf } from './support.js'

const plugins = ['@grainline/dialect-duckdb', '@grainline/semantic-ql']

t.test('a closed service refuses every call: synchronous calls throw, asynchronous calls reject', async (t) => {
  const { service, ...host } = await hostOf({ plugins, settings: { MODEL_SQL: 'allow' }, base: import.meta.dirname })
  await host.start()
  const { session_id: id } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
  const { modelId, model } = await service.loadModel(id, { asker: undefined, model_json: shopModel })
  const query = { select: { measures: ['Revenue'] } }
  const target = { sessionId: id }
  const compiled = await service.compile({ asker: undefined, target, query })
  const batch = {
    asker: undefined,
    client: 'a',
    target,
    persistModel: false,
    queries: [{ query }],
    execute: false,
    failFast: false,
    dedup: true,
  }
  const dialect = service.dialects()[0]!
  const measure = service.findMeasure(model, 'Revenue')
  await host.close()

  const refusal = { code: 'SHUTTING_DOWN', status: 503 }
  const throwing: Record<string, () => unknown> = {
    getSession: () => service.getSession(id, undefined),
    listModels: () => service.listModels(id, undefined),
    getModel: () => service.getModel(id, modelId, undefined),
    resolveModel: () => service.resolveModel(target, undefined),
    publishedModels: () => service.publishedModels(undefined),
    findDimension: () => service.findDimension(model, 'Region'),
    findMeasure: () => service.findMeasure(model, 'Revenue'),
    findMetric: () => service.findMetric(model, 'Revenue per Sale'),
    findExample: () => service.findExample(model, 'by region'),
    measureType: () => service.measureType(model, measure),
    findFields: () => service.findFields(model, 'region'),
    lineage: () => service.lineage(model, 'Region'),
    joinGraph: () => service.joinGraph(model),
    diff: () => service.diff(model, model),
    erDiagram: () => service.erDiagram(model, { showColumns: true, theme: 'default' }),
    observe: () => service.observe(() => undefined),
    lastVerification: () => service.lastVerification(model),
    dialects: () => service.dialects(),
    supportedBy: () => service.supportedBy(dialect),
    publicSettings: () => service.publicSettings(),
    jsonSchemas: () => service.jsonSchemas(),
    modelLanguage: () => service.modelLanguage(),
    referencePages: () => service.referencePages(),
  }
  const rejecting: Record<string, () => Promise<unknown>> = {
    start: () => service.start([]),
    reloadModels: () => service.reloadModels(),
    reopenDatabases: () => service.reopenDatabases(),
    checkPublished: () => service.checkPublished(),
    warmUp: () => service.warmUp(),
    isReady: () => service.isReady(),
    createSession: () => service.createSession({ metadata: {}, client: 'a', by: undefined }),
    listSessions: () => service.listSessions(undefined),
    deleteSession: () => service.deleteSession(id, undefined),
    deleteModel: () => service.deleteModel(id, modelId, undefined),
    counts: () => service.counts(),
    reach: () => service.reach(target),
    loadModel: () => service.loadModel(id, { asker: undefined, model_json: shopModel }),
    validate: () => service.validate({ asker: undefined, model_json: shopModel }),
    convert: () => service.convert({ asker: undefined, model_yaml: '', format: 'x' }),
    validateFile: () => service.validateFile({ file: 'model.yaml', source: '' }),
    modelColumns: () => service.modelColumns(model),
    metricTypes: () => service.metricTypes(model),
    sqlRelations: () => service.sqlRelations(model),
    classifySql: () => service.classifySql({ asker: undefined, target, sql: 'SELECT 1' }),
    compileSql: () => service.compileSql({ asker: undefined, target, sql: 'SELECT 1' }),
    describeSql: () => service.describeSql({ asker: undefined, target, sql: 'SELECT 1' }),
    executeSql: () => service.executeSql({ asker: undefined, target, sql: 'SELECT 1' }),
    cacheStats: () => service.cacheStats(),
    sweepCache: () => service.sweepCache(),
    clearCache: () => service.clearCache(),
    heartbeat: () => service.heartbeat({ database: 'd', schema: 's', name: 't' }),
    verify: () => service.verify(target, { asker: undefined }),
    checkTables: () => service.checkTables(target, { asker: undefined }),
    compile: () => service.compile({ asker: undefined, target, query }),
    stages: () => service.stages({ asker: undefined, target, query }),
    explainInDatabase: () => service.explainInDatabase(compiled, undefined),
    execute: () => service.execute({ asker: undefined, target, query }),
    rowsBehind: () => service.rowsBehind({ asker: undefined, target, query, measure: 'Revenue', cell: {} }),
    rollupStatement: () => service.rollupStatement({ asker: undefined, target, rollup: 'Daily', dialect: 'duckdb' }),
    rollupStatus: () => service.rollupStatus({ asker: undefined, target, dialect: 'duckdb' }),
    buildRollup: () => service.buildRollup({ asker: undefined, target, rollup: 'Daily', dialect: 'duckdb' }),
    verifyRollup: () => service.verifyRollup({ asker: undefined, target, rollup: 'Daily', dialect: 'duckdb' }),
    batch: () => service.batch(batch, async () => undefined),
    composables: () => service.composables({ asker: undefined, target, query }),
    dimensionValues: () => service.dimensionValues({ asker: undefined, target, dimension: 'Region', limit: 10 }),
  }
  for (const [name, call] of Object.entries(throwing)) t.throws(call, refusal, name)
  for (const [name, call] of Object.entries(rejecting)) await t.rejects(call(), refusal, name)
  const verbs = Object.keys(service).filter((name) => !['executionEnabled', 'curated', 'close'].includes(name))
  t.same(verbs.sort(), [...Object.keys(throwing), ...Object.keys(rejecting)].sort(), 'there is no other call')
  await t.resolves(service.close(), 'closing again does no harm')
})

t.test('a model whose loading ends after the service closed is refused and not stored', async (t) => {
  const { service, ...host } = await hostOf({ plugins, settings: { MODEL_SQL: 'allow' }, base: import.meta.dirname })
  await host.start()
  const { session_id: id } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
  const loading = service.loadModel(id, { asker: undefined, model_json: shopModel })
  const closing = host.close()
  await t.rejects(loading, { code: 'SHUTTING_DOWN' })
  await closing
})

t.test('expired sessions are swept every SESSION_CLEANUP_INTERVAL, until the service closes', async (t) => {
  holds(t, 'state.swept')
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const swept = t.capture(SessionStore.prototype, 'sweep', SessionStore.prototype.sweep)
  let now = Date.UTC(2026, 0, 1)
  const limits = { SESSION_CLEANUP_INTERVAL: 60, SESSION_TTL_SECONDS: 100 }
  const { service, ...host } = await hostOf({ plugins, settings: limits }, { now: () => new Date(now) })
  await host.start()
  await service.createSession({ metadata: {}, client: 'a', by: undefined })
  swept()
  const pass = (seconds: number) => {
    now += seconds * 1000
    mock.timers.tick(seconds * 1000)
    return swept().map((call) => ('returned' in call ? call.returned : call))
  }
  t.same(pass(59), [])
  t.same(pass(1), [0], 'nothing has expired')
  t.same(pass(60), [1], 'the idle session is gone')
  await host.close()
  t.same(pass(600), [], 'nothing is swept any more')
})
