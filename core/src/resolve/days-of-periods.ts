import type { SemanticModel } from '../model/semantic-model.js'
import { daysOf } from './days-of.js'
import type { Conjunct, ResolvedDimension } from './resolved-query.js'
import { columnsUnder, identityOf } from './time-dimension.js'

/**
 * Whether a time is a column of the periods of a table of days, such as the first day of a quarter, and a condition on it reads another column of the
 * table: then only the table knows which of its values the days have.
 */
export function readsDaysOfPeriods({ leaves }: Pick<Conjunct, 'leaves'>, time: ResolvedDimension, model: SemanticModel): boolean {
  if (!time.members.some((member) => daysOf(member, model).some(({ says }) => says === 'period'))) return false
  const own = columnsUnder(time)
  return leaves.some((leaf) => leaf.kind === 'where-field' && leaf.members.some((member) => !own.has(identityOf(member))))
}
