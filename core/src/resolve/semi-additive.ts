import { fail } from '../errors.js'
import { type DataType, FLOAT, isNumeric } from '../model/data-type.js'
import type { AggregateSpec } from '../model/functions/function-spec.js'
import type { Measure } from '../model/semantic-model.js'
import { isNotNull } from './expressions.js'
import { declaredDimension } from './fields.js'
import type { Conjunct, FieldLeaf, ResolvedDimension, SemiAdditive } from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'

/** How a semi-additive measure is read over time (decision 46). `perTime` is the type of the measure at one time. Throws `INVALID_AGGREGATION_INPUTS`. */
export function semiAdditiveOf(
  { name: measure, semiAdditive }: Measure,
  perTime: DataType,
  { graph, columnName }: RowSetContext,
  path: string,
): SemiAdditive | undefined {
  if (!semiAdditive) return undefined
  if (!isNumeric(perTime)) {
    fail('INVALID_AGGREGATION_INPUTS', `measure '${measure}' is semi-additive, so its values are summed; they must be numbers`, {
      path,
    })
  }
  const named = (name: string): ResolvedDimension => {
    const dimension = declaredDimension(name, graph.model, path)
    return { ...dimension, name: columnName(`balance ${name}`, name) }
  }
  const { timeDimension, take, per } = semiAdditive
  return { time: named(timeDimension), per: per.map(named), take, perTime }
}

/** The time and the entities of a balance, by which its values are grouped in addition to the dimensions of the query. */
export const semiAdditiveDimensions = (
  { timeDimension, per }: NonNullable<Measure['semiAdditive']>,
  { graph }: RowSetContext,
  path: string,
): readonly ResolvedDimension[] => [timeDimension, ...per].map((name) => declaredDimension(name, graph.model, path))

/** The result of the sum over entities. */
export function semiAdditiveType({ take, perTime }: SemiAdditive, { empty }: AggregateSpec, sum: AggregateSpec): DataType {
  if (take === 'avg') return FLOAT
  return empty === 'zero' ? perTime : sum.result([perTime])
}

/** Rows without a time belong to no balance. */
export function hasTime({ time }: SemiAdditive): Conjunct {
  const leaf: FieldLeaf = { kind: 'where-field', members: time.members, type: time.members[0].type, name: time.label }
  return { expression: isNotNull<FieldLeaf>(leaf), leaves: [leaf], path: time.path, fields: [time.label], ofMeasure: true }
}
