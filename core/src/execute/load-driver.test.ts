import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import t from 'tap'
import { loadDriver } from './load-driver.js'

t.test('a missing driver is refused with the command that installs it, and is loaded after that', async (t) => {
  const folder = t.testdir()
  const load = () => loadDriver('Acme', 'acme-driver@1', async () => createRequire(`${folder}/`)('acme-driver'))
  await t.rejects(load(), {
    code: 'VENDOR_UNAVAILABLE',
    message: 'The Acme driver cannot be loaded',
    details: { hint: 'npm install acme-driver@1' },
  })
  const installed = path.join(folder, 'node_modules/acme-driver')
  mkdirSync(installed, { recursive: true })
  writeFileSync(path.join(installed, 'index.js'), 'module.exports = { version: 1 }')
  t.same(await load(), { version: 1 })
})
