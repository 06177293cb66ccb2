/** Expressions of the model → SQL of another product. An expression that has another meaning there is refused. */
import type { DataType, Expr } from '@grainline/core/language'
import { isNumber } from './is-number.js'
import { Unsaid } from './unsaid.js'

/** How a product writes an expression over leaves `L`. */
export interface SqlSpelling<L> {
  /** Throws `Unsaid` for a leaf that has no place there. */
  readonly leaf: (leaf: L) => string
  readonly typeOf: (leaf: L) => DataType | undefined
  /** The type of doubles. */
  readonly double: string
  /** The type of times without a zone. */
  readonly timestamp: string
  /** Functions, by their names in the model. */
  readonly calls: Readonly<Record<string, (args: readonly string[]) => string>>
  /** Units for which `date_trunc` is the same there. */
  readonly units: ReadonlySet<string>
  /** A text; without it, quotes in it are doubled. The text has no backslash. */
  readonly text?: (value: string) => string
}

export function writtenSql<L extends { readonly kind: string }>(expr: Expr<L>, spelling: SqlSpelling<L>): string {
  const go = (operand: Expr<L>): string => writtenSql(operand, spelling)
  const node = expr as Expr<never>
  switch (node.kind) {
    case 'literal':
      return literalSql(node.value, node.type, spelling)
    case 'parameter':
      throw new Unsaid(`it reads the parameter '${node.name}'`)
    case 'unary':
      return node.operator === 'not' ? `(NOT ${go(node.operand)})` : `(-${go(node.operand)})`
    case 'binary':
      if (node.operator === '/') return quotient(node.left, node.right, spelling)
      return `(${go(node.left)} ${node.operator.toUpperCase()} ${go(node.right)})`
    case 'call':
      return called(node, spelling)
    case 'case': {
      const branches = node.branches.map(({ when, then }) => ` WHEN ${go(when)} THEN ${go(then)}`).join('')
      return `CASE${branches}${node.otherwise ? ` ELSE ${go(node.otherwise)}` : ''} END`
    }
    case 'cast':
      return cast(node.operand, node.type, spelling)
    case 'in':
      return `(${go(node.operand)} IN (${node.list.map(go).join(', ')}))`
    case 'like':
      return `(${go(node.operand)} LIKE ${go(node.pattern)})`
    case 'is-null':
      return `(${go(node.operand)} IS NULL)`
    default:
      return spelling.leaf(expr as L)
  }
}

/** How values are written. */
export type ValueSpelling = Pick<SqlSpelling<never>, 'timestamp' | 'text'>

/** A value as SQL. */
export function literalSql(
  value: string | number | bigint | boolean | null,
  type: DataType,
  { timestamp, text }: ValueSpelling,
): string {
  if (value === null) return 'NULL'
  switch (type.kind) {
    case 'boolean':
      return value ? 'TRUE' : 'FALSE'
    case 'int':
    case 'decimal':
      return String(value)
    case 'float':
      return /e/i.test(String(value)) ? String(value) : `${value}e0`
    case 'date':
      return `DATE ${quoted(value)}`
    case 'timestamp':
      return `CAST(${quoted(value)} AS ${timestamp})`
    case 'string':
      return quoted(value, text)
    default:
      throw new Unsaid(`a literal of the type ${type.kind} has no place in the text`)
  }
}

function quoted(value: unknown, write = doubled): string {
  // Some engines read a backslash as itself, and others as the beginning of an escape.
  if (String(value).includes('\\')) throw new Unsaid('a text in it has a backslash, which engines read in different ways')
  return write(String(value))
}

const doubled = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Here a quotient is a double, and NULL for a divisor of 0. A text that is read and written again has one cast, however often. */
function quotient<L extends { readonly kind: string }>(left: Expr<L>, right: Expr<L>, spelling: SqlSpelling<L>): string {
  const divisor = right as Expr<never>
  const isSafe = divisor.kind === 'literal' && divisor.value !== null && Number(divisor.value) !== 0
  const by = writtenSql(right, spelling)
  const dividend = left as Expr<never>
  const isCast = dividend.kind === 'cast' && dividend.type.kind === 'float' && isNumber<L>(dividend.operand, spelling.typeOf)
  return `(CAST(${writtenSql(isCast ? dividend.operand : left, spelling)} AS ${spelling.double}) / ${isSafe ? by : `NULLIF(${by}, 0)`})`
}

function called<L extends { readonly kind: string }>(
  { name, args }: { readonly name: string; readonly args: readonly Expr<L>[] },
  spelling: SqlSpelling<L>,
): string {
  if (name === 'date_trunc') {
    const unit = args[0] as Expr<never> | undefined
    const grain = unit?.kind === 'literal' ? String(unit.value) : ''
    if (!spelling.units.has(grain) || args[1] === undefined) throw new Unsaid(`date_trunc by ${grain} depends on the engine`)
    return `DATE_TRUNC('${grain}', ${writtenSql(args[1], spelling)})`
  }
  // Other values are written as texts in a way that depends on the engine.
  if (name === 'concat' && !args.every((arg) => isText(arg, spelling)))
    throw new Unsaid('it joins values that are no texts', 'Cast them first, in a column of the table.')
  const write = Object.hasOwn(spelling.calls, name) ? spelling.calls[name] : undefined
  if (!write) throw new Unsaid(`the function '${name}' has another meaning there, or none`)
  return write(args.map((arg) => writtenSql(arg, spelling)))
}

const TEXTS = new Set(['upper', 'lower', 'replace', 'concat', 'substring', 'trim'])

function isText<L extends { readonly kind: string }>(expr: Expr<L>, spelling: SqlSpelling<L>): boolean {
  const node = expr as Expr<never>
  switch (node.kind) {
    case 'literal':
      return node.type.kind === 'string'
    case 'call':
      return TEXTS.has(node.name) || (node.name === 'coalesce' && node.args.every((arg) => isText<L>(arg, spelling)))
    case 'parameter':
    case 'unary':
    case 'binary':
    case 'case':
    case 'cast':
    case 'in':
    case 'like':
    case 'is-null':
      return false
    default:
      return spelling.typeOf(expr as L)?.kind === 'string'
  }
}

function cast<L extends { readonly kind: string }>(operand: Expr<L>, type: DataType, spelling: SqlSpelling<L>): string {
  if (type.kind === 'float' && isNumber(operand, spelling.typeOf))
    return `CAST(${writtenSql(operand, spelling)} AS ${spelling.double})`
  const from = typeOfLeaf(operand, spelling)
  if (type.kind === 'date' && (from?.kind === 'date' || from?.kind === 'timestamp'))
    return `CAST(${writtenSql(operand, spelling)} AS DATE)`
  throw new Unsaid(`a cast to ${type.kind} depends on the engine`)
}

const INNER = new Set('literal parameter unary binary call case cast in like is-null'.split(' '))

const typeOfLeaf = <L extends { readonly kind: string }>(
  expr: Expr<L>,
  { typeOf }: Pick<SqlSpelling<L>, 'typeOf'>,
): DataType | undefined => (INNER.has(expr.kind) ? undefined : typeOf(expr as L))
