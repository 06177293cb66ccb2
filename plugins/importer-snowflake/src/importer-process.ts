import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Semantic views of Snowflake. */
export const snowflake = apart(importer, import.meta.url)
