/**
 * Principals whose values decide no plan share what is compiled. The statement of each is that which is compiled for its values alone, for questions of the
 * corpus, and no value ends the place in which it stands.
 */
import t from 'tap'
import type { CompileContext } from '../../core/src/compile/compile-context.js'
import { compileShared, withHeldValues } from '../../core/src/compile/compile-shared.js'
import { compile } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { boundBy, type Rights, type SharedViews, sharedView, viewFor } from '../../core/src/model/restrict.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import type { StoredTypes } from '../../core/src/model/stored-column.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { DIALECTS, FURTHER_DIALECTS, modelText, readQuestions } from '../corpus/corpus.js'
import { oneIn } from '../support/amount.js'
import { loadText, NOW } from '../support/compile.js'
import { servedShop } from './served.js'
import { KEYS_FILE } from './shop.js'

const contextIn = (dialect: Dialect, storedTypes: StoredTypes = 'declared'): CompileContext => ({
  ...{ dialect, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW, storedTypes },
})

type Attributes = Rights['attributes']

/** Views of one model, as a server makes them. */
function viewsOf(model: SemanticModel) {
  const shared: SharedViews = new Map()
  return (attributes: Attributes): SemanticModel =>
    viewFor(
      model,
      boundBy(model.access!, { name: 'ann', roles: [], attributes }, () => '2025-06-15'),
      'secret',
      shared,
    )
}

/** The statement, or the code of the refusal. */
function saying(compiled: () => { readonly sql: string }): string {
  try {
    return compiled().sql
  } catch (error) {
    if (error instanceof GrainlineError) return error.code
    throw error
  }
}

/** The statement in one line: where a list of columns is broken into lines depends on its length, and a place for a value is as long as any other. */
const inOneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ')

const sharedFor = (query: unknown, view: SemanticModel, context: CompileContext): string =>
  saying(() => {
    const general = compileShared(parseQuery(query), sharedView(view)!, context)
    return withHeldValues(general, view.restriction!.values!, context.dialect)
  })

const access = (statuses: string, least: string, name: string): string => `
access:
  attributes: { statuses: { type: string, list: true }, least: { type: int } }
  rows:
    - { name: a, dataObject: Orders, where: { field: Orders.Status, op: in, value: ${statuses} } }
    - { name: b, dataObject: Customers, where: { logic: or, filters: [{ field: Customers.Id, op: gte, value: ${least} }, { field: Customers.Name, op: '=', value: ${name} }] } }
  unbound: [Promotions, Products, Categories, Tags, Product Tags, Price List, Announcements, Regions, Stores, Addresses, Labels, Loyalty, Payments, Shipments, Parcels, Visits]`

const HELD = { statuses: '{ attribute: statuses }', least: '{ attribute: least }', name: '{ principal: name }' }
const VALUES = { statuses: ['new', "pa'id\\"], least: -5 }

t.test('a question of the corpus is that of its values alone, in every dialect', async (t) => {
  const text = modelText()
  const held = loadText(text + access(HELD.statuses, HELD.least, HELD.name))
  const written = loadText(text + access(JSON.stringify(VALUES.statuses), String(VALUES.least), 'ann'))
  const [view, alone] = [viewsOf(held)(VALUES), viewsOf(written)({})]
  t.ok(sharedView(view))
  t.equal(sharedView(alone), undefined, 'nothing is held where all is written')
  let compared = 0
  for (const dialect of oneIn(12, [...DIALECTS, ...FURTHER_DIALECTS]))
    for (const { name, query } of oneIn(4, readQuestions())) {
      const context = contextIn(dialect)
      const wanted = saying(() => compile(parseQuery(query), alone, context))
      t.equal(inOneLine(sharedFor(query, view, context)), inOneLine(wanted), `${dialect.name}: ${name}`)
      t.equal(
        saying(() => compile(parseQuery(query), view, context)),
        wanted,
        `${dialect.name}: ${name}, at once`,
      )
      compared++
    }
  t.ok(compared > 20)
})

t.test('who shares a plan: values of one type, lists of one length, texts of one form', async (t) => {
  const viewAs = viewsOf(loadText(modelText() + access(HELD.statuses, HELD.least, HELD.name)))
  const [one, same] = [viewAs({ statuses: ['a'], least: 1 }), viewAs({ statuses: ['b'], least: 2 })]
  t.equal(sharedView(one), sharedView(same))
  t.not(one.contentHash, same.contentHash, 'nothing else is kept for both')
  const others: readonly Attributes[] = [
    { statuses: ['a', 'b'], least: 1 },
    { statuses: [], least: 1 },
    { statuses: ['a '], least: 1 },
    { statuses: ['a\u0000'], least: 1 },
    { statuses: ['a\ud800'], least: 1 },
    { statuses: ['a'] },
    { statuses: ['0f8fad5b-d9cb-469f-a165-70867728950e'], least: 1 },
  ]
  for (const other of others) t.not(sharedView(viewAs(other)), sharedView(one), JSON.stringify(other))
  const asked = { select: { measures: ['New Orders'] } }
  const none = sharedFor(asked, viewAs({ statuses: [], least: 1 }), contextIn(duckdb))
  t.match(none, /FALSE/i, 'an empty list leaves nothing')
})

t.test('a value that decides something is part of the plan', async (t) => {
  const rule = (where: string, more = '') =>
    loadText(`
version: 1
dataObjects: { Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Due: { code: due, abstractType: date }, Name: { code: name, abstractType: string }, Price: { code: price, abstractType: float${more} } } } }
access: { attributes: { a: { type: string }, d: { type: date }, p: { type: float }, n: { type: int } }, rows: [{ name: a, dataObject: Items, deniesBy: true, where: ${where} }] }`)
  const given = { a: 'x', d: '2025-01-01', p: 1.5, n: 1 }
  const isShared = (where: string, more?: string) => sharedView(viewsOf(rule(where, more))(given)) !== undefined
  t.ok(isShared("{ field: Items.Name, op: '=', value: { attribute: a } }"))
  t.notOk(isShared("{ field: Items.Due, op: '=', value: { attribute: d } }"), 'a day changes ranges')
  t.notOk(isShared("{ field: Items.Price, op: '=', value: { attribute: p } }"), 'a double has digits')
  t.notOk(isShared("{ field: Items.Price, op: '=', value: { attribute: n } }"), 'so has what it is compared with')
  t.notOk(isShared('{ field: Items.Name, op: contains, value: { attribute: a } }'), 'a pattern is another text')
  t.notOk(
    isShared("{ field: Items.Name, op: '=', value: { attribute: a } }", ', unit: { column: Name }'),
    'it is the unit of an answer',
  )
})

t.test('the id of a tenant that is stored as a UUID is compared as it is stored, for every tenant', async (t) => {
  const model = loadText(`
version: 1
dataObjects: { Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Tenant: { code: tenant, abstractType: string } } } }
measures: { Number: { columns: [{ dataObject: Items, column: Id }], aggregation: count } }
access: { attributes: { tenant: { type: string } }, rows: [{ name: own, dataObject: Items, where: { field: Items.Tenant, op: '=', value: { attribute: tenant } } }] }`)
  const stored: StoredTypes = new Map([['Items', new Map([['tenant', { sqlType: 'UUID' }]])]])
  const viewAs = viewsOf(model)
  const asked = { select: { measures: ['Number'] } }
  const byId = sharedFor(asked, viewAs({ tenant: '0f8fad5b-d9cb-469f-a165-70867728950e' }), contextIn(duckdb, stored))
  t.match(byId, /"tenant" = '0f8fad5b/)
  t.match(sharedFor(asked, viewAs({ tenant: 'acme' }), contextIn(duckdb, stored)), /CAST\(.*"tenant".* = 'acme'/)
})

const keyOf = (name: string): string => `svc_pat_${name}_0123456789abcdef0123456789abcdef`
const REGIONS = ['North', 'South', "O'Brien\\", 'a\nb', '\u0001:0\u0001', '$1 ? :a %s', '東', '']

t.test('a served question is compiled once for all, and each is answered for its own rows', async (t) => {
  const keys = REGIONS.map((region, i) => ({
    name: `t${i}`,
    key: keyOf(`t${i}`),
    roles: ['sales'],
    attributes: { regions: [region] },
  }))
  const tables = [
    'CREATE TABLE regions AS SELECT unnest($$REGIONS$$) AS name'.replace('$$REGIONS$$', `[${REGIONS.map(literal).join(', ')}]`),
    `CREATE TABLE customers AS SELECT i + 1 AS id, 'c' || i AS name, [${REGIONS.map(literal).join(', ')}][i + 1] AS region, '1' AS zip FROM range(${REGIONS.length}) AS t(i)`,
    `CREATE TABLE orders AS SELECT i + 1 AS id, i + 1 AS customer_id, i + 1 AS referrer_id, 10 * (i + 1) AS amount FROM range(${REGIONS.length}) AS t(i)`,
    'CREATE TABLE products AS SELECT 1 AS id',
  ]
  const shop = await servedShop(t, {
    tables,
    keys: KEYS_FILE + keys.map((key) => `- ${JSON.stringify(key)}\n`).join(''),
  })
  const compiled = async () => (await shop.get('ops', '/v1/cache/stats')).body.compile.misses as number
  const before = await compiled()
  for (const [i, region] of REGIONS.entries()) {
    const { body } = await shop.app
      .inject({
        method: 'POST',
        url: '/v1/query/execute',
        headers: { 'x-api-key': keyOf(`t${i}`) },
        payload: { query: { select: { dimensions: ['Region'], measures: ['Revenue'] } } },
      })
      .then((answer) => ({ body: answer.json() }))
    t.same(body.rows, [[region, String(10 * (i + 1))]], JSON.stringify(body).slice(0, 300))
  }
  t.equal((await compiled()) - before, 1)
})

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
