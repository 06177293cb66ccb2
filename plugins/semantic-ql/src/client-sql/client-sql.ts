/**
 * SQL text in a model of a client: one SELECT, admitted by its syntax tree. Every node of its tree, every field of a node, every operator,
 * type and function must be listed; everything else is refused. The grammar is that of statements, whatever the engine; the text
 * itself must be one that all engines tokenize in the same way.
 */
import { GrainlineError } from '@grainline/core'
import type { ReadSql, SqlOfAuthors } from '@grainline/core/language'
import { bodyOf, functionName, type Node, type RangeVar, theBody, wordsOf } from '../grammar/node.js'
import { type ParsedSql, sqlReader } from '../grammar/parse-sql.js'
import { FIELDS, FUNCTIONS, KINDS, OPERATORS, TYPES, VALUES } from './client-sql-lists.js'

/** Longer ones belong in a view or a file. */
const MOST_CHARACTERS = 20_000
/** Maximum number of concatenations: a text that is repeatedly concatenated with itself doubles each time. */
const MOST_JOINED = 8

/** Loads the grammar. `functions` are those that the operator lists, in addition to the built-in list. */
export async function sqlOfAuthors(functions: readonly string[]): Promise<SqlOfAuthors> {
  const read = await sqlReader()
  const known = new Set([...FUNCTIONS, ...functions.map((name) => name.toLowerCase())])
  const refusedFunction = (name: string) =>
    known.has(name.toLowerCase()) ? undefined : `The function '${name.slice(0, 60)}' is not one that models of clients may call`
  return { refusedFunction, read: (sql) => admitted(sql, read, refusedFunction) }
}

type RefusedFunction = SqlOfAuthors['refusedFunction']

function admitted(sql: string, read: (text: string) => ParsedSql, refusedFunction: RefusedFunction): ReadSql {
  if (sql.length > MOST_CHARACTERS) return { refusal: `It has more than ${MOST_CHARACTERS} characters` }
  const ambiguous = ambiguousText(sql)
  if (ambiguous) return { refusal: ambiguous }
  try {
    const parsed = read(withPlainQuotes(sql))
    return refusedTree(parsed.statements, refusedFunction) ?? { tables: tablesOf(parsed) }
  } catch (error) {
    if (error instanceof GrainlineError) return { refusal: error.message }
    throw error
  }
}

function refusedTree(statements: readonly Node[], refusedFunction: RefusedFunction): ReadSql | undefined {
  const [statement, ...others] = statements
  if (!statement || !bodyOf(statement, 'SelectStmt') || others.length > 0) return { refusal: 'It is not one SELECT' }
  let joined = 0
  const stack: { readonly value: unknown; readonly top: boolean }[] = [{ value: statement, top: true }]
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { value, top } = entry
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value) stack.push({ value: item, top: false })
      continue
    }
    const refusal = refusedNode(value as Node, top, refusedFunction)
    if (refusal !== undefined) return { refusal }
    joined += joinedBy(value)
    if (joined > MOST_JOINED) return { refusal: `It joins more than ${MOST_JOINED} texts` }
    for (const [key, part] of Object.entries(value)) stack.push({ value: part, top: top && key === 'SelectStmt' })
  }
  return undefined
}

/** Of a node, or of the record inside it. */
function refusedNode(node: Node, top: boolean, refusedFunction: RefusedFunction): string | undefined {
  for (const key of Object.keys(node)) {
    const isKind = key >= 'A' && key < '['
    if (isKind && !KINDS.has(key)) return `It holds what is not admitted in SQL of clients (${key})`
    if (!isKind && !FIELDS.has(key)) return `It holds a clause that is not admitted in SQL of clients (${key})`
    if (key === 'withClause' && !top) return 'WITH begins a statement of clients, and nothing inside of it'
  }
  const call = bodyOf(node, 'FuncCall')
  if (call) return refusedFunction(functionName(call.funcname))
  const names = bodyOf(node, 'A_Expr')?.name ?? bodyOf(node, 'SubLink')?.operName
  if (names && !OPERATORS.has(wordsOf(names).join('.'))) return `The operator '${wordsOf(names).join('.')}' is not admitted`
  const type = bodyOf(node, 'TypeCast')?.typeName
  if (type && !TYPES.has(functionName(type.names))) return `The type '${functionName(type.names)}' is not admitted`
  const value = bodyOf(node, 'SQLValueFunction')?.op
  return value && !VALUES.has(value) ? 'It asks the connection about itself' : undefined
}

function joinedBy(node: object): number {
  if (wordsOf(bodyOf(node, 'A_Expr')?.name).join() === '||') return 1
  const call = bodyOf(node, 'FuncCall')
  return call && functionName(call.funcname).startsWith('concat') ? (call.args?.length ?? 1) - 1 : 0
}

/** The tables that are read. A name of WITH is recognized only if all engines recognize it: after its definition, in the same spelling. */
function tablesOf(parsed: ParsedSql): NonNullable<ReadSql['tables']> {
  const select = theBody(parsed.statements[0], 'SelectStmt')
  const { withClause, ...body } = select
  const written = (location: number | undefined): string => {
    const { position = 1 } = parsed.place(location ?? 0) ?? {}
    return /^[\p{L}\p{N}_]*/u.exec(parsed.text.slice(position - 1, position + 199))?.[0] ?? ''
  }
  const defined = new Set<string>()
  const tables: RangeVar[] = []
  for (const cte of [...(withClause?.ctes ?? []), undefined]) {
    const common = bodyOf(cte, 'CommonTableExpr')
    for (const table of rangesIn(common?.ctequery ?? body)) {
      if (table.schemaname !== undefined || !defined.has(written(table.location))) tables.push(table)
    }
    if (common) defined.add(written(common.location))
    // Engines compare quoted names differently, so a quoted name counts as a table.
    defined.delete('')
  }
  return tables.map(({ catalogname: database, schemaname: schema, relname: name }) => ({
    kind: 'table',
    database,
    schema,
    name: name ?? '',
  }))
}

function rangesIn(root: unknown): RangeVar[] {
  const found: RangeVar[] = []
  const stack: unknown[] = [root]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const range = bodyOf(value, 'RangeVar')
    if (range) found.push(range)
    stack.push(...Object.values(value).filter((part) => part !== undefined))
  }
  return found
}

// Syntax that engines read in different ways: a text with it may contain a statement that only one of them sees.

/** Strings and quoted names, which end at the same place on every engine unless they contain escapes. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g
const PLAIN = /^[\p{L}\p{N}\p{M}_ \t\r\n.,()=<>!+\-*/%|:~^]*$/u
/** A name in backticks is a name in double quotes, if it contains nothing else. */
const BACKTICKED = /`([\p{L}\p{N}_]+(?:[ -][\p{L}\p{N}_]+)*)`/gu

/** Why engines read the text differently; `undefined` if they do not. */
function ambiguousText(text: string): string | undefined {
  if (/\\|'''|"""/.test(text)) return 'It holds a backslash or three quotes in a row, which not all engines read alike'
  const bare = text.replace(QUOTED, (quoted) => (quoted.startsWith('`') ? quoted.replace(BACKTICKED, 'x') : 'x'))
  if (/--|\/\*|\/\//.test(bare)) return 'It holds a comment'
  if (bare.replaceAll('::', '').includes(':')) return "It holds a ':'"
  const odd = [...bare].find((character) => !PLAIN.test(character))
  return odd === undefined ? undefined : `It holds '${odd}' outside of a string`
}

const withPlainQuotes = (text: string): string =>
  text.replace(QUOTED, (quoted) => (quoted.startsWith('`') ? quoted.replace(BACKTICKED, '"$1"') : quoted))
