/** Models of other products in the web page: opened as files, shown with what became of them, and loaded. */
import path from 'node:path'
import t from 'tap'
import { textOf } from '../../interchange/foreign-texts.js'
import type { Page } from './browser.js'
import { hashOf, looksRight, onPages, rows, until } from './on-pages.js'

const DIALOG = '[role=dialog]'

/** The models that test/interchange/walk.test.ts asks over REST. */
const WALK: Readonly<Record<string, readonly string[]>> = {
  Cube: ['cube.yml'],
  Databricks: ['databricks.yaml'],
  'dbt, legacy': ['dbt_legacy.yml'],
  'dbt, new': ['dbt_new.yml'],
  LookML: ['lookml.lkml'],
  Ossie: ['ossie.yaml'],
  Snowflake: ['snowflake.yaml'],
  'Snowflake, a statement': ['snowflake_ddl.sql'],
  TMDL: ['Customer', 'Days', 'Genre', 'Invoice Line', 'Invoice', 'Track']
    .map((table) => `tmdl/tables/${table}.tmdl`)
    .concat('tmdl/model.tmdl', 'tmdl/relationships.tmdl'),
}

/** As a user does it: several files of one model are chosen. */
async function chooseFiles(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('button', { name: 'Open a model' }).first().click()
  await page.locator(DIALOG).waitFor()
  const sent = Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }))
  await page.locator(`${DIALOG} input[type=file]`).setInputFiles(sent)
  await until(page, `document.querySelector('${DIALOG} textarea')?.value.length > 0`)
  await page.getByRole('button', { name: 'Load', exact: true }).click()
}

await onPages(t, async ({ address, visit }) => {
  await t.test('files of LookML are a model, after a look at what became of them', async (t) => {
    const { page, faults } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    const text = textOf('lookml/shop.lkml')
    const [views = '', explores = ''] = text.split(/^(?=explore: )/m, 2)
    await chooseFiles(page, { 'b.model.lkml': text.slice(views.length), 'a.view.lkml': views })
    const report = page.getByRole('region', { name: 'What became of the model' })
    await report.waitFor()
    t.ok(explores.length > 0)
    t.match(await report.textContent(), /\d+ exact0 refused\d+ rewritten\d+ inert/)
    t.match(await report.textContent(), /Measures of 'customers' in the explore 'orders' .*b\.model\.lkml:\d+/)
    await looksRight(t, page, 'open-foreign')
    await page.getByRole('button', { name: 'Load this model' }).click()
    await page.locator(DIALOG).waitFor({ state: 'hidden' })
    await until(page, "document.body.innerText.includes('orders.revenue')")
    await looksRight(t, page, 'opened-foreign')
    t.same(faults(), [])
  })

  for (const [format, files] of Object.entries(WALK))
    await t.test(`a model of ${format} is opened and its measures can be asked`, async (t) => {
      const { page, faults } = await visit()
      await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
      await rows(page)
      await chooseFiles(page, Object.fromEntries(files.map((file) => [path.basename(file), textOf(`walk/${file}`)])))
      const report = page.getByRole('region', { name: 'What became of the model' })
      await report.waitFor()
      t.match(await report.textContent(), /\d+ exact0 refused\d+ rewritten\d+ inert/)
      await page.getByRole('button', { name: 'Load this model' }).click()
      await page.locator(DIALOG).waitFor({ state: 'hidden' })
      await until(page, "/revenue/i.test(document.querySelector('[role=tree]')?.textContent ?? '')")
      t.same(faults(), [])
    })

  await t.test('a rule about who sees what refuses the text, unless it is left out by name', async (t) => {
    const { page } = await visit()
    await page.goto(`${address}/ui/${hashOf({ query: { select: { measures: ['Flight Count'] } } })}`)
    await rows(page)
    const text = textOf('lookml/shop.lkml').replace(
      /^explore: orders \{/m,
      'explore: orders {\n  access_filter: { field: orders.id user_attribute: own }',
    )
    await chooseFiles(page, { 'shop.lkml': text })
    await page.getByRole('alert').waitFor()
    t.match(await page.getByRole('alert').textContent(), /who sees what/)
    await looksRight(t, page, 'open-foreign-rule')
    await page.getByRole('button', { name: 'Leave access rules out' }).click()
    const report = page.getByRole('region', { name: 'What became of the model' })
    await report.waitFor()
    t.match(await report.textContent(), /'access_filter' is left out: it decides who sees what/)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByLabel('Model document').waitFor()
  })
})
