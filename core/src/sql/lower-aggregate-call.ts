import { firstOf, zip } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import { call, coalesce } from '../resolve/expressions.js'
import { asText, listOrder, opposite } from './lower-aggregates.js'
import { asDouble, scaled } from './lower-arithmetic.js'
import { greatest, isStatistic, statistic } from './lower-special-doubles.js'
import type { LoweringContext } from './lowering-context.js'
import type { AggregateCall, SqlExpr } from './statement.js'

/** Aggregates whose arguments are converted to doubles. */
const IN_DOUBLE = new Set(
  'avg median percentile stddev_samp stddev_pop var_samp var_pop corr covar_samp covar_pop regr_slope regr_intercept'.split(' '),
)
const COUNTS = new Set(['count', 'count_if', 'count_distinct', 'approx_count_distinct'])
/** The sum of ten thousand million such decimals does not overflow. */
const SUMMED_PRECISION = 28

/**
 * An aggregate as the engine expresses it.
 *
 * @param made the aggregate with lowered arguments
 * @param original the aggregate before
 */
export function aggregateCall(made: AggregateCall, original: AggregateCall, context: LoweringContext): SqlExpr {
  const { semantics } = context.dialect
  const { name, type } = original
  if (IN_DOUBLE.has(name)) return inDouble(made, original, context)
  const [own] = original.args
  const [arg] = made.args
  if (name === 'max' && own && arg && !semantics.comparedNaN && context.isSpecial(own))
    return greatest(arg, (of, value, valueType) => ({ ...original, name: of, args: [value], type: valueType }))
  // Engines widen a sum of integers; if its planned type is an integer, it remains one.
  if (name === 'sum' && type.kind === 'int') return { kind: 'cast', operand: made, type }
  if (name === 'sum' && own && arg) {
    if (type.kind === 'float') return compensated(made, own, context)
    return scaled({ ...made, args: [summand(arg, context.typeOf(own), type, context)] }, type, context)
  }
  const ofTruth = !semantics.leastBooleans && type.kind === 'boolean' ? OF_BOOLEANS[name] : undefined
  if (ofTruth) return { ...made, name: ofTruth }
  if (!semantics.signedCounts && COUNTS.has(name)) return { kind: 'cast', operand: made, type }
  if (name === 'last') return { ...made, name: 'first', orderBy: made.orderBy.map(opposite) }
  return name === 'listagg' ? list(made, original, context) : made
}

/** False is less than true: the least of booleans is whether all are true. */
export const OF_BOOLEANS: Readonly<Record<string, string>> = { min: 'bool_and', max: 'bool_or', any_value: 'bool_and' }

/** The argument of a sum: integers whose sum is a decimal are cast for engines that would overflow. */
export function summand(value: SqlExpr, type: DataType, sum: DataType, { dialect }: Pick<LoweringContext, 'dialect'>): SqlExpr {
  const widens = !dialect.semantics.wideSums && type.kind === 'int' && sum.kind === 'decimal'
  return widens ? { kind: 'cast', operand: value, type: sum } : value
}

/**
 * The sum or average of doubles whose errors of rounding the engine compensates, so that it does not depend on the order of rows. It is NaN if a
 * value or the sum is infinite: the engine's own says which.
 */
function compensated(made: AggregateCall, own: SqlExpr, { dialect, typeOf, isSpecial }: LoweringContext): SqlExpr {
  const name = `compensated_${made.name}`
  if (typeof dialect.aggregates[name] !== 'function' || typeOf(own).kind !== 'float') return made
  const exact = { ...made, name }
  return isSpecial(own) ? coalesce(call('unless_nan', exact), made) : exact
}

function inDouble(made: AggregateCall, original: AggregateCall, context: LoweringContext): SqlExpr {
  const { name, args } = original
  const { dialect, typeOf, isSpecial } = context
  const read = zip(made.args, args).map(([arg, own]) => {
    const type = typeOf(own)
    const averagesExactly = name === 'avg' && dialect.semantics.exactAverages && isShort(type)
    return averagesExactly ? arg : asDouble(arg, type)
  })
  if (name === 'avg') return compensated({ ...made, args: read }, firstOf(args), context)
  const differs = !dialect.semantics.specialStatistics && isStatistic(name) && args.some(isSpecial)
  return differs ? statistic({ ...made, args: read }) : { ...made, args: read }
}

/** A sum of longer decimals may have more digits than a decimal can hold. A sum of doubles never has. */
const isShort = (type: DataType): boolean =>
  type.kind === 'int' || (type.kind === 'decimal' && type.precision <= SUMMED_PRECISION)

/** A list is ordered by the requested keys, then by the listed value, so that it is the same list on every run. */
function list(made: AggregateCall, { args }: AggregateCall, { dialect, typeOf }: LoweringContext): SqlExpr {
  const listed = asText(firstOf(made.args), typeOf(firstOf(args)))
  const ordered = { ...made, args: [listed, ...made.args.slice(1)] }
  return dialect.semantics.orderedLists ? { ...ordered, orderBy: listOrder(made, listed) } : ordered
}
