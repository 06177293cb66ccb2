/** Saved questions and dashboards: built, shared by link and by file, with one time and shared filters. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Page } from './browser.js'
import { factsSay, hashOf, looksRight, onPages, openModel, PHONE, rows, saved, showAs, until } from './on-pages.js'

const numbers = "[...document.querySelectorAll('.tile-numbers strong')].map((each) => each.innerText)"
const shows = (page: Page, list: readonly string[]) =>
  until(page, `JSON.stringify(${numbers}) === ${JSON.stringify(JSON.stringify(list))}`)

/** No examples, and data of its own. */
const SHOP = `name: shop
dataObjects:
  Sales:
    code: (SELECT * FROM (VALUES (1, DATE '2024-01-15', 'Oslo', 10.5), (2, DATE '2024-02-15', 'Rome', 20.25), (3, DATE '2024-02-20', 'Oslo', 1)) s (id, day, city, amount))
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: day, abstractType: date }
      City: { code: city, abstractType: string }
      Amount: { code: amount, abstractType: float }
dimensions:
  Day: { dataObject: Sales, column: Day }
  City: { dataObject: Sales, column: City }
measures:
  Turnover: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
`

await onPages(t, async ({ address, visit }) => {
  await t.test('questions become a dashboard with one time, which is shared by link and by file', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count', 'Late Rate'] } } })}`)
    await rows(page)
    await page.getByRole('button', { name: 'Save and open' }).click()
    await page.getByRole('menuitem', { name: 'Add this question to the dashboard' }).click()
    await shows(page, ['336,776', '21.5%'])
    await page.goto(
      `${address}/ui/${hashOf({ tab: 'chart', query: { select: { dimensions: ['Month', 'Airline'], measures: ['Flight Count'] } } })}`,
    )
    await until(page, "document.querySelector('.chart svg')")
    await showAs(page, 'Dashboard')
    await shows(page, ['336,776', '21.5%'])
    await page.getByRole('button', { name: 'Add the question' }).click()
    await until(page, "document.querySelector('.tile .chart svg')")

    await page.getByRole('button', { name: 'Time: Date, all days' }).click()
    await page.getByText('The data is from 2013-01-01 to 2013-12-31.').waitFor()
    await page.getByRole('button', { name: 'last 3 months' }).click()
    await page.getByRole('switch', { name: 'Compare with the period before' }).click({ force: true })
    await page.keyboard.press('Escape')
    await shows(page, ['84,292', '19.0%'])
    await page.getByText('against 86,326, 2013-07-01 to 2013-09-30').waitFor()
    await page.getByText('-3 points').waitFor()
    await until(page, "document.querySelector('.tile .chart')?.innerText.includes('Flight Count before')")
    await until(page, "document.querySelectorAll('.tile [aria-label=Loading]').length === 0")
    await page.evaluate(
      'window.asked = 0; const ask = window.fetch; window.fetch = (...all) => { window.asked++; return ask(...all) }',
    )
    await page.getByRole('textbox', { name: 'Title of the dashboard' }).fill('Late in autumn')
    t.equal(
      await page.evaluate('new Promise((seen) => requestAnimationFrame(() => setTimeout(() => seen(window.asked))))'),
      0,
      'a title asks nothing again',
    )
    await until(page, "document.querySelectorAll('.tile [aria-label=Loading]').length === 0")
    await looksRight(t, page, 'dashboard')
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await looksRight(t, page, 'dashboard-dark')
    await page.setViewportSize(PHONE)
    await looksRight(t, page, 'dashboard-phone')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: /Change the tile .*Month/ }).click()
    await page.getByRole('menuitem', { name: 'Table' }).click()
    await until(page, "document.querySelector('.tile.as-table')?.innerText.includes('Flight Count change')")
    await looksRight(t, page, 'dashboard-compared-table')
    await page.getByRole('button', { name: /Change the tile .*Month/ }).click()
    await page.getByRole('menuitem', { name: 'Chart' }).click()
    await until(page, "document.querySelector('.tile .chart svg')")
    const link = page.url()
    const { name, bytes } = await saved(page, 'Save as a file')
    t.equal(name, 'Late in autumn.dashboard.yaml')
    t.match(bytes.toString(), 'span: last 3 months')
    t.same(faults(), [])

    const other = await visit()
    await other.page.goto(link)
    await shows(other.page, ['84,292', '19.0%'])
    const third = await visit()
    await third.page.goto(`${address}/ui/${hashOf({ tab: 'dashboard' })}`)
    await third.page.getByText('This dashboard is empty').waitFor()
    await looksRight(t, third.page, 'dashboard-empty')
    await third.page.locator('main input[type=file]').first().setInputFiles({ name, mimeType: 'application/yaml', buffer: bytes })
    await shows(third.page, ['84,292', '19.0%'])
    t.equal(
      await third.page.getByRole('textbox', { name: 'Title of the dashboard' }).first().getAttribute('value'),
      'Late in autumn',
    )

    await third.page.getByRole('button', { name: /^Change the tile Flight Count by Month/ }).click()
    await third.page.getByRole('menuitem', { name: 'Open as a question' }).click()
    await third.page.getByRole('button', { name: /^Filter: Date is between 2013-10-01, 2013-12-31/ }).waitFor()
    await until(third.page, "document.querySelector('.chart svg')")
    t.same(third.faults(), [])
  })

  await t.test('tiles have a filter in common, and are renamed, moved, widened and removed', async (t) => {
    const { page, faults } = await visit()
    const tile = (measure: string) => ({ title: measure, as: 'number', query: { select: { measures: [measure] } } })
    const dashboard = { title: 'Board', tiles: [tile('Flight Count'), tile('Late Flights')] }
    await page.goto(`${address}/ui/${hashOf({ tab: 'dashboard', dashboard })}`)
    await until(page, `${numbers}.length === 2`)
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('combobox', { name: 'Field to filter by' }).fill('origin code')
    await page.getByRole('combobox', { name: 'Field to filter by' }).press('Enter')
    await page.getByLabel('Values').first().fill('JFK')
    await page.getByRole('option', { name: /JFK/ }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await until(page, `${numbers}[0] === '111,279'`)
    const change = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Change the tile ${name}` }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
      await until(page, "document.querySelector('[role=menu]') === null")
    }
    await change('Flight Count', 'Move down')
    await until(page, `${numbers}[1] === '111,279'`)
    await change('Flight Count', 'Whole width')
    await until(page, "document.querySelector('.tile.wide h2')?.innerText === 'Flight Count'")
    await change('Flight Count', 'Rename')
    await page.getByRole('textbox', { name: 'Title of the tile' }).fill('All of them')
    await page.getByRole('textbox', { name: 'Title of the tile' }).press('Enter')
    await change('All of them', 'Table')
    await until(page, "document.querySelector('.tile.wide [role=gridcell]')?.innerText === '111,279'")
    await change('Late Flights', 'Remove')
    await until(page, "document.querySelectorAll('.tile').length === 1")
    await page.reload()
    await until(page, "document.querySelector('.tile.wide h2')?.innerText === 'All of them'")
    t.same(faults(), [])
  })

  await t.test('a question is saved as a file and opened again; another file says what it lacks', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ tab: 'chart', query, chart: { title: 'Departures' } })}`)
    await until(page, "document.querySelector('.chart svg')")
    await page.getByRole('button', { name: 'Save and open' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save this question as a file' }).click(),
    ])
    t.equal(file.suggestedFilename(), 'Flight Count by Origin Code.question.yaml')
    await page.getByRole('button', { name: 'Save and open' }).click()
    await page.getByRole('menuitem', { name: 'Write it into the model as an example' }).click()
    await page.getByText('Your draft is saved in this browser').waitFor()
    await page.getByText('No problems').waitFor()
    const draft = await page.evaluate<string>(
      'Object.entries({ ...localStorage }).filter(([key]) => /draft/i.test(key)).map(([, kept]) => kept).join()',
    )
    t.match(draft, /examples:\\n {2}- \{ name: Flight Count by Origin Code, query: \{ select/)
    const buffer = readFileSync(await file.path())
    const other = await visit()
    await other.page.goto(`${address}/ui/`)
    await factsSay(other.page, '36 rows')
    const input = other.page.locator('nav input[type=file]').first()
    await input.setInputFiles({ name: 'x.yaml', mimeType: 'application/yaml', buffer: Buffer.from('name: shop') })
    await other.page.getByText(/^This file has neither a dashboard/).waitFor()
    await input.setInputFiles({ name: 'q.yaml', mimeType: 'application/yaml', buffer })
    await until(other.page, "document.querySelector('.chart-title')?.innerText === 'Departures'")
    t.same([...faults(), ...other.faults()], [])
  })

  await t.test('a model without examples starts with questions that are made from it', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({})}`)
    await rows(page)
    await openModel(page, SHOP)
    await page.getByRole('button', { name: /^Turnover by Day \(month\)/ }).waitFor()
    await looksRight(t, page, 'start-of-any-model')
    await page.getByRole('button', { name: /^Turnover by Day \(month\)/ }).click()
    await factsSay(page, '2 rows')
    t.same(
      (await page.getByRole('gridcell').allInnerTexts()).filter((_, n) => n % 2 === 1),
      ['10.50', '21.25'],
    )
    await page.getByRole('button', { name: 'Take Day away' }).click()
    await page.getByRole('button', { name: 'Examples' }).click()
    await page.getByRole('menuitem', { name: /^Turnover by City/ }).click()
    await factsSay(page, '2 rows')
    t.same(
      await page.getByRole('gridcell').allInnerTexts(),
      ['Rome', '20.25', 'Oslo', '11.50'],
      'the largest first, each with two digits',
    )
    t.same(faults(), [])
  })
})
