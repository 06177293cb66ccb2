import { RATIO, raised } from './unit.js'
import { NO_UNIT, product, quotient, type UnitFound } from './unit-of-expression.js'

/** How the unit of an aggregate follows from those of its arguments. */
type Rule = <S>(args: readonly UnitFound<S>[]) => UnitFound<S>

const ofFirst: Rule = ([first = NO_UNIT]) => first
const squared: Rule = ([{ unit, isScaled } = NO_UNIT]) => ({ unit: unit && raised(unit, 2), isScaled })

/** An aggregate that is not listed counts, or returns something else that has no unit. */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...['sum', 'avg', 'min', 'max', 'any_value', 'mode', 'first', 'last', 'median', 'percentile', 'stddev_samp', 'stddev_pop'].map(
    (name) => [name, ofFirst] as const,
  ),
  ...['var_samp', 'var_pop'].map((name) => [name, squared] as const),
  ...['covar_samp', 'covar_pop'].map((name) => [name, product] as const),
  ['corr', () => ({ unit: RATIO, isScaled: false })],
  ['regr_slope', ([y = NO_UNIT, x = NO_UNIT]) => quotient([y, x])],
  ['regr_intercept', ofFirst],
])

/** Whether an aggregate adds, compares or chooses among its values, so that they must have one unit. */
export const needsOneUnit = (aggregate: string): boolean => RULES.has(aggregate)

/** The unit of an aggregate from those of its arguments. */
export const unitOfAggregate = <S>(aggregate: string, args: readonly UnitFound<S>[]): UnitFound<S> =>
  (RULES.get(aggregate) ?? (() => NO_UNIT))(args)
