import { fail } from '../errors.js'
import { hiddenNamesIn, isHiddenName } from '../hidden-name.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'

/**
 * Refuses a query with a name under which the compiler knows something hidden. Nobody can guess one, so this is for a name that an error or an answer showed by
 * mistake: without it, whoever reads such a name could read the field.
 */
export function refuseHiddenNames(query: QueryObject, { hiding }: SemanticModel): void {
  if (!hiding) return
  // Names are found in any case of their letters.
  const written = hiddenNamesIn(JSON.stringify(query).toLowerCase())
  if (written.length === 0) return
  const known = namesIn(hiding.computed)
  if (written.some((name) => known.has(name))) fail('INVALID_QUERY', 'the query has a name that is not of this model')
}

const NAMES = new WeakMap<SemanticModel, ReadonlySet<string>>()

/** Of a view, which does not change. */
function namesIn(computed: SemanticModel): ReadonlySet<string> {
  const known = NAMES.get(computed)
  if (known) return known
  const { dataObjects, dimensions, measures, metrics } = computed
  const columns = [...dataObjects.values()].flatMap((object) => [...object.columns.keys()])
  const names = [dataObjects, dimensions, measures, metrics].flatMap((entries): string[] => [...entries.keys()])
  const made = new Set([...names, ...columns].filter(isHiddenName))
  NAMES.set(computed, made)
  return made
}
