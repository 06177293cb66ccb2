/**
 * The path of a new user with its times, as docs/first-hour.md shows it:
 *   node --conditions=@grainline/source --import tsx scripts/newcomer.ts
 * The machine's seconds are measured; the person's are counted by a model, see test/interop/ui/newcomer.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openBrowser } from '../test/interop/ui/browser.js'
import { tableOf } from '../test/interop/ui/newcomer.js'
import { walk } from '../test/interop/ui/newcomer-path.js'
import { ownDatabase } from '../test/interop/ui/own-database.js'

const browser = await openBrowser()
if (typeof browser === 'string') throw new Error(browser)
const folder = mkdtempSync(path.join(os.tmpdir(), 'grainline-newcomer-'))
try {
  const { steps, faults } = await walk(browser, folder, (await ownDatabase(folder)).file)
  console.log(tableOf(steps))
  for (const fault of faults) console.log(fault)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
