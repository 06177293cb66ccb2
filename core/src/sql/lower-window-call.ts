import { integer, isNull } from '../resolve/expressions.js'
import { OF_BOOLEANS, summand } from './lower-aggregate-call.js'
import { scaled } from './lower-arithmetic.js'
import { greatest } from './lower-special-doubles.js'
import type { LoweringContext } from './lowering-context.js'
import type { SqlExpr, SqlLeaf, WindowCall } from './statement.js'

const RANKS = new Set(['row_number', 'rank', 'dense_rank', 'ntile'])
const NEIGHBOURS = new Set(['lag', 'lead'])

/**
 * A window function as the engine expresses it.
 *
 * @param made the function with lowered arguments, partitions and order
 * @param original the function before
 */
export function windowCall(made: WindowCall, original: WindowCall, context: LoweringContext): SqlExpr {
  const { semantics } = context.dialect
  const { function: name, type } = original
  const [own] = original.args
  const [value, ...rest] = made.args
  const [offset, fallback] = rest
  if ((!semantics.signedRanks && RANKS.has(name)) || (!semantics.signedCounts && name === 'count'))
    return { kind: 'cast', operand: { ...made, args: made.args.slice(0, 1) }, type }
  if (!semantics.lagNull && own && value && NEIGHBOURS.has(name))
    return { ...made, args: [{ kind: 'cast', operand: value, type: context.typeOf(own) }, ...rest] }
  if (!semantics.lagDefault && value && offset && fallback) {
    const absent = isNull<SqlLeaf>({ ...made, args: [integer(1), offset] })
    const found: SqlExpr = { ...made, args: [value, offset] }
    return { kind: 'case', branches: [{ when: absent, then: fallback }], otherwise: found }
  }
  if (name === 'max' && own && value && !semantics.comparedNaN && context.isSpecial(own))
    return greatest(value, (of, arg, argType) => ({ ...made, function: of, args: [arg], type: argType }))
  const ofTruth = !semantics.leastBooleans && type.kind === 'boolean' ? OF_BOOLEANS[name] : undefined
  if (ofTruth) return { ...made, function: ofTruth }
  if (name !== 'sum' || !own || !value) return made
  return scaled({ ...made, args: [summand(value, context.typeOf(own), type, context)] }, type, context)
}
