/** How a semantic view of Snowflake is read. */
import type { ViewFormat, ViewKeys } from '@grainline/importer-dbt/foreign'
import { functionCall } from './functions.js'
import { columnType } from './types.js'
import { folded } from './view.js'

export const FORMAT: ViewFormat = {
  product: 'Snowflake',
  // The grammar writes names without quotes in small letters, and the database in capitals.
  spelled: (word, sql) =>
    word !== word.toLowerCase() || sql.includes(`"${word.replaceAll('"', '""')}"`) ? word : word.toUpperCase(),
  key: (name) => name,
  stored: folded,
  type: columnType,
  call: functionCall,
  typeHint: 'Add a dimension or a fact with this column and its data_type.',
  readsManyTables: false,
  takesFirstJoin: true,
}

/** Keys that say how a view is found, explained to a language model, or filed; and policies, which decide who sees which rows and values. */
export const KEYS: ViewKeys = {
  whole: 'the semantic view',
  outside: new Set(
    'comments comment tags custom_instructions module_custom_instructions sample_values is_enum cortex_search_service cortex_search_service_name index_and_retrieve_values retrieved_literals labels synonyms description data_type kind verified_at verified_by use_as_onboarding_question semantic_model_name'.split(
      ' ',
    ),
  ),
  security:
    /(row_access|masking|aggregation|projection|join|privacy|access)_?polic|^polic(y|ies)$|^(secure|access_control|row_filter)s?$/i,
}
