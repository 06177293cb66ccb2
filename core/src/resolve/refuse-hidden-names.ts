import { fail } from '../errors.js'
import { hiddenNamesIn, isHiddenName } from '../hidden-name.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'

/**
 * Refuses a query that contains the compiler's name of a hidden field. Nobody can guess such a name. If an error or an answer ever shows one by mistake, its
 * reader still cannot query the field.
 */
export function refuseHiddenNames(query: QueryObject, { hiding }: SemanticModel): void {
  if (!hiding) return
  // The compiler ignores the case of names.
  const written = hiddenNamesIn(JSON.stringify(query).toLowerCase())
  if (written.length === 0) return
  const known = namesIn(hiding.computed)
  if (written.some((name) => known.has(name))) fail('INVALID_QUERY', 'the query has a name that is not of this model')
}

const NAMES = new WeakMap<SemanticModel, ReadonlySet<string>>()

/** The compiler's names of the hidden fields of a view. A view does not change, so they are collected once. */
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
