import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBrowser, type Page, type Session } from '../interop/ui/browser.js'
import { largeModel, OBJECTS } from '../interop/ui/large-model.js'
import { startWatched } from './server.js'

const QUESTIONS = 100
/** Memory of the page that a hundred more queries may take. */
const MOST_GROWTH_MB = 8

/** A million rows without a table, in SQL that any database supports. */
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

/** The web page with a million rows, a hundred queries and two hundred objects. Fails if it grows, or renders what is not visible. */
export async function page(): Promise<string> {
  const browser = await openBrowser()
  if (typeof browser === 'string') return browser
  const folder = mkdtempSync(path.join(os.tmpdir(), 'grainline-page-'))
  const models = Object.entries({ million: millionRows(), large: largeModel() })
  for (const [name, text] of models) writeFileSync(path.join(folder, `${name}.yaml`), text)
  const names = ['dialect-duckdb', 'vendor-duckdb', 'semantic-ql', 'surface-rest', 'surface-ui']
  const config = {
    plugins: names.map((name) => fileURLToPath(new URL(`../../plugins/${name}/src/index.ts`, import.meta.url))),
    preload: models.map(([session]) => ({ session, model: path.join(folder, `${session}.yaml`) })),
  }
  const server = await startWatched({ QUERY_EXECUTE: 'true', UI_ENABLED: 'true', MODEL_SQL: 'allow' }, JSON.stringify(config))
  try {
    const shown = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    const faults: string[] = []
    shown.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    shown.on('pageerror', (error) => faults.push(String(error)))
    await shown.addInitScript("localStorage.setItem('grainline.toured', 'true')")
    const at = (state: object): string => `${server.url}/ui/#s=${Buffer.from(JSON.stringify(state)).toString('base64url')}`
    const figures = [
      await ready(shown, server.url),
      await million(shown, at),
      await growth(shown, at),
      await large(shown, at),
      await draft(shown, at),
    ]
    if (faults.length > 0) throw new Error(faults.join('; '))
    return figures.join('; ')
  } finally {
    await browser.close()
    server.kill('SIGTERM')
    await server.ended
  }
}

/** Milliseconds until a page is ready, below which a user does not notice a delay. */
const SOON = 1000
/** Milliseconds of the page's thread for each of fifty frames per second. */
const FRAME = 1000 / 50

type Address = (state: object) => string

async function ready(page: Page, url: string): Promise<string> {
  const times: number[] = []
  for (let visit = 0; visit < 4; visit++) {
    const began = performance.now()
    await page.goto(`${url}/ui/`)
    await page.getByRole('textbox', { name: 'Search fields' }).waitFor()
    times.push(performance.now() - began)
  }
  const best = Math.min(...times)
  if (best >= SOON) throw new Error(`the page is ready after ${Math.round(best)} ms`)
  return `ready after ${Math.round(best)} ms`
}

async function million(page: Page, at: Address): Promise<string> {
  const query = { select: { dimensions: ['Id', 'Label', 'Part'], measures: ['Amount'] }, limit: 1_000_000 }
  await page.goto(at({ model: 'million', query }))
  await page.reload()
  await until(page, "document.querySelector('.facts')?.innerText.startsWith('1,000,000 rows')")
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const before = await metricsOf(session)
  const [frames, drawn] = await page.evaluate<[number[], number]>(`new Promise((done) => {
    const grid = document.querySelector('.grid')
    const frames = []
    let last
    const step = (now) => {
      if (last !== undefined) frames.push(now - last)
      last = now
      grid.scrollTop += 900
      if (frames.length < ${FRAMES}) requestAnimationFrame(step)
      else done([frames, document.querySelectorAll('[role=row]').length])
    }
    requestAnimationFrame(step)
  })`)
  const after = await metricsOf(session)
  if (drawn > 80) throw new Error(`${drawn} rows are drawn`)
  const ofEach = (name: string): number => (1000 * (after.get(name)! - before.get(name)!)) / FRAMES
  const each = (name: string): string => ofEach(name).toFixed(2)
  if (ofEach('TaskDuration') >= FRAME) throw new Error(`a frame takes the page ${each('TaskDuration')} ms of its processor`)
  const middle = frames.toSorted((a, b) => a - b)[frames.length >> 1]!
  const parts = `${each('ScriptDuration')} script, ${each('RecalcStyleDuration')} style, ${each('LayoutDuration')} layout`
  return (
    `a frame that shows 32 more of a million rows takes the page ${each('TaskDuration')} ms of its processor (${parts}); ` +
    `${Math.round(1000 / middle)} frames a second in the middle`
  )
}

const FRAMES = 200

type Metrics = { readonly metrics: readonly { readonly name: string; readonly value: number }[] }

/** Seconds by the clock of the page's own thread, which does not run while another program uses the processor. */
async function metricsOf(session: Pick<Session, 'send'>): Promise<Map<string, number>> {
  const { metrics } = (await session.send('Performance.getMetrics', {})) as Metrics
  return new Map(metrics.map(({ name, value }) => [name, value]))
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
  await page.getByRole('combobox', { name: 'Command' }).fill('name 16')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Take Name 16\d* away/ }).waitFor()
  return `a field among ${2 * OBJECTS} of ${OBJECTS} objects is found after ${Math.round(found)} ms`
}

/** The number of objects in a model of a megabyte. */
const DRAFTED = 2000
const KEYS = 'x-note: and more of it'
/** Milliseconds of the page's thread above which a user notices a delay. */
const STALL = 50

/** A draft of a megabyte: the cost of a key press in the page's thread, its longest task, and the time until errors are shown. */
async function draft(page: Page, at: Address): Promise<string> {
  const text = largeModel(DRAFTED)
  await page.evaluate(`localStorage.setItem('grainline.draft.large', ${JSON.stringify(JSON.stringify(text))})`)
  await page.goto(at({ model: 'large', tab: 'model' }))
  await page.reload()
  await page.getByText('No problems').waitFor()
  await page.getByLabel('The model as text').click()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const typed = async (place: 'Control+Home' | 'Control+End') => {
    await page.keyboard.press(place)
    await page.keyboard.press('Enter')
    const before = await metricsOf(session)
    for (const key of KEYS) await page.keyboard.press(key === ' ' ? 'Space' : key)
    return (1000 * ((await metricsOf(session)).get('TaskDuration')! - before.get('TaskDuration')!)) / KEYS.length
  }
  let shown = 0
  const [costs, longest] = await longestTask(session, async () => {
    const found = [await typed('Control+Home'), await typed('Control+End')]
    const began = performance.now()
    await page.getByText(/^Problems/).waitFor()
    shown = performance.now() - began
    return found
  })
  await page.evaluate("localStorage.removeItem('grainline.draft.large')")
  if (longest > STALL) throw new Error(`something holds the page's thread for ${longest.toFixed(0)} ms of its processor`)
  return (
    `in a draft of ${(text.length / 1e6).toFixed(1)} MB a key takes the page ${costs.map((ms) => ms.toFixed(1)).join(' ms at the start and ')} ms ` +
    `at the end, nothing holds it for more than ${longest.toFixed(0)} ms, and problems are shown after ${(shown / 1000).toFixed(1)} s`
  )
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Processor time in milliseconds of the longest task of the page's thread in this interval. */
async function longestTask<T>(session: Session, work: () => Promise<T>): Promise<readonly [T, number]> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as TraceEvent[])))
  const ended = new Promise<void>((resolve) => session.on('Tracing.tracingComplete', () => resolve()))
  const traceConfig = { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  const done = await work()
  await session.send('Tracing.end', {})
  await ended
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const tasks = events.filter(
    ({ name, pid, tid }) => /RunTask$/.test(name) && threads.some((thread) => thread.pid === pid && thread.tid === tid),
  )
  return [done, Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000]
}

/** Checks once per frame: the content security policy of the page blocks eval, which the waiting functions of playwright use. */
async function until(page: Page, holds: string): Promise<void> {
  while (!(await page.evaluate<boolean>(`new Promise((seen) => requestAnimationFrame(() => seen(Boolean(${holds}))))`)));
}
