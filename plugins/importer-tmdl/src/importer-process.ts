import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Semantic models in TMDL. A text may have many files, one after another, with a line `---` between. */
export const tmdl = apart(importer, import.meta.url)
