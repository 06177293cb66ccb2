/** The page on servers of every kind, and its behaviour when one stops. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HostPlugin } from '@grainline/core'
import ui from '@grainline/surface-ui'
import t from 'tap'
import { selfSigned } from '../../host/certificate.js'
import { start } from '../../host/process.js'
import { compiling, startRest } from '../../rest/server.js'
import { strippingProxy } from '../../ui/stripping-proxy.js'
import { type Page, PLAIN_HOST } from './browser.js'
import { largeModel } from './large-model.js'
import {
  cells,
  demo,
  factsSay,
  hashOf,
  looksRight,
  onPages,
  openModel,
  openModelFile,
  ownModel,
  rows,
  serveDemo,
  showAs,
  TOURED,
  until,
  visitor,
} from './on-pages.js'

const SMALL = `name: small
dataObjects:
  Rows:
    code: rows
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Word: { code: word, abstractType: string } }
dimensions:
  Word: { dataObject: Rows, column: Word }
`

await onPages(t, async ({ browser, server, address, visit }) => {
  await t.test('a model of this tab can be used after its session expired', async (t) => {
    const { page } = await visit()
    await page.goto(`${address}/ui/`)
    await rows(page)
    const source = readFileSync(new URL('../../../examples/flights/model.yaml', import.meta.url), 'utf8')
    await openModel(page, source.replace(/^name: .*$/m, 'name: mine'))
    await rows(page)
    const own = "JSON.parse(sessionStorage.getItem('grainline.session')).session"
    const gone = await page.evaluate<string>(own)
    await page.evaluate(
      `fetch('api/v1/sessions/${gone}', { method: 'DELETE', headers: { 'x-grainline-ui': '1' } }).then((r) => r.status)`,
    )
    await page.getByRole('button', { name: /^Run/ }).click()
    await until(page, `${own} !== '${gone}' && document.querySelector('[role=gridcell]')`)
    t.match(await page.locator('.facts').textContent(), /^36 rows/, 'the question is answered in a new session')
  })

  await t.test('the page works below a path of another server, with an API that requires TLS and keys', async (t) => {
    const embedded = await startRest({
      ...compiling,
      prefix: '/semantic',
      plugins: [...(compiling.plugins ?? []), ui as HostPlugin],
    })
    t.teardown(() => embedded.close())
    const within = await embedded.app.listen({ port: 0, host: '127.0.0.1' })
    const inside = await visitor(browser, within)()
    await inside.page.goto(`${within}/semantic/`)
    await openModel(inside.page, SMALL)
    await inside.page.getByRole('treeitem', { name: /^Word/ }).click()
    await showAs(inside.page, 'SQL')
    await until(inside.page, "document.querySelector('.code-view')?.innerText.includes('SELECT')")
    t.match(inside.page.url(), /\/semantic\/ui\/#s=/)
    t.same(inside.faults(), [])

    const cwd = t.testdir({})
    const { cert, key } = selfSigned()
    const [certFile, keyFile] = [path.join(cwd, 'cert.pem'), path.join(cwd, 'key.pem')]
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
    const secret = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
    const tls = { API_TLS_CERT: certFile, API_TLS_KEY: keyFile, AUTH_MODE: 'api_key', API_KEYS: secret, API_SERVER_PORT: '0' }
    const api = start(t, ['serve', '--config', demo], { cwd, env: { ...tls, UI_ENABLED: 'false' } })
    const [, port] = await api.shows(/https:\/\/[^\s:]+:(\d+)/)
    const env = { API_BASE_URL: `https://localhost:${port}`, API_CA: certFile, SVC_API_KEY: secret }
    const apart = start(t, ['ui', '--port', '0'], { cwd, env })
    const [page] = await apart.shows(/http:\/\/[\w.[\]:]+:\d+/)
    const proxy = await strippingProxy(t, '/bi', page)
    const outside = await visitor(browser, proxy)()
    await outside.page.goto(`${proxy}/bi/ui`)
    await rows(outside.page)
    t.match(await outside.page.locator('.facts').textContent(), /^36 rows/)
    t.match(outside.page.url(), /\/bi\/ui\/#s=/)
    t.notMatch(
      await outside.page.evaluate<string>(
        'document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage })',
      ),
      secret,
    )
    t.same(outside.faults(), [])
  })

  await t.test('a curated server shows its models, and accepts no others', async (t) => {
    const folder = t.testdir({ 'small.yaml': SMALL })
    const flights = new URL('../../../examples/flights/model.yaml', import.meta.url).pathname
    const curated = await serveDemo(t, { MODEL_FILES: `${flights},${path.join(folder, 'small.yaml')}` }, folder)
    const { page, faults } = await visitor(browser, curated.address)()
    await page.goto(`${curated.address}/ui/`)
    await rows(page)
    t.equal(await page.getByRole('button', { name: 'Open a model' }).count(), 0, 'no model of a person is taken')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('of your own')
    await page.getByText('Nothing here has that name.').waitFor()
    await page.keyboard.press('Escape')

    const picker = page.getByRole('combobox', { name: 'Model' })
    await picker.click()
    t.same(await page.getByRole('option').allInnerTexts(), ['flights', 'small'])
    await page.getByRole('option', { name: 'small' }).click()
    await page.getByRole('treeitem', { name: /^Word/ }).waitFor()
    await until(page, "JSON.parse(atob(location.hash.slice(3).replaceAll('-', '+').replaceAll('_', '/'))).model === 'small'")

    await showAs(page, 'Text')
    await page.getByText('No problems').waitFor()
    await page.getByText('Models come from files here').waitFor()
    await page.getByLabel('The model as text').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('x-note: 1')
    await page.getByText("'x-note' is not a key that is known here").waitFor()
    for (const name of ['Load the draft', 'Compare'])
      t.equal(await page.getByRole('button', { name, disabled: true }).count(), 1, `${name} is not to be had`)
    await looksRight(t, page, 'curated')
    t.same(faults(), [])
  })

  await t.test('copied texts can be pasted, also on a page over plain HTTP from another machine', async (t) => {
    const { address: local } = await serveDemo(t, { ALLOWED_HOSTS: PLAIN_HOST })
    const copied = clipboard()
    const plain = local.replace('127.0.0.1', PLAIN_HOST)
    for (const [at, isTrusted] of [
      [local, true],
      [plain, false],
    ] as const) {
      const { page, faults } = await visitor(browser, at)()
      const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] }, where: [], limit: 3 }
      await page.goto(`${at}/ui/${hashOf({ tab: 'sql', dialects: ['duckdb', 'postgres'], query })}`)
      t.equal(await page.evaluate('isSecureContext'), isTrusted)
      await page.getByRole('button', { name: 'Copy the SQL for postgres' }).click()
      t.match(await copied(page), /^(?:WITH|SELECT) .*"Origin Code".*"Flight Count".*LIMIT 3$/)
      await page.getByRole('button', { name: 'Copy link' }).click()
      t.equal(await copied(page), page.url())
      // The query of a link runs by itself.
      await showAs(page, 'Table')
      await factsSay(page, '3 rows')
      await page.getByRole('gridcell', { name: 'JFK' }).click()
      await page.getByRole('menuitem', { name: 'Copy' }).click()
      t.equal(await copied(page), 'JFK')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command' }).fill('copy link')
      await page.keyboard.press('Enter')
      t.equal(await copied(page), page.url())
      t.same(faults(), [])
    }
  })

  await t.test('a page whose server has a key that the API does not know shows the setting to change', async (t) => {
    const [secret, other] = [
      'svc_pat_0123456789abcdef0123456789abcdef01234567',
      'oth_pat_0123456789abcdef0123456789abcdef01234567',
    ]
    const closed = await serveDemo(t, { AUTH_MODE: 'api_key', API_KEYS: secret, SVC_API_KEY: other })
    const { page } = await visitor(browser, closed.address)()
    await page.goto(`${closed.address}/ui/`)
    const notice = page.getByRole('alert')
    await notice.waitFor()
    t.match(await notice.textContent(), /Set SVC_API_KEY there.*AUTH_INVALID/)
    t.equal(await page.getByRole('dialog').count(), 0, 'nobody signs in where all have one key')
    await looksRight(t, page, 'no-key')
  })

  await t.test('two tabs have separate models, one with two hundred objects, while the server restarts', async (t) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    t.teardown(() => context.close())
    const [one, other] = [await context.newPage(), await context.newPage()]
    for (const page of [one, other]) await page.addInitScript(TOURED)
    await one.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(one)
    await other.goto(`${address}/ui/`)
    await rows(other)
    await openModelFile(other, largeModel())
    await other.getByRole('textbox', { name: 'Search fields' }).fill('amount 150')
    await other.getByRole('treeitem', { name: /^Amount 150/ }).click()
    await other.getByRole('button', { name: 'Take Amount 150 away' }).waitFor()
    await other.keyboard.press('Control+Enter')
    await until(other, "document.querySelector('[role=gridcell]')?.innerText === '5'")
    await showAs(other, 'Graph')
    await other.locator('.node').first().waitFor()
    t.ok((await other.locator('.node').count()) < 200, 'a large graph begins with a part')
    t.equal(await other.locator('.graph-list > li').count(), 200, 'the list has all')
    await other.locator('label').filter({ hasText: /^All$/ }).click()
    await until(other, "document.querySelectorAll('.node').length === 200")
    await looksRight(t, other, 'graph-large')
    await showAs(other, 'Table')
    t.same(await cells(one), ['336,776'], 'the other tab has its own')
    t.equal(await one.evaluate("sessionStorage.getItem('grainline.session')"), null)

    const gone = await ownModel(other)
    server.signal('SIGTERM')
    await server.ended
    await one.getByRole('button', { name: /^Run/ }).click()
    await one.getByText('The server does not answer.').waitFor()
    const again = start(t, ['serve', '--config', demo], {
      cwd: t.testdir({}),
      env: { API_SERVER_PORT: new URL(address!).port, CACHE_BACKEND: 'memory' },
    })
    await again.shows(/listen on/)
    await one.getByRole('button', { name: /^Run/ }).click()
    await rows(one)
    t.same(await cells(one), ['336,776'])
    await other.getByRole('button', { name: /^Run/ }).click()
    // An answer of the new session, not the one that is still shown.
    const asked =
      "performance.getEntriesByType('resource').some(({ name, responseStatus }) => responseStatus === 200 && name.includes(session + '/query/execute'))"
    await until(
      other,
      `(({ session }) => session !== '${gone.split('/')[0]}' && ${asked})(JSON.parse(sessionStorage.getItem('grainline.session')))`,
    )
    await until(other, "document.querySelector('[role=gridcell]')?.innerText === '5'")
  })
})

/** What reads the clipboard of the browser. A page copies after its click has ended, so a reader pastes until it sees another text than it last saw. */
function clipboard(): (page: Page) => Promise<string> {
  let last = ''
  return async (page) => {
    const before = last
    for (let attempts = 0; attempts < 100 && last === before; attempts++) last = await pasted(page)
    return last
  }
}

/** The contents of the clipboard, read by pasting into a line of text, which has no line ends. */
async function pasted(page: Page): Promise<string> {
  const search = page.getByRole('textbox', { name: 'Search fields' })
  await search.fill('')
  await search.press('Control+v')
  const value = await page.evaluate<string>('document.querySelector(\'[aria-label="Search fields"]\').value')
  await search.fill('')
  return value
}
