/** The days that a question of the web page asks about, and the question as a program. */
import t from 'tap'
import { cells, hashOf, looksRight, onPages, rows, until } from './on-pages.js'

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

  await t.test('the question is copied as a program that gives the same answer', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { measures: ['Flight Count'] }, where: [{ field: 'Airline', op: 'in', value: ['JetBlue Airways'] }] }
    await page.goto(`${address}/ui/${hashOf({ tab: 'query', query })}`)
    await page.locator('[aria-label=Language] label').filter({ hasText: 'Code' }).click()
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
