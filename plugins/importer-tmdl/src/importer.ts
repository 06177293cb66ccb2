import type { Importer } from '@grainline/core'
import { Refused } from '@grainline/importer-dbt/foreign'
import { documentOf } from './document.js'
import { rootOf } from './text.js'

/** Reads semantic models in TMDL in the process that calls it. */
export const importer: Importer = {
  name: 'tmdl',
  detect: ({ text }) => TABLE.test(text) && !OWN.test(text),
  files: (file) => /\.tmdl$/i.test(file) && !/(^|[\\/])(\.|node_modules|TMDLScripts)/i.test(file),
  async read({ text }) {
    try {
      return await documentOf(rootOf(text))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

/** A table with its name, which YAML would have a colon for. */
const TABLE = /^(?:\t| {1,8}){0,3}table (?:'[^'\n]{1,200}'|[\w-]{1,200})[ \t\r]{0,9}$/m
const OWN = /^ *"?dataObjects"? *:/m
