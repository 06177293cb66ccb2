/** The formats of an answer beside plain JSON, by name. */
import { arrow } from './arrow.js'
import { csv, tsv } from './delimited.js'
import type { ResultFormat } from './format.js'
import { ndjson } from './ndjson.js'
import { parquet } from './parquet.js'

export type { Encodable, ResultFormat } from './format.js'

export const resultFormats: ReadonlyMap<string, ResultFormat> = new Map(
  [ndjson, csv, tsv, arrow, parquet].map((format) => [format.name, format]),
)
