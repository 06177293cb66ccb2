import { constantOf, parameterLiteral } from '../constants.js'
import { bodyOf, type Node } from '../grammar/node.js'
import { parameterOf, placeOf, type StatementContext } from '../reader.js'
import { unsupported } from '../refusal.js'

/** The number of LIMIT or OFFSET; `undefined` for ALL and NULL. Throws for anything except an integer of at least 0. */
export function boundOf(node: Node | undefined, clause: 'LIMIT' | 'OFFSET', context: StatementContext): number | undefined {
  if (node === undefined) return undefined
  const at = placeOf(context, node)
  const bare = bodyOf(node, 'TypeCast')?.arg ?? node
  const constant = bodyOf(bare, 'A_Const')
  const parameter = bodyOf(bare, 'ParamRef')
  const literal = constant
    ? constantOf(constant, at)
    : parameter && parameterLiteral(parameterOf(parameter.number ?? 0, context, at), at)
  if (literal?.value === null) return undefined
  const count = literal === undefined ? Number.NaN : Number(literal.value)
  if (Number.isSafeInteger(count) && count >= 0) return count
  return unsupported(clause, `${clause} takes a whole number of at least 0, written out or as a parameter`, { at })
}
