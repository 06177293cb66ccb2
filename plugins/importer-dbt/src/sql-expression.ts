/** SQL, read by PostgreSQL's grammar → the grammar of the model. A text is never copied: what is not understood is an error. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Node } from '@pgsql/types'
import { cutName, MOST_BYTES } from './cut-name.js'
import { type SelectStatement, selectOf } from './select-statement.js'
import { type Body, body, listOf, wordsOf } from './sql-node.js'

/** The type of values that an expression needs where a column is. */
export type Use = 'number' | 'boolean' | 'time' | undefined

/** What a column of the text is, in the grammar of the model. Throws for an unknown one. */
export type Names = (words: readonly string[], use: Use) => string

export class SqlFault extends Error {
  constructor(
    message: string,
    readonly hint = 'Write it with functions that every engine has, or add it by hand.',
  ) {
    super(message)
  }
}

/** A call of a function. */
export interface FunctionCall {
  readonly name: string
  readonly args: readonly unknown[]
  readonly isStar: boolean
  readonly isDistinct: boolean
  /** The order of its rows. */
  readonly order: readonly unknown[]
  /** The condition of its rows. */
  readonly filter: unknown
  /** True if it is a window, or has a filter: what only a query can say. */
  readonly isOdd: boolean
  readonly isWindow: boolean
}

/** How names and calls are written. */
export interface Reading {
  readonly names: Names
  /** A call in the grammar of the model; undefined for one that has its meaning here, or none. */
  readonly call?: (call: FunctionCall, write: (node: unknown, use?: Use, reading?: Reading) => string) => string | undefined
  /** Two columns, as they are written, are compared: they have one type. */
  readonly compared?: (left: string, right: string) => void
}

/** Reads SQL, without waiting. */
export interface SqlReader {
  /** The expression of a SQL text. Throws `SqlFault`, or what `reading` throws. */
  readonly expression: (sql: string, reading: Reading, use?: Use) => string
  /** The words of a text that is one column, and undefined for every other text. */
  readonly words: (sql: string) => readonly string[] | undefined
  /** A statement over one table. Throws `SqlFault`, or `LeftOut` for another one. */
  readonly select: (sql: string) => SelectStatement
  /** The expression of a part of such a statement. */
  readonly written: (node: unknown, reading: Reading, use?: Use) => string
}

/** The grammar is loaded once: each expression of a project asks for it. */
export function sqlReader(): Promise<SqlReader> {
  reader ??= readerOfGrammar()
  return reader
}

let reader: Promise<SqlReader> | undefined

async function readerOfGrammar(): Promise<SqlReader> {
  const module = await import('libpg-query')
  const grammar = 'default' in module ? (module.default as unknown as typeof module) : module
  await grammar.loadModule()
  const parse: Parse = (sql) => grammar.parseSync(sql) as Parsed
  // The grammar is compiled when it first reads something. Others are answered before it reads the text itself.
  parse('SELECT 1')
  await nextTurn()
  return {
    expression: (sql, reading, use) => write(treeOf(sql, parse), reading, use),
    words: (sql) => {
      const column = body(treeOf(sql, parse), 'ColumnRef')
      return column && wordsOf(column['fields'])
    },
    select: (sql) => {
      if (sql.length > MOST_CHARACTERS) throw new SqlFault(`the statement has more than ${MOST_CHARACTERS} characters`)
      const { stmts = [] } = parsed(sql, parse)
      if (stmts.length !== 1) throw new SqlFault('it is not one statement')
      return selectOf(stmts[0]?.stmt)
    },
    written: (node, reading, use) => write(node as Node, reading, use),
  }
}

type Parsed = { readonly stmts?: readonly { readonly stmt?: Node }[] }
type Parse = (sql: string) => Parsed

/** The expression of a SQL text. Throws `SqlFault`, or what `names` throws. */
export async function modelExpression(sql: string, names: Names, use?: Use): Promise<string> {
  return (await sqlReader()).expression(sql, { names }, use)
}

/** The word of a text that is one column, and undefined for every other text. */
export async function columnOf(sql: string): Promise<string | undefined> {
  const words = (await sqlReader()).words(sql)
  return words?.length === 1 ? words[0] : undefined
}

function treeOf(sql: string, parse: Parse): Node {
  if (sql.length > MOST_CHARACTERS) throw new SqlFault(`the expression has more than ${MOST_CHARACTERS} characters`)
  const { stmts = [] } = parsedWhole(sql, parse)
  const [select, ...more] = stmts.map(({ stmt }) => body(stmt, 'SelectStmt'))
  const target = body(listOf(select?.['targetList'])[0], 'ResTarget')
  const clauses = Object.keys(select ?? {}).filter((key) => !['targetList', 'limitOption', 'op'].includes(key))
  if (
    !target?.['val'] ||
    target['name'] !== undefined ||
    more.length > 0 ||
    clauses.length > 0 ||
    listOf(select?.['targetList']).length !== 1
  )
    throw new SqlFault('it is not one expression')
  return target['val'] as Node
}

/** Of an expression or a statement. */
export const MOST_CHARACTERS = 20_000

/** An expression that is cut is shown as it was read. */
function parsedWhole(sql: string, parse: Parse): Parsed {
  try {
    return parsed(`SELECT (${sql}\n)`, parse)
  } catch (error) {
    if (!(error instanceof SqlFault) || !isOpen(sql)) throw error
    throw new SqlFault(
      `a parenthesis is not closed in what was read of it: ${sql.trim().slice(0, MOST_SHOWN)}`,
      'In YAML, a text without quotes ends at a comma inside of braces: put the expression in quotes.',
    )
  }
}

const MOST_SHOWN = 200

/** Whether more parentheses are opened than closed, outside of texts and names in quotes. */
function isOpen(sql: string): boolean {
  const plain = sql.replace(/'[^']*'|"[^"]*"/g, '')
  return plain.split('(').length > plain.split(')').length
}

function parsed(sql: string, parse: Parse): Parsed {
  let tree: Parsed
  try {
    tree = parse(sql)
  } catch (error) {
    throw new SqlFault(error instanceof Error ? error.message : 'it cannot be read')
  }
  const cut = cutName(sql, tree)
  if (cut !== undefined) throw new SqlFault(`a name in it has more than ${MOST_BYTES} bytes (${cut}…)`)
  return tree
}

function write(node: Node | undefined, reading: Reading, use: Use, depth = 0): string {
  if (node === undefined || depth > 100) throw new SqlFault('it is nested too deeply')
  const go: Go = (each, inner, other = reading) => write(each as Node, other, inner, depth + 1)
  const [kind = '', record] = Object.entries(node)[0] ?? []
  const writer = Object.hasOwn(WRITERS, kind) ? WRITERS[kind] : undefined
  if (!writer) throw new SqlFault(`${kind} is not part of expressions of a model`)
  return writer(record as Body, go, reading, use)
}

type Go = (each: unknown, use?: Use, reading?: Reading) => string

type Writer = (node: Body, go: Go, reading: Reading, use: Use) => string

const WRITERS: Readonly<Record<string, Writer>> = {
  ColumnRef: ({ fields }, _go, { names }, use) => names(wordsOf(fields), use),
  A_Const: constant,
  A_Expr: operation,
  BoolExpr: ({ boolop, args }, go) => {
    const terms = listOf(args).map((each) => go(each, 'boolean'))
    return boolop === 'NOT_EXPR' ? `(NOT ${terms[0]})` : `(${terms.join(boolop === 'OR_EXPR' ? ' OR ' : ' AND ')})`
  },
  NullTest: ({ nulltesttype, arg }, go) => `(${go(arg)} IS ${nulltesttype === 'IS_NULL' ? '' : 'NOT '}NULL)`,
  BooleanTest: ({ booltesttype, arg }, go) => {
    const test = TRUTHS[String(booltesttype)]
    if (!test) throw new SqlFault('IS UNKNOWN is not part of expressions of a model')
    return test(go(arg, 'boolean'))
  },
  CaseExpr: ({ arg, args, defresult }, go, _reading, use) => {
    const subject = arg === undefined ? undefined : go(arg)
    const branches = listOf(args).map((each) => {
      const when = body(each as Node, 'CaseWhen')
      const test = go(when?.['expr'], subject === undefined ? 'boolean' : undefined)
      return ` WHEN ${subject === undefined ? test : `${subject} = ${test}`} THEN ${go(when?.['result'], use)}`
    })
    return `CASE${branches.join('')}${defresult === undefined ? '' : ` ELSE ${go(defresult, use)}`} END`
  },
  CoalesceExpr: ({ args }, go, _reading, use) => `coalesce(${all(args, go, use)})`,
  MinMaxExpr: ({ op, args }, go, _reading, use) => `${op === 'IS_GREATEST' ? 'greatest' : 'least'}(${all(args, go, use)})`,
  TypeCast: ({ arg, typeName }, go) => {
    const name = wordsOf((typeName as Body | undefined)?.['names']).at(-1) ?? ''
    const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
    if (type === undefined) throw new SqlFault(`the type '${name}' is not known here`)
    const text = String((body(arg, 'A_Const')?.['sval'] as Body | undefined)?.['sval'] ?? '')
    if (MOMENTS[type]?.test(text)) return `${type.toUpperCase()} '${text}'`
    return `CAST(${go(arg)} AS ${type})`
  },
  FuncCall: (call, go, reading) => {
    const name = wordsOf(call['funcname']).at(-1)?.toLowerCase() ?? ''
    const written = reading.call?.(callOf(name, call), go)
    if (written !== undefined) return written
    const odd = ['agg_filter', 'agg_star', 'agg_distinct', 'agg_order', 'over', 'func_variadic'].find(
      (key) => call[key] !== undefined,
    )
    const spelled = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    const args = listOf(call['args'])
    const part = name === 'dayofmonth' ? 'day' : name
    if (odd === undefined && PARTS.has(part) && args.length === 1) return `extract('${part}', ${go(args[0], 'time')})`
    if (odd !== undefined || !spelled || args.length < spelled.least || args.length > spelled.most)
      throw new SqlFault(`the function '${name}' ${spelled ? `with ${args.length} values ` : ''}is not known here`)
    if (spelled.name === 'extract') return partOfTime(args, go)
    // The grammar has the text before the part that is looked for.
    if (name === 'position') return `position(${all(args.toReversed(), go, undefined)})`
    if (name === 'date_trunc') return `date_trunc(${args.map((each, at) => go(each, at === 1 ? 'time' : undefined)).join(', ')})`
    return `${spelled.name}(${all(args, go, NUMERIC.has(spelled.name) ? 'number' : undefined)})`
  },
}

/** Parts of a time that are the same number in every database: weeks and seconds are not. */
const PARTS = new Set(['year', 'quarter', 'month', 'day', 'hour', 'minute'])

function partOfTime([unit, time]: readonly unknown[], go: Go): string {
  const part = String((body(unit, 'A_Const')?.['sval'] as Body | undefined)?.['sval'] ?? '').toLowerCase()
  if (!PARTS.has(part)) throw new SqlFault(`the part '${part}' of a time is not known here`)
  return `extract('${part}', ${go(time, 'time')})`
}

const callOf = (name: string, call: Body): FunctionCall => ({
  name,
  args: listOf(call['args']),
  isStar: call['agg_star'] === true,
  isDistinct: call['agg_distinct'] === true,
  order: listOf(call['agg_order']).map((each) => body(each, 'SortBy')?.['node']),
  filter: call['agg_filter'],
  isOdd: ['agg_filter', 'over', 'func_variadic'].some((key) => call[key] !== undefined),
  isWindow: ['over', 'func_variadic'].some((key) => call[key] !== undefined),
})

const NUMERIC = new Set('abs sign floor ceil sqrt ln exp power round mod'.split(' '))

const all = (nodes: unknown, go: Go, use: Use): string =>
  listOf(nodes)
    .map((each) => go(each, use))
    .join(', ')

interface Spelled {
  readonly name: string
  readonly least: number
  readonly most: number
}

const taking = (least: number, most: number, names: string): Record<string, Spelled> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { name, least, most }]))

const named = (name: string, { least, most }: Pick<Spelled, 'least' | 'most'>): Spelled => ({ name, least, most })

/** Functions with the same meaning here and in SQL, as the model calls them, and how many values they take. `btrim` is TRIM in the grammar. */
const FUNCTIONS: Readonly<Record<string, Spelled>> = {
  ...taking(1, 1, 'upper lower trim ltrim rtrim length abs sign floor ceil sqrt ln exp'),
  ...taking(2, 2, 'power nullif date_trunc mod position extract'),
  ...taking(3, 3, 'replace'),
  ...taking(1, 2, 'round'),
  ...taking(2, 3, 'substring'),
  ...taking(1, Number.POSITIVE_INFINITY, 'coalesce greatest least concat'),
  ...{ btrim: named('trim', { least: 1, most: 1 }), ceiling: named('ceil', { least: 1, most: 1 }) },
  ...{ pow: named('power', { least: 2, most: 2 }), date_part: named('extract', { least: 2, most: 2 }) },
  ...{ substr: named('substring', { least: 2, most: 3 }) },
  ...{ char_length: named('length', { least: 1, most: 1 }), character_length: named('length', { least: 1, most: 1 }) },
}

/** Texts that are a day or a time as a literal of the model writes it. */
const MOMENTS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/,
}

const TYPES: Readonly<Record<string, string>> = {
  int4: 'int',
  int8: 'int',
  int: 'int',
  int64: 'int',
  float64: 'float',
  float8: 'float',
  float4: 'float',
  float: 'float',
  double: 'float',
  text: 'string',
  string: 'string',
  varchar: 'string',
  date: 'date',
  timestamp: 'timestamp',
  timestamp_ntz: 'timestamp',
  bool: 'boolean',
}

const TRUTHS: Readonly<Record<string, (operand: string) => string>> = {
  IS_TRUE: (operand) => `coalesce(${operand}, FALSE)`,
  IS_NOT_TRUE: (operand) => `(NOT coalesce(${operand}, FALSE))`,
  IS_FALSE: (operand) => `coalesce((NOT ${operand}), FALSE)`,
  IS_NOT_FALSE: (operand) => `coalesce(${operand}, TRUE)`,
}

function constant(node: Body): string {
  if (node['isnull'] === true) return 'NULL'
  const inner = (key: string) => node[key] as Body | undefined
  if (inner('ival')) return String(inner('ival')?.['ival'] ?? 0)
  if (inner('fval')) return String(inner('fval')?.['fval'])
  if (inner('boolval')) return inner('boolval')?.['boolval'] === true ? 'TRUE' : 'FALSE'
  if (inner('sval')) return `'${String(inner('sval')?.['sval'] ?? '').replaceAll("'", "''")}'`
  throw new SqlFault('a constant is of no known type')
}

const OPERATORS = new Set(['+', '-', '*', '/', '%', '=', '<>', '<', '<=', '>', '>='])

function operation({ kind, name, lexpr, rexpr }: Body, go: Go, reading: Reading): string {
  const symbol = wordsOf(name).at(-1) ?? ''
  const items = listOf(body(rexpr as Node | undefined, 'List')?.['items'])
  switch (kind) {
    case 'AEXPR_OP':
      if (lexpr === undefined && symbol === '-') return `(-${go(rexpr, 'number')})`
      if (lexpr !== undefined && symbol === '||') return `concat(${go(lexpr)}, ${go(rexpr)})`
      if (lexpr !== undefined && symbol === '%') return `mod(${go(lexpr, 'number')}, ${go(rexpr, 'number')})`
      if (lexpr !== undefined && OPERATORS.has(symbol)) {
        const use = '+-*/'.includes(symbol) ? 'number' : undefined
        const [left, right] = [
          go(lexpr, use ?? useBeside(rexpr)),
          go(symbol === '/' ? divisorOf(rexpr) : rexpr, use ?? useBeside(lexpr)),
        ]
        if (use === undefined && body(lexpr, 'ColumnRef') && body(rexpr, 'ColumnRef')) reading.compared?.(left, right)
        return `(${left} ${symbol} ${right})`
      }
      break
    case 'AEXPR_IN':
      return `(${go(lexpr, useBeside(items[0]))} ${symbol === '<>' ? 'NOT ' : ''}IN (${items.map((each) => go(each)).join(', ')}))`
    case 'AEXPR_LIKE':
      return `(${go(lexpr)} ${symbol.startsWith('!') ? 'NOT ' : ''}LIKE ${go(rexpr)})`
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
      return `(${kind === 'AEXPR_BETWEEN' ? '' : 'NOT '}(${go(lexpr, useBeside(items[0]))} BETWEEN ${items.map((each) => go(each)).join(' AND ')}))`
    case 'AEXPR_NULLIF':
      return `nullif(${go(lexpr)}, ${go(rexpr)})`
  }
  throw new SqlFault(`the operator '${symbol}' is not known here`)
}

/** A quotient of the model is NULL for a divisor of 0, as `a / NULLIF(b, 0)` is in SQL. */
function divisorOf(node: unknown): unknown {
  const call = body(node, 'A_Expr')
  const zero = body(call?.['rexpr'], 'A_Const')?.['ival'] as Body | undefined
  return call?.['kind'] === 'AEXPR_NULLIF' && zero && Object.keys(zero).length === 0 ? call['lexpr'] : node
}

/** What a column is that is compared with a constant. */
function useBeside(node: unknown): Use {
  const constant = body(node, 'A_Const')
  const cast = body(node, 'TypeCast')
  if (cast && body(cast['arg'], 'A_Const') && wordsOf((cast['typeName'] as Body | undefined)?.['names']).some(isOfTime))
    return 'time'
  if (constant?.['boolval']) return 'boolean'
  return constant?.['ival'] || constant?.['fval'] || isArithmetic(node) ? 'number' : undefined
}

function isArithmetic(node: unknown): boolean {
  const operation = body(node, 'A_Expr')
  const called = wordsOf(body(node, 'FuncCall')?.['funcname']).at(-1) ?? ''
  return (operation?.['kind'] === 'AEXPR_OP' && /^[-+*/%]$/.test(wordsOf(operation['name']).at(-1) ?? '')) || NUMERIC.has(called)
}

const isOfTime = (type: string): boolean => MOMENTS[TYPES[type] ?? ''] !== undefined
