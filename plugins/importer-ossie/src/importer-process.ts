import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Semantic models of Ossie. */
export const ossie = apart(importer, import.meta.url)
