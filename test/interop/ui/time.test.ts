/** The days that a question of the web page asks about, and the question as a program. */
import t from 'tap'
import { cells, hashOf, looksRight, onPages, PHONE, rows, showAs, until } from './on-pages.js'

await onPages(t, async ({ address, visit }) => {
  await t.test('days are chosen from presets that end with the last day of the data, or by hand', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    await page.getByRole('button', { name: 'Time: Date, all days' }).click()
    await page.getByText('The data is from 2013-01-01 to 2013-12-31.').waitFor()
    await page.getByRole('button', { name: 'last 30 days' }).click()
    await page.getByRole('button', { name: 'Filter: Date is between 2013-12-02, 2013-12-31' }).waitFor()
    await looksRight(t, page, 'time')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await until(page, "document.querySelector('[role=gridcell]')?.innerText === '27,148'")
    await page.getByRole('button', { name: /^Time: Date/ }).click()
    await page.getByLabel('From').first().fill('2013-12-31')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await until(page, "document.querySelector('[role=gridcell]')?.innerText === '776'")
    await page.getByRole('button', { name: /^Time:/ }).click()
    await page.getByRole('button', { name: 'all days', exact: true }).click()
    await until(page, "document.querySelector('.chip.filter') === null")
    t.same(faults(), [])
  })

  await t.test('an hour of the last day belongs to the range', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Scheduled At:day'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    await page.getByRole('button', { name: 'Time: Scheduled At, all days' }).click()
    await page.getByRole('button', { name: 'last 7 days' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await until(page, "document.querySelector('.facts')?.innerText.startsWith('7 rows')")
    t.equal((await cells(page)).at(-1), '776', 'the whole last day')
    t.same(faults(), [])
  })

  await t.test('the days are compared with others, in rows and in a chart, and a link keeps it', async (t) => {
    const { page, faults } = await visit()
    const where = [{ field: 'Date', op: 'between', value: ['2013-07-16', '2013-07-31'] }]
    const query = { select: { dimensions: ['Origin Code'], measures: ['Flight Count'] }, where }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    await page.getByRole('button', { name: 'Time: Date, 2013-07-16 to 2013-07-31', exact: true }).click()
    await page.getByRole('combobox', { name: 'Compare with' }).click()
    await page.getByRole('option', { name: 'The period before' }).click()
    await looksRight(t, page, 'compare')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Time: .*, against the period before$/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Date: July 16, 2013 to July 31, 2013, compared with June 30, 2013 to July 15, 2013.').waitFor()
    t.same(await cells(page), ['EWR', '5,536', '5,263', '5.2%', 'JFK', '5,201', '5,147', '1.0%', 'LGA', '4,738', '4,458', '6.3%'])
    await looksRight(t, page, 'compared')
    await showAs(page, 'Chart')
    await page.getByText(/^Flight Count by Origin Code, compared$/).waitFor()
    await page.getByText(/compared with June 30/).waitFor()
    await until(page, "document.querySelector('.chart svg')")
    await looksRight(t, page, 'compared-chart')
    const link = page.url()
    t.same(faults(), [])

    const again = await visit({ viewport: PHONE, colorScheme: 'dark' })
    await again.page.goto(link.replace(address, address))
    await again.page.getByText(/compared with June 30/).waitFor()
    await looksRight(t, again.page, 'compared-chart-phone')
    await showAs(again.page, 'Table')
    await rows(again.page)
    await again.page.getByRole('button', { name: /^Time: .*, against the period before$/ }).click()
    await again.page.getByRole('combobox', { name: 'Compare with' }).click()
    await again.page.getByRole('option', { name: 'So many units before' }).click()
    await again.page.getByLabel('How many').fill('2')
    await looksRight(t, again.page, 'compare-phone')
    await again.page.keyboard.press('Escape')
    await again.page.getByRole('button', { name: 'Run', exact: false }).first().click()
    await again.page.getByText(/compared with May 16, 2013 to May 31, 2013/).waitFor()
    await looksRight(t, again.page, 'compared-phone')
    t.same(again.faults(), [])
  })

  await t.test('a single number stands beside that of a year before, and no days compare nothing', async (t) => {
    const { page, faults } = await visit({ colorScheme: 'dark' })
    const where = [{ field: 'Date', op: 'between', value: ['2013-12-02', '2013-12-31'] }]
    const query = { select: { measures: ['Flight Count'] }, where, compare: { time: 'Date', unit: 'month' } }
    await page.goto(`${address}/ui/${hashOf({ query })}`)
    await rows(page)
    t.same(await cells(page), ['27,148', '26,282', '3.3%'])
    await looksRight(t, page, 'compared-number')
    await page.getByRole('button', { name: /^Time: .*, against 1 month before$/ }).click()
    await page.getByRole('button', { name: 'all days', exact: true }).click()
    await page.getByText('Choose the days first.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await until(page, "document.querySelectorAll('[role=gridcell]').length === 1")
    t.equal(await page.getByText(/compared with/).count(), 0)
    t.same(faults(), [])
  })

  await t.test('the question is copied as a program that gives the same answer', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { measures: ['Flight Count'] }, where: [{ field: 'Airline', op: 'in', value: ['JetBlue Airways'] }] }
    await page.goto(`${address}/ui/${hashOf({ tab: 'query', query })}`)
    await showAs(page, 'Code')
    const shown = page.getByRole('region', { name: 'The question as curl' })
    await shown.waitFor()
    const text = (await shown.textContent()) ?? ''
    const [, url = ''] = /POST '([^']+)'/.exec(text) ?? []
    const [, body = ''] = /-d '(.*)'$/s.exec(text) ?? []
    t.equal(new URL(url).origin, address)
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    t.match(await answer.json(), { row_count: 1 })
    await looksRight(t, page, 'code')
    t.same(faults(), [])
  })
})
