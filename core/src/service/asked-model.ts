import type { NamedModel } from '../language/language.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { ModelHandle } from './held-models.js'

/** A model that a statement may read. */
export interface AskedModel extends NamedModel {
  readonly handle: ModelHandle
  /** Equal for the same model with the same names, and for no other. */
  readonly key: string
}

/** The same value each time for a handle, so that languages can keep what they find out about it. */
export function askedModel(handle: ModelHandle): AskedModel {
  const known = ASKED.get(handle)
  if (known !== undefined) return known
  const { model } = handle
  const names = namesOf(handle)
  const asked = { names, model, handle, key: JSON.stringify([numberOf(model), ...names]) }
  ASKED.set(handle, asked)
  return asked
}

/** A published model has the name of its session, as in the catalogues of the wires; the id of any other session is not a name. */
function namesOf({ sessionId, modelId, model }: ModelHandle): readonly string[] {
  const given = model.name === undefined ? [] : [model.name]
  const names = sessionId === modelId ? [sessionId, ...given] : [...given, modelId, sessionId]
  return [...new Set(names)]
}

/** The hash of a model does not tell models apart whose fields are in another order. */
function numberOf(model: SemanticModel): number {
  const number = NUMBERS.get(model) ?? ++numbered
  NUMBERS.set(model, number)
  return number
}

const ASKED = new WeakMap<ModelHandle, AskedModel>()
const NUMBERS = new WeakMap<SemanticModel, number>()
let numbered = 0
