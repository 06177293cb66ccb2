/** How a metric view is read. */
import type { ViewFormat, ViewKeys } from '@grainline/importer-dbt/foreign'
import { functionCall } from './functions.js'
import type { Tree } from './joins.js'
import { spelled } from './sql.js'

/** Names ignore case; a name alone is of the source, whatever an aggregate counts. */
export const formatOf = (tree: Tree): ViewFormat => ({
  product: 'Databricks',
  spelled,
  key: (name) => name.toUpperCase(),
  stored: (written) => /^"((?:[^"]|"")+)"$/.exec(written)?.[1]?.replaceAll('""', '"') ?? written,
  type: (written) => (written === 'date' ? { abstractType: 'date' } : undefined),
  call: functionCall,
  typeHint: 'A metric view has no types. Change those of the model that are wrong.',
  readsManyTables: true,
  takesFirstJoin: true,
  alone: 'SOURCE',
  home: (tables) => tree.home(tables),
  metricCall: 'measure',
})

/** Keys that say how a view is found, shown or refreshed. */
export const KEYS: ViewKeys = {
  whole: 'the metric view',
  outside: new Set(['comment', 'display_name', 'synonyms', 'format']),
  security: /^(row_filters?|column_masks?|masks?|polic(y|ies)|row_access_polic(y|ies))$/i,
}
