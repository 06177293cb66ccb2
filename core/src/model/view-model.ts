import { hiddenName, isHiddenName } from '../hidden-name.js'
import { onceForBoth } from '../once-for-both.js'
import { sha256 } from '../sha256.js'
import { renamed } from './renamed.js'
import { renamedFilters } from './renamed-filters.js'
import type { Rollup, SemanticModel, View } from './semantic-model.js'

/** A model as the readers of a view see it. */
export interface ViewModel {
  /** The fields have their names in the view. All others have names that no query means, for those of the view are computed from them. */
  readonly model: SemanticModel
  /** The conditions of the view, in these names. */
  readonly where: readonly unknown[]
  /** The names in the model of the fields that are not in the view. */
  readonly others: ReadonlyMap<string, string>
}

/** The same for the same view and model, because what is found about a model is kept by it. */
export const viewModel: (view: View, model: SemanticModel) => ViewModel = onceForBoth(made)

function made({ fields, where }: View, model: SemanticModel): ViewModel {
  const shown = new Map([...fields].map(([as, field]) => [field, as]))
  const counts = rowCountNames(shown, model)
  const field = (name: string): string => shown.get(name) ?? counts.get(name) ?? (isHiddenName(name) ? name : otherName(name))
  const { dimensions, measures, metrics, segments, rollups } = model
  const names = [...dimensions.keys(), ...measures.keys(), ...metrics.keys()]
  return {
    model: {
      ...renamed(model, { object: (name) => name, column: (_, column) => column, field }),
      segments: new Map(
        [...segments].map(([name, segment]) => [name, { ...segment, filters: renamedFilters(segment.filters, model, field) }]),
      ),
      rollups: new Map([...rollups].map(([name, rollup]) => [name, renamedRollup(rollup, model, field)])),
    },
    where: renamedFilters(where, model, field),
    others: new Map(names.flatMap((name) => (shown.has(name) || isHiddenName(name) ? [] : [[field(name), name] as const]))),
  }
}

const renamedRollup = (rollup: Rollup, model: SemanticModel, field: (name: string) => string): Rollup => ({
  ...rollup,
  dimensions: rollup.dimensions.map((one) => ({ ...one, field: field(one.field) })),
  measures: rollup.measures.map(field),
  codes: new Map([...rollup.codes].map(([name, code]) => [field(name), code])),
  where: renamedFilters(rollup.where, model, field),
})

/** The names of the row counts that the view does not show. `COUNT(*)` means them, and people read its query. */
function rowCountNames(shown: ReadonlyMap<string, string>, { measures }: SemanticModel): ReadonlyMap<string, string> {
  const taken = new Set(shown.values())
  const names = new Map<string, string>()
  for (const { name, rowCountOf } of measures.values()) {
    const as = `count(*) of ${rowCountOf}`
    if (rowCountOf === undefined || shown.has(name) || isHiddenName(name) || taken.has(as)) continue
    taken.add(as)
    names.set(name, as)
  }
  return names
}

function otherName(name: string): string {
  const digest = sha256()
  digest.update(`not in the view\0${name}`)
  return hiddenName(digest.hex())
}
