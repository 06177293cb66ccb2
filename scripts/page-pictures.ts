/**
 * Pictures of the web page, to be looked at: the same questions as on docs/page-beside-explorers.md, on a desktop and a phone, light and dark.
 *   node --conditions=@grainline/source --import tsx scripts/page-pictures.ts FOLDER
 * Ends with status 1 if axe finds a barrier on one of them.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { accessibilityFaults, openBrowser, type Page } from '../test/interop/ui/browser.js'
import { FORMS_READY, SAME_QUESTIONS } from '../test/interop/ui/same-questions.js'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const SCHEMES = ['light', 'dark'] as const

const folder = path.resolve(process.argv[2] ?? 'pictures')
mkdirSync(folder, { recursive: true })
const browser = await openBrowser()
if (typeof browser === 'string') throw new Error(browser)
const server = spawn(
  process.execPath,
  [path.join(root, 'config/bin.cjs'), 'serve', '--config', path.join(root, 'config/demo.yaml')],
  {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  },
)
try {
  const address = await readyAddress()
  const barriers: string[] = []
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      const page = await browser.newPage({ viewport, colorScheme, locale: 'en-US', reducedMotion: 'reduce' })
      await page.addInitScript("localStorage.setItem('grainline.toured', 'true')")
      for (const [name, { state }] of Object.entries(SAME_QUESTIONS)) {
        const picture = `${name}-${size}-${colorScheme}`
        await page.goto(`${address}/robots.txt`)
        await page.goto(`${address}/ui/#s=${Buffer.from(JSON.stringify({ model: 'flights', ...state })).toString('base64url')}`)
        await drawn(page, FORMS_READY[state.tab])
        await page.screenshot({ path: path.join(folder, `${picture}.png`) })
        barriers.push(...(await accessibilityFaults(page)).map((fault) => `${picture}: ${fault}`))
      }
    }
  }
  console.log(barriers.length === 0 ? `axe finds no barrier; the pictures are in ${folder}` : barriers.join('\n'))
  process.exitCode = barriers.length === 0 ? 0 : 1
} finally {
  await browser.close()
  server.kill('SIGTERM')
}

/** Looks from outside, as the tests do: the security policy of the page blocks what playwright would wait with. */
async function drawn(page: Page, ready: string): Promise<void> {
  for (let looks = 0; looks < 1000; looks++) {
    if (await page.evaluate<boolean>(`Boolean(${ready})`)) return
    await page.evaluate('new Promise((seen) => setTimeout(seen, 30))')
  }
  throw new Error(`the page never shows ${ready}`)
}

async function readyAddress(): Promise<string> {
  let said = ''
  for await (const text of server.stderr.setEncoding('utf8')) {
    said += text
    const [, address] = /^READY (http\S+)$/m.exec(said) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`the server ended: ${said}`)
}
