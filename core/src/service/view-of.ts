import type { Principal } from '../auth/principal.js'
import type { SemanticModel } from '../model/semantic-model.js'

/** Who asks for a model; `undefined` is the server itself, such as when it checks the examples of a model. */
export type By = Principal | undefined

/**
 * The model as a principal sees it. Only `resolve-model.ts` calls it, so that no verb of the service hands out a model in another way. It is the same value for
 * all principals with the same rights, because plans, readings and answers are kept by the model. No model limits what a principal sees yet: each sees all of it.
 */
export function viewOf(model: SemanticModel, by: By): SemanticModel {
  const views = VIEWS.get(model) ?? new Map<string, SemanticModel>()
  VIEWS.set(model, views)
  const rights = rightsOf(by)
  const view = views.get(rights) ?? limitedTo(rights, model)
  views.set(rights, view)
  return view
}

const VIEWS = new WeakMap<SemanticModel, Map<string, SemanticModel>>()

/** What a principal has that decides its view of any model. */
const rightsOf = (_: By): string => 'everything'

const limitedTo = (_rights: string, model: SemanticModel): SemanticModel => model
