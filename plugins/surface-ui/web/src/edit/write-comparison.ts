import type { ModelText, TextEdit } from '@grainline/language'
import type { Comparison } from '../model/fields.js'
import { addEntries } from './model-entries.js'

/** The edit that adds the metrics of a comparison to a model; none if the model has them. */
export const writeComparison = (model: ModelText, { measure, time }: Comparison): readonly TextEdit[] =>
  addEntries(
    model,
    'metrics',
    COMPARISONS.map(([comparison, suffix]) => ({
      name: `${measure} ${suffix}`,
      definition: {
        type: 'period_over_period',
        expression: `{[${measure}]}`,
        periodOverPeriod: { timeDimension: time, comparison },
      },
    })),
  )

const COMPARISONS = [
  ['previousValue', 'a Period Before'],
  ['percentChange', 'Growth'],
] as const
