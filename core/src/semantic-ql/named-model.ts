import type { SemanticModel } from '../model/semantic-model.js'

/** A model as statements may name it. */
export interface NamedModel {
  /** What it may be called; the first is the one that messages use. */
  readonly names: readonly string[]
  readonly model: SemanticModel
  /** The data object whose rows it stands for, where that is not the model's main fact. */
  readonly fact?: string
}
