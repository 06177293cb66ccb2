import { refuse } from '../wire/pg-error.js'
import { withinParentheses } from './clauses.js'
import type { Grammar } from './grammar.js'
import { type Body, bodyOf, constantOf, type Node } from './node.js'
import { readSelect, type Source } from './select.js'
import type { CopyStatement, SelectStatement } from './statement.js'

type Format = CopyStatement['format']

/** Reads COPY (query) TO STDOUT and COPY table TO STDOUT. Throws for any other COPY and for conflicting options. */
export function readCopy(body: Body<'CopyStmt'>, source: Source, grammar: Grammar): CopyStatement {
  if (body.is_from) refuse('25006', 'cannot execute COPY FROM in a read-only transaction')
  if (body.filename || body.is_program) refuse('42501', 'COPY is only possible TO STDOUT')
  const options = new Map(
    (body.options ?? []).map((option) => [bodyOf(option, 'DefElem')?.defname ?? '', bodyOf(option, 'DefElem')?.arg]),
  )
  const format = formatOf(options.get('format'))
  const text = (name: string) => (options.has(name) ? (constantOf(options.get(name)) ?? '') : undefined)
  const csv = format === 'csv'
  const quote = text('quote') ?? '"'
  for (const name of options.keys()) checkOption(name, format)
  return {
    kind: 'copy',
    query: copied(body, source, grammar),
    format,
    delimiter: single('delimiter', text('delimiter') ?? (csv ? ',' : '\t')),
    nullText: text('null') ?? (csv ? '' : '\\N'),
    header: options.has('header') && !['off', 'false', '0'].includes(text('header') || 'on'),
    quote: single('quote', quote),
    escape: single('escape', text('escape') ?? quote),
    forceQuote: forced(options.get('force_quote')),
  }
}

function formatOf(node: Node | undefined): Format {
  const format = node === undefined ? 'text' : (constantOf(node) ?? '')
  if (format === 'text' || format === 'csv' || format === 'binary') return format
  return refuse('22023', `COPY format "${format}" not recognized`)
}

/** The formats that an option is for; `any` means all. */
const OPTIONS: Readonly<Record<string, 'any' | 'lines' | 'csv'>> = {
  format: 'any',
  encoding: 'any',
  delimiter: 'lines',
  null: 'lines',
  header: 'lines',
  quote: 'csv',
  escape: 'csv',
  force_quote: 'csv',
}

function checkOption(name: string, format: Format): void {
  const allowed = OPTIONS[name]
  if (allowed === undefined) refuse('42601', `option "${name}" not recognized`)
  const fits = allowed === 'any' || (allowed === 'lines' ? format !== 'binary' : format === 'csv')
  if (!fits) refuse('0A000', `COPY ${name.toUpperCase().replace('_', ' ')} is not available with FORMAT ${format}`)
}

function single(name: string, text: string): string {
  return Buffer.byteLength(text) === 1 ? text : refuse('0A000', `COPY ${name} must be a single one-byte character`)
}

function forced(node: Node | undefined): CopyStatement['forceQuote'] {
  if (node === undefined) return []
  if ('A_Star' in node) return true
  return (bodyOf(node, 'List')?.items ?? []).map((item) => bodyOf(item, 'String')?.sval ?? '')
}

function copied({ query, relation, attlist }: Body<'CopyStmt'>, source: Source, grammar: Grammar): SelectStatement {
  if (query !== undefined) return readSelect(query, { ...source, source: withinParentheses(source.source, grammar) })
  const columns = attlist?.map((column) => quoted(bodyOf(column, 'String')?.sval ?? '')).join(', ') ?? '*'
  const table = [relation?.schemaname, relation?.relname]
    .filter((word) => word !== undefined && word !== '')
    .map((word) => quoted(word!))
  const text = `SELECT ${columns} FROM ${table.join('.')}`
  return readSelect(grammar.parseSync(text).stmts![0]!.stmt!, { source: text, offset: 0 })
}

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`
