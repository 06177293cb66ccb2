/** People who sign in on the page: with an identity provider, or with a key. Each sees their own rows. */
import path from 'node:path'
import t, { type Test } from 'tap'
import { start } from '../../host/process.js'
import type { Page } from './browser.js'
import { factsSay, hashOf, looksRight, onPages, PHONE, until, visitor } from './on-pages.js'
import { startProvider } from './provider.js'

const KEYS = { ann: 'ann_pat_0123456789abcdef0123456789abcdef01234567', bob: 'bob_pat_0123456789abcdef0123456789abcdef01234567' }
const MODEL = `name: shop
settings: { defaultDialect: duckdb }
dataObjects:
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region: { code: region, abstractType: string }
      Amount: { code: amount, abstractType: int }
      Cost: { code: cost, abstractType: int }
dimensions:
  Region: { dataObject: Sales, column: Region }
measures:
  Revenue: { columns: [{ dataObject: Sales, column: Amount }], aggregation: sum }
  Cost: { columns: [{ dataObject: Sales, column: Cost }], aggregation: sum }
access:
  attributes: { regions: { type: string, list: true } }
  rows:
    - { name: own, label: Your regions, dataObject: Sales, where: { field: Sales.Region, op: in, value: { attribute: regions } } }
  fields: [{ hide: [Sales.Cost], unless: [finance] }]
examples: [{ name: revenue, title: Revenue by region, query: { select: { dimensions: [Region], measures: [Revenue] } } }]
`
const SALES = `id,region,amount,cost\n1,North,10,4\n2,South,200,5\n3,West,3000,6\n`

const configOf = (more: string) => `plugins:
  - '@grainline/dialect-duckdb'
  - use: '@grainline/vendor-duckdb'
    with: { tables: { sales: sales.csv } }
  - '@grainline/surface-rest'
  - '@grainline/surface-ui'
${more}settings: { QUERY_EXECUTE: true }
`

async function serve(t: Test, env: Record<string, string>, more = '') {
  const keys = `- { name: ann, key: ${KEYS.ann}, roles: [finance], attributes: { regions: [North, South] } }
- { name: bob, key: ${KEYS.bob}, attributes: { regions: West } }
`
  const cwd = t.testdir({ 'shop.yaml': MODEL, 'sales.csv': SALES, 'keys.yaml': keys, 'config.yaml': configOf(more) })
  const server = start(t, ['serve', '--config', path.join(cwd, 'config.yaml')], {
    cwd,
    env: { API_SERVER_PORT: '0', MODEL_FILES: path.join(cwd, 'shop.yaml'), ...env },
  })
  const [, address = ''] = await server.shows(/(http:\/\/[\w.]+:\d+)/)
  return address
}

const QUESTION = { query: { select: { dimensions: ['Region'], measures: ['Revenue'] }, order_by: ['Region'] }, model: 'shop' }
const fields = (page: Page) => page.getByRole('treeitem').allInnerTexts()
const stored = (page: Page) => page.evaluate<string>('JSON.stringify([{ ...localStorage }, location.href, document.cookie])')
const signedInAs = (page: Page, name: string) => page.getByRole('button', { name: `Signed in as ${name}` })

/** Asked of the server, whose clock decides. */
const HAS_ENDED = `(async () => {
  const headers = { 'x-grainline-ui': '1', authorization: 'Bearer ' + sessionStorage['grainline.credential'] }
  const { status } = await fetch('api/v1/models', { headers })
  return status === 401
})()`

await onPages(t, async ({ browser }) => {
  await t.test('with a key of one’s own', async (t) => {
    const address = await serve(t, { AUTH_MODE: 'api_key', API_KEYS_FILE: 'keys.yaml' })
    const { page } = await visitor(browser, address)()
    await page.goto(`${address}/ui/${hashOf(QUESTION)}`)
    const key = page.locator('input[type=password]')
    await key.waitFor()
    await looksRight(t, page, 'sign-in-key')
    await key.fill('wrong_pat_0123456789')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText(/Check that you copied all of it/).waitFor()
    await looksRight(t, page, 'sign-in-refused')
    await key.fill(KEYS.ann)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await factsSay(page, '2 rows')
    t.match((await fields(page)).join(), /Cost/)
    t.notMatch(await stored(page), KEYS.ann)
    await signedInAs(page, 'ann').click()
    await page.getByText('Roles: finance').waitFor()
    await looksRight(t, page, 'signed-in')

    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await key.waitFor()
    t.notMatch(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })'), KEYS.ann)
    await key.fill(KEYS.bob)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await factsSay(page, '1 row')
    t.same(await page.getByRole('gridcell').allInnerTexts(), ['West', '3,000'])
    t.notMatch((await fields(page)).join(), /Cost/, 'a field that is hidden from bob')
  })

  await t.test('with an identity provider', async (t) => {
    let lifetime = 3600
    const people = { ann: { regions: ['North', 'South'], roles: ['finance'] }, bob: { regions: ['West'] } }
    const provider = await startProvider(t, people, { lifetime: () => lifetime })
    const { issuer } = provider
    const options = `{ issuer: '${issuer}', audience: [grainline], keys: '${issuer}/keys', algorithms: [ES256], roles: roles, attributes: { regions: regions }, signIn: { client: page } }`
    const address = await serve(t, { AUTH_MODE: 'jwt' }, `  - { use: '@grainline/auth-jwt', with: ${options} }\n`)
    const visit = visitor(browser, address)
    const { page } = await visit()
    await page.goto(`${address}/ui/${hashOf(QUESTION)}`)
    const leave = page.getByRole('button', { name: /^Sign in with 127/ })
    await leave.waitFor()
    await looksRight(t, page, 'sign-in-provider')
    await leave.click()
    await page.getByText('Cancel').click()
    await page.getByText(/did not let you in, or you cancelled/).waitFor()
    t.match(page.url(), /\/ui\/#s=/, 'the question is kept, and the answer of the provider is out of the address')

    await leave.click()
    await page.getByText('I am ann').click()
    await factsSay(page, '2 rows')
    t.match((await fields(page)).join(), /Cost/)
    t.notMatch(await stored(page), /eyJhbGci|code=/)
    await signedInAs(page, 'ann').waitFor()
    await page.reload()
    await factsSay(page, '2 rows')

    // A link of somebody else cannot sign this person in as another one.
    await page.goto(`${address}/ui/?code=stolen&state=other`)
    await signedInAs(page, 'ann').waitFor()
    t.notMatch(page.url(), 'stolen')

    // Her login at the provider ends, too: it asks who comes next.
    await signedInAs(page, 'ann').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await leave.waitFor()
    t.equal(provider.revoked.length, 1, 'and her refresh token is of no use any more')
    t.match(page.url(), new RegExp(`^${address}/ui/(#|$)`), 'no answer of the provider is in the address')
    t.strictSame(await page.evaluate<string[]>('Object.keys(sessionStorage).filter((name) => /credential|login/.test(name))'), [])
    lifetime = 3
    await leave.click()
    await page.getByText('I am bob').click()
    await factsSay(page, '1 row')
    t.notMatch((await fields(page)).join(), /Cost/)
    // His token ends, and the session goes on without a question.
    while (!(await page.evaluate<boolean>(HAS_ENDED)));
    const used = provider.used()
    await page.getByRole('button', { name: /^Run/ }).click()
    while (await page.evaluate<boolean>(HAS_ENDED));
    t.ok(provider.used() > used)
    t.equal(await page.getByText(/no longer accepts/).count(), 0)
    // The provider ends his login: the page asks again, and continues where he was.
    provider.endAll()
    while (!(await page.evaluate<boolean>(HAS_ENDED)));
    lifetime = 3600
    await page.getByRole('button', { name: /^Run/ }).click()
    await until(page, "document.body.innerText.includes('has ended the login (invalid_grant)')")
    await looksRight(t, page, 'sign-in-again')
    await leave.click()
    await page.getByText('I am bob').click()
    await factsSay(page, '1 row')

    provider.endAll()
    const dark = await visit({ colorScheme: 'dark', viewport: PHONE })
    await dark.page.goto(`${address}/ui/${hashOf(QUESTION)}`)
    await leave.waitFor()
    await looksRight(t, page, 'sign-in-phone-dark')
    await leave.click()
    await page.getByText('I am ann').click()
    await factsSay(page, '2 rows')
    await looksRight(t, page, 'signed-in-phone-dark')
  })
})
