import type { SemanticModel } from '../model/semantic-model.js'
import type { ResolvedAggregate } from '../resolve/resolved-query.js'
import type { DividedTime } from './block-request.js'
import { hasCoarseData } from './granular-reads.js'

/** Whether a value may be divided among days: a plain sum over a fact whose data are spread. */
export const isDivisible = (
  { base, measure, converts, semiAdditive, multiFact }: ResolvedAggregate,
  model: SemanticModel,
): boolean =>
  measure.aggregation === 'sum' &&
  !measure.distinct &&
  converts === undefined &&
  semiAdditive === undefined &&
  multiFact === undefined &&
  hasCoarseData(model) &&
  dividedTime(base, model) !== undefined

/** The time of an object along which its sums are spread. */
export function dividedTime(base: string, model: SemanticModel): DividedTime | undefined {
  const object = model.dataObjects.get(base)
  const column = object && [...object.columns.values()].find(({ granularity }) => granularity?.spread !== undefined)
  return column?.granularity && { object: base, column: column.name, granularity: column.granularity }
}
