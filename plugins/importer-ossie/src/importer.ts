import type { Imported, Importer } from '@grainline/core'
import { type Part, type Place, partsOf, Refused, viewDocument } from '@grainline/importer-dbt/foreign'
import { documentIn, ownNote, VENDOR } from './extension.js'
import { extensionsOf, withExtensions } from './extensions.js'
import { FORMAT, KEYS } from './format.js'
import { modelOf } from './model.js'

/** Reads semantic models of Ossie in the process that calls it. */
export const importer: Importer = {
  name: 'ossie',
  detect: ({ text }) => !OWN.test(text) && MODEL.test(text) && (DATASETS.test(text) || ONTOLOGY.test(text)),
  async read({ text }) {
    try {
      const [root, other] = partsOf(text)
      if (!root) throw new Refused('The text is empty.', { line: 1, column: 1 })
      if (other)
        throw new Refused(
          'The text has more than one document.',
          other.place,
          'A text is one semantic model: split it at its lines ---, and convert each model.',
        )
      return await documentOf(root)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

async function documentOf(root: Part): Promise<Imported> {
  const { view, losses, part } = modelOf(root)
  const own = documentIn(part.data)
  // The document is that of the model which was exported: nothing is read in another way.
  if (own) return { document: own, places: placesOf(own, part.at('custom_extensions')), losses: [] }
  const notes = extensionsOf(root)
  const strict = {
    kind: 'rewritten' as const,
    message: 'A filter that does not reach a measure is an error (settings.strictFilters). In Ossie it restricts every measure.',
    place: root.place,
    path: ['settings', 'strictFilters'],
  }
  const changed = {
    kind: 'refused' as const,
    message: `The text was changed after it was exported: what only the extension ${VENDOR} says is left out.`,
    hint: 'Export the model again, or change the model itself.',
    place: part.at('custom_extensions'),
  }
  const added = [...losses, strict, ...(ownNote(part.data) === undefined ? [] : [changed])]
  return viewDocument(view, FORMAT, KEYS, {
    root,
    extended: (imported) => {
      const noted = withExtensions(imported, notes)
      return { ...noted, losses: [...noted.losses, ...added] }
    },
  })
}

/** The items of a document, which are all in one place of the text. */
const placesOf = (document: Imported['document'], place: Place): Imported['places'] =>
  Object.entries(document).flatMap(([key, value]) => [
    { path: [key], place },
    ...(typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((name) => ({ path: [key, name], place }))
      : []),
  ])

const OWN = /^ *"?dataObjects"? *:/m
const MODEL = /(?:^|[{,])[ ]*"?(semantic_model|relationships|version|name)"? *:/m
const DATASETS = /(?:^|[{,-])[ ]*"?datasets"? *:/m
const ONTOLOGY = /^"?ontology"? *:/m
