import type { Imported, Importer } from '@grainline/core'
import { type Part, partsOf, Refused, viewDocument } from '@grainline/importer-dbt/foreign'
import { extensionsOf, withExtensions } from './extensions.js'
import { FORMAT, KEYS } from './format.js'
import { modelOf } from './model.js'

/** Reads semantic models of Ossie in the thread that calls it. */
export const importer: Importer = {
  name: 'ossie',
  detect: ({ text }) => !OWN.test(text) && MODEL.test(text) && (DATASETS.test(text) || ONTOLOGY.test(text)),
  async read({ text }) {
    try {
      const [root, other] = partsOf(text)
      if (!root) throw new Refused('The text is empty.', { line: 1, column: 1 })
      if (other) throw new Refused('The text has more than one document.', other.place, 'A text is one semantic model.')
      return await documentOf(root)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

async function documentOf(root: Part): Promise<Imported> {
  const { view, losses } = modelOf(root)
  const extended = extensionsOf(root)
  const imported = withExtensions(await viewDocument(view, FORMAT, KEYS, root), extended)
  const strict = {
    kind: 'rewritten' as const,
    message: 'A filter that does not reach a measure is an error (settings.strictFilters). In Ossie it restricts every measure.',
    place: root.place,
  }
  return {
    ...imported,
    document: { ...imported.document, settings: { strictFilters: true } },
    losses: [...imported.losses, ...losses, strict],
  }
}

const OWN = /^ *"?dataObjects"? *:/m
const MODEL = /(?:^|[{,])[ ]*"?(semantic_model|relationships|version|name)"? *:/m
const DATASETS = /(?:^|[{,-])[ ]*"?datasets"? *:/m
const ONTOLOGY = /^"?ontology"? *:/m
