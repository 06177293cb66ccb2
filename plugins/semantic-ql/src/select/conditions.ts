/** WHERE and HAVING → filters of a query. */
import { firstOf } from '@grainline/core'
import { type FilterJson, type FilterValue, formatExpression, isTemporal } from '@grainline/core/language'
import { dayInZone } from '../constants.js'
import { readExpression } from '../expression.js'
import { type A_Expr, bodyOf, type Node, nodesIn, wordsOf } from '../grammar/node.js'
import { type ExpressionReader, isLiteral, type NameExpr, type NameLeaf, placeOf } from '../reader.js'
import { refuse } from '../refusal.js'

/** The members of a condition's top-level AND. */
export function conjunctsOf(node: Node | undefined): Node[] {
  if (node === undefined) return []
  const logic = bodyOf(node, 'BoolExpr')
  return logic?.boolop === 'AND_EXPR' ? (logic.args ?? []).flatMap(conjunctsOf) : [node]
}

/**
 * The filter of a condition. Conditions on one name with constants become plain filters, all else an expression. `isOpposed` is that of a condition under a NOT,
 * where false and unknown are different.
 */
export function filterOf(node: Node, reader: ExpressionReader, isOpposed = false): FilterJson {
  const logic = bodyOf(node, 'BoolExpr')
  if (logic) {
    const isNot = logic.boolop === 'NOT_EXPR'
    const filters = (logic.args ?? []).map((arg) => filterOf(arg, reader, isNot || isOpposed))
    if (isNot) return oppositeOf(filters)
    return logic.boolop === 'OR_EXPR' ? anyFilter(filters) : { logic: 'and', filters }
  }
  return plainFilter(node, reader, isOpposed) ?? { expression: expressionText(readExpression(node, reader), reader, node) }
}

function oppositeOf(filters: readonly FilterJson[]): FilterJson {
  const [only] = filters
  const inner = only && 'logic' in only && only.negated ? only.filters : []
  return inner.length === 1 ? firstOf(inner) : { logic: 'and', filters, negated: true }
}

/** `x <> v OR x IS NULL` is one filter, which keeps the rows without a value. */
function anyFilter(filters: readonly FilterJson[]): FilterJson {
  const plain = filters.filter(isPlain)
  const missing = new Set(plain.flatMap(({ op, field }) => (op === 'is_null' ? [field] : [])))
  const completed = new Map(plain.flatMap((one) => (EXCLUDING.has(one.op) && missing.has(one.field) ? [[one.field, one]] : [])))
  const left = filters.flatMap((one): readonly FilterJson[] => {
    const excluding = isPlain(one) ? completed.get(one.field) : undefined
    if (!excluding || !isPlain(one)) return [one]
    return one === excluding ? [{ ...one, or_missing: true }] : one.op === 'is_null' ? [] : [one]
  })
  return left.length === 1 ? firstOf(left) : { logic: 'or', filters: left }
}

const isPlain = (filter: FilterJson): filter is FieldFilter => 'op' in filter

type FieldFilter = Extract<FilterJson, { readonly op: string }>

const EXCLUDING: ReadonlySet<string> = new Set(['<>', '!=', 'not_in', 'not_between', 'not_like', 'not_regex'])

/** The value of a condition of constants, such as `1 = 1` or `1 = 0`; `undefined` for any other condition. */
export function constantTruth(node: Node, reader: ExpressionReader): boolean | undefined {
  const constant = bodyOf(node, 'A_Const')
  if (constant) return constant.isnull ? false : constant.boolval && constant.boolval.boolval === true
  const { kind, lexpr, rexpr, name } = bodyOf(node, 'A_Expr') ?? {}
  if (kind !== 'AEXPR_OP' || wordsOf(name)[0] !== '=' || !lexpr || !rexpr) return undefined
  if (!bodyOf(lexpr, 'A_Const') || !bodyOf(rexpr, 'A_Const')) return undefined
  const [left, right] = [readExpression(lexpr, reader), readExpression(rexpr, reader)]
  if (!isLiteral(left) || !isLiteral(right) || left.type.kind !== right.type.kind) return undefined
  return left.value !== null && left.value === right.value
}

/** The text of an expression for a query. Throws if a name cannot be written there. */
export function expressionText(expr: NameExpr, reader: ExpressionReader, node: Node): string {
  return formatExpression<NameLeaf>(expr, ({ text, role }) => {
    if (/[{}]|\]\s*\.\s*\[/.test(text))
      refuse('INVALID_EXPRESSION', `'${text}' cannot be written in an expression, because of its brackets`, {
        at: placeOf(reader, node),
      })
    const dot = role === 'column' ? text.indexOf('.') : -1
    return dot < 0 ? `[${text}]` : `[${text.slice(0, dot)}].[${text.slice(dot + 1)}]`
  })
}

function plainFilter(node: Node, reader: ExpressionReader, isOpposed: boolean): FilterJson | undefined {
  const column = nameOf(node, reader)
  if (column) return column.type.kind === 'boolean' ? { field: column.text, op: '=', value: true } : undefined
  const test = bodyOf(node, 'NullTest')
  if (test) {
    const field = nameOf(test.arg, reader)
    return field && { field: field.text, op: test.nulltesttype === 'IS_NULL' ? 'is_null' : 'is_not_null' }
  }
  const operator = bodyOf(node, 'A_Expr')
  return operator && operatorFilter(operator, reader, isOpposed)
}

const MIRRORED: Readonly<Record<string, string>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '=': '=',
  '<>': '<>',
  '!=': '<>',
}
const PATTERNS: Readonly<Record<string, string>> = { '~~': 'like', '!~~': 'not_like', '~': 'regex', '!~': 'not_regex' }

function operatorFilter(
  { kind, name, lexpr, rexpr }: A_Expr,
  reader: ExpressionReader,
  isOpposed: boolean,
): FilterJson | undefined {
  const symbol = wordsOf(name).at(-1) ?? ''
  const field = nameOf(lexpr, reader)
  switch (kind) {
    case 'AEXPR_OP': {
      if (field && PATTERNS[symbol]) return single(field, PATTERNS[symbol], rexpr, reader)
      if (!MIRRORED[symbol]) return undefined
      const other = field ? undefined : nameOf(rexpr, reader)
      return field ? single(field, symbol, rexpr, reader) : other && single(other, MIRRORED[symbol], lexpr, reader)
    }
    case 'AEXPR_LIKE':
      return field && single(field, PATTERNS[symbol] ?? '', rexpr, reader)
    case 'AEXPR_IN':
      return field && several(field, symbol === '<>' ? 'not_in' : 'in', bodyOf(rexpr, 'List')?.items, reader)
    case 'AEXPR_BETWEEN':
      return field && several(field, 'between', bodyOf(rexpr, 'List')?.items, reader)
    case 'AEXPR_NOT_BETWEEN':
      return field && several(field, 'not_between', bodyOf(rexpr, 'List')?.items, reader)
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT': {
      const other = field ? undefined : nameOf(rexpr, reader)
      const known = field ?? other
      const differs = known && single(known, '<>', field ? rexpr : lexpr, reader)
      return differs && distinctFilter({ ...differs, or_missing: true }, kind === 'AEXPR_DISTINCT', isOpposed)
    }
    default:
      return undefined
  }
}

/** `IS DISTINCT FROM` a value, or its opposite: where that is not opposed, it need not be false for a missing value. */
function distinctFilter(differs: FieldFilter, isDistinct: boolean, isOpposed: boolean): FilterJson {
  if (isDistinct) return differs
  if (isOpposed) return { logic: 'and', filters: [differs], negated: true }
  const { or_missing: _, ...compared } = differs
  return { ...compared, op: '=' }
}

function single(field: NameLeaf, op: string, node: Node | undefined, reader: ExpressionReader): FieldFilter | undefined {
  const value = constantValue(node, field, reader)
  return value === undefined ? undefined : { field: field.text, op, value }
}

function several(
  field: NameLeaf,
  op: string,
  nodes: readonly Node[] | undefined,
  reader: ExpressionReader,
): FilterJson | undefined {
  const values = nodes?.map((node) => constantValue(node, field, reader))
  if (values === undefined || values.some((value) => value === undefined)) return undefined
  return { field: field.text, op, value: values as FilterValue[] }
}

/** A name that a filter can use: a dimension at its own grain, a measure, a column. */
function nameOf(node: Node | undefined, reader: ExpressionReader): NameLeaf | undefined {
  const column = bodyOf(node, 'ColumnRef')
  const call = bodyOf(node, 'FuncCall')
  const leaf = column ? reader.name(column) : call && reader.measure(call)
  return leaf && reader.carries(leaf) ? leaf : undefined
}

/** A constant as the value of a filter; `undefined` for anything else, and for NULL, which has another meaning in SQL than in a filter. */
function constantValue(node: Node | undefined, field: NameLeaf, reader: ExpressionReader): FilterValue | undefined {
  const written = isTemporal(field.type) ? momentText(node, reader) : undefined
  if (written !== undefined) return dayInZone(written, field.type)
  const expr = node && readsNothing(node) ? readExpression(node, reader) : undefined
  if (!expr || !isLiteral(expr) || expr.value === null) return undefined
  return typeof expr.value === 'bigint' ? String(expr.value) : expr.value
}

/** A timestamp as written, with its offset if it has one. */
function momentText(node: Node | undefined, reader: ExpressionReader): string | undefined {
  const cast = bodyOf(node, 'TypeCast')
  const word = wordsOf(cast?.typeName?.names).at(-1)
  if (cast && word !== 'timestamptz' && word !== 'timestamp' && word !== 'date') return undefined
  const inner = cast ? cast.arg : node
  const parameter = bodyOf(inner, 'ParamRef')
  const given = parameter && reader.parameters[(parameter.number ?? 0) - 1]?.value
  const text = typeof given === 'string' ? given : bodyOf(inner, 'A_Const')?.sval?.sval
  if (text === undefined || word === 'date') return text?.slice(0, 10)
  // A date means the whole day; a timestamp at midnight means one instant.
  return word !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00:00` : text
}

function readsNothing(node: Node): boolean {
  for (const each of nodesIn(node)) if ('ColumnRef' in each || 'SubLink' in each) return false
  return true
}
