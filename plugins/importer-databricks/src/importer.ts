import type { Importer } from '@grainline/core'
import { partsOf, Refused, viewDocument } from '@grainline/importer-dbt/foreign'
import { formatOf, KEYS } from './format.js'
import { STATEMENT, unwrapped } from './statement.js'
import { viewOf } from './view.js'

/** Reads metric views of Databricks in the process that calls it. */
export const importer: Importer = {
  name: 'databricks',
  detect: ({ text }) => STATEMENT.test(text) || (!OWN.test(text) && SOURCE.test(text) && FIELDS.test(text)),
  async read({ text }) {
    try {
      const { yaml, name } = unwrapped(text)
      const [root, other] = partsOf(yaml)
      if (!root) throw new Refused('The text is empty.', { line: 1, column: 1 })
      if (other)
        throw new Refused(
          'The text has more than one document.',
          other.place,
          'A text is one metric view: split it at its lines ---, and convert each view.',
        )
      const { view, losses, tree } = await viewOf(root, name)
      return await viewDocument(view, formatOf(tree), KEYS, { root, losses })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

const OWN = /^ *"?dataObjects"? *:/m
const SOURCE = /^(?:[{] *)?"?source"? *:/m
const FIELDS = /^"?(measures|fields|dimensions)"? *:/m
