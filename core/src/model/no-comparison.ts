import { type DataType, formatDataType, isNumeric } from './data-type.js'
import type { PeriodMetric } from './semantic-model.js'

/** Why values of a type cannot be compared as a metric says: only numbers are subtracted and divided. `undefined` if they can. */
export function noComparison(
  { name, comparison }: Pick<PeriodMetric, 'name' | 'comparison'>,
  type: DataType,
): string | undefined {
  if (comparison === 'previousValue' || isNumeric(type)) return undefined
  return `'${name}' (${comparison}) compares values of type ${formatDataType(type)}, which have no difference; compare them with previousValue`
}
