/** A project of dbt → a model, and the list of what the model does not say as it is written. */
import type { Imported, ImportFault } from '@grainline/core'
import { conditionExpression } from './condition.js'
import { Draft } from './draft.js'
import { KEYS, SECURITY } from './keys.js'
import { metricsOf } from './metrics.js'
import { objectsOf, reportAssumed } from './objects.js'
import type { Project } from './project.js'
import { rulesIn, withRules } from './rules.js'
import { examplesOf } from './saved-queries.js'

export async function documentOf(project: Project): Promise<Imported | { readonly faults: readonly ImportFault[] }> {
  if (project.models.length === 0) {
    const isDisabled = project.switches.some(({ left }) => left)
    const message = `The text declares no semantic model${isDisabled ? ' that is enabled' : ''}.`
    return { faults: [{ message, place: { line: 1, column: 1 } }] }
  }
  const draft = new Draft(KEYS)
  for (const { loss, left } of project.switches) {
    if (left) draft.leave(loss.place)
    draft.losses.push(loss)
  }
  const objects = await objectsOf(project, draft)
  const timesOf = await metricsOf(project, objects, draft, conditionExpression)
  reportAssumed(objects, draft)
  const examples = await examplesOf(project.savedQueries, draft, timesOf)
  draft.unread(project.roots)
  const { dataObjects, dimensions, measures, metrics, places } = draft
  const losses = draft.withPaths(
    withRules(draft.losses, rulesIn(project.roots, SECURITY)),
    (place) => project.roots[0]?.around(place) ?? [],
  )
  const asked = examples.length > 0 && { examples }
  const { settings } = draft
  return { document: { version: 1, settings, dataObjects, dimensions, measures, metrics, ...asked }, places, losses }
}
