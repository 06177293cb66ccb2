/** The web page as a person uses it, on the flights. Pictures are kept in .clients/pictures, to be looked at. */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { start } from '../../host/process.js'
import { orSkip } from '../or-skip.js'
import { accessibilityFaults, type Browser, openBrowser, type Page } from './browser.js'

const pictures = path.join(import.meta.dirname, '.clients/pictures')

await orSkip(
  t,
  openBrowser,
  (browser) => browser.close(),
  async (browser) => {
    mkdirSync(pictures, { recursive: true })
    const config = new URL('../../../config/demo.yaml', import.meta.url).pathname
    const server = start(t, ['serve', '--config', config], {
      cwd: t.testdir({}),
      env: { API_SERVER_PORT: '0', CACHE_BACKEND: 'memory' },
    })
    const [, address] = await server.shows(/(http:\/\/[\w.]+:\d+)/)
    const visit = visitor(browser, address!)

    await t.test('the first visit shows a question that is answered', async (t) => {
      const { page, faults } = await visit({ isFirst: true })
      await page.goto(`${address}/`)
      await rows(page)
      t.match(page.url(), /\/ui\/#s=/)
      t.match(await page.locator('.facts').textContent(), /^36 rows/)
      t.match(await page.getByRole('gridcell').first().textContent(), 'John F Kennedy Intl')
      await page.getByText('Choose what to ask').waitFor()
      await looksRight(t, page, 'first-visit')
      for (const name of ['Next', 'Next', 'Done']) await page.getByRole('button', { name }).click()
      await page.locator('.tour').waitFor({ state: 'hidden' })
      t.same(faults(), [])
    })

    await t.test('a question is put together, run, filtered and shared', async (t) => {
      const { page, faults } = await visit()
      await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
      await rows(page)
      t.same(await cells(page), ['336,776'])

      await page.getByRole('textbox', { name: 'Search fields' }).fill('origin code')
      await page.getByRole('treeitem', { name: /^Origin Code/ }).click()
      await page.getByText('The answer below is of an earlier question.').waitFor()
      await page.keyboard.press('Control+Enter')
      await until(page, "document.querySelector('.facts')?.innerText.startsWith('3 rows')")
      t.same((await cells(page)).toSorted(), ['104,662', '111,279', '120,835', 'EWR', 'JFK', 'LGA'])

      await page
        .getByRole('columnheader', { name: /Flight Count/ })
        .locator('button')
        .click()
      t.same((await cells(page)).slice(0, 2), ['EWR', '120,835'], 'the largest first')
      await page.getByRole('gridcell', { name: 'JFK' }).click()
      await page.getByRole('menuitem', { name: 'Only JFK' }).click()
      await page.getByRole('button', { name: /^Run/ }).click()
      await until(page, "document.querySelector('.facts')?.innerText.startsWith('1 row')")
      t.same(await cells(page), ['JFK', '111,279'])

      await page.reload()
      await rows(page)
      t.same(await cells(page), ['JFK', '111,279'], 'a reload loses nothing')
      t.same(faults(), [])
    })

    await t.test('a number shows the rows that made it, in the answer and in a pivot', async (t) => {
      const { page, faults } = await visit()
      const query = { select: { dimensions: ['Month', 'Origin Code'], measures: ['Flight Count', 'Cancellation Rate'] } }
      await page.goto(
        `${address}/ui/${hashOf({ query: { ...query, order_by: [{ field: 'Month' }, { field: 'Origin Code' }] } })}`,
      )
      await rows(page)
      await page.getByRole('gridcell').nth(3).click()
      await page.getByRole('menuitem', { name: 'Rows behind this number' }).click()
      const said = page.locator('.rows-drawer [role=status]')
      await said.waitFor()
      t.match(await said.textContent(), /^238 rows of Flightscome to 238, which is Cancelled Flights\..*reconciled/)
      await looksRight(t, page, 'rows')
      await page.getByRole('tab', { name: 'Flight Count' }).click()
      await until(
        page,
        "document.querySelector('.rows-drawer [role=status]')?.innerText.startsWith('9893 rows') || document.querySelector('.rows-drawer [role=status]')?.innerText.startsWith('9,893 rows')",
      )
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
      t.equal(
        readFileSync(await file.path(), 'utf8')
          .trim()
          .split('\n').length,
        9894,
        'the file has all of them',
      )
      await page.getByRole('button', { name: 'Close' }).click()

      await page.getByRole('tab', { name: 'Pivot' }).click()
      await page.locator('.pivot tr.total').waitFor()
      t.match(await page.locator('.pivot tr.total').textContent(), /^Total120,8352\.7%111,2791\.7%104,6623\.0%336,7762\.5%$/)
      await looksRight(t, page, 'pivot')
      await page.locator('.pivot tr.total button').nth(0).click()
      await said.waitFor()
      t.match(await said.textContent(), /^120,835 rows of Flights/, 'a total has rows, too')
      t.same(faults(), [])
    })

    await t.test('everything is found by typing', async (t) => {
      const { page, faults } = await visit()
      await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
      await rows(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command' }).fill('late rate')
      await looksRight(t, page, 'commands')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Take Late Rate away' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command' }).fill('sql tab')
      await page.keyboard.press('Enter')
      await page
        .getByRole('textbox', { name: /^SQL for/ })
        .first()
        .waitFor()
      t.same(faults(), [])
    })

    await t.test('a model of this tab outlives its session', async (t) => {
      const { page } = await visit()
      await page.goto(`${address}/ui/`)
      await rows(page)
      await page.getByRole('button', { name: 'Open a model' }).click()
      const source = readFileSync(new URL('../../../examples/flights/model.yaml', import.meta.url), 'utf8')
      await page.getByLabel('Model document').fill(source.replace(/^name: .*$/m, 'name: mine'))
      await page.getByRole('button', { name: 'Load', exact: true }).click()
      await page.locator('[role=dialog]').waitFor({ state: 'hidden' })
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

    await t.test('a filter suggests values of the database', async (t) => {
      const { page, faults } = await visit()
      await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
      await rows(page)
      await page.getByRole('button', { name: 'Add filter' }).click()
      await page.keyboard.type('Origin Code')
      await page.getByRole('option', { name: 'Origin Code' }).click()
      await page.getByLabel('Values').first().fill('lg')
      await page.getByRole('option', { name: /LGA/ }).click()
      await looksRight(t, page, 'filter')
      await page.getByRole('button', { name: 'Done' }).click()
      await page.keyboard.press('Control+Enter')
      await until(page, "document.querySelector('[role=gridcell]')?.innerText === '104,662'")
      t.same(faults(), [])
    })

    await t.test('a field that does not fit is grey and says why', async (t) => {
      const { page } = await visit()
      const query = { select: { dimensions: ['Sight'], measures: ['Average Temperature'] } }
      await page.goto(`${address}/ui/${hashOf({ query })}`)
      await rows(page)
      await page.getByRole('textbox', { name: 'Search fields' }).fill('fleet seats')
      const field = page.getByRole('treeitem', { name: /^Fleet Seats/ })
      await until(page, "document.querySelector('[role=treeitem].greyed')")
      t.equal(await field.getAttribute('aria-disabled'), 'true')
      // It is marked as one that cannot be used, which playwright would wait for.
      await field.click({ force: true })
      await page.getByText('Fleet Seats cannot be added.').waitFor()
      await looksRight(t, page, 'refused-field')
    })

    await t.test('the question as text and the controls follow each other', async (t) => {
      const { page, faults } = await visit()
      await page.goto(`${address}/ui/${hashOf({ tab: 'query', query: { select: { measures: ['Flight Count'] }, limit: 7 } })}`)
      const editor = page.getByLabel('The question as text')
      await editor.waitFor()
      t.match(await editor.textContent(), 'limit: 7')
      await looksRight(t, page, 'query-text')
      await editor.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('select: { dimensions: [Airline], measures: [Late Flights] }')
      await page.getByRole('button', { name: 'Take Airline away' }).waitFor()
      await page.getByRole('button', { name: 'Take Airline away' }).click()
      await until(page, "!document.querySelector('[aria-label=\"The question as text\"]').innerText.includes('Airline')")
      await page.getByRole('radio', { name: 'JSON' }).first().press('ArrowRight')

      await page.getByText('Semantic QL').click()
      const statement = page.getByLabel('The question as a statement')
      await statement.waitFor()
      t.match(await statement.textContent(), /SELECT "Late Flights"\s*FROM "flights"/)
      await statement.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(`SELECT "Origin Code", "Late Flights" FROM flights WHERE "Status" = 'late' ORDER BY 2 DESC`)
      await page.getByRole('button', { name: 'Take Origin Code away' }).waitFor()
      await looksRight(t, page, 'statement')
      t.same(faults(), [])
    })

    await t.test('the SQL is there in two dialects, and the plan', async (t) => {
      const { page, faults } = await visit()
      const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count', 'Average Temperature'] } }
      await page.goto(`${address}/ui/${hashOf({ tab: 'sql', dialects: ['duckdb', 'postgres'], query })}`)
      await page.getByRole('textbox', { name: 'SQL for duckdb' }).waitFor()
      await page.getByRole('textbox', { name: 'SQL for postgres' }).waitFor()
      t.match(await page.getByRole('textbox', { name: 'SQL for duckdb' }).textContent(), /UNION ALL|FULL|JOIN/)
      await looksRight(t, page, 'sql')
      await page.getByRole('tab', { name: 'Plan' }).click()
      await page.locator('.plan-tree').waitFor()
      await looksRight(t, page, 'plan')
      t.same(faults(), [])
    })

    await t.test('the graph shows objects, joins and the way of the question, and is saved', async (t) => {
      const query = { select: { dimensions: ['Airline'], measures: ['Flight Count'] } }
      for (const colorScheme of ['light', 'dark']) {
        const { page, faults } = await visit({ colorScheme })
        await page.goto(`${address}/ui/${hashOf({ tab: 'graph', query })}`)
        await page.locator('.join.lit').waitFor()
        t.equal(
          await page.locator('.node').count(),
          await page.locator('.graph-list > li').count(),
          'all objects, drawn and in words',
        )
        await page.getByRole('button', { name: /^Flights fact \d+ measures .* in this question$/ }).waitFor()
        t.match(
          await page.locator('.join.lit').getAttribute('aria-label'),
          'Flights to Airlines, many-to-one: Carrier = Code, in this question',
        )
        const ends = page.locator('.join.lit').locator('text')
        t.same([await ends.nth(0).textContent(), await ends.nth(1).textContent()], ['n', '1'])
        await looksRight(t, page, `graph-${colorScheme}`)
        if (colorScheme === 'light') await graphIsUsed(t, page)
        t.same(faults(), [])
      }
    })

    await t.test('a model is changed, checked, compared and loaded; a draft survives a reload', async (t) => {
      const { page, faults } = await visit()
      const query = { select: { measures: ['Flight Count', 'Late Flights'] } }
      await page.goto(`${address}/ui/${hashOf({ tab: 'model', query })}`)
      await page.getByText('No problems').waitFor()
      await looksRight(t, page, 'model')
      const editor = page.getByLabel('The model as text')
      await editor.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('\nx-note: 1')
      await page.getByText("'x-note' is not a key that is known here").waitFor()
      await looksRight(t, page, 'model-problem')
      await page.reload()
      await page.getByText("'x-note' is not a key that is known here").waitFor()
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await page.getByText('No problems').waitFor()
      const source = readFileSync(new URL('../../../examples/flights/model.yaml', import.meta.url), 'utf8')
      const draft = source.replace('op: gt, value: 15 }]', 'op: gt, value: 30 }]')
      await page.evaluate(`localStorage.setItem('grainline.draft.flights', ${JSON.stringify(JSON.stringify(draft))})`)
      await page.reload()
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.locator('.moves tbody tr').first().waitFor()
      t.match(await page.locator('.moves').textContent(), /Late Flights/)
      await looksRight(t, page, 'model-compared')
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.locator('.finding-list li').first().waitFor()
      // Some metrics have no total: they need a dimension.
      const expected = /status of 422/
      t.same(
        faults().filter((fault) => !expected.test(fault)),
        [],
      )
    })

    await t.test('a chart fits to the shape of the answer, and can be another one', async (t) => {
      const { page, faults } = await visit()
      const query = { select: { dimensions: ['Origin Code', 'Month'], measures: ['Flight Count'] } }
      await page.goto(`${address}/ui/${hashOf({ tab: 'chart', query })}`)
      await page.locator('.chart svg[aria-label^="Flight Count by Month"]').waitFor()
      await looksRight(t, page, 'chart-lines')
      await page.getByText('Small multiples').click()
      await page.locator('.chart svg text').filter({ hasText: 'JFK' }).waitFor()
      await looksRight(t, page, 'chart-multiples')
      await page.getByText('Stacked bars').click()
      await page.locator('.chart svg rect').first().waitFor()
      await looksRight(t, page, 'chart-stacked')
      await page.goto(
        `${address}/ui/${hashOf({ tab: 'chart', query: { select: { dimensions: ['Airline'], measures: ['Flight Count', 'Average Departure Delay'] } } })}`,
      )
      await page.reload()
      await page.locator('.chart svg[aria-label^="Flight Count by Airline"]').waitFor()
      await looksRight(t, page, 'chart-bars')
      const svg = await saved(page, 'SVG')
      t.equal(svg.name, 'flights.svg')
      t.match(svg.bytes.toString(), /^<svg.*Flight Count/s)
      t.equal((await saved(page, 'PNG')).bytes.subarray(1, 4).toString(), 'PNG')
      t.same(faults(), [])
    })

    await t.test('the keyboard is enough', async (t) => {
      const { page, faults } = await visit()
      await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
      await rows(page)
      await page.getByRole('textbox', { name: 'Search fields' }).fill('airline')
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
      await page.locator('.query-bar .chip.dimension, .query-bar .chip.measure').nth(1).waitFor()
      await page.keyboard.press('Control+Enter')
      await until(
        page,
        "Number.parseInt(document.querySelector('.facts').innerText) !== 1 || document.querySelectorAll('[role=columnheader]').length > 1",
      )
      t.same(faults(), [])
    })

    await t.test('the answer is saved as a file', async (t) => {
      const { page } = await visit()
      await page.goto(
        `${address}/ui/${hashOf({ query: { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } } })}`,
      )
      await rows(page)
      await page.getByRole('button', { name: 'Download' }).click()
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'CSV' }).click()])
      t.equal(file.suggestedFilename(), 'flights.csv')
      t.match(readFileSync(await file.path(), 'utf8'), /^Origin Code,Flight Count\r?\nEWR,120835/)
    })

    await t.test('dark, and on a phone', async (t) => {
      const dark = await visit({ colorScheme: 'dark' })
      await dark.page.goto(`${address}/ui/`)
      await rows(dark.page)
      await looksRight(t, dark.page, 'dark')
      const phone = await visit({ viewport: { width: 390, height: 844 } })
      await phone.page.goto(`${address}/ui/`)
      await rows(phone.page)
      await looksRight(t, phone.page, 'phone')
      t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing is wider than the screen')
      await phone.page.getByRole('button', { name: 'Fields' }).click()
      await phone.page.getByRole('tree').waitFor()
      await looksRight(t, phone.page, 'phone-fields')
      t.same([...dark.faults(), ...phone.faults()], [])
    })

    await t.test('many rows scroll, and only those in sight are drawn', async (t) => {
      const { page } = await visit()
      const query = {
        select: { dimensions: ['Scheduled At', 'Tail Number', 'Destination Code'], measures: ['Flight Count'] },
        limit: 200_000,
      }
      await page.goto(`${address}/ui/${hashOf({ query })}`)
      await rows(page)
      t.match(await page.locator('.facts').textContent(), /^200,000 rows/)
      await page.evaluate("document.querySelector('.grid').scrollTop = 1e9")
      await until(page, "[...document.querySelectorAll('[role=row]')].some((row) => row.ariaRowIndex === '200001')")
      const drawn = await page.locator('[role=row]').count()
      t.ok(drawn < 80, `${drawn} rows are drawn`)
    })
  },
)

/** By the keyboard, by name, in part, and as a file. */
async function graphIsUsed(t: Test, page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Flights fact/ }).press('ArrowRight')
  t.notMatch(await page.evaluate<string>('document.activeElement.dataset.object'), /^(?:undefined|Flights)$/, 'an arrow leads on')
  await page.getByRole('textbox', { name: 'Find an object' }).fill('plan')
  await page.getByRole('textbox', { name: 'Find an object' }).press('Enter')
  await page.locator('.node.chosen').waitFor()
  await page.getByText('Neighbours').click()
  await until(page, "document.querySelectorAll('.node').length === 2")
  await looksRight(t, page, 'graph-neighbours')
  const [mermaid, svg, png] = [await saved(page, 'Mermaid'), await saved(page, 'SVG'), await saved(page, 'PNG')]
  t.same([mermaid.name, svg.name, png.name], ['flights-joins.mmd', 'flights-joins.svg', 'flights-joins.png'])
  t.match(mermaid.bytes.toString(), /^erDiagram\n.*Flights/)
  t.match(svg.bytes.toString(), /^<svg[^>]*viewBox.*Planes/s)
  t.notMatch(svg.bytes.toString(), 'var(--', 'colours are written out')
  t.equal(png.bytes.subarray(1, 4).toString(), 'PNG')
}

/** The file that a button makes. */
async function saved(page: Page, name: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

/** A page of its own, and what is wrong with it: errors, refused scripts and styles, requests to other hosts, a key in a request. */
function visitor(browser: Browser, address: string) {
  return async ({ isFirst = false, ...options }: { readonly isFirst?: boolean; readonly [option: string]: unknown } = {}) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
    const found: string[] = []
    page.on('console', (message) => message.type() === 'error' && found.push(message.text()))
    page.on('pageerror', (error) => found.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !/^(?:data|blob):/.test(request.url())) found.push(`asks ${request.url()}`)
      if (request.headers()['x-api-key'] ?? request.headers()['authorization']) found.push(`a key goes to ${request.url()}`)
    })
    if (!isFirst) await page.addInitScript("localStorage.setItem('grainline.toured', 'true')")
    await page.addInitScript(
      "addEventListener('securitypolicyviolation', (event) => console.error('CSP refuses ' + event.violatedDirective))",
    )
    return { page, faults: () => found }
  }
}

function rows(page: Page): Promise<void> {
  return page.getByRole('gridcell').first().waitFor()
}

/** Looks once in each frame that is drawn: the page's policy evaluates no text, which playwright's own waiting is. */
async function until(page: Page, holds: string): Promise<void> {
  while (!(await page.evaluate<boolean>(`new Promise((seen) => requestAnimationFrame(() => seen(Boolean(${holds}))))`)));
}

function cells(page: Page): Promise<string[]> {
  return page.getByRole('gridcell').allInnerTexts()
}

/** The picture is for people; axe is asked about the same moment. */
async function looksRight(t: Test, page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(pictures, `${name}.png`) })
  t.same(await accessibilityFaults(page), [], `${name}: no barrier for people who see, hear or point otherwise`)
}

function hashOf(shared: object): string {
  return `#s=${Buffer.from(JSON.stringify({ model: 'flights', ...shared })).toString('base64url')}`
}
