import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Semantic models and metrics of dbt. A text may have many documents: the files of a project, one after another. */
export const dbt = apart(importer, import.meta.url)
