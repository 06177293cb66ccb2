/** Charts of the web page: which groups they draw, what they say is missing, and the pictures that are saved of them. */
import t from 'tap'
import { hashOf, looksRight, onPages, PHONE, saved, until } from './on-pages.js'

const many = { select: { dimensions: ['Month', 'Destination Airport'], measures: ['Flight Count', 'Average Departure Delay'] } }
/** The texts of the first chart that touch another one, or that are partly outside it. */
const CLASHES = `(() => {
  const svg = document.querySelector('.chart svg')
  const frame = svg.getBoundingClientRect()
  const texts = [...svg.querySelectorAll('text')].map((each) => ({ words: each.textContent, box: each.getBoundingClientRect() }))
  const touch = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom
  return texts.flatMap(({ words, box }, n) =>
    box.left < frame.left || box.right > frame.right || texts.some((each, m) => m > n && touch(box, each.box)) ? [words] : [])
})()`
const legend = "[...document.querySelectorAll('.legend-name')].map((each) => each.innerText.trim())"

await onPages(t, async ({ address, visit }) => {
  await t.test('a chart of too many groups has the largest and all others as one, and its picture has everything', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ tab: 'chart', query: many })}`)
    await page.getByText(/^The 10 values of Destination Airport with the largest Flight Count are drawn/).waitFor()
    await until(page, `document.querySelectorAll('.chart svg').length === 2 && ${legend}.length === 11`)
    t.same((await page.evaluate<string[]>(legend)).slice(0, 1), ['Chicago Ohare Intl'])
    t.equal((await page.evaluate<string[]>(legend)).at(-1), 'Others')
    await page.getByText('Others would flatten all other lines, and is left out: tick it in the legend to see it.').waitFor()
    await looksRight(t, page, 'chart-of-many')
    const { name, bytes } = await saved(page, 'SVG')
    const svg = bytes.toString()
    t.equal(name, 'flights.svg')
    for (const text of [
      'Flight Count and Average Departure Delay by Month and top 10 of Destination Airport',
      'The 10 values of Destination Airport with the largest Flight Count are drawn',
      'Others would flatten',
      'Chicago Ohare Intl',
      'flights, read ',
      'America/New_York',
    ])
      t.match(svg.replace(/<\/text>/g, ''), text)
    t.equal(svg.match(/<svg/g)?.length, 3, 'both measures are in it')
    await page.getByLabel('Others').click()
    await until(page, `!document.querySelector('.chart-notes').innerText.includes('flatten')`)
    await page.setViewportSize(PHONE)
    await looksRight(t, page, 'chart-of-many-phone')
    t.same(faults(), [])
  })

  await t.test('a chart of an answer that may not be whole says so, on the page and in its picture', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Destination Airport'], measures: ['Flight Count'] }, limit: 50 }
    await page.goto(
      `${address}/ui/${hashOf({ tab: 'chart', query: { ...query, where: [{ field: 'Origin Code', op: 'in', value: ['EWR'] }] } })}`,
    )
    await page.getByText('The query asks for at most 50 rows: more may exist.').waitFor()
    await until(page, "document.querySelector('.chart svg')")
    const svg = (await saved(page, 'SVG')).bytes.toString()
    t.match(svg, 'The query asks for at most 50 rows: more may exist.')
    t.match(svg, 'Only where Origin Code is one of EWR.')
    t.same(faults(), [])
  })

  await t.test('a pointer reads every line of a month, and labels of a phone neither touch nor are cut', async (t) => {
    const { page, faults } = await visit()
    const months = { select: { dimensions: ['Month', 'Origin Code'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ tab: 'chart', query: months })}`)
    await until(page, "document.querySelector('.chart svg')")
    await page.locator('.chart svg').first().hover()
    await until(page, "/EWR: [\\d,]+[^]*JFK: [\\d,]+[^]*LGA: [\\d,]+/.test(document.querySelector('.chart svg').textContent)")
    await page.setViewportSize(PHONE)
    const top = { dimension: 'Destination Airport', by: 'Flight Count', n: 10, others: 'Others' }
    const query = { select: { dimensions: ['Destination Airport'], measures: ['Flight Count'] }, top }
    await page.goto(`${address}/ui/${hashOf({ tab: 'chart', query })}`)
    await until(page, "document.querySelector('.chart svg')?.textContent.includes('17,283')")
    await page.getByText(/^Others \(195,631\) would flatten all other bars/).waitFor()
    t.same(await page.evaluate(CLASHES), [])
    await looksRight(t, page, 'top-phone')
    await page.getByLabel('Others').click()
    await until(page, "document.querySelector('.chart svg').textContent.includes('195,631')")
    t.same(await page.evaluate(CLASHES), [])
    t.same(faults(), [])
  })

  await t.test('a click on a heading of a pivot sorts its rows', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Airline', 'Origin Code'], measures: ['Flight Count'] } }
    await page.goto(`${address}/ui/${hashOf({ tab: 'pivot', query })}`)
    const names = "[...document.querySelectorAll('.pivot tbody th')].map((each) => each.innerText)"
    await page.locator('.pivot tr.total').waitFor()
    await page.getByRole('columnheader', { name: 'JFK' }).locator('button').click()
    await until(page, `${names}[0] === 'JetBlue Airways' && ${names}.at(-1) === 'Total'`)
    t.equal(await page.getByRole('columnheader', { name: 'JFK' }).getAttribute('aria-sort'), 'descending')
    await looksRight(t, page, 'pivot-sorted')
    await page.setViewportSize(PHONE)
    await looksRight(t, page, 'pivot-sorted-phone')
    t.same(faults(), [])
  })

  await t.test('rates are not stacked, and a person chooses title, axis, order and a line, which the link keeps', async (t) => {
    const { page, faults } = await visit()
    const query = { select: { dimensions: ['Origin Code', 'Distance Band'], measures: ['Late Rate'] } }
    await page.goto(`${address}/ui/${hashOf({ tab: 'chart', query })}`)
    await until(page, "document.querySelector('.chart svg')")
    t.same(await page.locator('[aria-label="Kind of chart"] label').allInnerTexts(), ['Bars side by side', 'Small multiples'])
    t.match(await page.locator('.chart svg').first().textContent(), /20%/, 'the axis has the format of the measure')
    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByLabel('Title').first().fill('Who is late')
    await page.getByRole('combobox', { name: 'Along the axis' }).click()
    await page.getByRole('option', { name: 'Distance Band' }).click()
    await page.getByLabel('A line at').first().fill('0.2')
    await until(page, `${legend}.join() === 'EWR,JFK,LGA' && document.querySelector('.chart-title').innerText === 'Who is late'`)
    await looksRight(t, page, 'chart-options')
    await page.reload()
    await until(page, `${legend}.join() === 'EWR,JFK,LGA' && document.querySelector('.chart-title').innerText === 'Who is late'`)
    t.ok((await page.locator('.chart svg [stroke-dasharray]').count()) > 0, 'the line')
    t.same(faults(), [])
  })
})
