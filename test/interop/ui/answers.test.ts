/** Answers in the web page: rows, charts, pivots, SQL and files, on the flights. */
import { readFileSync } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import type { Page } from './browser.js'
import { cells, factsSay, hashOf, looksRight, onPages, openModel, ownModel, rows, saved, showAs, until } from './on-pages.js'

const MANY = Array.from({ length: 40 }, (_, n) => `M${n}`)
const WIDE = `name: wide
dataObjects:
  Rows:
    code: (SELECT * FROM (VALUES (1, 5), (2, NULL)) t(id, n))
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      N: {code: n, abstractType: int}
dimensions:
  Id: {dataObject: Rows, column: Id}
measures:
${MANY.map((name, n) => `  ${name}: {aggregation: sum, expression: '{[Rows].[N]} + ${n}'}`).join('\n')}
`
/** One of the words has the name of the group of all but the top words. */
const WORDS = `name: words
dataObjects:
  Rows:
    refresh: { mode: static }
    code: (SELECT * FROM (VALUES (1, 'A'), (2, 'A'), (3, 'A'), (4, 'A'), (5, 'Others'), (6, 'Others'), (7, 'B'), (8, 'C'), (9, 'D')) t(id, word))
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Word: { code: word, abstractType: string }
dimensions:
  Word: { dataObject: Rows, column: Word }
measures:
  Count: { aggregation: count, columns: [{ dataObject: Rows, column: Id }] }
`
const FRAMES = 30
const ROWS_A_FRAME = 3

/** Numbers of which a JavaScript number keeps only the first sixteen digits. */
const LONG_NUMBERS = `name: long
dataObjects:
  Rows:
    code: |-
      (SELECT * FROM (VALUES (9007199254740993, 12345678901234567.00000000000000000001::DECIMAL(38,20), DATE '1776-07-04'),
        (9007199254740992, 0.5, DATE '2024-02-29'), (1, NULL, DATE '2024-03-01')) t(id, price, day))
    columns:
      Id: { code: id, abstractType: int }
      Price: { code: price, abstractType: float, sqlType: 'decimal(38,20)' }
      Day: { code: day, abstractType: date }
dimensions:
  Id: { dataObject: Rows, column: Id }
  Price: { dataObject: Rows, column: Price }
  Day: { dataObject: Rows, column: Day }
measures:
  Count: { aggregation: count, columns: [{ dataObject: Rows, column: Id }] }
  Total: { aggregation: sum, columns: [{ dataObject: Rows, column: Id }] }
`

await onPages(t, async ({ address, visit }) => {
  await t.test('a number shows the rows that it was computed from, in the answer and in a pivot', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Month', 'Origin Code'], measures: ['Flight Count', 'Cancellation Rate'] } }
    await page.goto(`${address}/ui/${hashOf({ query: { ...query, order_by: [{ field: 'Month' }, { field: 'Origin Code' }] } })}`)
    await rows(page)
    await page.getByRole('gridcell').nth(3).click()
    await page.getByRole('menuitem', { name: 'Rows behind this number' }).click()
    const said = page.locator('.rows-drawer [role=status]')
    await said.waitFor()
    t.match(await said.textContent(), /^238 rows of Flightsgive 238 for Cancelled Flights\..*reconciled/)
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
    const columns = page.locator('.columns-choice input').first()
    for (const name of ['Airlines.Name', 'Flights.Carrier']) {
      await columns.fill(name)
      await page.getByRole('option', { name, exact: true }).click()
    }
    await page.keyboard.press('Escape')
    await until(page, "document.querySelector('.rows-drawer [role=columnheader]')?.innerText.includes('Airlines.Name')")
    t.match(await said.textContent(), /^9,?893 rows of Flights/, 'chosen columns are of the same rows')
    await looksRight(t, page, 'rows-with-chosen-columns')
    const [narrow] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
    t.match(readFileSync(await narrow.path(), 'utf8'), /^Airlines\.Name,Flights\.Carrier\r?\n/)
    await page.getByRole('button', { name: 'Close' }).click()

    await showAs(page, 'Pivot')
    await page.locator('.pivot tr.total').waitFor()
    t.match(await page.locator('.pivot tr.total').textContent(), /^Total120,8352\.7%111,2791\.7%104,6623\.0%336,7762\.5%$/)
    await looksRight(t, page, 'pivot')
    await page.locator('.pivot tr.total button').nth(0).click()
    await said.waitFor()
    t.match(await said.textContent(), /^120,835 rows of Flights/, 'a total has rows, too')
    t.same(faults(), [])
  })

  await t.test(
    'a pivot distinguishes a value from the group of the others with the same name; the repeated query comes from the cache',
    async (t) => {
      const { page, faults } = await visit()
      await page.goto(`${address}/ui/`)
      await rows(page)
      await openModel(page, WORDS)
      const query = {
        select: { dimensions: ['Word'], measures: ['Count'] },
        top: { dimension: 'Word', by: 'Count', n: 2, others: 'Others' },
      }
      await page.goto(`${address}/ui/${hashOf({ model: await ownModel(page), tab: 'pivot', query })}`)
      await page.reload()
      await page.locator('.pivot tr.total').waitFor()
      t.equal(await page.locator('.pivot thead').textContent(), 'WordAOthersOthersTotal')
      t.equal(await page.locator('.pivot tr.total').textContent(), 'Total4239')
      t.equal(await page.locator('.pivot thead em').textContent(), 'Others', 'the group is seen as one')
      await page.locator('.pivot tr.total button').nth(2).click()
      await page.locator('.rows-drawer [role=status]').waitFor()
      t.match(await page.locator('.rows-drawer [role=status]').textContent(), /^3 rows of Rows/)
      await page.getByRole('button', { name: 'Close' }).click()

      await showAs(page, 'Table')
      await page.getByRole('button', { name: /^Run/ }).click()
      await page.getByText(/^from the cache, read \d/).waitFor()
      t.same(faults(), [])
    },
  )

  await t.test('measures of several facts are side by side, with their warnings', async (t) => {
    const { page, faults } = await visit()
    const query = {
      select: { dimensions: ['Origin Code'], measures: ['Flight Count', 'Weather Observations'] },
      where: [{ field: 'Airline', op: '=', value: 'Envoy Air' }],
      order_by: [{ field: 'Origin Code' }],
    }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    t.same(await cells(page), ['EWR', '2,276', '8,703', 'JFK', '7,193', '8,706', 'LGA', '16,928', '8,706'])
    t.match(await page.locator('.results .warnings').textContent(), /'Airline'.*Weather/)
    await showAs(page, 'SQL')
    await page.locator('.sql-side .warnings li').first().waitFor()
    t.match(await page.locator('.sql-side .warnings').first().textContent(), /'Airline'.*Weather/)
    t.same(faults(), [])
  })

  await t.test('numbers are coloured by their size, in the answer and in a pivot, and the browser remembers it', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code', 'Quarter'], measures: ['Flight Count', 'Average Arrival Delay'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    const shades = "[...document.querySelectorAll('[role=gridcell]')].map((one) => one.dataset.shade ?? '')"
    t.same(
      (await page.evaluate<string[]>(shades)).filter((shade) => shade !== ''),
      [],
    )
    await page.getByRole('button', { name: 'Colour numbers by their size' }).click()
    await until(page, `${shades}.includes('5') && ${shades}.includes('1')`)
    await looksRight(t, page, 'coloured')
    await page.reload()
    await rows(page)
    await until(page, `${shades}.includes('5')`)
    await showAs(page, 'Pivot')
    await until(page, "document.querySelectorAll('.pivot td:not(.total)[data-shade]').length > 5")
    t.equal(
      await page.evaluate<number>(
        "document.querySelectorAll('.pivot tr.total td[data-shade], .pivot td.total[data-shade]').length",
      ),
      0,
    )
    await looksRight(t, page, 'coloured-pivot')
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await looksRight(t, page, 'coloured-pivot-dark')
    t.same(faults(), [])
  })

  await t.test('a truncated answer says so, with advice', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { dimensions: ['Scheduled At', 'Tail Number'] } } })}`)
    await rows(page)
    t.match(await page.locator('.facts').textContent(), /^[\d,]+ rowsmore exist/)
    t.match(await page.locator('.results .warnings').textContent(), 'Set a limit in the query.')
    t.same(faults(), [])
  })

  await t.test('the SQL is shown in two dialects, with the plan', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count', 'Average Temperature'] } }
    await page.goto(`${address}/ui/${hashOf({ tab: 'sql', dialects: ['duckdb', 'postgres'], query })}`)
    await page.getByRole('textbox', { name: 'SQL for duckdb' }).waitFor()
    await page.getByRole('textbox', { name: 'SQL for postgres' }).waitFor()
    t.match(await page.getByRole('textbox', { name: 'SQL for duckdb' }).textContent(), /UNION ALL|FULL|JOIN/)
    await looksRight(t, page, 'sql')
    await showAs(page, 'Plan')
    await page.locator('.plan-tree').waitFor()
    await looksRight(t, page, 'plan')
    t.same(faults(), [])
  })

  await t.test('the chart fits the shape of the answer, and another type can be chosen', async (t) => {
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
    await page
      .locator('.chart svg text')
      .filter({ hasText: /^2013-01$/ })
      .waitFor()
    t.notMatch(await page.locator('.chart').textContent(), '\u26a0', 'nothing to warn of')
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

  await t.test('no digit of a number is lost, and a click on a value filters by its exact value', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({})}`)
    await openModel(page, LONG_NUMBERS)
    await page.getByRole('textbox', { name: 'Search fields' }).waitFor()
    for (const field of ['Id', 'Price', 'Day', 'Count', 'Total']) {
      await page.getByRole('textbox', { name: 'Search fields' }).fill(field)
      await page.getByRole('treeitem', { name: new RegExp(`^${field},`) }).click()
    }
    await page.keyboard.press('Control+Enter')
    await factsSay(page, '3 rows')
    const seen = await cells(page)
    for (const text of [
      '9007199254740993',
      '9007199254740992',
      '12345678901234567.00000000000000000001',
      '1776-07-04',
      '9,007,199,254,740,993',
    ])
      t.ok(seen.includes(text), `${text} in ${seen.join(' | ')}`)
    for (const value of ['9007199254740993', '12345678901234567.00000000000000000001', '1776-07-04']) {
      await page.getByRole('gridcell', { name: value, exact: true }).first().click()
      await page.getByRole('menuitem', { name: `Only ${value.slice(0, 30)}` }).click()
      await page.getByRole('button', { name: /^Run/ }).click()
      await factsSay(page, '1 row')
      t.ok((await cells(page)).includes(value))
    }
    t.same(faults(), [])
  })

  await t.test('the answer can be saved as a file', async (t) => {
    const { page } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } } })}`)
    await rows(page)
    await page.getByRole('button', { name: 'Download' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'CSV' }).click()])
    t.equal(file.suggestedFilename(), 'flights.csv')
    t.match(readFileSync(await file.path(), 'utf8'), /^Origin Code,Flight Count\r?\nEWR,120835/)
  })

  await t.test('an answer can be saved as Arrow and Parquet, and drawn as numbers and as points', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count', 'Average Departure Delay'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    const save = async (format: string) => {
      await page.getByRole('button', { name: 'Download' }).click()
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: format }).click()])
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
    }
    const [arrow, parquet] = [await save('Arrow'), await save('Parquet')]
    t.same([arrow.name, parquet.name], ['flights.arrow', 'flights.parquet'])
    t.equal(tableFromIPC(arrow.bytes).numRows, 3)
    t.equal(parquet.bytes.subarray(0, 4).toString(), 'PAR1')

    await showAs(page, 'Chart')
    await page.getByText('Points').click()
    await page.locator('.chart svg circle').nth(2).waitFor()
    await page.getByRole('button', { name: 'Take Origin Code away' }).click()
    await page.keyboard.press('Control+Enter')
    await page.locator('.numbers').waitFor()
    t.match(await page.locator('.numbers').textContent(), /Flight Count336,776Average Departure Delay12\.6/)
    await looksRight(t, page, 'numbers')
    t.same(faults(), [])
  })

  await t.test('many rows can be scrolled, and only the visible rows are rendered', async (t) => {
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

    const work = await scrolling(page)
    t.equal(work.made, 0, 'scrolling makes no element')
    t.ok(
      work.texts > 0 && work.texts <= FRAMES * ROWS_A_FRAME * 4,
      `${work.texts} texts are written: those of the rows that come into sight`,
    )
    t.ok(work.layouts <= FRAMES + 20, `${work.layouts} layouts in ${FRAMES} frames: none is forced beside that of the frame`)
  })

  await t.test('of many columns only the visible ones are rendered, and the keyboard reaches each', async (t) => {
    const { page } = await visit()
    await page.goto(`${address}/ui/`)
    await rows(page)
    await openModel(page, WIDE)
    await page.goto(
      `${await page.evaluate<string>('location.href.split("#")[0]')}${hashOf({ model: await ownModel(page), query: { select: { dimensions: ['Id'], measures: MANY } } })}`,
    )
    await page.reload()
    await rows(page)
    const cellsOfRow =
      "document.querySelector('[role=row][aria-rowindex=\"2\"]').querySelectorAll('[role=gridcell]:not([hidden])').length"
    t.ok((await page.evaluate<number>(cellsOfRow)) < 25, 'columns out of sight have no cells')
    await page.getByRole('grid').press('End')
    await until(page, "document.querySelector('.grid [data-active]')?.ariaColIndex === '41'")
    t.equal(await page.evaluate("document.querySelector('.grid [data-active]').innerText"), '44')
    t.equal(
      await page.evaluate("document.querySelector('[role=grid]').getAttribute('aria-activedescendant')"),
      await page.evaluate("document.querySelector('.grid [data-active]').id"),
    )
  })

  await t.test('an answer shows the meaning of its numbers, the rows that count, and the time of the data', async (t) => {
    const { page, faults } = await visit()
    const query = {
      select: { dimensions: ['Airline'], measures: ['Late Rate'] },
      where: [{ field: 'Origin Code', op: 'in', value: ['JFK'] }],
    }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    const button = page.getByRole('button', { name: 'Receipt' })
    await button.press('Enter')
    const receipt = page.getByRole('dialog', { name: 'Receipt' })
    await receipt.locator('dl').waitFor()
    const terms = await receipt.locator('dt').allInnerTexts()
    t.match(terms[0], /^Airline\s+dimension$/)
    t.ok(
      terms.some((term) => /^Late Rate\s+metric$/.test(term)),
      terms.join(', '),
    )
    t.match(await receipt.textContent(), /Origin Code.*JFK/)
    t.match(await receipt.textContent(), /Model flights, version \w{12}\. Time zone America\/New_York\. Read .*\d/)
    await looksRight(t, page, 'receipt')
    await page.keyboard.press('Escape')
    await receipt.waitFor({ state: 'hidden' })
    await until(page, "document.activeElement.innerText === 'Receipt'")
    t.same(faults(), [])
  })
})

/** The work of a page while rows scroll: new elements, changed texts, and layouts. */
async function scrolling(page: Page): Promise<{ readonly made: number; readonly texts: number; readonly layouts: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', {})
  const layouts = async () => {
    const { metrics } = (await session.send('Performance.getMetrics', {})) as { metrics: { name: string; value: number }[] }
    return metrics.find(({ name }) => name === 'LayoutCount')!.value
  }
  const before = await layouts()
  const counted = await page.evaluate<{ made: number; texts: number }>(`new Promise((done) => {
    const grid = document.querySelector('.grid')
    const layer = grid.querySelector('.grid-rows')
    const known = new Set(layer.querySelectorAll('*'))
    const count = { made: 0, texts: 0 }
    const observer = new MutationObserver((changes) => {
      for (const { type, addedNodes } of changes) {
        if (type === 'characterData') count.texts++
        for (const node of addedNodes) if (node.nodeType === 1 && !known.has(node)) count.made++
      }
    })
    observer.observe(layer, { subtree: true, childList: true, characterData: true })
    const start = 28 * 1000
    let frame = 0
    grid.scrollTop = start
    const step = () => {
      frame++
      if (frame === 3) { observer.takeRecords(); count.made = 0; count.texts = 0 }
      if (frame > 3) grid.scrollTop = start + (frame - 3) * 28 * ${ROWS_A_FRAME}
      if (frame < ${FRAMES} + 3) requestAnimationFrame(step)
      else requestAnimationFrame(() => { observer.disconnect(); done(count) })
    }
    requestAnimationFrame(step)
  })`)
  return { ...counted, layouts: (await layouts()) - before }
}
