/** A view as a relation: a model that has the fields of the view and no others. */
import { shownOf } from '../model/hide.js'
import { computedModel, type Measure, type SemanticModel, type View } from '../model/semantic-model.js'
import { viewModel } from '../model/view-model.js'
import { onceForBoth } from '../once-for-both.js'
import { factsOf } from './main-fact.js'

export interface ViewRelation {
  /** Its main fact is that of the view. */
  readonly model: SemanticModel
  /** The measures that count the rows of an object and are no fields of the view. */
  readonly rowCounts: readonly Measure[]
}

/** The same for the same view and model, because what is found about a model is kept by it. */
export const viewRelation: (view: View, model: SemanticModel) => ViewRelation = onceForBoth(made)

/** The view that a model shows first: the relation of a statement without FROM. */
export const defaultView = ({ views }: SemanticModel): View | undefined =>
  [...views.values()].find(({ isDefault, fields }) => isDefault && fields.size > 0)

function made(view: View, model: SemanticModel): ViewRelation {
  const computed = computedModel(model)
  const { model: named, others } = viewModel(view, computed)
  const shown = shownOf(named)
  const names = [...view.fields.keys()]
  const fields: SemanticModel = {
    ...shown,
    description: view.description,
    dimensions: inOrder(names, shown.dimensions),
    measures: inOrder(names, shown.measures),
    metrics: inOrder(names, shown.metrics),
    views: new Map(),
    examples: [],
    settings: { ...model.settings, mainFact: undefined },
    hiding: {
      computed: named,
      published: model.hiding?.published ?? new Set(),
      dataObjects: model.hiding?.dataObjects ?? model.dataObjects,
    },
  }
  const mainFact = view.mainFact ?? mainFactOf(fields, model)
  const counts = [...named.measures.values()].filter(({ name, rowCountOf }) => rowCountOf !== undefined && others.has(name))
  return {
    model: mainFact === undefined ? fields : { ...fields, settings: { ...fields.settings, mainFact } },
    rowCounts: counts,
  }
}

/** The object at which most measures of the view are counted. If there is none, or there are several, the model may choose. */
function mainFactOf(fields: SemanticModel, model: SemanticModel): string | undefined {
  const own = factsOf(fields)
  if (own.main !== undefined) return own.main
  const { main } = factsOf(model)
  return main !== undefined && (own.tied.length === 0 || own.tied.includes(main)) ? main : undefined
}

function inOrder<F>(names: readonly string[], fields: ReadonlyMap<string, F>): ReadonlyMap<string, F> {
  return new Map(
    names.flatMap((name) => {
      const field = fields.get(name)
      return field === undefined ? [] : [[name, field] as const]
    }),
  )
}
