/** Expressions of a statement → expressions of the model's grammar, over the fields that they name. */

import { both, type DataType, onlyOf, zip } from '@grainline/core'
import {
  anyOf,
  type BinaryOperator,
  BOOLEAN,
  binaryOf as binary,
  COMPARISON_SIGNS as COMPARISONS,
  callOf as call,
  commonType,
  allOf as conjunction,
  decimal,
  isNull,
  isNumeric,
  isTemporal,
  literalOf as literal,
  negate,
  negation as not,
} from '@grainline/core/language'

import { coercedTo, constantOf, momentAs, parameterExpr, typeNamed } from './constants.js'
import { functionExpr } from './functions.js'
import {
  type A_Expr,
  type BoolExpr,
  bodiesOf,
  bodyOf,
  byCodePoint,
  type CaseExpr,
  kindOf,
  type Node,
  wordsOf,
} from './grammar/node.js'
import { moved, timesOf } from './intervals.js'
import { asExact, folded, isPart, now } from './moments.js'
import { type ExpressionReader, isLiteral, type NameExpr, parameterOf, placeOf, typeOfExpr } from './reader.js'
import { unsupported } from './refusal.js'
import { comparedWithPeriod, isAnyPeriod } from './whole-periods.js'

/** Throws `UNKNOWN_SELECT_ITEM` for a name, `UNSUPPORTED_SQL_FEATURE` for constructs that the grammar of the model cannot express. */
export function readExpression(node: Node, reader: ExpressionReader): NameExpr {
  const at = placeOf(reader, node)
  const go = (each: Node, own = reader): NameExpr => readExpression(each, own)
  const column = bodyOf(node, 'ColumnRef')
  if (column) return reader.name(column)
  const constant = bodyOf(node, 'A_Const')
  if (constant) return constantOf(constant, at)
  const parameter = bodyOf(node, 'ParamRef')
  if (parameter) return parameterExpr(parameterOf(parameter.number ?? 0, reader, at), at, reader.zone)
  const operator = bodyOf(node, 'A_Expr')
  if (operator) return operatorExpr(operator, node, reader)
  const logic = bodyOf(node, 'BoolExpr')
  if (logic) return logicExpr(logic, reader)
  const test = bodyOf(node, 'NullTest')
  if (test) return test.nulltesttype === 'IS_NULL' ? isNull(go(test.arg)) : not(isNull(go(test.arg)))
  const truth = bodyOf(node, 'BooleanTest')
  if (truth) return truthExpr(truth.booltesttype ?? '', go(truth.arg))
  const cases = bodyOf(node, 'CaseExpr')
  if (cases) return caseExpr(cases, reader)
  const cast = bodyOf(node, 'TypeCast')
  if (cast) return castExpr(go(cast.arg), typeNamed(cast.typeName, at), reader, node)
  const first = bodyOf(node, 'CoalesceExpr')
  if (first) return call('coalesce', ...alike(allOf(first.args, reader), reader, node))
  const extreme = bodyOf(node, 'MinMaxExpr')
  if (extreme) {
    return call(extreme.op === 'IS_GREATEST' ? 'greatest' : 'least', ...alike(allOf(extreme.args, reader), reader, node))
  }
  const function_ = bodyOf(node, 'FuncCall')
  if (function_) return reader.measure(function_) ?? functionExpr(function_, node, reader, go)
  const collated = bodyOf(node, 'CollateClause')
  if (collated && byCodePoint(collated)) return go(collated.arg)
  const keyword = bodyOf(node, 'SQLValueFunction')?.op ?? ''
  if (keyword === 'SVFOP_CURRENT_DATE') return call('current_date')
  if (CLOCK.has(keyword)) return now(reader)
  return unsupported(
    CLAUSES[kindOf(node)] ?? kindOf(node),
    `${CLAUSES[kindOf(node)] ?? 'This'} is not allowed inside an expression over a model`,
    { at },
  )
}

const allOf = (nodes: readonly Node[] | undefined, reader: ExpressionReader): NameExpr[] =>
  (nodes ?? []).map((each) => readExpression(each, reader))

const CLOCK: ReadonlySet<string> = new Set([
  'SVFOP_CURRENT_TIMESTAMP',
  'SVFOP_CURRENT_TIMESTAMP_N',
  'SVFOP_LOCALTIMESTAMP',
  'SVFOP_LOCALTIMESTAMP_N',
])

const CLAUSES: Partial<Record<string, string>> = {
  SubLink: 'A subquery',
  SQLValueFunction: 'The clock or the user',
  CollateClause: 'COLLATE',
  A_ArrayExpr: 'An array',
  A_Indirection: 'A subscript',
  RowExpr: 'A row of values',
  GroupingFunc: 'GROUPING',
  XmlExpr: 'XML',
}

function logicExpr({ boolop, args }: BoolExpr, reader: ExpressionReader): NameExpr {
  const terms = allOf(args, reader)
  if (boolop === 'NOT_EXPR') return not(onlyOf(terms))
  return boolop === 'OR_EXPR' ? anyOf(terms) : conjunction(terms)!
}

/** `IS TRUE` and similar tests, which are never NULL. */
function truthExpr(test: string, operand: NameExpr): NameExpr {
  const isTrue = (e: NameExpr) => call('coalesce', e, literal(false, BOOLEAN))
  switch (test) {
    case 'IS_TRUE':
      return isTrue(operand)
    case 'IS_NOT_TRUE':
      return not(isTrue(operand))
    case 'IS_FALSE':
      return isTrue(not(operand))
    case 'IS_NOT_FALSE':
      return not(isTrue(not(operand)))
    case 'IS_UNKNOWN':
      return isNull(operand)
    default:
      return not(isNull(operand))
  }
}

function caseExpr({ arg, args = [], defresult }: CaseExpr, reader: ExpressionReader): NameExpr {
  const subject = arg && readExpression(arg, reader)
  const whens = bodiesOf(args, 'CaseWhen')
  const values = [...whens.map((when) => when.result), ...(defresult ? [defresult] : [])].map((each) =>
    readExpression(each, reader),
  )
  const shown = alike(values, reader, args[0])
  const branches = zip(whens, shown.slice(0, whens.length)).map(([{ expr }, then]) => {
    const test = readExpression(expr, reader)
    return { when: subject ? compared({ operator: '=', left: subject, right: test }, reader, expr) : test, then }
  })
  return { kind: 'case', branches, otherwise: defresult ? shown.at(-1) : undefined }
}

/** Untyped constants get the type of the other operands. */
const alike = (exprs: readonly NameExpr[], reader: ExpressionReader, node: Node | undefined): NameExpr[] =>
  exprs.map(asOneOf(exprs, reader, node))

function asOneOf(exprs: readonly NameExpr[], reader: ExpressionReader, node: Node | undefined): (expr: NameExpr) => NameExpr {
  const types = exprs.filter((e) => !isLiteral(e) || e.type.kind !== 'string').map((e) => typeOfExpr(e, reader))
  if (types.length === 0) return (expr) => expr
  const type = commonType(types)
  return (expr) => coercedTo(expr, type, placeOf(reader, node), reader.zone)
}

function castExpr(operand: NameExpr, type: DataType | 'numeric', reader: ExpressionReader, node: Node): NameExpr {
  const from = typeOfExpr(operand, reader)
  if (type === 'numeric') return isNumeric(from) ? operand : castExpr(operand, decimal(38, 10), reader, node)
  if (isLiteral(operand) && operand.type.kind === 'string' && type.kind !== 'string')
    return momentAs(operand, type, placeOf(reader, node), reader.zone)
  if (from.kind === type.kind && type.kind !== 'decimal') return operand
  // A date is a bucket in every time zone.
  if (type.kind === 'date' && isTemporal(from)) return folded('date_trunc', [literal('day', { kind: 'string' }), operand])
  if (type.kind === 'timestamp_tz' && isTemporal(from)) return castExpr(operand, { kind: 'timestamp' }, reader, node)
  return { kind: 'cast', operand, type }
}

const ARITHMETIC = new Set(['+', '-', '*', '/', '%'])

function operatorExpr(expr: A_Expr, node: Node, reader: ExpressionReader): NameExpr {
  const at = placeOf(reader, node)
  const symbol = wordsOf(expr.name).at(-1) ?? ''
  const go = (each: Node | undefined): NameExpr => readExpression(each!, reader)
  const items = bodyOf(expr.rexpr, 'List')?.items ?? []
  const operator = Object.hasOwn(COMPARISONS, symbol) ? COMPARISONS[symbol] : undefined
  switch (expr.kind) {
    case 'AEXPR_OP':
      if (expr.lexpr === undefined) return signed(symbol, go(expr.rexpr), node, reader)
      if (ARITHMETIC.has(symbol)) return arithmetic(symbol, expr, node, reader)
      if (symbol === '||') return call('concat', go(expr.lexpr), go(expr.rexpr))
      if (symbol === '~') return call('regexp_matches', go(expr.lexpr), go(expr.rexpr))
      if (symbol === '!~') return not(call('regexp_matches', go(expr.lexpr), go(expr.rexpr)))
      if (operator) return compared({ operator, left: go(expr.lexpr), right: go(expr.rexpr) }, reader, node)
      break
    case 'AEXPR_IN': {
      const operand = go(expr.lexpr)
      const inside = within(operand, items, node, reader)
      return symbol === '<>' ? not(inside) : inside
    }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN': {
      const subject = go(expr.lexpr)
      const [low, high] = items.map(go)
      const within = binary(
        'and',
        compared({ operator: '>=', left: subject, right: low! }, reader, node),
        compared({ operator: '<=', left: subject, right: high! }, reader, node),
      )
      return expr.kind === 'AEXPR_BETWEEN' ? within : not(within)
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE': {
      const lowered = (e: NameExpr) => (expr.kind === 'AEXPR_ILIKE' ? call('lower', e) : e)
      const like: NameExpr = { kind: 'like', operand: lowered(go(expr.lexpr)), pattern: lowered(go(expr.rexpr)) }
      return symbol.startsWith('!') ? not(like) : like
    }
    case 'AEXPR_NULLIF': {
      const [left, right] = [go(expr.lexpr), go(expr.rexpr)]
      const period = isLiteral(left) ? undefined : comparedWithPeriod('=', [left, right], reader, at)
      if (period)
        return { kind: 'case', branches: [{ when: period, then: literal(null, typeOfExpr(left, reader)) }], otherwise: left }
      return call('nullif', ...alike([left, right], reader, node))
    }
    case 'AEXPR_DISTINCT':
      return not(same(go(expr.lexpr), go(expr.rexpr), reader, node))
    case 'AEXPR_NOT_DISTINCT':
      return same(go(expr.lexpr), go(expr.rexpr), reader, node)
  }
  return unsupported(
    'operator',
    `The operator '${symbol}' of ${expr.kind?.replace('AEXPR_', '') ?? 'this form'} is not understood here`,
    { at },
  )
}

function within(operand: NameExpr, items: readonly Node[], node: Node, reader: ExpressionReader): NameExpr {
  const values = items.map((item) => readExpression(item, reader))
  if (isAnyPeriod(operand, values, reader, placeOf(reader, node)))
    return anyOf(values.map((value) => compared({ operator: '=', left: operand, right: value }, reader, node)))
  const type = typeOfExpr(operand, reader)
  return {
    kind: 'in',
    operand,
    list: values.map((value, i) => coercedTo(value, type, placeOf(reader, items[i]), reader.zone)),
  }
}

/** Equal, NULL being equal to NULL; never unknown. */
function same(left: NameExpr, right: NameExpr, reader: ExpressionReader, node: Node): NameExpr {
  const equal = compared({ operator: '=', left, right }, reader, node)
  const present = binary('and', not(isNull(left)), not(isNull(right)))
  return binary('or', binary('and', equal, present), binary('and', isNull(left), isNull(right)))
}

interface Comparison {
  readonly operator: BinaryOperator
  readonly left: NameExpr
  readonly right: NameExpr
}

function compared({ operator, left, right }: Comparison, reader: ExpressionReader, node: Node): NameExpr {
  const at = placeOf(reader, node)
  const asked = comparedWithPeriod(operator, [left, right], reader, at)
  if (asked) return asked
  const { zone } = reader
  return binary(
    operator,
    coercedTo(left, typeOfExpr(right, reader), at, zone),
    coercedTo(right, typeOfExpr(left, reader), at, zone),
  )
}

function signed(symbol: string, operand: NameExpr, node: Node, reader: ExpressionReader): NameExpr {
  if (symbol === '+') return operand
  if (symbol !== '-')
    return unsupported('operator', `The operator '${symbol}' is not understood here`, { at: placeOf(reader, node) })
  return isLiteral(operand) && isNumeric(operand.type) ? negate(operand) : { kind: 'unary', operator: '-', operand }
}

function arithmetic(symbol: string, { lexpr, rexpr }: A_Expr, node: Node, reader: ExpressionReader): NameExpr {
  const behind = symbol === '+' || symbol === '-' ? timesOf(rexpr) : undefined
  const times = behind ?? (symbol === '+' ? timesOf(lexpr) : undefined)
  if (times) {
    const count = times.count && readExpression(times.count, reader)
    return moved(readExpression(behind ? lexpr! : rexpr, reader), { ...times, count }, symbol, reader, node)
  }
  const written = [readExpression(lexpr!, reader), readExpression(rexpr, reader)] as const
  const [left, right] = both(written, asOneOf(written, reader, node))
  const [from, to] = [typeOfExpr(left, reader), typeOfExpr(right, reader)]
  const unit = literal('day', { kind: 'string' })
  if (from.kind === 'date' && to.kind === 'date' && symbol === '-') return call('date_diff', unit, right, left)
  if (from.kind === 'date' && to.kind === 'int') {
    return call('date_add', unit, symbol === '-' ? signed('-', right, node, reader) : right, left)
  }
  if (symbol === '%') return call('mod', left, right)
  if (symbol === '/' && isPart(left)) return binary('/', asExact(left), right)
  return binary(symbol as BinaryOperator, left, right)
}
