import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBrowser, type Page } from '../interop/ui/browser.js'
import { startWatched } from './server.js'

const QUESTIONS = 100
/** Memory of the page that a hundred more questions may take. */
const MOST_GROWTH_MB = 8
const OBJECTS = 200

/** A million rows without a table: any database has them. */
function millionRows(): string {
  const digits = `(VALUES ${[...'0123456789'].map((digit) => `(${digit})`).join(', ')})`
  const places = [...'abcdef']
  const id = places.map((place, i) => `${10 ** i} * ${place}.digit`).join(' + ')
  const rows = places.map((place) => `${digits} ${place} (digit)`).join(' CROSS JOIN ')
  return `name: million
dataObjects:
  Rows:
    code: (SELECT n AS id, 'row ' || n AS label, n % 1000 AS part, n * 1.5 AS amount FROM (SELECT ${id} AS n FROM ${rows}) t)
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Label: {code: label, abstractType: string}
      Part: {code: part, abstractType: int}
      Amount: {code: amount, abstractType: float}
dimensions:
  Id: {dataObject: Rows, column: Id}
  Label: {dataObject: Rows, column: Label}
  Part: {dataObject: Rows, column: Part}
measures:
  Amount: {aggregation: sum, columns: [{dataObject: Rows, column: Amount}]}
`
}

/** Objects that each join to one of those before them. */
function manyObjects(): string {
  const every = (text: (i: number) => string): string => Array.from({ length: OBJECTS }, (_, i) => text(i)).join('\n')
  const join = (i: number) =>
    i === 0
      ? ''
      : `\n    joins: [{joinType: many-to-one, joinTo: Object ${Math.floor((i - 1) / 3)}, columnsFrom: [Up], columnsTo: [Id]}]`
  return `name: large
dataObjects:
${every(
  (i) => `  Object ${i}:
    code: (SELECT 1 AS id, 1 AS up, 'x' AS name, 5 AS amount)
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Up: {code: up, abstractType: int}
      Name: {code: name, abstractType: string}
      Amount: {code: amount, abstractType: int}${join(i)}`,
)}
dimensions:
${every((i) => `  Name ${i}: {dataObject: Object ${i}, column: Name}`)}
measures:
${every((i) => `  Amount ${i}: {aggregation: sum, columns: [{dataObject: Object ${i}, column: Amount}]}`)}
`
}

/** The web page with a million rows, a hundred questions and two hundred objects. Fails where it grows, or draws what nobody sees. */
export async function page(): Promise<string> {
  const browser = await openBrowser()
  if (typeof browser === 'string') return browser
  const folder = mkdtempSync(path.join(os.tmpdir(), 'grainline-page-'))
  const models = Object.entries({ million: millionRows(), large: manyObjects() })
  for (const [name, text] of models) writeFileSync(path.join(folder, `${name}.yaml`), text)
  const names = ['dialect-duckdb', 'vendor-duckdb', 'surface-rest', 'surface-ui']
  const config = {
    plugins: names.map((name) => fileURLToPath(new URL(`../../plugins/${name}/src/index.ts`, import.meta.url))),
    preload: models.map(([session]) => ({ session, model: path.join(folder, `${session}.yaml`) })),
  }
  const server = await startWatched({ QUERY_EXECUTE: 'true', UI_ENABLED: 'true' }, JSON.stringify(config))
  try {
    const shown = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    const faults: string[] = []
    shown.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    shown.on('pageerror', (error) => faults.push(String(error)))
    await shown.addInitScript("localStorage.setItem('grainline.toured', 'true')")
    const at = (state: object): string => `${server.url}/ui/#s=${Buffer.from(JSON.stringify(state)).toString('base64url')}`
    const figures = [await ready(shown, server.url), await million(shown, at), await growth(shown, at), await large(shown, at)]
    if (faults.length > 0) throw new Error(faults.join('; '))
    return figures.join('; ')
  } finally {
    await browser.close()
    server.kill('SIGTERM')
    await server.ended
  }
}

type Address = (state: object) => string

async function ready(page: Page, url: string): Promise<string> {
  const times: number[] = []
  for (let visit = 0; visit < 4; visit++) {
    const began = performance.now()
    await page.goto(`${url}/ui/`)
    await page.getByRole('textbox', { name: 'Search fields' }).waitFor()
    times.push(performance.now() - began)
  }
  return `ready after ${Math.round(Math.min(...times))} ms`
}

async function million(page: Page, at: Address): Promise<string> {
  const query = { select: { dimensions: ['Id', 'Label', 'Part'], measures: ['Amount'] }, limit: 1_000_000 }
  await page.goto(at({ model: 'million', query }))
  await page.reload()
  await until(page, "document.querySelector('.facts')?.innerText.startsWith('1,000,000 rows')")
  const [frames, drawn] = await page.evaluate<[number[], number]>(`new Promise((done) => {
    const grid = document.querySelector('.grid')
    const frames = []
    let last
    const step = (now) => {
      if (last !== undefined) frames.push(now - last)
      last = now
      grid.scrollTop += 900
      if (frames.length < 200) requestAnimationFrame(step)
      else done([frames, document.querySelectorAll('[role=row]').length])
    }
    requestAnimationFrame(step)
  })`)
  if (drawn > 80) throw new Error(`${drawn} rows are drawn`)
  const middle = frames.toSorted((a, b) => a - b)[frames.length >> 1]!
  const mean = frames.reduce((a, b) => a + b, 0) / frames.length
  return `a million rows scroll by ${Math.round(1000 / middle)} frames a second in the middle, ${Math.round(1000 / mean)} in the mean`
}

async function growth(page: Page, at: Address): Promise<string> {
  await page.goto(at({ model: 'large', query: { select: { dimensions: ['Name 1'], measures: ['Amount 20'] } } }))
  await page.reload()
  await page.getByRole('gridcell').first().waitFor()
  const session = await page.context().newCDPSession(page)
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage', {})
    return ((await session.send('Runtime.getHeapUsage', {})) as { usedSize: number }).usedSize / 1e6
  }
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: /^Run/ }).waitFor()
    }
  }
  await ask(10)
  const before = await heap()
  await ask(QUESTIONS)
  const grown = (await heap()) - before
  if (grown > MOST_GROWTH_MB) throw new Error(`${QUESTIONS} questions take ${grown.toFixed(1)} MB`)
  return `${QUESTIONS} questions take ${grown.toFixed(1)} MB beside ${before.toFixed(1)} MB`
}

async function large(page: Page, at: Address): Promise<string> {
  await page.goto(at({ model: 'large' }))
  await page.reload()
  const search = page.getByRole('textbox', { name: 'Search fields' })
  await search.waitFor()
  const began = performance.now()
  await search.fill('amount 150')
  await page.getByRole('treeitem', { name: /^Amount 150/ }).click()
  const found = performance.now() - began
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('name 12')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Take Name 12\d* away/ }).waitFor()
  return `a field among ${2 * OBJECTS} of ${OBJECTS} objects is found after ${Math.round(found)} ms`
}

/** Looks once in each frame: the page's policy evaluates no text, which playwright's own waiting is. */
async function until(page: Page, holds: string): Promise<void> {
  while (!(await page.evaluate<boolean>(`new Promise((seen) => requestAnimationFrame(() => seen(Boolean(${holds}))))`)));
}
