import type { Importer } from '@grainline/core'
import { Refused } from '@grainline/importer-dbt/foreign'
import { documentOf } from './document.js'
import { itemsOf } from './text.js'

/** Reads views and explores of LookML in the process that calls it. */
export const importer: Importer = {
  name: 'lookml',
  detect: ({ text }) => DECLARES.test(text) && !OWN.test(text),
  files: (file) => /\.(lkml|(view|model|explore|manifest)\.lookml)$/i.test(file) && !/(^|[\\/])(\.|node_modules)/.test(file),
  async read({ text }) {
    try {
      return await documentOf(itemsOf(text))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

/** A view or an explore with a name before its block, which no YAML has. */
const DECLARES = /^[ \t]{0,99}(view|explore)[ \t]{0,99}:[ \t]{0,99}\+?\w{1,128}[ \t]{0,99}\{/m
const OWN = /^ *"?dataObjects"? *:/m
