/**
 * Runs every test of a row of the interface specification and, if all of them pass, writes docs/reference/specification.md:
 *   node --conditions=@grainline/source --import tsx scripts/specification.ts
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readHoldings, renderTable, unheld } from '../test/specification/table.js'

const root = path.resolve(import.meta.dirname, '..')
const holdings = readHoldings()
const without = unheld(holdings)
if (without.length > 0) throw new Error(`no test holds ${without.join(', ')}`)

const failed: string[] = []
for (const file of new Set(holdings.map((holding) => holding.file))) {
  const args = ['--conditions=@grainline/source', '--import', 'tsx', file]
  // As long as `npm test` gives a file; without a runner around it tap would give it 30 s.
  const env = { ...process.env, TAP_TIMEOUT: '600' }
  // `exit`, not `close`: a process that a test left behind would hold stderr open.
  const [code] = await once(spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  console.log(`${code === 0 ? 'passed' : 'FAILED'} ${file}`)
  if (code !== 0) failed.push(file)
}
if (failed.length > 0) {
  console.error(`the page stays as it is: ${failed.join(', ')} failed`)
  process.exitCode = 1
} else await writeFile(path.join(root, 'docs/reference/specification.md'), renderTable(holdings))
