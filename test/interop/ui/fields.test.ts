/** Which fields can be added to a query of the web page, and what the list of fields says of them. */
import t from 'tap'
import { cells, factsSay, hashOf, looksRight, onPages, rows, showAs, until } from './on-pages.js'

await onPages(t, async ({ address, visit }) => {
  await t.test(
    'a measure of another fact is added by a click or by dragging it, and is computed from its own rows',
    async (t) => {
      const { page, faults } = await visit()
      const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } }
      await page.goto(`${address}/ui/${hashOf({ query })}`)
      await factsSay(page, '3 rows')
      await page.getByRole('textbox', { name: 'Search fields' }).fill('weather')
      const observations = page.getByRole('treeitem', { name: /^Weather Observations, measure/ })
      const fog = page.getByRole('treeitem', { name: /^Fog/ })
      // The sight of the weather belongs to no flight, so the answer cannot be grouped by it.
      await until(page, "[...document.querySelectorAll('[role=treeitem].greyed')].some((field) => field.innerText === 'Sight')")
      for (const field of [observations, fog]) t.equal(await field.getAttribute('aria-disabled'), 'false')
      await observations.click()
      await fog.dragTo(page.locator('.query-bar .shelf').nth(1).locator('.chips'))
      await page.getByRole('button', { name: 'Take Fog away' }).click()
      await page.keyboard.press('Control+Enter')
      await until(page, "document.querySelectorAll('[role=columnheader]').length === 3")
      await factsSay(page, '3 rows')
      const counts = { EWR: ['120,835', '8,703'], JFK: ['111,279', '8,706'], LGA: ['104,662', '8,706'] }
      t.same((await cells(page)).toSorted(), Object.entries(counts).flat(2).toSorted(), 'as each fact alone counts its rows')
      await looksRight(t, page, 'two-facts')
      t.same(faults(), [])
    },
  )

  await t.test('the list has measures by fact before dimensions, and can leave out what does not fit', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Sight'], measures: ['Average Temperature'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    t.same((await page.locator('.row.section, .row.group .name').allInnerTexts()).slice(0, 2), ['MEASURES', 'Flights'])
    await page.getByRole('textbox', { name: 'Search fields' }).fill('seats')
    await until(page, "document.querySelectorAll('[role=treeitem].greyed').length > 1")
    await page.getByText(/^Only what can be added/).click()
    await page.getByText('No field of this model matches.').waitFor()
    await page.getByRole('textbox', { name: 'Search fields' }).fill('average')
    await page.getByRole('treeitem', { name: /^Average Temperature/ }).waitFor()
    await page.getByRole('textbox', { name: 'Search fields' }).press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    t.same(faults(), [])
  })

  await t.test('a filter without a value is no part of the query, and Enter takes the first field found', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await factsSay(page, '3 rows')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('combobox', { name: 'Field to filter by' }).fill('distance ba')
    await page.getByRole('combobox', { name: 'Field to filter by' }).press('Enter')
    await page.getByRole('button', { name: 'Filter: Distance Band is one of …' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('textbox', { name: 'Search fields' }).fill('airline')
    await page.getByRole('treeitem', { name: /^Airline, dimension$/ }).click()
    await page.keyboard.press('Control+Enter')
    await factsSay(page, '35 rows')
    t.equal(await page.locator('.greyed').count(), 0, 'no field is grey because of it')
    t.equal(await page.locator('[role=alert]').count(), 0)
    await page.reload()
    await page.getByRole('button', { name: 'Filter: Distance Band is one of …' }).waitFor()
    t.same(faults(), [], 'the link keeps it')
  })

  await t.test('a number is broken down by another dimension', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] }, order_by: [{ field: 'Origin Code' }] }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await factsSay(page, '3 rows')
    await page.getByRole('gridcell', { name: '111,279' }).click()
    await page.getByText('Break down by').waitFor()
    await page.getByRole('menuitem', { name: 'Distance Band' }).click()
    await page.getByRole('button', { name: 'Filter: Origin Code is one of JFK' }).waitFor()
    await until(page, "document.querySelector('[role=columnheader]')?.innerText.trim() === 'Distance Band'")
    await factsSay(page, '3 rows')
    const counts = (await cells(page)).filter((_, n) => n % 2 === 1).map((text) => Number(text.replace(',', '')))
    t.equal(
      counts.reduce((sum, count) => sum + count, 0),
      111_279,
      'its parts add up to it',
    )
    t.same(faults(), [])
  })

  await t.test('a question has a measure of its own, which filters and a ratio read, and a link keeps it', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } } })}`)
    await rows(page)
    await page.getByRole('button', { name: 'New measure' }).click()
    await page.getByRole('combobox', { name: 'Compute' }).click()
    await page.getByRole('option', { name: 'Largest' }).click()
    await page.getByRole('combobox', { name: 'Of the column' }).fill('Departure')
    await page.getByRole('option', { name: 'Departure Delay' }).click()
    await looksRight(t, page, 'new-measure')
    await page.getByRole('button', { name: 'Add it to the question' }).click()
    await page.getByRole('button', { name: /^Largest of Departure Delay: order/ }).waitFor()
    await page.getByRole('button', { name: 'New measure' }).click()
    await page.getByRole('combobox', { name: 'Compute' }).click()
    await page.getByRole('option', { name: 'Ratio of two measures' }).click()
    await page.getByRole('combobox', { name: 'Measure', exact: true }).click()
    await page.getByRole('option', { name: 'Largest of Departure Delay' }).click()
    await page.getByRole('combobox', { name: 'Per' }).click()
    await page.getByRole('option', { name: 'Average Departure Delay' }).click()
    await page.getByLabel('Name').fill('Flight Count')
    await page.getByText('The model has a field of this name.').waitFor()
    await page.getByLabel('Name').fill('Times the Mean')
    await page.getByRole('button', { name: 'Add it to the question' }).click()
    await page.keyboard.press('Control+Enter')
    await until(page, "document.querySelectorAll('[role=columnheader]').length === 4")
    t.match(await cells(page), ['EWR', '120,835', '1,126', /^74\.53/, 'JFK', '111,279', '1,301', /^107\.41/])
    await looksRight(t, page, 'own-measures')
    await page.reload()
    await page.getByRole('button', { name: /^Times the Mean: order/ }).click()
    await page.getByRole('menuitem', { name: /^Write it into the model/ }).click()
    await page.getByText('Your draft is saved in this browser').waitFor()
    await page.getByText('No problems').waitFor()
    // The editor has only the lines that it shows; the browser keeps the whole draft.
    const draft = await page.evaluate<string>(
      'Object.entries({ ...localStorage }).filter(([key]) => /draft/i.test(key)).map(([, kept]) => kept).join()',
    )
    t.match(draft, /Largest of Departure Delay: \{ aggregation: max/)
    t.match(draft, /Times the Mean: \{ expression/)
    await looksRight(t, page, 'measure-in-the-model')
    await showAs(page, 'Table')
    await page.getByRole('button', { name: 'Take Largest of Departure Delay away' }).click()
    await page.keyboard.press('Control+Enter')
    await until(page, "document.querySelectorAll('[role=columnheader]').length === 3")
    t.match(await cells(page), ['EWR', '120,835', /^74\.53/])
    t.same(faults(), [])
  })
})
