/** Models and queries, for people and agents: pages of Markdown and JSON Schemas, generated from the schemas of the code. */

import { errorCatalog } from '../error-catalog.js'
import { modelSchema } from '../model/document.js'
import { querySchema } from '../query/query-schema.js'
import { functionsPage } from './functions-page.js'
import { page, row } from './markdown.js'
import { queryPage } from './query-page.js'
import { type Described, sections } from './schema-sections.js'

export interface ReferencePage {
  /** As in its path. */
  readonly name: string
  readonly title: string
  /** Markdown. */
  readonly text: () => string
}

export const referencePages: readonly ReferencePage[] = [
  { name: 'model-format', title: 'The model document', text: modelPage },
  { name: 'query', title: 'The query', text: queryPage },
  { name: 'functions', title: 'Functions and aggregations', text: functionsPage },
  { name: 'errors', title: 'Codes of errors and warnings', text: errorsPage },
]

export const referenceSchemas = { model: modelSchema, query: querySchema } as const

function modelPage(): string {
  const root = modelSchema as unknown as Described
  return page(
    'The model document',
    'YAML or JSON. `schemas/model.json` is the same as a JSON Schema; an editor uses it through a first line',
    '`# yaml-language-server: $schema=schemas/model.json`. A key that is not listed is ignored with a warning.',
    '',
    ...sections('Top level', root, root, new Set()),
  )
}

function errorsPage(): string {
  const rows = Object.entries(errorCatalog).map(([code, { status, meaning, fix }]) =>
    row(`\`${code}\``, String(status), meaning, fix),
  )
  return page(
    'Codes',
    'Errors and warnings have one code each; codes are added, never reused. A warning does not change the status of an answer.',
    '',
    row('Code', 'Status', 'Meaning', 'How to fix it'),
    row('---', '---', '---', '---'),
    ...rows,
  )
}
