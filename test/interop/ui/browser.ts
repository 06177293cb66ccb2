/** Chromium, driven by playwright-core; neither is in the lock, so what is used of them is described here. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export interface Locator {
  click(options?: { readonly force?: boolean }): Promise<void>
  fill(text: string): Promise<void>
  first(): Locator
  nth(index: number): Locator
  count(): Promise<number>
  textContent(): Promise<string | null>
  allInnerTexts(): Promise<string[]>
  waitFor(options?: { readonly state?: 'visible' | 'hidden' }): Promise<void>
  getAttribute(name: string): Promise<string | null>
  press(key: string): Promise<void>
  locator(selector: string): Locator
  filter(options: { readonly hasText: string | RegExp }): Locator
  dragTo(target: Locator): Promise<void>
}

type Role =
  | 'button'
  | 'tab'
  | 'textbox'
  | 'combobox'
  | 'menuitem'
  | 'treeitem'
  | 'gridcell'
  | 'columnheader'
  | 'option'
  | 'tree'
  | 'grid'
  | 'radio'

export interface Page {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  url(): string
  locator(selector: string): Locator
  getByRole(
    role: Role,
    options?: { readonly name?: string | RegExp; readonly exact?: boolean; readonly disabled?: boolean },
  ): Locator
  getByLabel(label: string): Locator
  getByText(text: string | RegExp): Locator
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  evaluate<T>(expression: string): Promise<T>
  waitForEvent(name: 'download', options?: object): Promise<{ suggestedFilename(): string; path(): Promise<string> }>
  screenshot(options: { readonly path: string }): Promise<unknown>
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>
  addInitScript(script: string): Promise<void>
  on(event: 'console', run: (message: { type(): string; text(): string }) => void): void
  on(event: 'pageerror', run: (error: Error) => void): void
  on(event: 'request', run: (request: { url(): string; headers(): Record<string, string> }) => void): void
  context(): { newCDPSession(page: Page): Promise<{ send(method: string, parameters: object): Promise<unknown> }> }
}

export interface Browser {
  newPage(options?: object): Promise<Page>
  close(): Promise<void>
}

const clients = path.join(import.meta.dirname, '.clients/node_modules')
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A browser, or the reason why there is none. */
export async function openBrowser(): Promise<Browser | string> {
  const executablePath = CHROMIUM.find((file) => existsSync(file))
  if (executablePath === undefined) return 'Chromium is not installed'
  if (!existsSync(path.join(clients, 'playwright-core'))) return 'playwright-core is not installed (test/interop/install.sh)'
  const { chromium } = createRequire(path.join(clients, 'x.js'))('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> }
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** What axe finds, in words; run beside the page's policy, which would refuse it as a script of the page. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: readFileSync(path.join(clients, 'axe-core/axe.min.js'), 'utf8') })
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`
  return page.evaluate<string[]>(run)
}
