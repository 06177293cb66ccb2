/** A semantic view → a model, and the list of what the model does not say as it is written. */
import type { Imported, Loss } from '@grainline/core'
import { Draft, type FormatKeys } from '../draft.js'
import type { Part, Place } from '../part.js'
import { rulesIn, withRules } from '../rules.js'
import { sqlReader } from '../sql-expression.js'
import { examplesOf } from './examples.js'
import { joinsOf } from './joins.js'
import { metricsOf } from './metrics.js'
import { namesOf } from './names.js'
import { objectsOf, reportAssumed } from './objects.js'
import { segmentsOf, staticFiltersOf } from './segments.js'
import { unreached, without } from './unreached.js'
import type { View, ViewFormat } from './view.js'

/** What a format says of its keys. */
export interface ViewKeys extends FormatKeys {
  /** Keys of rules that decide who sees what. */
  readonly security: RegExp
}

/** The text of a view, as far as there is more of it than the view. */
export interface ViewText {
  /** For the list of keys that nothing has read. */
  readonly root?: Part
  /** The places of the values around a place; without it, those of `root`. */
  readonly around?: (place: Place) => readonly Place[]
  /** Lines that come before those of the view. */
  readonly losses?: readonly Loss[]
  /** What else the text says, in the model and its lines. */
  readonly extended?: (imported: Imported) => Imported
}

export async function viewDocument(
  written: View,
  format: ViewFormat,
  keys: ViewKeys,
  { root, around = (place) => root?.around(place) ?? [], losses: before = [], extended = (imported) => imported }: ViewText = {},
): Promise<Imported> {
  const sql = await sqlReader()
  const begin = async (view: View) => {
    const draft = new Draft(keys)
    const names = namesOf(view, draft)
    const objects = await objectsOf(view, { sql, format }, names, draft)
    return { view, draft, names, objects, primary: await joinsOf(view, objects, draft) }
  }
  const first = await begin(written)
  const odd = unreached(first.objects)
  const { view, draft, names, objects, primary } = odd.size === 0 ? first : await begin(without(odd, written))
  await metricsOf(view, objects, names, primary, draft)
  await segmentsOf(objects, draft)
  const filters = staticFiltersOf(view, objects, draft)
  reportAssumed(objects, draft)
  const examples = examplesOf(view, objects, names, draft)
  if (root) draft.unread([root])
  const losses = [...before, ...withRules(draft.losses, rulesIn(root ? [root] : [], keys.security))]
  const { dataObjects, dimensions, measures, metrics, segments, places } = draft
  const { name, description } = view
  const fields = {
    ...{ dataObjects, dimensions, measures, metrics },
    ...(Object.keys(segments).length > 0 && { segments }),
    ...(filters.length > 0 && { filters }),
    ...(examples.length > 0 && { examples }),
  }
  const head = { version: 1, ...(name !== undefined && { name }), ...(description && { description }) }
  const imported = extended({ document: { ...head, settings: draft.settings, ...fields }, places, losses })
  return { ...imported, losses: draft.withPaths(imported.losses, around) }
}
