/** Models in the web page: editing, checking and viewing. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Page } from './browser.js'
import { largeModel } from './large-model.js'
import { cells, factsSay, hashOf, looksRight, onPages, openModel, rows, saved, showAs, until } from './on-pages.js'

/** Lines refers to missing orders, and two lines have one key; no object joins to Notes. */
const WEAK = `name: weak
dataObjects:
  Orders:
    code: (SELECT * FROM (VALUES (1, 10.0), (2, 20.0)) t(id, price))
    columns: { Id: { code: id, abstractType: int }, Price: { code: price, abstractType: float } }
  Lines:
    code: (SELECT * FROM (VALUES (1, 1), (2, 1), (2, 9)) t(id, ordered))
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Order: { code: ordered, abstractType: int } }
    joins: [{ joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id] }]
  Notes:
    code: (SELECT 'a' AS word)
    columns: { Word: { code: word, abstractType: string } }
dimensions:
  Word: { dataObject: Notes, column: Word }
measures:
  Prices: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }] }
  Line Count: { aggregation: count, columns: [{ dataObject: Lines, column: Id }] }
`
/** A model with the usual errors of a hasty author. */
const NAMED_TWICE = `name: small
dataObjects:
  Rows: { code: rows, columns: { Word: { code: word, abstractType: string } } }
dimensions:
    Word: { dataObject: Rows, column: Word }`
const SHOWN = "document.querySelector('.cm-content').innerText"
/** Counts the work that a key press may cause: stored drafts, requests, and texts for the worker. */
const COUNTED = `window.count = { kept: 0, sent: 0, asked: 0 }
  const counting = (owner, method, what, counts) => {
    const original = owner[method]
    owner[method] = function (...given) {
      if (counts(...given)) window.count[what]++
      return original.apply(this, given)
    }
  }
  counting(Storage.prototype, 'setItem', 'kept', (key) => key.startsWith('grainline.draft'))
  counting(window, 'fetch', 'sent', (url) => String(url).includes('validate'))
  counting(Worker.prototype, 'postMessage', 'asked', ({ text }) => text !== undefined)`

await onPages(t, async ({ address, visit }) => {
  await t.test('a model can be edited, validated, compared and loaded; a draft survives a reload', async (t) => {
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

  await t.test('the graph shows objects, joins and the path of the query, and can be saved', async (t) => {
    const query = { select: { dimensions: ['Airline'], measures: ['Flight Count'] } }
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults } = await visit({ colorScheme })
      await page.goto(`${address}/ui/${hashOf({ tab: 'graph', query })}`)
      await page.locator('.join.lit').waitFor()
      t.equal(
        await page.locator('.node').count(),
        await page.locator('.graph-list > li').count(),
        'all objects, drawn and in words',
      )
      await page.getByRole('button', { name: /^Airlines dimension 1 dimension/ }).waitFor()
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

  await t.test('the editor completes, explains and corrects', async (t) => {
    const { page, faults } = await visit()
    const source = readFileSync(new URL('../../../examples/flights/model.yaml', import.meta.url), 'utf8')
    const slipped = source.replace('queryTimezone:', 'queryTimezne:').replace('column: Tail Number', 'column: Tail Numbr')
    t.not(slipped, source)
    await page.evaluate(`localStorage.setItem('grainline.draft.flights', ${JSON.stringify(JSON.stringify(slipped))})`)
    await page.goto(`${address}/ui/${hashOf({ tab: 'model' })}`)
    const problem = page.locator('.problem-list button').filter({ hasText: 'Tail Numbr' }).first()
    await problem.click()
    await page.locator('.cm-lintRange-error').first().hover()
    await page.locator('.cm-diagnosticAction').first().click()
    await until(page, "![...document.querySelectorAll('.problem-list li')].some((each) => each.innerText.includes('Tail Numbr'))")
    t.match(await page.getByLabel('The model as text').textContent(), 'column: Tail Number')

    await page.getByLabel('The model as text').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\nset')
    await page.keyboard.press('Control+Space')
    await page.locator('.cm-tooltip-autocomplete li').first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Home')
    await page
      .locator('.cm-line span')
      .filter({ hasText: /^weekStart$/ })
      .first()
      .hover()
    await page.locator('.hover-card').waitFor()
    await looksRight(t, page, 'model-hover')
    t.same(faults(), [])
  })

  await t.test('the editor goes to definitions, renames across uses, and formats', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/robots.txt`)
    await page.evaluate(`localStorage.setItem('grainline.draft.flights', ${JSON.stringify(JSON.stringify(NAMED_TWICE))})`)
    await page.goto(`${address}/ui/${hashOf({ tab: 'model' })}`)
    await page.getByText('No problems').waitFor()
    const editor = page.getByLabel('The model as text')
    await editor.click()
    await page.keyboard.press('Control+End')
    for (const _ of ', column: Word }ws') await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('F12')
    await until(page, "getSelection().toString() === 'Rows'")
    const line = "getSelection().anchorNode.parentElement.closest('.cm-line').innerText"
    t.equal(await page.evaluate(line), NAMED_TWICE.split('\n')[2], 'the object itself')

    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => void dialog.accept('Lines').then(() => resolve(dialog.message())))
    })
    await page.keyboard.press('F2')
    t.equal(await asked, 'A new name for Rows')
    await until(page, `${SHOWN}.includes('dataObject: Lines')`)
    t.match(await page.evaluate(SHOWN), NAMED_TWICE.replace('  Rows:', '  Lines:').replace(' Rows,', ' Lines,'))

    const refused = new Promise<string>((resolve) => {
      page.once('dialog', (first) => {
        page.once('dialog', (second) => void second.accept().then(() => resolve(second.message())))
        void first.accept('')
      })
    })
    await page.keyboard.press('F2')
    t.match(await refused, /name/)
    await page.keyboard.press('Shift+Alt+f')
    await until(page, `/\\n  Word: {/.test(${SHOWN})`)
    await looksRight(t, page, 'model-renamed')
    t.same(faults(), [])
  })

  await t.test('a measure can be compared with an earlier period', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    await page.getByRole('button', { name: /^Flight Count: order/ }).click()
    await page.getByRole('menuitem', { name: 'Flight Growth' }).click()
    await page.getByRole('button', { name: 'Take Date away' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await factsSay(page, '12 rows')
    t.ok((await cells(page)).includes('-7.6%'))

    await page.getByRole('textbox', { name: 'Search fields' }).fill('late flights')
    await page.getByRole('treeitem', { name: 'Late Flights, measure', exact: true }).click()
    await page.getByRole('button', { name: /^Late Flights: order/ }).click()
    await page.getByRole('menuitem', { name: /^Write it into the model/ }).click()
    await page.getByText('Your draft is saved in this browser').waitFor()
    await page.getByText('No problems').waitFor()
    t.match(await page.getByLabel('The model as text').textContent(), 'Late Flights Growth')
    const search = `document.querySelector('[aria-label="Search fields"]')?.placeholder`
    const before = await page.evaluate<string>(search)
    await page.getByRole('button', { name: 'Load the draft' }).click()
    await until(page, `${search} && ${search} !== '${before}'`)
    await page.getByRole('textbox', { name: 'Search fields' }).fill('late flights growth')
    await page.getByRole('treeitem', { name: /^Late Flights Growth, metric/ }).waitFor()
    t.same(faults(), [])
  })

  await t.test('the health and verify tabs show the weak parts of a model, with advice for each', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ tab: 'model' })}`)
    const health = page.getByRole('region', { name: 'Health of the loaded model' })
    await health.waitFor()
    t.match(await health.textContent(), / sound7 objects, 8 joins$/, 'nothing is wrong with the flights')

    await page.goto(`${address}/ui/${hashOf({})}`)
    await openModel(page, WEAK)
    await showAs(page, 'Text')
    await health.waitFor()
    const advice = await health.locator('li').allInnerTexts()
    t.equal(advice.length, 3)
    t.match(
      advice[0],
      /^One row of 'Orders', which carries measures, meets many of 'Lines'.*\.\s+Mark the key columns of 'Orders'/,
    )
    t.match(advice[1], /^Notes has no joins, so its fields cannot be combined .*\s+Add a join from or to Notes/)
    t.match(advice[2], /^No measure can be grouped by Word\.\s+Join an object with measures to the object of Word/)

    const proof = page.getByRole('region', { name: 'The loaded model and its data' })
    await proof.locator('button').click()
    await proof.locator('li').first().waitFor()
    const findings = await proof.locator('li').allInnerTexts()
    t.match(findings.join('\n'), /Lines.*VERIFY_[A-Z_]+/s)
    for (const finding of findings)
      t.match(finding, /[.\w')]\s+[A-Z][^.]+\..*VERIFY_/s, 'what is wrong, what to do, and its code')
    await looksRight(t, page, 'model-health')
    t.same(faults(), [])
  })

  await t.test('a key press in a draft sends and saves nothing until a pause', async (t) => {
    const { page, faults } = await visit()
    // `npm run load -- page` measures the cost of a key press in a document of a megabyte, and fails if it blocks the page.
    const source = largeModel()
    await page.goto(`${address}/robots.txt`)
    await page.evaluate(`localStorage.setItem('grainline.draft.flights', ${JSON.stringify(JSON.stringify(source))})`)
    await page.goto(`${address}/ui/${hashOf({ tab: 'model' })}`)
    await page.getByText('No problems').waitFor()
    await page.getByLabel('The model as text').click()
    await page.keyboard.press('Control+End')
    await page.evaluate(COUNTED)
    // In one call, so that a pause of a busy machine does not come between two keys.
    await page.evaluate("for (const key of '\\nx-note: 1') document.execCommand('insertText', false, key)")
    t.same(await page.evaluate('count'), { kept: 0, sent: 0, asked: 0 })
    await page.getByText("'x-note' is not a key that is known here").waitFor()
    const { kept, sent, asked } = await page.evaluate<Record<'kept' | 'sent' | 'asked', number>>('count')
    t.same({ kept, sent }, { kept: 1, sent: 1 }, 'one pause keeps the draft once and has it checked once')
    t.ok(asked <= 3, `the worker gets the text for the problems and for what could be typed, and not for each key: ${asked}`)
    t.match(await page.evaluate("localStorage.getItem('grainline.draft.flights').slice(-20)"), 'x-note: 1')
    t.same(faults(), [])
  })
})

/** By keyboard, by name, in part, and as a file. */
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
