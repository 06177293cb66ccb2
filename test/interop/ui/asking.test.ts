/** Queries in the web page, built with the mouse, the keyboard and by typing, on the flights. */
import t from 'tap'
import { accessibilityFaults } from './browser.js'
import {
  cells,
  chooseFiltered,
  FORMS,
  type Form,
  factsSay,
  hashOf,
  looksRight,
  onPages,
  openModel,
  PHONE,
  rows,
  showAs,
  until,
} from './on-pages.js'

/** What each form shows. */
const SHOWN: Readonly<Record<Form, string>> = {
  Table: '[role=gridcell]',
  Chart: '.chart svg',
  Pivot: '.pivot',
  SQL: '.cm-content',
  Query: '.cm-content',
  Code: '.code-view',
  Plan: '.plan-tree',
  Dashboard: '.dashboard',
  Text: '.cm-content',
  Graph: '.node',
}
/** Names of tabs in links, from when each form was a tab. */
const FORMER_TABS = {
  results: 'Table',
  chart: 'Chart',
  pivot: 'Pivot',
  dashboard: 'Dashboard',
  sql: 'SQL',
  query: 'Query',
  plan: 'Plan',
  graph: 'Graph',
  model: 'Text',
} as const
const DIGITS = `(VALUES ${[...'0123456789'].map((digit) => `(${digit})`).join(', ')})`
/** A million million rows, which a database counts for an hour. */
const ENDLESS = `name: endless
dataObjects:
  Rows:
    code: (SELECT a.digit AS id FROM ${[...'abcdefghijkl'].map((each) => `${DIGITS} ${each} (digit)`).join(' CROSS JOIN ')})
    columns: { Id: { code: id, abstractType: int } }
`
/** The user points at each cell of the first row. */
const UNCOVERED = `[...document.querySelectorAll('[role=row][aria-rowindex="2"] [role=gridcell]')].every((cell) => {
  const { x, y, width, height } = cell.getBoundingClientRect()
  return document.elementFromPoint(x + width / 2, y + height / 2) === cell
})`

await onPages(t, async ({ address, visit }) => {
  await t.test('the first visit shows a query with its answer', async (t) => {
    const { page, faults } = await visit({ isFirst: true })
    await page.goto(`${address}/`)
    await rows(page)
    t.match(page.url(), /\/ui\/#s=/)
    t.match(await page.locator('.facts').textContent(), /^36 rows/)
    t.match(await page.getByRole('gridcell').first().textContent(), 'John F Kennedy Intl')
    t.equal(await page.evaluate(UNCOVERED), true, 'nothing lies on the first row')
    await page.getByText('Choose what to ask').waitFor()
    await looksRight(t, page, 'first-visit')
    for (const name of ['Next', 'Next', 'Done']) await page.getByRole('button', { name }).click()
    await page.locator('.tour').waitFor({ state: 'hidden' })
    t.same(faults(), [])
  })

  await t.test('a query can be built, run, filtered and shared', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    t.same(await cells(page), ['336,776'])

    await page.getByRole('textbox', { name: 'Search fields' }).fill('origin code')
    await page.getByRole('treeitem', { name: /^Origin Code/ }).click()
    await page.getByText('The answer below belongs to an earlier question.').waitFor()
    await page.keyboard.press('Control+Enter')
    await factsSay(page, '3 rows')
    t.same((await cells(page)).toSorted(), ['104,662', '111,279', '120,835', 'EWR', 'JFK', 'LGA'])

    await page
      .getByRole('columnheader', { name: /Flight Count/ })
      .locator('button')
      .click()
    t.same((await cells(page)).slice(0, 2), ['EWR', '120,835'], 'the largest first')
    await page.getByRole('gridcell', { name: 'JFK' }).click()
    await page.getByRole('menuitem', { name: 'Only JFK' }).click()
    await page.getByRole('button', { name: /^Run/ }).click()
    await factsSay(page, '1 row')
    t.same(await cells(page), ['JFK', '111,279'])

    await page.reload()
    await rows(page)
    t.same(await cells(page), ['JFK', '111,279'], 'a reload loses nothing')
    t.same(faults(), [])
  })

  await t.test('a click on a derived month filters by all of its days', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { dimensions: ['Date:month'], measures: ['Flight Count'] } } })}`)
    await factsSay(page, '12 rows')
    await page.getByRole('gridcell', { name: '2013-02-01' }).click()
    await page.getByRole('menuitem', { name: 'Only 2013-02-01' }).click()
    await page.getByRole('button', { name: /^Run/ }).click()
    await factsSay(page, '1 row')
    t.same(await cells(page), ['2013-02-01', '24,951'])
    t.same(faults(), [])
  })

  await t.test('the search finds every field', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('late rate')
    await looksRight(t, page, 'commands')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Take Late Rate away' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('sql')
    await page.keyboard.press('Enter')
    await page
      .getByRole('textbox', { name: /^SQL for/ })
      .first()
      .waitFor()
    t.same(faults(), [])
  })

  await t.test('a filter suggests values from the database', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    await chooseFiltered(page, 'Origin Code')
    await page.getByLabel('Values').first().fill('lg')
    await page.getByRole('option', { name: /LGA/ }).click()
    await page.getByRole('button', { name: /^Filter: .*LGA/ }).waitFor()
    await looksRight(t, page, 'filter')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.keyboard.press('Control+Enter')
    await until(page, "document.querySelector('[role=gridcell]')?.innerText === '104,662'")
    t.same(faults(), [])
  })

  await t.test('an answer that arrives while a field is typed changes nothing of what is typed', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } } })}`)
    await rows(page)
    await page.getByRole('button', { name: 'Take Origin Code away' }).click()
    // The answer waits until the letters are typed, as on a slow network.
    await page.evaluate(
      'const ask = fetch; const typed = new Promise((resolve) => (window.answer = resolve)); window.fetch = (...all) => typed.then(() => ask(...all))',
    )
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await until(page, "document.activeElement.ariaLabel === 'Field to filter by'")
    await page.keyboard.type('Origin Co')
    await page.evaluate('window.answer()')
    await until(page, "document.querySelector('[role=gridcell]')?.innerText === '336,776'")
    await page.keyboard.type('de')
    t.equal(await page.evaluate('document.activeElement.value'), 'Origin Code')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Filter: Origin Code/ }).waitFor()
    t.same(faults(), [])
  })

  await t.test('a link that is opened while a query is asked wins, and is answered', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    const link = hashOf({ tab: 'chart', query: { select: { dimensions: ['Month'], measures: ['Flight Count'] } } })
    // In one turn of the page, as the keyboard can: the key comes before the event of the new address.
    await page.evaluate(
      `location.hash = ${JSON.stringify(link)}; document.documentElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true }))`,
    )
    await until(page, "document.querySelector('.chart svg')")
    await showAs(page, 'Table')
    t.equal((await cells(page)).length, 24)
    t.same(faults(), [])
  })

  await t.test('a field that does not fit is disabled and says why', async (t) => {
    const { page } = await visit()
    const query = { select: { dimensions: ['Sight'], measures: ['Average Temperature'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    await page.getByRole('textbox', { name: 'Search fields' }).fill('fleet seats')
    const field = page.getByRole('treeitem', { name: /^Fleet Seats/ })
    await until(page, "document.querySelector('[role=treeitem].greyed')")
    t.equal(await field.getAttribute('aria-disabled'), 'true')
    // The field is marked as disabled, so playwright would wait for it.
    await field.click({ force: true })
    await page.getByText('Fleet Seats cannot be added.').waitFor()
    await looksRight(t, page, 'refused-field')
  })

  await t.test('the text of the query and the controls follow each other', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ tab: 'query', query: { select: { measures: ['Flight Count'] }, limit: 7 } })}`)
    const editor = page.getByLabel('The question as text')
    await editor.waitFor()
    t.match(await editor.textContent(), 'limit: 7')
    await looksRight(t, page, 'query-text')
    await editor.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('select: { dimensions: [Airline], measures: [Late Flights] }')
    await page.getByRole('button', { name: 'Take Airline away' }).waitFor()
    await page.getByRole('button', { name: 'Take Airline away' }).click()
    await until(page, "!document.querySelector('[aria-label=\"The question as text\"]').innerText.includes('Airline')")
    await page.getByRole('radio', { name: 'JSON' }).first().press('ArrowRight')

    await page.locator('[aria-label=Notation] label').filter({ hasText: 'Semantic QL' }).click()
    const statement = page.getByLabel('The question as a statement')
    await statement.waitFor()
    t.match(await statement.textContent(), /SELECT "Late Flights"\s*FROM "flights"/)
    await statement.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(`SELECT "Origin Code", "Late Flights" FROM flights WHERE "Status" = 'late' ORDER BY 2 DESC`)
    await page.getByRole('button', { name: 'Take Origin Code away' }).waitFor()
    await looksRight(t, page, 'statement')
    t.same(faults(), [])
  })

  await t.test('a place opens as it was left, a run shows the result, and links of former tabs open their form', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    await showAs(page, 'Chart')
    await showAs(page, 'Plan')
    await page.getByRole('tab', { name: 'Result' }).click()
    await page.locator(SHOWN.Chart).first().waitFor()
    await page.getByRole('tab', { name: 'How it was made' }).click()
    await page.locator(SHOWN.Plan).waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.locator(SHOWN.Chart).first().waitFor()
    for (const [tab, form] of Object.entries(FORMER_TABS)) {
      await page.goto(`${address}/robots.txt`)
      await page.goto(`${address}/ui/${hashOf({ query, tab })}`)
      await page.locator(SHOWN[form]).first().waitFor()
      t.equal(await page.locator('[role=tab][aria-selected=true]').count(), 1, `${tab} is in a place`)
    }
    t.same(faults(), [])
  })

  await t.test('a field can be dragged, dates have a grain and a range, and subtotals and a limit can be set', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    const shelf = page.locator('.query-bar .shelf').first().locator('.chips')
    await page.getByRole('textbox', { name: 'Search fields' }).fill('scheduled at')
    await page.getByRole('treeitem', { name: /^Scheduled At/ }).dragTo(shelf)
    await page.getByRole('button', { name: /^Scheduled At: order/ }).click()
    await page.getByRole('menuitem', { name: 'quarter', exact: true }).click()
    await page.getByRole('button', { name: /^Scheduled At by quarter: order/ }).click()
    await page.getByRole('menuitem', { name: 'Order descending' }).click()
    await page.getByRole('combobox', { name: 'Subtotals' }).click()
    await page.getByRole('option', { name: 'Subtotals', exact: true }).click()
    await page.keyboard.press('Control+Enter')
    await factsSay(page, '5 rows')
    const found = await cells(page)
    t.equal(found.filter((each) => /^(?:80,789|85,369|86,326|84,292|336,776)$/.test(each)).length, 5, found.join(' | '))

    await page.getByLabel('Limit of rows').fill('2')
    await page.keyboard.press('Control+Enter')
    await factsSay(page, '2 rows')

    await chooseFiltered(page, 'Scheduled At')
    await page.getByRole('combobox', { name: 'Comparison' }).click()
    await page.getByRole('option', { name: 'is in the' }).click()
    await page.getByLabel('How many').fill('2')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^Filter: Scheduled At is in the last 2 months/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    // The flights are of 2013: the only row is the total of no rows.
    await factsSay(page, '1 row')
    t.ok((await cells(page)).includes('0'))
    t.same(faults(), [])
  })

  await t.test('the top values of a dimension with all others as one group, and the rows behind it', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Airline'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    await page.getByRole('button', { name: 'All values' }).click()
    await page.getByLabel('Show the top').fill('3')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Top 3 of Airline' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await factsSay(page, '4 rows')
    const found = await cells(page)
    t.ok(
      ['Others', '169,303', '58,665'].every((each) => found.includes(each)),
      found.join(' | '),
    )
    await looksRight(t, page, 'top')
    t.same(faults(), [])
  })

  await t.test('examples and earlier queries can be run again, and a slow query can be cancelled', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    await page.getByRole('button', { name: 'Examples' }).click()
    await page.getByRole('menuitem').nth(1).click()
    await until(page, "document.querySelector('[role=gridcell]')?.innerText !== '336,776'")
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('menuitem', { name: /^Flight Count \d/ }).click()
    await until(page, "document.querySelector('[role=gridcell]')?.innerText === '336,776'")

    await openModel(page, ENDLESS)
    await page.getByRole('treeitem', { name: /^Rows Count/ }).click()
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^Run/ }).waitFor()
    await page.getByText('Run the query to see its result.').waitFor()
    t.same(faults(), [])
  })

  await t.test('a query can be built with the keyboard alone', async (t) => {
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

  await t.test('a dialog takes the keyboard focus when it opens, and returns it when it closes', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)

    const opener = page.getByRole('button', { name: 'Open a model' })
    for (const [open, inside] of [
      [() => opener.press('Enter'), '[role=dialog]'],
      [() => page.keyboard.press('Control+k'), '[role=dialog]'],
    ] as const) {
      await opener.focus()
      await open()
      await until(page, `document.activeElement.closest('${inside}')`)
      for (let n = 0; n < 12; n++) {
        await page.keyboard.press(n < 8 ? 'Tab' : 'Shift+Tab')
        t.ok(
          await page.evaluate(
            `document.activeElement.closest('${inside}') !== null || document.activeElement.dataset.focusGuard !== undefined`,
          ),
          'Tab stays inside',
        )
      }
      await page.keyboard.press('Escape')
      await until(page, "document.activeElement.ariaLabel === 'Open a model'")
    }

    const grid = page.getByRole('grid')
    await grid.press('ArrowRight')
    await grid.press('Enter')
    await until(page, "document.activeElement.closest('[role=menu]')")
    await page.keyboard.press('Escape')
    await until(page, "document.activeElement.role === 'grid'")
    await grid.press('Enter')
    await until(page, "document.activeElement.closest('[role=menu]')")
    await page.getByRole('menuitem', { name: 'Rows behind this number' }).press('Enter')
    await page.locator('.rows-drawer [role=status]').waitFor()
    await until(page, "document.activeElement.closest('.rows-drawer')")
    await page.keyboard.press('Escape')
    await until(page, "document.activeElement.role === 'grid'")

    await page.getByRole('radio', { name: 'Table' }).press('ArrowRight')
    await until(page, "document.activeElement.parentElement.innerText === 'Chart' && document.querySelector('.chart svg')")
    await page.keyboard.press('ArrowRight')
    await page.locator('.pivot tr.total button').nth(0).press('Enter')
    await page.locator('.rows-drawer [role=status]').waitFor()
    await page.keyboard.press('Escape')
    await until(page, "document.activeElement.closest('.pivot')")

    await showAs(page, 'Text')
    const editor = page.getByLabel('The model as text')
    await editor.waitFor()
    await editor.focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await until(page, "!document.activeElement.closest('.cm-content')")
    t.same(faults(), [])
  })

  await t.test('the page works in dark mode and on a phone', async (t) => {
    const dark = await visit({ colorScheme: 'dark' })
    await dark.page.goto(`${address}/ui/`)
    await rows(dark.page)
    await looksRight(t, dark.page, 'dark')
    const phone = await visit({ viewport: PHONE })
    await phone.page.goto(`${address}/ui/`)
    await rows(phone.page)
    await looksRight(t, phone.page, 'phone')
    t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing is wider than the screen')
    await phone.page.getByRole('button', { name: 'Fields' }).click()
    await phone.page.getByRole('tree').waitFor()
    await looksRight(t, phone.page, 'phone-fields')
    t.same([...dark.faults(), ...phone.faults()], [])
  })

  await t.test('no form has an accessibility error, in dark mode and on a phone', async (t) => {
    const query = { select: { dimensions: ['Origin Code', 'Date:month'], measures: ['Flight Count'] } }
    const ways = [
      [{ colorScheme: 'dark' }, ['color-contrast']],
      [{ viewport: PHONE }, undefined],
    ] as const
    for (const [options, rules] of ways) {
      const { page, faults } = await visit(options)
      await page.goto(`${address}/ui/${hashOf({ query })}`)
      await rows(page)
      for (const form of FORMS) {
        await showAs(page, form)
        await page.locator(SHOWN[form]).first().waitFor()
        t.same(await accessibilityFaults(page, rules), [], `${form}, ${JSON.stringify(options)}`)
        if (!rules) t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, `${form} is as wide as the screen`)
      }
      t.same(faults(), [])
    }
  })
})
