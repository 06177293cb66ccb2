import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Views and explores of LookML. A text may have many files, one after another, with a line `---` between. */
export const lookml = apart(importer, import.meta.url)
