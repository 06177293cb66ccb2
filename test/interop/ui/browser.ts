/** Chromium, driven by playwright-core; neither is in the lock file, so the types that the tests use are declared here. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

interface SentFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export interface Locator {
  click(options?: { readonly force?: boolean }): Promise<void>
  fill(text: string): Promise<void>
  focus(): Promise<void>
  hover(): Promise<void>
  setInputFiles(files: SentFile | readonly SentFile[]): Promise<void>
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
  | 'region'
  | 'dialog'
  | 'alert'
  | 'switch'

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
  readonly keyboard: {
    press(key: string): Promise<void>
    type(text: string): Promise<void>
    insertText(text: string): Promise<void>
  }
  evaluate<T>(expression: string): Promise<T>
  waitForEvent(name: 'download', options?: object): Promise<{ suggestedFilename(): string; path(): Promise<string> }>
  screenshot(options: { readonly path: string }): Promise<unknown>
  emulateMedia(options: { readonly colorScheme: 'light' | 'dark'; readonly reducedMotion: 'reduce' }): Promise<void>
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>
  addInitScript(script: string): Promise<void>
  on(event: 'console', run: (message: { type(): string; text(): string; location(): { readonly url: string } }) => void): void
  on(event: 'pageerror', run: (error: Error) => void): void
  on(event: 'request', run: (request: { url(): string; headers(): Record<string, string> }) => void): void
  once(event: 'dialog', run: (dialog: Dialog) => void): void
  context(): { newCDPSession(page: Page): Promise<Session> }
}

/** A dialog of the browser itself. */
export interface Dialog {
  message(): string
  accept(text?: string): Promise<void>
}

/** The parts of the Chromium debugging protocol that are used. */
export interface Session {
  send(method: string, parameters: object): Promise<unknown>
  on(event: string, run: (about: { readonly value?: unknown }) => void): void
}

export interface Browser {
  newPage(options?: object): Promise<Page>
  /** The context that several tabs share. */
  newContext(options?: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>
  close(): Promise<void>
}

const clients = path.join(import.meta.dirname, '.clients/node_modules')
/** CHROMIUM selects another one. */
const CHROMIUM = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A host name of this machine that a browser does not trust, like any other host over plain HTTP. */
export const PLAIN_HOST = 'grainline.test'

/** A browser, or the reason why there is none. */
export async function openBrowser(): Promise<Browser | string> {
  const executablePath = CHROMIUM.find((file) => existsSync(file))
  if (executablePath === undefined) return 'Chromium is not installed'
  if (!existsSync(path.join(clients, 'playwright-core'))) return 'playwright-core is not installed (test/interop/install.sh)'
  const { chromium } = createRequire(path.join(clients, 'x.js'))('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> }
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`] })
}

/** The findings of axe as sentences; it runs outside the content security policy of the page, which would block it as a script. */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) {
    const session = await page.context().newCDPSession(page)
    await session.send('Runtime.evaluate', { expression: readFileSync(path.join(clients, 'axe-core/axe.min.js'), 'utf8') })
  }
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`
  return page.evaluate<string[]>(run)
}
