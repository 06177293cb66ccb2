import type { Importer } from '@grainline/core'
import { partsOf, Refused, viewDocument } from '@grainline/importer-dbt/foreign'
import { FORMAT, KEYS } from './document.js'
import { STATEMENT, statementOf } from './statement.js'
import { viewOf } from './view.js'

/** Reads semantic views of Snowflake in the process that calls it. */
export const importer: Importer = {
  name: 'snowflake',
  detect: ({ text }) => !OWN.test(text) && (STATEMENT.test(text) || (TABLES.test(text) && BASE.test(text))),
  async read({ text }) {
    try {
      if (STATEMENT.test(text)) return await statementDocument(text)
      const [root, other] = partsOf(text)
      if (!root) throw new Refused('The text is empty.', { line: 1, column: 1 })
      if (other)
        throw new Refused(
          'The text has more than one document.',
          other.place,
          'A text is one semantic view: split it at its lines ---, and convert each view.',
        )
      return await viewDocument(viewOf(root), FORMAT, KEYS, { root })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

function statementDocument(text: string) {
  const { view, losses, around } = statementOf(text)
  return viewDocument(view, FORMAT, KEYS, { losses, around })
}

const OWN = /^ *"?dataObjects"? *:/m
const TABLES = /(?:^|[{,])[ ]*"?tables"? *:/m
const BASE = /(?:^|[{,-])[ ]*"?base_table"? *:/m
