import type { Importer } from '@grainline/core'
import { documentOf } from './document.js'
import { partsOf, Refused } from './part.js'
import { projectOf } from './project.js'

/** Reads semantic models and metrics of dbt in the process that calls it. */
export const importer: Importer = {
  name: 'dbt',
  detect: ({ text }) => !OWN.test(text) && SEMANTIC.test(text) && !DATASETS.test(text),
  files: (file) =>
    /\.ya?ml$/i.test(file) && !/(^|[\\/])(\.|node_modules|target|dbt_packages|logs)/.test(file) && !NOT_MODELS.test(file),
  async read({ text }) {
    try {
      return await documentOf(projectOf(partsOf(text)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { message, place, hint } = error
      return { faults: [{ message, place, ...(hint !== undefined && { hint }) }] }
    }
  },
}

/** Files of a project that declare no models. */
const NOT_MODELS = /(^|[\\/])(packages|dependencies|profiles|selectors|package-lock)\.ya?ml$/i

const OWN = /^ *"?dataObjects"? *:/m
/** Semantic models of Ossie have them. */
const DATASETS = /^[ -]*"?datasets"? *:/m
const SEMANTIC = /(?:^|[{,])[ ]*"?semantic_models?"? *:/m
