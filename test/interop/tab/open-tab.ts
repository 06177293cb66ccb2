/** The documentation as a site in Chromium, and the tab in it: files, handed out by a server that knows nothing else. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Test } from 'tap'
import { type Browser, openBrowser, type Page } from '../ui/browser.js'
import { until } from '../ui/on-pages.js'

export interface Tab {
  readonly page: Page
  /** Of the tab. */
  readonly address: string
  /** Of the documentation. */
  readonly site: string
  /** What the page has asked of this or any other host since it was opened. */
  readonly asked: readonly string[]
  /** Errors of the page. */
  readonly faults: readonly string[]
}

export interface TabHost {
  open(): Promise<Tab>
}

/** A browser, or the reason why there is none. */
export const openTabs = openBrowser

const site = path.join(import.meta.dirname, '../../../scripts/site.mjs')

export async function tabsOf(t: Pick<Test, 'testdir' | 'teardown'>, browser: Browser): Promise<TabHost> {
  const folder = t.testdir({})
  execFileSync(process.execPath, [site, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  const server = createServer(({ url = '/' }, response) => {
    const asked = new URL(url, 'http://tab').pathname
    const file = path.join(folder, asked.replace(/\/$/, '/index.html'))
    if (!existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { open: () => openTab(browser, address) }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
}

async function openTab(browser: Browser, site: string): Promise<Tab> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const [asked, faults]: string[][] = [[], []]
  page.on('request', (request) => !/^(?:data|blob):/.test(request.url()) && asked!.push(request.url()))
  page.on('console', (message) => {
    const isIcon = message.location().url.endsWith('/favicon.ico')
    if (message.type() === 'error' && !isIcon) faults!.push(message.text())
  })
  page.on('pageerror', (error) => faults!.push(String(error)))
  await page.addInitScript("localStorage.setItem('grainline.toured', 'true')")
  return { page, address: `${site}try/`, site, asked: asked!, faults: faults! }
}

/** Files, as somebody chooses them. */
export async function chooseFiles({ page, address }: Tab, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  await page.goto(address)
  const sent = Object.entries(files).map(([name, content]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) }))
  await page.locator('#start input[type=file]').setInputFiles(sent)
  await started(page)
}

/** Waits until the page has taken over; fails with what the start says if it cannot. */
export async function started(page: Page): Promise<void> {
  await until(
    page,
    "document.querySelector('#start') === null || document.querySelector('#start [role=status]').innerText.includes('again')",
  )
  const left = await page.evaluate<string | null>("document.querySelector('#start')?.innerText ?? null")
  if (left !== null) throw new Error(left)
}

/** A request of the page to its API. */
export const ask = <T>(page: Page, url: string, body?: object): Promise<{ readonly status: number; readonly body: T }> =>
  page.evaluate(
    `fetch('api${url}', ${JSON.stringify(
      body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    )}).then(async (response) => ({ status: response.status, body: await response.json() }))`,
  )
