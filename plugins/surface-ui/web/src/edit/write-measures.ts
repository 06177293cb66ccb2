import type { ModelText, TextEdit } from '@grainline/language'
import type { OwnMeasure } from '../query/own-measures.js'
import { addEntries, type ModelEntry } from './model-entries.js'

/** The edits that add measures of a question to a model, the last place first; none if the model has them. A formula over measures is a metric. */
export function writeMeasures(model: ModelText, measures: readonly OwnMeasure[]): readonly TextEdit[] {
  const isMeasure = (one: OwnMeasure): boolean => one['aggregation'] !== undefined
  const ofMeasures = addEntries(model, 'measures', measures.filter(isMeasure).map(entryOf))
  const ofMetrics = addEntries(model, 'metrics', measures.filter((one) => !isMeasure(one)).map(entryOf))
  return [...ofMeasures, ...ofMetrics].toSorted((a, b) => b.from - a.from)
}

const entryOf = ({ as, ...definition }: OwnMeasure): ModelEntry => ({ name: as, definition })
