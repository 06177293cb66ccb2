import { modelSchema } from '../model/document.js'
import { page } from './markdown.js'
import { type Described, sections } from './schema-sections.js'

export function modelPage(): string {
  const root = modelSchema as unknown as Described
  return page(
    'The model document',
    'YAML or JSON. `schemas/model.json` is the same as a JSON Schema; an editor uses it through a first line',
    '`# yaml-language-server: $schema=schemas/model.json`. A key that is not listed is ignored with a warning.',
    '',
    ...sections('Top level', root, root, new Set()),
  )
}
