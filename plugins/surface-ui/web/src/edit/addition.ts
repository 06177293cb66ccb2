import type { Comparison } from '../model/fields.js'
import type { OwnMeasure } from '../query/own-measures.js'
import type { Example } from './write-example.js'

/** What a person adds to the draft of a model from the question: a comparison with an earlier period, measures that the question writes, or the question as an example. */
export type Addition =
  | ({ readonly kind: 'comparison' } & Comparison)
  | { readonly kind: 'measures'; readonly measures: readonly OwnMeasure[] }
  | { readonly kind: 'example'; readonly example: Example }
