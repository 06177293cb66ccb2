/** The server in a tab of a browser: the answers of a served process on PostgreSQL, and files that somebody chooses. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { dataSql, modelText, readQuestions } from '../../corpus/corpus.js'
import { startRest } from '../../rest/server.js'
import { loadText } from '../../support/compile.js'
import { orSkip } from '../or-skip.js'
import { forPostgres } from '../postgres/engine.js'
import { openPostgres } from '../postgres/open.js'
import { cells, hashOf, looksRight, rows, until } from '../ui/on-pages.js'
import { ask, chooseFiles, openTabs, started, tabsOf } from './open-tab.js'

t.setTimeout(900_000)

interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

await orSkip(
  t,
  openTabs,
  (browser) => browser.close(),
  async (browser) => {
    const tabs = await tabsOf(t, browser)

    t.test('the corpus has the answers of a server on PostgreSQL', (t) =>
      orSkip(
        t,
        openPostgres,
        (postgres) => postgres.close(),
        async ({ client, socket }) => {
          const statements = forPostgres(dataSql())
          await client.query(statements)
          const plugins = [
            '@grainline/dialect-postgres',
            { use: '@grainline/vendor-postgres', with: { host: socket, user: 'postgres', database: 'postgres' } },
          ]
          const server = await startRest({
            plugins,
            settings: { QUERY_EXECUTE: true, DB_VENDOR: 'postgres', MODEL_SQL: 'allow' },
          })
          t.teardown(() => server.close())
          const tab = await tabs.open()
          await chooseFiles(tab, { 'data.sql': statements, 'commerce.yaml': modelText() })

          const there = await server.post('/v1/sessions', {})
          const session = there.body.session_id
          const loaded = await server.post(`/v1/sessions/${session}/models`, { model_yaml: modelText() })
          const published = await ask<{ models: { session_id: string; model_id: string }[] }>(tab.page, '/v1/models')
          const [own] = published.body.models
          let answered = 0
          for (const { name, query, ordered = false } of readQuestions()) {
            const wanted = await server.post(`/v1/sessions/${session}/query/execute`, { model_id: loaded.body.model_id, query })
            const found = await ask<Rows & { code?: string }>(tab.page, `/v1/sessions/${own!.session_id}/query/execute`, {
              model_id: own!.model_id,
              query,
            })
            t.equal(found.status, wanted.status, `${name}: ${JSON.stringify(found.body).slice(0, 300)}`)
            if (found.status !== 200) t.equal(found.body.code, wanted.body.code, name)
            else {
              answered += 1
              t.same(shown(found.body, ordered), shown(wanted.body, ordered), name)
            }
          }
          t.ok(answered > 0)
          t.same(tab.faults, [])
        },
      ),
    )

    t.test('the example answers on the page, and nothing is asked of another host', async (t) => {
      const tab = await tabs.open()
      await tab.page.goto(tab.address)
      await looksRight(t, tab.page, 'tab-start')
      await tab.page.goto(`${tab.address}${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
      await tab.page.reload()
      await started(tab.page)
      await rows(tab.page)
      await until(tab.page, "document.body.innerText.includes('336,776')")
      t.match(await cells(tab.page), ['336,776'])
      await looksRight(t, tab.page, 'tab-example')
      t.same(
        tab.asked.filter((url) => !url.startsWith(tab.site)),
        [],
      )
      t.same(tab.faults, [])
    })

    t.test('a query of the documentation runs from its page', async (t) => {
      const tab = await tabs.open()
      await tab.page.goto(`${tab.site}top.html`)
      await tab.page.locator('.run a').first().click()
      await started(tab.page)
      await rows(tab.page)
      t.ok((await cells(tab.page)).length > 3)
      t.match(tab.page.url(), /\/try\/index\.html#s=/)
      t.same(tab.faults, [])
    })

    t.test('files of CSV and Parquet become tables with a first model', async (t) => {
      const tab = await tabs.open()
      const airlines = readFileSync(fileURLToPath(new URL('../../../examples/flights/data/airlines.parquet', import.meta.url)))
      await chooseFiles(tab, {
        'Orders 2024.csv': ORDERS,
        'customers.csv': 'id;name;since;zip\r\n1;"Ann; ""A"" é";2020-02-29;01234\r\n2;;2021-01-01;99999\r\n',
        'airlines.parquet': airlines,
      })
      const { body } = await ask<{ models: { session_id: string; model_id: string }[] }>(tab.page, '/v1/models')
      const { session_id, model_id } = body.models[0]!
      const source = await tab.page.evaluate<string>(
        `fetch('api/v1/sessions/${session_id}/models/${model_id}/source').then((response) => response.text())`,
      )
      t.ok(loadText(source), source)
      const execute = async (select: object, order_by: object[] = []) =>
        (await ask<Rows>(tab.page, `/v1/sessions/${session_id}/query/execute`, { model_id, query: { select, order_by } })).body
      const orders = await execute(
        { fields: ['Orders 2024.Id', 'Orders 2024.Amount', 'Orders 2024.Paid', 'Orders 2024.At', 'Orders 2024.Share'] },
        [{ field: 1 }],
      )
      t.same(
        orders.columns?.map(({ type }) => type),
        ['int', 'decimal(38,2)', 'boolean', 'timestamp_tz', 'float'],
        JSON.stringify(orders),
      )
      t.same(orders.rows, [
        ['1', '0.10', true, '2024-01-31T23:30:00Z', 0.5],
        ['2', '0.20', false, '2024-02-01T00:00:00.123456Z', 1e-7],
        ['3', null, null, null, null],
      ])
      const people = await execute({ fields: ['Customers.Name', 'Customers.Zip'] }, [{ field: 'Customers.Zip' }])
      t.same(people.rows, [
        ['Ann; "A" é', '01234'],
        [null, '99999'],
      ])
      t.equal((await execute({ measures: ['Airlines Count'] })).rows[0]?.[0], 16)
      t.same(tab.faults, [])
    })

    t.test('a file that cannot be read is named, and nothing starts', async (t) => {
      const tab = await tabs.open()
      await t.rejects(chooseFiles(tab, { 'broken.parquet': 'no such thing' }), /broken\.parquet.*again/s)
      await t.rejects(chooseFiles(tab, { 'short.csv': 'a,b\n1\n' }), /short\.csv.*again/s)
    })
  },
)

const ORDERS = `id,amount,paid,at,share,customer_id
1,0.10,true,2024-02-01T00:30:00+01:00,0.5,1
2,0.20,FALSE,2024-02-01 00:00:00.123456Z,1e-7,2
3,,,,,1
`

/** Rows without an order are compared as a set; both servers have the same collation, but another plan. */
function shown({ columns, rows }: Rows, ordered: boolean) {
  const lines = rows.map((row) => JSON.stringify(row))
  return { columns: columns.map(({ name, type }) => `${name} ${type}`), lines: ordered ? lines : lines.toSorted() }
}
