/** A project of dbt on a served process: `serve --from`, `MODEL_FILES`, `POST /v1/convert`, in one thread or in two. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { dbt } from '../../plugins/importer-dbt/src/index.js'
import { start } from '../host/process.js'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { serve } from '../rest/serve.js'
import { startRest } from '../rest/server.js'
import { databaseFile } from '../support/database-file.js'
import { hostOf } from './host-of.js'

const textOf = (file: string) => readFileSync(path.join(process.cwd(), 'test/interchange/dbt', file), 'utf8')
const legacy = textOf('legacy.yml')

/** The project with as many copies as a text needs to be read in a thread. */
const long = (copies: number) =>
  ['semantic_models:']
    .concat(
      Array.from({ length: copies }, (_, i) =>
        [
          `  - name: model_${i}`,
          `    model: ref('table_${i}')`,
          `    entities: [{ name: entity_${i}, type: primary, expr: id }]`,
          '    dimensions: [{ name: kind, type: categorical, expr: "case when a > 1 then \'x\' end" }]',
          `    measures: [{ name: sum_${i}, agg: sum, expr: amount, create_metric: true }]`,
        ].join('\n'),
      ),
    )
    .join('\n')

const shop = (folder: string): Promise<string> =>
  databaseFile(
    path.join(folder, 'shop.duckdb'),
    `
    CREATE TABLE customers (customer_id INTEGER, region VARCHAR);
    INSERT INTO customers VALUES (1, 'north'), (2, 'south');
    CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, ordered_at DATE, amount DECIMAL(18, 2), returned BOOLEAN);
    INSERT INTO orders VALUES (1, 1, '2026-01-03', 120, false), (2, 1, '2026-01-20', 30.5, true), (3, 2, '2026-02-01', 99.99, false)`,
  )

t.setTimeout(300_000)

t.test('serve --from answers the queries of a project, and reads its files again on SIGHUP', async (t) => {
  const folder = t.testdir({ Jaffle: { models: { 'shop.yml': legacy } } })
  const file = await shop(folder)
  const server = start(t, ['serve', '--from', 'dbt', 'Jaffle'], {
    cwd: folder,
    env: { PORT: '0', QUERY_EXECUTE: 'true', DUCKDB_DATABASE: file, DB_VENDOR: 'duckdb' },
  })
  const [, address] = await server.shows(/READY (\S+)/)
  const ask = async (query: object) => {
    const answer = await fetch(`${address}/v1/query/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return { status: answer.status, body: (await answer.json()) as { rows: unknown; code: string } }
  }
  const published = await (await fetch(`${address}/v1/models`)).json()
  t.match(published, { models: [{ name: 'Jaffle', measures: 7 }] })
  const query = { select: { dimensions: ['customer__region'], measures: ['revenue'] }, order_by: [{ field: 'customer__region' }] }
  t.match(await ask(query), {
    status: 200,
    body: {
      rows: [
        ['north', '150.50'],
        ['south', '99.99'],
      ],
    },
  })

  const more =
    'metrics:\n  - { name: half, label: Half, type: derived, type_params: { expr: revenue / 2, metrics: [revenue] } }\n'
  writeFileSync(path.join(folder, 'Jaffle/models/more.yml'), more)
  server.signal('SIGHUP')
  await server.shows(/model Jaffle replaced/)
  t.match(await ask({ select: { measures: ['half'] } }), { status: 200 })

  writeFileSync(path.join(folder, 'Jaffle/models/more.yml'), '\n\nsemantic_models:\n  - name: 7\n')
  server.signal('SIGHUP')
  await server.shows(/model Jaffle stays as it is: .*\(line 4\)/)
  t.match(await ask({ select: { measures: ['half'] } }), { status: 200 }, 'the model stays')
})

t.test('MODEL_FILES names a format, and an error its file', async (t) => {
  const folder = t.testdir({ project: { 'a.yml': legacy } })
  const { ask } = await serve({ MODEL_FILES: 'dbt:project' }, folder)
  t.match((await ask('GET', '/v1/models')).body, { models: [{ name: 'project' }] })
  t.match((await ask('GET', '/v1/settings')).body, { curated: true })

  mkdirSync(path.join(folder, 'broken'))
  writeFileSync(path.join(folder, 'broken/a.yml'), legacy)
  writeFileSync(path.join(folder, 'broken/b.yml'), '\nsemantic_models:\n  - name: orders2\n')
  const broken = start(t, ['serve'], { cwd: folder, env: { PORT: '0', MODEL_FILES: 'dbt:broken' } })
  t.not(await broken.ended, 0)
  t.match(broken.stdout() + broken.stderr(), /broken[/\\]b\.yml:3:\d+ IMPORT_FAILED/)
})

t.test('serve --from of an unknown format, of no folder, or of a path alone says what to do', async (t) => {
  const folder = t.testdir({})
  const outcome = async (...args: string[]) => {
    const server = start(t, ['serve', ...args], { cwd: folder, env: { PORT: '0' } })
    return { code: await server.ended, text: server.stdout() + server.stderr() }
  }
  t.match(await outcome('--from', 'dbtt', '.'), { code: 1, text: /No plugin reads models of the format 'dbtt'.*dbt/ })
  t.match(await outcome('--from', 'dbt', 'nowhere'), { code: 1, text: /nowhere does not exist/ })
  t.match(await outcome('--from', 'dbt', '.'), { code: 1, text: /has no files of the format dbt/ })
  t.match(await outcome('model'), { code: 2, text: /serve takes no path without --from FORMAT/ })
})

t.test('POST /v1/convert gives the model, the list and the counts; invalid texts are refused with every place', async (t) => {
  const folder = t.testdir({})
  const { ask } = await serve({ QUERY_EXECUTE: 'true', DUCKDB_DATABASE: await shop(folder), DB_VENDOR: 'duckdb' }, folder)
  const { status, body } = await ask('POST', '/v1/convert', { model_yaml: legacy, format: 'dbt' })
  t.equal(status, 200)
  const read = await dbt.read({ text: legacy })
  t.ok('document' in read)
  t.same(parse(body.model_yaml), 'document' in read && read.document)
  t.equal(body.losses.length, body.counts.rewritten + body.counts.inert + body.counts.refused)
  t.ok(body.counts.exact > 5)
  for (const { message, line } of body.losses) t.match([message, line], [String, Number])
  const loaded = await ask('POST', '/v1/validate', { model_yaml: body.model_yaml })
  t.match(loaded.body, { valid: true })

  t.match(await ask('POST', '/v1/convert', { model_yaml: '\nsemantic_models:\n  - name: a\n', format: 'dbt' }), {
    status: 422,
    body: { code: 'MODEL_INVALID', detail: /'?a'?/, errors: [{ code: 'IMPORT_FAILED', line: 3, column: 5 }] },
  })
  t.match(await ask('POST', '/v1/convert', { model_yaml: legacy, format: 'dbtt' }), {
    status: 422,
    body: { code: 'INVALID_REQUEST', suggestions: ['dbt'] },
  })
  t.match(await ask('POST', '/v1/convert', { model_yaml: 'é'.repeat(5_000_001), format: 'dbt' }), {
    status: 422,
    body: { detail: /model_yaml has \d+ characters/ },
  })
  t.match(await ask('POST', '/v1/convert', { model_yaml: legacy, format: 'dbt', drop: true }), { status: 422 })

  const { session_id } = (await ask('POST', '/v1/sessions')).body
  const load = (format: string) => ask('POST', `/v1/sessions/${session_id}/models`, { model_yaml: legacy, format })
  t.match((await load('cube')).body.errors, [{ code: 'IMPORT_FAILED', hint: /"format": "dbt"/ }], 'the text of another format')
  const { model_id } = (await load('dbt')).body
  const total = { model_id, query: { select: { measures: ['revenue'] } } }
  t.match(
    (await ask('POST', `/v1/sessions/${session_id}/query/execute`, total)).body,
    { rows: [['250.49']] },
    'its format, named',
  )
})

t.test('a long text gives the same model in a thread as in this one', async (t) => {
  const text = long(120)
  t.ok(text.length > 10_000)
  const copies = await dbt.read({ text })
  const host = await hostOf(t, dbt)
  const converted = await host.service.convert({ asker: undefined, model_yaml: text, format: 'dbt' })
  t.ok('document' in copies)
  if (!('document' in copies)) return
  t.same(parse(converted.model_yaml ?? ''), copies.document)
  t.equal(Object.keys(copies.document.dataObjects as object).length, 120)
  t.equal(copies.losses.length, converted.losses.length)
  t.match(await dbt.read({ text: `${text}\n  - name: 7\n` }), { faults: [{ place: { line: text.split('\n').length + 1 } }] })
})

t.test('no text of another format blocks the event loop', async (t) => {
  const server = await startRest({ plugins: [(await import('@grainline/importer-dbt')).default] })
  t.teardown(() => server.close())
  const post = (text: string) => server.post('/v1/convert', { model_yaml: text, format: 'dbt' })
  t.match(await post(long(20)), { status: 200 })
  const texts = {
    'a large project': long(300),
    'deep brackets': `models: ${'['.repeat(20_000)}`,
    'one name': `models: ${'a'.repeat(1e6)}`,
  }
  for (const [what, text] of Object.entries(texts)) {
    const best = await bestOf(async () => {
      const { status } = await post(text)
      t.ok(status === 200 || status === 422, `${what}: ${status}`)
    })
    keepsTurns(t, best, `${what}: the event loop was held`)
  }
})

t.test('a rule of access is refused, unless it is dropped by name', async (t) => {
  const document = { version: 1, dataObjects: { A: { code: 'a', columns: { X: { code: 'x', abstractType: 'int' } } } } }
  const place = { line: 2, column: 1 }
  const losses = [{ kind: 'refused' as const, message: 'The rule of rows is left out.', place, isSecurity: true }]
  const host = await hostOf(t, { name: 'ruled', detect: () => false, read: async () => ({ document, places: [], losses }) })
  const request = { asker: undefined, model_yaml: 'x\nrule', format: 'ruled' }
  await t.rejects(host.service.convert(request), {
    code: 'MODEL_INVALID',
    details: { findings: [{ code: 'IMPORT_FAILED', line: 2, hint: /drop_security/ }] },
  })
  t.match(await host.service.convert({ ...request, drop_security: true }), { counts: { refused: 1 }, losses: [{ line: 2 }] })
  t.match(await host.service.validate({ asker: undefined, model_yaml: 'x', format: 'ruled' }), { valid: false })
})
