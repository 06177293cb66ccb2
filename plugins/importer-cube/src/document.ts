/** Cubes and views → a model, and the list of what the model does not say as it is written. */
import type { Imported } from '@grainline/core'
import {
  Draft,
  type Part,
  Refused,
  type Rule,
  reportAssumed,
  rulesIn,
  sqlReader,
  withRules,
} from '@grainline/importer-dbt/foreign'
import { cubesOf, typeOf } from './cubes.js'
import { joinsOf } from './joins.js'
import { KEYS, SECURITY } from './keys.js'
import { Measures } from './measures.js'
import { dimensionsOf, hierarchiesOf, objectsOf } from './objects.js'
import { segmentsOf } from './segments.js'
import { shownBy, viewsOf } from './views.js'

export async function documentOf(roots: readonly Part[]): Promise<Imported> {
  const [root] = roots
  if (!root) throw new Refused('The text is empty.', { line: 1, column: 1 })
  const { cubes, views } = cubesOf(roots)
  const draft = new Draft(KEYS)
  const isShown = shownBy(views)
  const context = new Measures(objectsOf(cubes.values(), draft), draft, await sqlReader(), isShown)
  dimensionsOf(context, isShown)
  joinsOf(context)
  context.write()
  segmentsOf(context)
  hierarchiesOf(context)
  const shown = viewsOf(views, context)
  reportAssumed(context)
  draft.unread(roots)
  draft.lose(
    'rewritten',
    'A filter that does not reach a measure is an error (settings.strictFilters). In Cube it restricts every measure.',
    root.place,
    { path: STRICT },
  )
  const time = [...cubes.values()].flatMap(({ dimensions }) => [...dimensions.values()]).find((each) => typeOf(each) === 'time')
  if (time)
    draft.lose(
      'rewritten',
      'Times are grouped as they are stored. Cube converts them from UTC to the time zone of the question.',
      time.place,
    )
  const losses = withRules(draft.losses, [...rulesIn(roots, SECURITY), ...contexts(roots)])
  const { dataObjects, dimensions, measures, metrics, segments, places } = draft
  return {
    document: {
      ...{ version: 1, settings: draft.settings, dataObjects, dimensions, measures, metrics },
      ...(Object.keys(segments).length > 0 && { segments }),
      ...(Object.keys(shown).length > 0 && { views: shown }),
    },
    places,
    losses: draft.withPaths(losses, (place) => root.around(place)),
  }
}

const STRICT = ['settings', 'strictFilters']

/** SQL that reads who asks. */
const contexts = (roots: readonly Part[]): readonly Rule[] =>
  roots.flatMap((root) => contextsIn(root.data).map((key) => ({ key, place: root.place })))

function contextsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /security_?context/i.test(value) ? ['SECURITY_CONTEXT'] : []
  if (typeof value !== 'object' || value === null) return []
  return [...new Set(Object.values(value).flatMap(contextsIn))]
}
