/** One spelling for constructs with several spellings in SQL, so that later steps need not know them all. */

import { placeOf, type StatementContext } from '../reader.js'
import { unsupported } from '../refusal.js'
import { arrayItems } from './array-items.js'
import { formattedMoment } from './moment-format.js'
import { type A_Expr, bodyOf, type FuncCall, functionName, type Node, wordsOf } from './node.js'
import { caselessPattern, similarPattern, withBackslash } from './patterns.js'
import { rewritten } from './rewrite.js'

/** The tree with `ANY` and `ALL` of arrays, escapes, patterns and formatted timestamps in canonical form. Unchanged nodes are shared. */
export function canonical(node: Node, context: StatementContext): Node {
  const change = (each: Node): Node | undefined => {
    const [operator, call] = [bodyOf(each, 'A_Expr'), bodyOf(each, 'FuncCall')]
    const spelled = operator ? operatorOf(operator, each, context) : call && momentOf(call, context)
    return spelled && rewritten(spelled, change)
  }
  return rewritten(node, change)
}

/** The same condition in canonical form; `undefined` if it has none. */
function operatorOf(expr: A_Expr, node: Node, context: StatementContext): Node | undefined {
  switch (expr.kind) {
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL':
      return listed(expr, node, context)
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
      return escaped(expr, node, context)
    case 'AEXPR_SIMILAR':
      return similar(expr, node, context)
    case 'AEXPR_OP':
      return matched(expr, node, context)
    default:
      return undefined
  }
}

const ALWAYS: Readonly<Record<string, boolean>> = { AEXPR_OP_ANY: false, AEXPR_OP_ALL: true }

/** `x = ANY (…)` is `x IN (…)`, `x <> ALL (…)` is NOT IN, and any other comparison is one with each item. */
function listed(expr: A_Expr, node: Node, context: StatementContext): Node {
  const { kind = 'AEXPR_OP_ANY', name, lexpr, rexpr, location } = expr
  const items =
    arrayItems(rexpr, context.parameters) ??
    unsupported(kind === 'AEXPR_OP_ANY' ? 'ANY' : 'ALL', 'The compared value is not an array that is known here', {
      at: placeOf(context, node),
      rewrite: 'IN (…) with the values, or ARRAY[…]',
    })
  const where = location === undefined ? {} : { location }
  if (items.length === 0) return { A_Const: { boolval: { boolval: ALWAYS[kind] ?? false }, ...where } }
  const symbol = wordsOf(name).at(-1)
  const isList = symbol === (kind === 'AEXPR_OP_ANY' ? '=' : '<>')
  if (isList) return { A_Expr: { ...expr, kind: 'AEXPR_IN', rexpr: { List: { items: [...items] } } } }
  const args = items.map((item): Node => ({ A_Expr: { ...expr, kind: 'AEXPR_OP', ...(lexpr && { lexpr }), rexpr: item } }))
  return { BoolExpr: { boolop: kind === 'AEXPR_OP_ANY' ? 'OR_EXPR' : 'AND_EXPR', args, ...where } }
}

/** LIKE … ESCAPE as the LIKE whose escape is a backslash. */
function escaped(expr: A_Expr, node: Node, context: StatementContext): Node | undefined {
  const call = bodyOf(expr.rexpr, 'FuncCall')
  if (functionName(call?.funcname) !== 'like_escape') return undefined
  const [pattern, escaping] = call?.args ?? []
  const character = textOf(escaping, context)
  if (pattern && character === '\\') return { A_Expr: { ...expr, rexpr: pattern } }
  const text = textOf(pattern, context)
  if (text === undefined || character === undefined || character.length > 1)
    return unsupported('ESCAPE', 'ESCAPE takes one character, after a pattern that is a constant', {
      at: placeOf(context, node),
    })
  return { A_Expr: { ...expr, rexpr: constant(withBackslash(text, character)) } }
}

function similar(expr: A_Expr, node: Node, context: StatementContext): Node {
  const [pattern, escaping] = bodyOf(expr.rexpr, 'FuncCall')?.args ?? []
  const [text, character] = [textOf(pattern, context), escaping ? textOf(escaping, context) : '\\']
  if (text === undefined || character === undefined || character.length > 1)
    return unsupported('SIMILAR TO', 'SIMILAR TO takes a pattern that is written out', { at: placeOf(context, node) })
  return { A_Expr: { ...expr, kind: 'AEXPR_OP', rexpr: constant(similarPattern(text, character)) } }
}

const LIKES: Readonly<Record<string, 'AEXPR_LIKE' | 'AEXPR_ILIKE'>> = {
  '~~': 'AEXPR_LIKE',
  '!~~': 'AEXPR_LIKE',
  '~~*': 'AEXPR_ILIKE',
  '!~~*': 'AEXPR_ILIKE',
}

/** The operators of LIKE and ILIKE by their words, and `~*` by a case-insensitive pattern. */
function matched(expr: A_Expr, node: Node, context: StatementContext): Node | undefined {
  const symbol = wordsOf(expr.name).at(-1) ?? ''
  const like = LIKES[symbol]
  if (like) return { A_Expr: { ...expr, kind: like } }
  if (symbol !== '~*' && symbol !== '!~*') return undefined
  const text =
    textOf(expr.rexpr, context) ??
    unsupported('operator', `The operator '${symbol}' takes a pattern that is written out`, { at: placeOf(context, node) })
  const name: Node[] = [{ String: { sval: symbol.slice(0, -1) } }]
  return { A_Expr: { ...expr, name, rexpr: constant(caselessPattern(text)) } }
}

/** `to_date('…', '…')` and `to_timestamp('…', '…')` of constants: the timestamp itself. */
function momentOf({ funcname, args = [], location }: FuncCall, context: StatementContext): Node | undefined {
  const name = functionName(funcname)
  if ((name !== 'to_date' && name !== 'to_timestamp') || args.length !== 2) return undefined
  const [text, format] = args.map((arg) => textOf(arg, context))
  const moment = text === undefined || format === undefined ? undefined : formattedMoment(text, format)
  if (moment === undefined) return undefined
  const [type, shown] = name === 'to_date' ? ['date', moment.slice(0, 10)] : ['timestamp', moment]
  return {
    TypeCast: { arg: constant(shown), typeName: { names: [{ String: { sval: type } }] }, ...(location && { location }) },
  }
}

/** The text of a constant or parameter. */
function textOf(node: Node | undefined, context: Pick<StatementContext, 'parameters'>): string | undefined {
  const cast = bodyOf(node, 'TypeCast')
  if (cast && /^(?:text|varchar|bpchar)$/.test(wordsOf(cast.typeName?.names).at(-1) ?? '')) return textOf(cast.arg, context)
  const parameter = bodyOf(node, 'ParamRef')
  const value = parameter ? context.parameters[(parameter.number ?? 0) - 1]?.value : undefined
  if (typeof value === 'string') return value
  const constant = bodyOf(node, 'A_Const')
  return constant?.sval && (constant.sval.sval ?? '')
}

const constant = (sval: string): Node => ({ A_Const: { sval: { sval } } })
