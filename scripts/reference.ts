/**
 * Writes docs/reference, .env.example and the tables of operators from the schemas and tables that the code itself uses:
 *   node --conditions=@grainline/source --import tsx scripts/reference.ts [--check]
 * With --check nothing is written, and a page that is out of date ends it with status 1.
 */
import { functionsPage } from '../core/src/reference/functions-page.js'
import { referencePages, referenceSchemas } from '../core/src/reference/reference-pages.js'
import { semanticQl } from '../plugins/semantic-ql/src/semantic-ql.js'
import { witnesses } from '../test/interop/witnesses.js'
import { apiPages } from './api-reference.js'
import { operatorTables } from './operator-tables.js'
import { environmentFile, settingsPage } from './settings-reference.js'
import { type Pages, writePages } from './write-pages.js'

const dialects = witnesses.map(({ dialect }) => dialect)

const written = (by: string, text: string): string =>
  `<!-- Written by scripts/reference.ts; edit ${by}, not this page. -->\n${text}`

export const pages: Pages = {
  ...Object.fromEntries(
    referencePages.map(({ name, text }) => [`docs/reference/${name}.md`, () => written('the schemas and tables', text())]),
  ),
  'docs/reference/functions.md': () => written('the schemas and tables', functionsPage(dialects)),
  'docs/reference/semantic-ql.md': () => written('the page of its plugin', semanticQl.reference!.text()),
  ...Object.fromEntries(Object.entries(apiPages).map(([file, text]) => [file, () => written('the docstrings of core', text())])),
  ...operatorTables,
  'docs/reference/settings.md': async () => written('the variables', await settingsPage()),
  'docs/reference/schemas/model.json': () => schemaFile(referenceSchemas.model),
  'docs/reference/schemas/query.json': () => schemaFile(referenceSchemas.query),
  '.env.example': environmentFile,
}

function schemaFile(schema: object): string {
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, undefined, 2)}\n`
}

await writePages(pages, 'scripts/reference.ts')
