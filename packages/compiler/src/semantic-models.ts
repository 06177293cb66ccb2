import type { SemanticModel } from '@grainline/core/compiler'
import type { Model } from './model.js'

const semantic = new WeakMap<Model, SemanticModel>()

/** What the compiler reads. Throws for a value that `readModel` did not return. */
export function semanticModelOf(model: Model): SemanticModel {
  const found = semantic.get(model)
  if (found === undefined) throw new TypeError('This is not a model that readModel() returned')
  return found
}

export const keepSemanticModel = (model: Model, found: SemanticModel): void => void semantic.set(model, found)
