/** A semantic view → a model, and the list of what the model does not say as it is written. */
import type { Imported, Loss } from '@grainline/core'
import { Draft, type FormatKeys, type Part, sqlReader } from '@grainline/importer-dbt/foreign'
import { joinsOf } from './joins.js'
import { metricsOf } from './metrics.js'
import { namesOf } from './names.js'
import { objectsOf, reportAssumed } from './objects.js'
import { segmentsOf } from './segments.js'
import type { View } from './view.js'

export async function documentOf(view: View, root?: Part): Promise<Imported> {
  const draft = new Draft(KEYS)
  const names = namesOf(view, draft)
  const objects = await objectsOf(view, await sqlReader(), names, draft)
  const primary = await joinsOf(view, objects, draft)
  await metricsOf(view, objects, names, primary, draft)
  await segmentsOf(objects, draft)
  reportAssumed(objects, draft)
  for (const { name, place } of view.queries) {
    draft.leave(place)
    draft.lose('inert', `The verified query '${name}' is not in the model: examples of a model are queries, and no SQL.`, place)
  }
  if (root) draft.unread([root])
  const rules = root ? rulesOf(root) : []
  const isRule = ({ place, message }: Loss) =>
    rules.some((rule) => rule.place?.line === place?.line && rule.place?.column === place?.column && message.startsWith(rule.key))
  const losses = [...draft.losses.filter((loss) => !isRule(loss)), ...rules.map(({ key, ...rule }) => rule)]
  const { dataObjects, dimensions, measures, metrics, segments, places } = draft
  const { name, description } = view
  const fields = { dataObjects, dimensions, measures, metrics, ...(Object.keys(segments).length > 0 && { segments }) }
  return { document: { version: 1, name, ...(description && { description }), ...fields }, places, losses }
}

/** Policies decide who sees which rows and values. */
const SECURITY =
  /(row_access|masking|aggregation|projection|join|privacy|access)_?polic|^polic(y|ies)$|^(secure|access_control|row_filter)s?$/i

function rulesOf(root: Part): readonly (Loss & { readonly key: string })[] {
  return root.everyKey().flatMap(({ key, place }) => {
    if (!SECURITY.test(key)) return []
    const quoted = `'${key}'`
    return [
      { key: quoted, kind: 'refused', message: `${quoted} is left out: it decides who sees what.`, place, isSecurity: true },
    ]
  })
}

/** Keys that say how a view is found, explained to a language model, or filed. */
const KEYS: FormatKeys = {
  whole: 'the semantic view',
  outside: new Set(
    'comments comment tags custom_instructions module_custom_instructions sample_values is_enum cortex_search_service cortex_search_service_name index_and_retrieve_values retrieved_literals labels synonyms description data_type kind'.split(
      ' ',
    ),
  ),
}
