import type { Importer } from '@grainline/core'
import { partsOf, Refused } from '@grainline/importer-dbt/foreign'
import { documentOf } from './document.js'
import { refusePrograms } from './program.js'

/** Reads data models of Cube in the process that calls it. */
export const importer: Importer = {
  name: 'cube',
  detect: ({ text }) => !OWN.test(text) && (CUBES.test(text) || (VIEWS.test(text) && PATH.test(text))),
  // Models in other languages are files of a model, too: they are refused, and not passed over.
  files: (file) =>
    /\.(ya?ml|jinja|js|ts|py)$/i.test(file) && !/(^|[\\/])(\.|node_modules|dist)/.test(file) && !NO_MODEL.test(file),
  async read({ text }) {
    try {
      refusePrograms(text)
      return await documentOf(partsOf(text))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

/** Files beside a model that declare no cubes. */
const NO_MODEL = /(^|[\\/])(docker-compose|compose|package)[^\\/]*\.(ya?ml)$/i
const OWN = /^ *"?dataObjects"? *:/m
const CUBES = /^"?cubes"? *:/m
const VIEWS = /^"?views"? *:/m
const PATH = /\bjoin_?path"? *:/i
