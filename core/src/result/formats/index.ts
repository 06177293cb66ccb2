import { arrow } from './arrow.js'
import { csv, tsv } from './delimited.js'
import type { ResultFormat } from './format.js'
import { ndjson } from './ndjson.js'

/** The formats of the core, besides plain JSON, in the order in which surfaces offer them. */
export const builtInFormats: readonly ResultFormat[] = [ndjson, csv, tsv, arrow]
