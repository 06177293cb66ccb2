/** One server and one page of one browser for the tests of a file, and the actions of a user on them. */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { type Started, start } from '../../host/process.js'
import { orSkip } from '../or-skip.js'
import { accessibilityFaults, type Browser, openBrowser, type Page } from './browser.js'

export const demo = new URL('../../../config/demo.yaml', import.meta.url).pathname
/** Screenshots that are kept to be looked at. */
const pictures = path.join(import.meta.dirname, '.clients/pictures')
const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export interface Visit {
  /** Otherwise the tour is closed first. */
  readonly isFirst?: boolean
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

export interface Visited {
  readonly page: Page
  /** Errors, blocked scripts and styles, requests to other hosts, and keys in requests. */
  faults(): readonly string[]
}

export interface Place {
  readonly browser: Browser
  readonly server: Started
  readonly address: string
  visit(options?: Visit): Promise<Visited>
}

/** Runs `body` if there is a browser; otherwise prints why there is none. */
export function onPages(test: Test, body: (place: Place) => Promise<void>): Promise<void> {
  return orSkip(
    test,
    openBrowser,
    (browser) => browser.close(),
    async (browser) => {
      mkdirSync(pictures, { recursive: true })
      const { server, address } = await serveDemo(test)
      await body({ browser, server, address, visit: visitor(browser, address) })
    },
  )
}

export async function serveDemo(test: Test, env: Readonly<Record<string, string>> = {}, cwd = test.testdir({})) {
  const server = start(test, ['serve', '--config', demo], {
    cwd,
    env: { API_SERVER_PORT: '0', CACHE_BACKEND: 'memory', ...env },
  })
  const [, address] = await server.shows(/(http:\/\/[\w.]+:\d+)/)
  return { server, address: address! }
}

/** Each visit is the first one of a user, in the same tab: a new tab would load and compile the whole page again. */
export function visitor(browser: Browser, address: string): Place['visit'] {
  let tab: { readonly page: Page; readonly found: string[] } | undefined
  return async ({ isFirst = false, colorScheme = 'light', viewport = DESKTOP } = {}) => {
    const known = tab
    tab ??= await openTab(browser, address)
    const { page, found } = tab
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    if (known !== undefined) {
      // An address of the server without the page, which would store its state when it is left.
      await page.goto(`${address}/robots.txt`)
      await page.evaluate(`localStorage.clear(); sessionStorage.clear(); ${isFirst ? '' : TOURED}`)
    } else if (!isFirst) await page.addInitScript(TOURED)
    found.length = 0
    return { page, faults: () => [...found] }
  }
}

export const TOURED = "localStorage.setItem('grainline.toured', 'true')"

async function openTab(browser: Browser, address: string) {
  const page = await browser.newPage({ viewport: DESKTOP, locale: 'en-US' })
  const found: string[] = []
  // An address without the page has no icon, and a browser requests one.
  const isFault = (type: string, url: string) => type === 'error' && !url.endsWith('/favicon.ico')
  page.on('console', (message) => isFault(message.type(), message.location().url) && found.push(message.text()))
  page.on('pageerror', (error) => found.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(?:data|blob):/.test(request.url())) found.push(`asks ${request.url()}`)
    if (request.headers()['x-api-key'] ?? request.headers()['authorization']) found.push(`a key goes to ${request.url()}`)
  })
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('CSP refuses ' + event.violatedDirective))",
  )
  return { page, found }
}

/** The fragment of an address that opens this state. */
export function hashOf(shared: object): string {
  return `#s=${Buffer.from(JSON.stringify({ model: 'flights', ...shared })).toString('base64url')}`
}

/** The forms of a query on the page: the place of each, where it has a switch of its forms. */
const PLACES = {
  Table: 'Result',
  Chart: 'Result',
  Pivot: 'Result',
  SQL: 'How it was made',
  Query: 'How it was made',
  Code: 'How it was made',
  Plan: 'How it was made',
  Dashboard: undefined,
  Text: 'Model',
  Graph: 'Model',
} as const
export type Form = keyof typeof PLACES
export const FORMS = Object.keys(PLACES) as readonly Form[]

/** As a user does it: the tab of the place, then the switch. */
export async function showAs(page: Page, form: Form): Promise<void> {
  const place = PLACES[form]
  await page.getByRole('tab', { name: place ?? form, exact: true }).click()
  if (place !== undefined) await page.locator('[aria-label="Show as"] label').filter({ hasText: form }).click()
}

export function rows(page: Page): Promise<void> {
  return page.getByRole('gridcell').first().waitFor()
}

export function cells(page: Page): Promise<string[]> {
  return page.getByRole('gridcell').allInnerTexts()
}

/** So often the page is looked at before it is a fault that it does not become as expected; actions of playwright have a limit, too. */
const LOOKS = 2000

/** Looks from outside: the content security policy of the page blocks eval, which the waiting functions of playwright use, and a busy page may draw no frames. */
export async function until(page: Page, holds: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    if (await page.evaluate<boolean>(`Boolean(${holds})`)) return
    await page.evaluate('new Promise((seen) => setTimeout(seen, 30))')
  }
  throw new Error(`the page never shows: ${holds}\n${await page.evaluate<string>('document.body.innerText')}`)
}

/** Adds a filter by a field. While the list becomes shorter its entries move, and a click would meet another one. */
export async function chooseFiltered(page: Page, field: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('combobox', { name: 'Field to filter by' }).fill(field)
  await until(page, "[...document.querySelectorAll('[role=option]')].filter((one) => one.checkVisibility()).length === 1")
  await page.getByRole('option', { name: field }).click()
}

const SETTLED = "document.querySelector('.stale, [aria-label=Running]') === null"

/** Waits until the line above the rows says so for the current query, because an earlier answer may have said the same. */
export const factsSay = (page: Page, text: string): Promise<void> =>
  until(page, `${SETTLED} && document.querySelector('.facts')?.innerText.startsWith(${JSON.stringify(text)})`)

/** The picture is for people; axe checks the same state. */
export async function looksRight(t: Test, page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(pictures, `${name}.png`) })
  t.same(await accessibilityFaults(page), [], `${name}: no barrier for people who see, hear or point otherwise`)
}

/** As a user does it: the text is pasted. */
export async function openModel(page: Page, source: string): Promise<void> {
  await page.getByRole('button', { name: 'Open a model' }).first().click()
  await page.getByLabel('Model document').fill(source)
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.locator('[role=dialog]').waitFor({ state: 'hidden' })
}

/** As a user does it with a large text: as a file, because typing thousands of lines takes a browser half a minute. */
export async function openModelFile(page: Page, source: string): Promise<void> {
  await page.getByRole('button', { name: 'Open a model' }).first().click()
  await page.locator('[role=dialog]').waitFor()
  const file = { name: 'large.yaml', mimeType: 'application/yaml', buffer: Buffer.from(source) }
  await page.locator('[role=dialog] input[type=file]').setInputFiles(file)
  await until(page, "document.querySelector('[role=dialog] textarea')?.value.startsWith('name: large')")
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.locator('[role=dialog]').waitFor({ state: 'hidden' })
}

/** The id in the address of the model that was opened last in this tab. */
export function ownModel(page: Page): Promise<string> {
  return page.evaluate(
    "(({ session, models }) => session + '/' + models.at(-1).model)(JSON.parse(sessionStorage.getItem('grainline.session')))",
  )
}

/** The file that a button creates. */
export async function saved(page: Page, name: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}
