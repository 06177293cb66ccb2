/**
 * Writes docs/reference and .env.example from the schemas and tables that the code itself uses:
 *   node --conditions=@grainline/source --import tsx scripts/reference.ts [--check]
 * With --check nothing is written, and a page that is out of date ends it with status 1.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { referencePages, referenceSchemas } from '../core/src/reference.js'
import { environmentFile, settingsPage } from './settings-reference.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const written = (by: string, text: string): string =>
  `<!-- Written by scripts/reference.ts; edit ${by}, not this page. -->\n${text}`

const files: Readonly<Record<string, () => string | Promise<string>>> = {
  ...Object.fromEntries(
    referencePages.map(({ name, text }) => [`docs/reference/${name}.md`, () => written('the schemas and tables', text())]),
  ),
  'docs/reference/settings.md': async () => written('the variables', await settingsPage()),
  'docs/reference/schemas/model.json': () => schemaFile(referenceSchemas.model),
  'docs/reference/schemas/query.json': () => schemaFile(referenceSchemas.query),
  '.env.example': environmentFile,
}

function schemaFile(schema: object): string {
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, undefined, 2)}\n`
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [name, render] of Object.entries(files)) {
  const path = join(root, name)
  const text = await render()
  if (check) {
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) stale.push(name)
    continue
  }
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
if (stale.length > 0) {
  console.error(`${stale.join(', ')} is out of date; run scripts/reference.ts`)
  process.exitCode = 1
}
