import type { Comparison } from '../model/fields.js'
import type { OwnMeasure } from '../query/own-measures.js'

/** What a person adds to the draft of a model from the question: a comparison with an earlier period, or measures that the question writes. */
export type Addition =
  | ({ readonly kind: 'comparison' } & Comparison)
  | { readonly kind: 'measures'; readonly measures: readonly OwnMeasure[] }
