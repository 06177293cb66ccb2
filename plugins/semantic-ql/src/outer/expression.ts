/** Writes expressions of the outer statement. Only known constructs are ever written: no text is passed on unchanged. */
import type { DataType } from '@grainline/core'
import { DATE, decimal, didYouMean, microsOf, nearest, TIMESTAMP, TIMESTAMP_TZ, timestampText } from '@grainline/core/language'

import { constantOf, parameterLiteral, typeNamed } from '../constants.js'
import {
  type A_Expr,
  bodiesOf,
  bodyOf,
  byCodePoint,
  type CaseExpr,
  type FuncCall,
  functionName,
  kindOf,
  locationOf,
  type Node,
  type SortBy,
  type SubLink,
  theBody,
  type WindowDef,
  wordsOf,
} from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { timesOf } from '../intervals.js'
import { UNWRAPPING } from '../model-relation.js'
import { parameterOf, type StatementContext } from '../reader.js'
import { unsupported } from '../refusal.js'
import { casesOfTime, comparedTimes, timesAmong, timesBetween } from './compared-times.js'
import { forSubquery, type Scope } from './scope.js'
import { truncationText } from './truncation.js'
import { windowText } from './window.js'
import type { Writer } from './writer.js'

export function expressionText(node: Node, writer: Writer, scope: Scope): string {
  const go = (each: Node): string => expressionText(each!, writer, scope)
  const at = writer.sql.place(locationOf(node))
  const spelled = scope.spelled(node) ?? clockText(node, writer)
  if (spelled !== undefined) return spelled
  const interval = 'TypeCast' in node ? timesOf(node) : undefined
  if (interval) {
    const { parts, count: times } = interval
    if (parts.length === 0)
      unsupported('INTERVAL', 'This interval is not understood', { at, rewrite: "one such as INTERVAL '3 months'" })
    const written = `(${parts.map(({ unit, count }) => `INTERVAL '${count} ${unit}'`).join(' + ')})`
    return times === undefined ? written : `(${written} * CAST(${go(times)} AS BIGINT))`
  }
  const column = bodyOf(node, 'ColumnRef')
  if (column)
    return (column.fields ?? []).map((each) => ('A_Star' in each ? '*' : quoted(bodyOf(each, 'String')?.sval ?? ''))).join('.')
  const constant = bodyOf(node, 'A_Const')
  if (constant) {
    const { value, type } = constantOf(constant, at)
    return numericText(value, type) ?? literalText(value)
  }
  const parameter = bodyOf(node, 'ParamRef')
  if (parameter) return parameterText(parameter.number ?? 0, writer, at)
  const operator = bodyOf(node, 'A_Expr')
  if (operator) return operatorText(operator, node, writer, scope)
  const logic = bodyOf(node, 'BoolExpr')
  if (logic) {
    const args = (logic.args ?? []).map(go)
    return logic.boolop === 'NOT_EXPR' ? `(NOT ${args[0]})` : `(${args.join(logic.boolop === 'OR_EXPR' ? ' OR ' : ' AND ')})`
  }
  const test = bodyOf(node, 'NullTest')
  if (test) return `(${go(test.arg)} IS ${test.nulltesttype === 'IS_NULL' ? '' : 'NOT '}NULL)`
  const truth = bodyOf(node, 'BooleanTest')
  if (truth) return truthText(truth.booltesttype ?? '', go(truth.arg))
  const cases = bodyOf(node, 'CaseExpr')
  if (cases) return casesOfTime(cases, { writer, scope, go: (each) => go(each!) }) ?? caseText(cases, go)
  const cast = bodyOf(node, 'TypeCast')
  if (cast) return `CAST(${go(cast.arg)} AS ${typeText(typeNamed(cast.typeName, at), writer)})`
  const first = bodyOf(node, 'CoalesceExpr')
  if (first) return `COALESCE(${(first.args ?? []).map(go).join(', ')})`
  const extreme = bodyOf(node, 'MinMaxExpr')
  if (extreme) return `${extreme.op === 'IS_GREATEST' ? 'GREATEST' : 'LEAST'}(${(extreme.args ?? []).map(go).join(', ')})`
  const call = bodyOf(node, 'FuncCall')
  if (call) return callText(call, node, writer, scope)
  const subquery = bodyOf(node, 'SubLink')
  if (subquery) return subqueryText(subquery, writer, scope)
  const row = bodyOf(node, 'RowExpr')
  if (row) return `(${(row.args ?? []).map(go).join(', ')})`
  const grouping = bodyOf(node, 'GroupingFunc')
  if (grouping) return `GROUPING(${(grouping.args ?? []).map(go).join(', ')})`
  const collated = bodyOf(node, 'CollateClause')
  if (collated && byCodePoint(collated)) return go(collated.arg)
  const kind = kindOf(node)
  return unsupported(kind, `${kind.replace(/^A_|Expr$|Clause$/g, '')} is not understood here`, { at })
}

const CLOCK: ReadonlySet<string> = new Set(['now', 'transaction_timestamp', 'statement_timestamp', 'clock_timestamp'])

/** The present as local time in the zone of the statement, to the second, under each of its names. */
function clockText(node: Node, { now, evaluator }: Writer): string | undefined {
  const keyword = bodyOf(node, 'SQLValueFunction')?.op
  const inZone = (type: DataType): string =>
    `CAST(CAST('${now().toISOString().slice(0, 19)}+00' AS ${evaluator.type(TIMESTAMP_TZ)}) AS ${evaluator.type(type)})`
  if (keyword === 'SVFOP_CURRENT_DATE') return inZone(DATE)
  const call = bodyOf(node, 'FuncCall')
  const asksTime = call
    ? !call.args && CLOCK.has(functionName(call.funcname))
    : /^SVFOP_(CURRENT|LOCAL)_?TIMESTAMP/.test(keyword ?? '')
  return asksTime ? inZone(TIMESTAMP) : undefined
}

export function literalText(value: string | number | bigint | boolean | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

function parameterText(number: number, writer: Writer, at: ReturnType<StatementContext['sql']['place']>): string {
  const given = parameterOf(number, writer, at)
  const { value, type } = parameterLiteral(given, at)
  const instant = given.type?.kind === 'timestamp_tz' ? microsOf(String(given.value)) : undefined
  if (instant?.instant) return `CAST('${timestampText(instant.micros)}+00' AS ${writer.evaluator.type(TIMESTAMP_TZ)})`
  const text = numericText(value, type) ?? literalText(value)
  return type.kind === 'string' ? text : `CAST(${text} AS ${writer.evaluator.type(type)})`
}

/** Exact numbers are texts in the tree. */
const numericText = (value: unknown, type: DataType): string | undefined =>
  typeof value === 'string' && type.kind === 'decimal' ? value : undefined

const typeText = (type: DataType | 'numeric', { evaluator }: Writer): string =>
  evaluator.type(type === 'numeric' ? decimal(38, 10) : type)

function truthText(test: string, operand: string): string {
  const [, negation, word] = /^IS_(NOT_)?(TRUE|FALSE|UNKNOWN)$/.exec(test) ?? []
  if (word === 'UNKNOWN') return `(${operand} IS ${negation ? 'NOT ' : ''}NULL)`
  const isTrue = `COALESCE(${word === 'TRUE' ? operand : `NOT ${operand}`}, FALSE)`
  return negation ? `(NOT ${isTrue})` : isTrue
}

function caseText({ arg, args = [], defresult }: CaseExpr, go: (node: Node) => string): string {
  const whens = bodiesOf(args, 'CaseWhen')
  const branches = whens.map(({ expr, result }) => ` WHEN ${go(expr)} THEN ${go(result)}`).join('')
  return `CASE${arg ? ` ${go(arg)}` : ''}${branches}${defresult ? ` ELSE ${go(defresult)}` : ''} END`
}

/** The evaluator must keep the meaning of `/` and the other operators. */
const OPERATORS = new Set(['+', '-', '*', '/', '%', '||', '=', '<>', '!=', '<', '<=', '>', '>='])

function operatorText(expr: A_Expr, node: Node, writer: Writer, scope: Scope): string {
  const go = (each: Node | undefined): string => expressionText(each!, writer, scope)
  const symbol = wordsOf(expr.name).at(-1) ?? ''
  const items = (): string[] => (bodyOf(expr.rexpr, 'List')?.items ?? []).map(go)
  switch (expr.kind) {
    case 'AEXPR_OP':
      if (expr.lexpr === undefined && (symbol === '-' || symbol === '+')) return `(${symbol}${go(expr.rexpr)})`
      if (symbol === '||' && expr.lexpr !== undefined && writer.evaluator.joined)
        return `(${writer.evaluator.joined(go(expr.lexpr), go(expr.rexpr))})`
      if (OPERATORS.has(symbol)) {
        const times = comparedTimes(symbol, { left: expr.lexpr, right: expr.rexpr }, { writer, scope, go })
        return times ?? `(${go(expr.lexpr)} ${symbol} ${go(expr.rexpr)})`
      }
      if (symbol === '~' || symbol === '!~') return matchText(expr, writer, go)
      break
    case 'AEXPR_IN':
      return (
        timesAmong(expr, { writer, scope, go }) ??
        `(${go(expr.lexpr)} ${symbol === '<>' ? 'NOT ' : ''}IN (${items().join(', ')}))`
      )
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN': {
      const [low, high] = items()
      const negation = expr.kind === 'AEXPR_BETWEEN' ? '' : 'NOT '
      const times = timesBetween(expr, { writer, scope, go })
      return times === undefined ? `(${go(expr.lexpr)} ${negation}BETWEEN ${low} AND ${high})` : `(${negation}${times})`
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE': {
      const word = expr.kind === 'AEXPR_LIKE' ? 'LIKE' : 'ILIKE'
      return `(${go(expr.lexpr)} ${symbol.startsWith('!') ? 'NOT ' : ''}${word} ${go(expr.rexpr)} ESCAPE '\\')`
    }
    case 'AEXPR_NULLIF': {
      const times = comparedTimes('=', { left: expr.lexpr, right: expr.rexpr }, { writer, scope, go }, 'with a text')
      if (times) return `CASE WHEN ${times} THEN NULL ELSE ${go(expr.lexpr)} END`
      return `NULLIF(${go(expr.lexpr)}, ${go(expr.rexpr)})`
    }
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT': {
      const isSame = expr.kind === 'AEXPR_NOT_DISTINCT'
      const times = comparedTimes('=', { left: expr.lexpr, right: expr.rexpr }, { writer, scope, go }, 'with a text')
      if (times) return isSame ? `COALESCE(${times}, FALSE)` : `(NOT COALESCE(${times}, FALSE))`
      return `(${go(expr.lexpr)} IS ${isSame ? 'NOT ' : ''}DISTINCT FROM ${go(expr.rexpr)})`
    }
  }
  return unsupported('operator', `The operator '${symbol}' is not understood here`, { at: writer.sql.place(locationOf(node)) })
}

/** `~` as the equivalent function of the evaluator. */
function matchText({ name, lexpr, rexpr }: A_Expr, { evaluator }: Writer, go: (node: Node | undefined) => string): string {
  const matches = evaluator.functions['regexp_like']?.spelled
  if (!matches) return unsupported('operator', 'Regular expressions are not understood around a model')
  const text = matches([go(lexpr), go(rexpr)])
  return wordsOf(name)[0] === '!~' ? `(NOT ${text})` : text
}

/** A measure is computed from the rows of a model. The rows of a subselect with a limit, a condition on groups or its own aggregates are finished. */
function refuseMeasure({ args, funcname }: FuncCall, at: ReturnType<StatementContext['sql']['place']>): never {
  const measure = wordsOf(bodyOf(args?.[0], 'ColumnRef')?.fields).at(-1) ?? '…'
  return unsupported(
    'MEASURE',
    `${functionName(funcname).toUpperCase()} needs the rows of a model, and those of this subselect are finished`,
    {
      at,
      rewrite: `${quoted(measure)} into the subselect, which then has its value for each row, or the subselect without LIMIT, DISTINCT, HAVING and windows`,
    },
  )
}

function callText(call: FuncCall, node: Node, writer: Writer, scope: Scope): string {
  const at = writer.sql.place(call.location ?? locationOf(node))
  const name = functionName(call.funcname)
  const { functions } = writer.evaluator
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!known) {
    if (UNWRAPPING.has(name)) refuseMeasure(call, at)
    const suggestions = nearest(name, Object.keys(functions))
    return unsupported('function', `The function ${name} is not understood around a model${didYouMean(suggestions)}`, {
      at,
      suggestions,
    })
  }
  if (known.kind === 'window' && !call.over) unsupported('function', `${name.toUpperCase()} needs OVER`, { at })
  if (known.kind === 'scalar' && (call.over || call.agg_filter || call.agg_distinct || call.agg_order))
    unsupported('function', `${name.toUpperCase()} is not an aggregate`, { at })
  if (call.func_variadic) unsupported('VARIADIC', 'VARIADIC is not understood here', { at })
  const go = (each: Node): string => expressionText(each!, writer, scope)
  const args = (call.args ?? []).map(go)
  const truncation = truncationText(call, args, writer, scope)
  if (truncation !== undefined) return truncation
  if (known.spelled) return `${known.spelled(args)}${suffix(call, writer, scope)}`
  const inside = call.agg_star ? '*' : `${call.agg_distinct ? 'DISTINCT ' : ''}${args.join(', ')}`
  const order = call.agg_order ? sortsText(call.agg_order, writer, scope) : undefined
  const inner = order && !call.agg_within_group ? `${inside} ORDER BY ${order}` : inside
  const within = order && call.agg_within_group ? ` WITHIN GROUP (ORDER BY ${order})` : ''
  return `${name.toUpperCase()}(${inner})${within}${suffix(call, writer, scope)}`
}

function suffix({ agg_filter, over }: FuncCall, writer: Writer, scope: Scope): string {
  const filter = agg_filter ? ` FILTER (WHERE ${expressionText(agg_filter, writer, scope)})` : ''
  return `${filter}${over ? ` OVER ${overText(over, writer, scope)}` : ''}`
}

const overText = (over: WindowDef, writer: Writer, scope: Scope): string =>
  over.name === undefined ? windowOf(over, writer, scope) : quoted(over.name)

/** A window in parentheses. */
export const windowOf = (window: WindowDef, writer: Writer, scope: Scope): string =>
  windowText(window, {
    expression: (node) => expressionText(node, writer, scope),
    sorts: (nodes) => sortsText(nodes, writer, scope),
  })

/** NULLs come last, as everywhere, unless the statement says otherwise. */
export function sortsText(sorts: readonly Node[], writer: Writer, scope: Scope): string {
  return bodiesOf(sorts, 'SortBy')
    .map((sort) => sortText(sort, writer, scope))
    .join(', ')
}

export function sortText(sort: SortBy, writer: Writer, scope: Scope, text = expressionText(sort.node, writer, scope)): string {
  if (sort.sortby_dir === 'SORTBY_USING')
    unsupported('ORDER BY', 'ORDER BY … USING is not understood', { rewrite: 'ASC or DESC' })
  const nulls = sort.sortby_nulls === 'SORTBY_NULLS_FIRST' ? 'FIRST' : 'LAST'
  return `${text}${sort.sortby_dir === 'SORTBY_DESC' ? ' DESC' : ''} NULLS ${nulls}`
}

function subqueryText({ subLinkType, testexpr, operName, subselect }: SubLink, writer: Writer, scope: Scope): string {
  const inner = `(${writer.select(theBody(subselect, 'SelectStmt'), forSubquery(scope))})`
  const symbol = wordsOf(operName).at(-1) ?? '='
  const tested = testexpr && expressionText(testexpr, writer, scope)
  switch (subLinkType) {
    case 'EXISTS_SUBLINK':
      return `EXISTS ${inner}`
    case 'EXPR_SUBLINK':
      return inner
    case 'ANY_SUBLINK':
      if (OPERATORS.has(symbol)) return symbol === '=' ? `(${tested} IN ${inner})` : `(${tested} ${symbol} ANY ${inner})`
      break
    case 'ALL_SUBLINK':
      if (OPERATORS.has(symbol)) return `(${tested} ${symbol} ALL ${inner})`
  }
  return unsupported('subquery', 'A subquery of this kind is not understood', { at: writer.sql.place(locationOf(subselect)) })
}
