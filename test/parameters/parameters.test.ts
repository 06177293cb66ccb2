/** Parameters of a model: what queries give, and what each surface of the service makes of it (decision 270). */
import { createHost, type GrainlineError } from '@grainline/core'
import { valueAt } from '@grainline/core/vendor'
import duckdbDialect from '@grainline/dialect-duckdb'
import evaluator from '@grainline/evaluator-duckdb'
import semanticQl from '@grainline/semantic-ql'
import rest from '@grainline/surface-rest'
import duckdb from '@grainline/vendor-duckdb'
import Fastify from 'fastify'
import t from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { meant } from '../refusals/meant.js'
import { compileFor, loadText } from '../support/compile.js'

const plugins = [duckdbDialect, { use: duckdb, with: {} }, { use: evaluator, with: {} }, semanticQl, rest] as never
const preload = [{ session: 'shop', model: `${import.meta.dirname}/shop.yaml` }]
const host = await createHost(
  { plugins, settings: { QUERY_EXECUTE: true }, preload },
  { environment: { process: {}, dotenv: {} } },
)
await host.start()
t.teardown(() => host.close())
const { service } = host
const app = Fastify()
mountSurfaces(app, host)
t.teardown(() => app.close())

async function post(url: string, payload: object) {
  const answer = await app.inject({ method: 'POST', url: `/v1${url}`, payload })
  return { status: answer.statusCode, body: answer.json() }
}
/** An error with its first finding. */
const flat = (body: { readonly errors?: readonly object[] }) => ({ ...body, ...body.errors?.[0] })
const execute = (query: object) => post('/query/execute?receipt=true', { query })
const rowsOf = async (query: object) => (await execute(query)).body.rows
const sql = (text: string, more: object = {}) => post('/query/semantic-ql', { sql: text, ...more })

const planned = { select: { measures: ['Planned'] } }

t.test('a default applies, and the answer and its receipt name it', async (t) => {
  const { body } = await execute(planned)
  t.same(body.rows, [['54.00']])
  t.match(body.warnings, [{ code: 'PARAMETER_DEFAULT_USED', message: /'Growth' is 0.5/ }])
  t.match(body.receipt.parameters, [{ name: 'Growth', value: 0.5, default: true }])
})

t.test('a value of the query applies to everything that is computed from it, and is part of the receipt', async (t) => {
  const { body } = await execute({ ...planned, select: { measures: ['Planned', 'Growing'] }, parameters: { growth: '0.25' } })
  t.same(body.rows, [['45.00', 1.25]])
  t.same(body.warnings, [])
  t.same(body.receipt.parameters, [{ name: 'Growth', value: '0.25' }])
})

t.test('another value is another answer, although answers are kept', async (t) => {
  for (const [growth, value] of [
    [0, '36.00'],
    [1, '72.00'],
    [0, '36.00'],
  ] as const)
    t.same(await rowsOf({ ...planned, parameters: { Growth: growth } }), [[value]])
})

t.test('a list has any length; an empty one holds nothing, and one value is a list', async (t) => {
  const of = (regions: unknown) => rowsOf({ select: { measures: ['Of Regions'] }, parameters: { Regions: regions } })
  t.same(await of(['N', 'S']), [['35']])
  t.same(await of([]), [[null]])
  t.same(await of('S'), [['5']])
})

t.test('null compares as null, where the model allows it', async (t) => {
  const where = [{ field: 'Day', op: 'eq', value: { parameter: 'Since' } }]
  t.same(await rowsOf({ select: { measures: ['Amount'] }, where, parameters: { Since: null } }), [['5']])
})

t.test('every wrong value is refused with its place', async (t) => {
  const cases = [
    [{ Growth: 2 }, 'INVALID_PARAMETER_VALUE', /greatest value of 'Growth', 1/],
    [{ Growth: 0.123 }, 'INVALID_PARAMETER_VALUE', /0.123 does not fit/],
    [{ Growth: 'much' }, 'INVALID_PARAMETER_VALUE', /'much' does not fit/],
    [{ Growth: null }, 'INVALID_PARAMETER_VALUE', /must not be null/],
    [{ Growth: [1] }, 'INVALID_PARAMETER_VALUE', /has one value/],
    [{ Growth: { a: 1 } }, 'INVALID_PARAMETER_VALUE', /a text, a number/],
    [{ Currency: 'CHF' }, 'INVALID_PARAMETER_VALUE', /EUR, USD, GBP/],
    [{ Since: '2024-13-01' }, 'INVALID_PARAMETER_VALUE', /'2024-13-01'/],
    [{ Regions: ['N', 1] }, 'INVALID_PARAMETER_VALUE', /1 does not fit/],
    [{ Grow: 1 }, 'UNKNOWN_PARAMETER', /Growth/],
    [{ Growth: 1, growth: 1 }, 'INVALID_QUERY', /twice/],
  ] as const
  for (const [parameters, code, says] of cases) {
    const { status, body } = await execute({ ...planned, parameters })
    t.equal(status, 422)
    t.match(flat(body), { code, message: says, path: /^parameters/ }, JSON.stringify(parameters))
  }
  for (const expression of ['{[Region]} = {@Reg}', '{[Region]} = {@Regions}'])
    t.match(flat((await execute({ ...planned, where: [{ expression }] })).body), { path: 'where[0].expression' })
  const unknown = await execute({ ...planned, where: [{ field: 'Region', op: 'in', value: { parameter: 'Region' } }] })
  t.match(flat(unknown.body), { code: 'UNKNOWN_PARAMETER', path: 'where[0].value', suggestions: ['Regions'] })
})

t.test('a value is data', async (t) => {
  const where = [{ expression: "{[Region]} = {@Currency} OR {[Region]} IN ('N')" }]
  t.same(await rowsOf({ select: { measures: ['Amount'] }, where, parameters: { Currency: 'EUR' } }), [['30']])
  const regions = ["N') OR 1=1 --", 'S']
  t.same(await rowsOf({ select: { measures: ['Of Regions'] }, parameters: { Regions: regions } }), [['5']])
})

t.test('a query that reads a parameter without a value is not run; others are, and its columns are known', async (t) => {
  const query = { select: { measures: ['Of Regions'] } }
  const { status, body } = await execute(query)
  t.equal(status, 422)
  t.match(flat(body), { code: 'PARAMETER_REQUIRED', path: 'parameters.Regions', hint: /"Regions"/ })
  const compiled = (await post('/query/sql', { query })).body
  t.match(compiled.warnings, [{ code: 'PARAMETER_REQUIRED', message: /'Regions'/ }])
  t.same(await rowsOf({ select: { measures: ['Amount'] } }), [['36']])
  const segment = await execute({ select: { measures: ['Amount'] }, where: ['Recent'] })
  t.match(flat(segment.body), { code: 'PARAMETER_REQUIRED', path: 'parameters.Since' })
  const inside = await execute({ select: { dimensions: ['Rewarded'], measures: ['Amount'] } })
  t.match(flat(inside.body), { code: 'PARAMETER_REQUIRED', path: 'parameters.Bonus' })
})

t.test('SQL gives values with the model, in the request, and by position', async (t) => {
  const text = (from: string) => `SELECT "Planned" FROM ${from}`
  t.same((await sql(text('shop(growth => 1)'))).body.rows, [['72.00']])
  t.same((await sql(text('shop(growth => $1) AS s'), { parameters: ['0.25'] })).body.rows, [['45.00']])
  t.same((await sql(text('shop'), { model_parameters: { Growth: 0 } })).body.rows, [['36.00']])
  t.same((await sql(text('shop(growth => 1)'), { model_parameters: { Growth: 0 } })).body.rows, [['72.00']], 'FROM wins')
  const list = await sql(`SELECT shop."Of Regions" FROM shop(regions => ARRAY['N', 'S'], "Since" => DATE '2024-01-01')`)
  t.same(list.body.rows, [['35']])
  t.same(list.body.query.parameters, { Regions: ['N', 'S'], Since: '2024-01-01' })
  const both = `SELECT a."Region", a."Planned" - b."Planned" FROM shop(growth => 1) a JOIN shop(growth => 0) b ON a."Region" = b."Region" ORDER BY 1`
  const joined = (await sql(both)).body
  t.equal(joined.detail, undefined)
  t.same(joined.rows, [
    ['N', '30.00'],
    ['S', '5.00'],
  ])
  for (let again = 0; again < 2; again++) t.same((await sql(text('shop(growth => 0.5)'))).body.rows, [['54.00']], 'kept readings')
})

t.test('SQL refuses unknown names, and values without a name', async (t) => {
  t.match(flat((await sql('SELECT "Planned" FROM shop(grow => 1)')).body), { code: 'UNKNOWN_PARAMETER', suggestions: ['Growth'] })
  t.match(flat((await sql('SELECT "Planned" FROM shop(1)')).body), { code: 'INVALID_QUERY', hint: /"Growth" => …/ })
  t.match(flat((await sql('SELECT "Planned" FROM shop(growth => 1, growth => 2)')).body), {
    code: /INVALID_QUERY|SQL_SYNTAX_ERROR/,
  })
  t.match(flat((await sql('SELECT "Planned" FROM shop(growth => "Amount")')).body), { code: 'INVALID_PARAMETER_VALUE' })
})

t.test('descriptions, no rows and previews need no value', async (t) => {
  const target = { sessionId: 'shop' }
  const text = 'SELECT "Rewarded", "Of Regions" FROM shop'
  const { columns } = await service.describeSql({ target, sql: text, asker: undefined })
  t.same(
    columns.map(({ name, type }) => [name, type.kind]),
    [
      ['Rewarded', 'int'],
      ['Of Regions', 'decimal'],
    ],
  )
  const none = await sql(`${text} WHERE 1=0`)
  t.equal(none.status, 200)
  t.same(none.body.rows, [])
  t.match(flat((await sql(text)).body), { code: 'PARAMETER_REQUIRED' })
  const { schema, batches, outcome } = await service.executeSql({ target, sql: 'SELECT * FROM shop LIMIT 2', asker: undefined })
  const rows: unknown[] = []
  for await (const batch of batches)
    for (let row = 0; row < batch.rowCount; row++)
      rows.push(Object.fromEntries(batch.columns.map((column, i) => [schema[i]!.name, valueAt(column, row, schema[i]!.type)])))
  t.equal(rows.length, 2)
  for (const row of rows) t.match(row, { Rewarded: null, 'Of Regions': null, Shown: / in EUR$/, Region: 'N' })
  const notice = outcome().warnings.find(({ code }) => code === 'PARAMETER_REQUIRED')
  t.match(notice, { message: /'Bonus'.*'Rewarded'|'Regions'.*'Of Regions'/ })
})

t.test('the model says which parameters it has', async (t) => {
  const { parameters } = (await app.inject({ url: '/v1/schema' })).json()
  t.match(parameters[0], { name: 'Currency', type: 'string', default: 'EUR', values: ['EUR', 'USD', 'GBP'], list: false })
  t.equal('default' in parameters[2], false)
  const { lineage } = (await app.inject({ url: '/v1/explain/Planned' })).json()
  t.ok(lineage.some(({ type, name }: { type: string; name: string }) => type === 'parameter' && name === 'Growth'))
})

const loaded = (edit: (text: string) => string) => parseModelSync({ text: edit(text) })
const text = (await import('node:fs')).readFileSync(`${import.meta.dirname}/shop.yaml`, 'utf8')

t.test('declarations are checked when the model is loaded', async (t) => {
  const cases: readonly (readonly [from: string, to: string, code: GrainlineError['code'], path: string])[] = [
    ['default: 0.5', 'default: 2', 'INVALID_PARAMETER_VALUE', 'parameters.Growth.default'],
    ['type: date,', 'type: day,', 'SCHEMA_VALIDATION', 'parameters.Since.type'],
    ['{ type: int }', '{ type: string, min: 1 }', 'INVALID_SETTING', 'parameters.Bonus.min'],
    ['min: 0', 'min: low', 'INVALID_PARAMETER_VALUE', 'parameters.Growth.min'],
    ['{@Growth}', '{@Grow}', 'UNKNOWN_PARAMETER', 'measures.Planned.expression'],
    ['{@Growth}', '{@Regions}', 'INVALID_EXPRESSION', 'measures.Planned.expression'],
    ['{@Growth}', '{@Currency}', 'EXPRESSION_TYPE_MISMATCH', 'measures.Planned.expression'],
    ['parameter: Regions', 'parameter: Region', 'UNKNOWN_PARAMETER', 'measures.Of Regions.filters[0].value'],
    ['parameter: Regions', 'parameter: Growth', 'INVALID_FILTER_VALUE', 'measures.Of Regions.filters[0].value'],
    [
      'op: in, value: { parameter: Regions }',
      'op: eq, value: { parameter: Regions }',
      'INVALID_FILTER_VALUE',
      'measures.Of Regions.filters[0].value',
    ],
    [
      'Id: { code: id, abstractType: int, primaryKey: true }',
      "Id: { expression: '{@Bonus}', abstractType: int, primaryKey: true }",
      'PARAMETER_IN_POLICY',
      'dataObjects.Sales.columns.Id.expression',
    ],
  ]
  for (const [from, to, code, path] of cases) {
    t.ok(text.includes(from), from)
    const { errors } = loaded((whole) => whole.replace(from, to))
    t.match(errors[0], { code, path }, `${from} → ${to}: ${errors[0]?.message}`)
  }
})

t.test('a filter of the model that reads a parameter protects nothing, and loading says so', async (t) => {
  const filter = '\nfilters: [{ dataObject: Sales, column: With Bonus, operator: gt, value: 0 }]\n'
  t.match(loaded((whole) => whole + filter).warnings, [{ code: 'PARAMETER_IN_FILTER', path: 'filters[0]', message: /'Bonus'/ }])
  t.same(loaded((whole) => whole).warnings, [])
})

t.test('the advice of each code, applied, is answered', async (t) => {
  const answered = async (query: object, rows: readonly (readonly unknown[])[]) => {
    const { status, body } = await execute(query)
    t.equal(status, 200, body.detail)
    t.same(body.warnings, [])
    t.same(body.rows, rows, 'the number that was meant')
  }
  const named = flat((await execute({ ...planned, parameters: { Grow: 0 } })).body)
  await answered({ ...planned, parameters: { [String((named as { suggestions?: string[] }).suggestions?.[0])]: 0 } }, [['36.00']])
  const most = flat((await execute({ ...planned, parameters: { Growth: 2 } })).body) as { message?: string }
  await answered({ ...planned, parameters: { Growth: Number(/'Growth', (.*)$/.exec(most.message ?? '')?.[1]) } }, [['72.00']])
  await answered({ select: { measures: ['Of Regions'] }, parameters: { Regions: ['N'] } }, [['30']])
  await answered({ ...planned, parameters: { Growth: 0.5 } }, [['54.00']])
  const key = '{ code: id, abstractType: int, primaryKey: true }'
  t.same(
    loaded((whole) => whole.replace(key, "{ expression: '{@Bonus}', abstractType: int, primaryKey: true }")).errors.map(
      ({ code }) => code,
    ),
    ['PARAMETER_IN_POLICY'],
  )
  t.same(loaded((whole) => whole.replace(key, '{ code: id, abstractType: int, primaryKey: true }')).errors, [])
  const asked = (query: object, edit: (text: string) => string, sql: string) =>
    meant(t, '', compileFor({ select: { measures: ['Amount'] }, ...query }, loadText(edit(text))).sql, sql)
  const where = [{ expression: '{[Sales].[Amount]} > {@Least}' }]
  t.match(flat((await execute({ select: { measures: ['Amount'] }, where, parameters: { Least: 5 } })).body), {
    code: 'UNKNOWN_PARAMETER',
  })
  const declared = (whole: string) => whole.replace('parameters:\n', 'parameters:\n  Least: { type: int }\n')
  // A declared name: the parameter of the query is one of the model.
  await asked({ where, parameters: { Least: 5 } }, declared, 'SELECT 30')
  const since = [{ field: 'Day', op: '>=', value: { parameter: 'Since' } }]
  const noNull = flat(
    (
      await execute({
        select: { measures: ['Amount'] },
        where: [{ expression: '{[Sales].[Amount]} > coalesce({@Bonus}, 4)' }],
        parameters: { Bonus: null },
      })
    ).body,
  )
  t.match(noNull, { code: 'INVALID_PARAMETER_VALUE' })
  await asked(
    { where: [{ expression: '{[Sales].[Amount]} > coalesce({@Bonus}, 4)' }], parameters: { Bonus: null } },
    // null of a nullable one
    (whole) => whole.replace('Bonus: { type: int }', 'Bonus: { type: int, nullable: true }'),
    'SELECT 35',
  )
  t.match(flat((await execute({ select: { measures: ['Amount'] }, where: since })).body), { code: 'PARAMETER_REQUIRED' })
  await asked(
    { where: since },
    // a default in the model
    (whole) => whole.replace('type: date, nullable: true', "type: date, default: '2024-02-01'"),
    'SELECT 21',
  )
  const without = '\nfilters: [{ dataObject: Sales, column: Amount, operator: gt, value: 0 }]\n'
  t.same(loaded((whole) => whole + without).warnings, [])
})
