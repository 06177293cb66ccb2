import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Data models of Cube. A text may have many documents: the files of a model, one after another. */
export const cube = apart(importer, import.meta.url)
