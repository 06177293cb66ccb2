import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Metric views of Databricks. */
export const databricks = apart(importer, import.meta.url)
