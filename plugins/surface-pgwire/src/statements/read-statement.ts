/** Converts a syntax tree to a statement. Statements that write and unknown ones are refused here. */
import { PgError, refuse } from '../wire/pg-error.js'
import { after } from './clauses.js'
import type { Grammar } from './grammar.js'
import { type Body, bodyOf, constantOf, kindOf, type Node } from './node.js'
import { readCopy } from './read-copy.js'
import { readDeclare, readFetch } from './read-cursor.js'
import { modesOf, readSet } from './read-settings.js'
import { ofModels, readSelect, type Source } from './select.js'
import type { SelectStatement, Statement } from './statement.js'

export function readStatement(tree: Node, source: Source, grammar: Grammar): Statement {
  const kind = kindOf(tree)
  switch (kind) {
    case 'SelectStmt':
      return temporaryInto(tree, source) ?? ofItsText(readSelect(tree, source))
    case 'TransactionStmt':
      return readTransaction(bodyOf(tree, kind)!)
    case 'VariableSetStmt':
      return readSet(bodyOf(tree, kind)!)
    case 'VariableShowStmt':
      return readShow(bodyOf(tree, kind)!.name ?? 'all', source)
    case 'ExplainStmt':
      return ofItsText(readSelect(tree, source))
    case 'PrepareStmt':
      return readPrepare(bodyOf(tree, kind)!, source, grammar)
    case 'ExecuteStmt':
      return readExecute(bodyOf(tree, kind)!)
    case 'DeallocateStmt':
      return { kind: 'deallocate', name: bodyOf(tree, kind)!.name }
    case 'DeclareCursorStmt':
      return readDeclare(bodyOf(tree, kind)!, source, grammar)
    case 'FetchStmt':
      return readFetch(bodyOf(tree, kind)!)
    case 'ClosePortalStmt':
      return { kind: 'close', name: bodyOf(tree, kind)!.portalname }
    case 'CopyStmt':
      return readCopy(bodyOf(tree, kind)!, source, grammar)
    case 'DiscardStmt':
      return { kind: 'discard', what: (bodyOf(tree, kind)!.target ?? 'DISCARD_ALL').replace('DISCARD_', '') as 'ALL' }
    case 'ListenStmt':
      return { kind: 'nothing', tag: 'LISTEN' }
    case 'UnlistenStmt':
      return { kind: 'nothing', tag: 'UNLISTEN' }
    default:
      return readTemporary(tree, source) ?? refuseOther(kind)
  }
}

/** SHOW TABLES and SHOW MODELS belong to SemanticQL. Any other SHOW is about a setting. */
const readShow = (name: string, source: Source): Statement =>
  /^(?:tables|models)$/i.test(name) ? ofModels(source.source) : { kind: 'show', name }

function readTransaction(body: Body<'TransactionStmt'>): Statement {
  const name = body.savepoint_name ?? ''
  switch (body.kind) {
    case 'TRANS_STMT_BEGIN':
      return { kind: 'begin', tag: 'BEGIN', modes: modesOf(body.options, 'transaction') }
    case 'TRANS_STMT_START':
      return { kind: 'begin', tag: 'START TRANSACTION', modes: modesOf(body.options, 'transaction') }
    case 'TRANS_STMT_COMMIT':
      return { kind: 'commit', chain: body.chain === true }
    case 'TRANS_STMT_ROLLBACK':
      return { kind: 'rollback', chain: body.chain === true }
    case 'TRANS_STMT_SAVEPOINT':
      return { kind: 'savepoint', name }
    case 'TRANS_STMT_RELEASE':
      return { kind: 'release', name }
    case 'TRANS_STMT_ROLLBACK_TO':
      return { kind: 'rollback-to', name }
    default:
      return refuse('0A000', 'two-phase commit is not supported')
  }
}

function readPrepare({ name = '', argtypes, query }: Body<'PrepareStmt'>, source: Source, grammar: Grammar): Statement {
  if (query === undefined || kindOf(query) !== 'SelectStmt') refuse('0A000', 'only SELECT can be prepared')
  const types = (argtypes ?? []).map(
    (type) => (bodyOf(type, 'TypeName')?.names ?? []).map((word) => bodyOf(word, 'String')?.sval).at(-1) ?? '',
  )
  const text = after(source.source, grammar, 'as')
  return { kind: 'prepare', name, types, statement: readSelect(query!, { ...source, source: text }) }
}

function readExecute({ name = '', params }: Body<'ExecuteStmt'>): Statement {
  const values = (params ?? []).map((parameter) => {
    const value = constantOf(parameter)
    return value === undefined ? refuse('0A000', 'EXECUTE takes constants only') : value
  })
  return { kind: 'execute', name, values }
}

/** For the first statement of a text, the positions in the tree are positions in the statement. */
const ofItsText = (statement: SelectStatement): SelectStatement =>
  statement.offset === 0 ? { ...statement, placesItsText: true } : statement

/** SELECT … INTO TEMPORARY creates a temporary table from the answer of the catalogue. */
function temporaryInto(tree: Node, { source }: Source): Statement | undefined {
  const relation = bodyOf(tree, 'SelectStmt')?.intoClause?.rel
  if (relation === undefined) return undefined
  return relation.relpersistence === 't' ? temporary(source, 'SELECT', relation.relname) : refuseOther('SELECT INTO')
}

/** Some tools test a server with a temporary table, so the connection may have its own. */
function readTemporary(tree: Node, { source }: Source): Statement | undefined {
  const created = bodyOf(tree, 'CreateStmt')?.relation ?? bodyOf(tree, 'CreateTableAsStmt')?.into?.rel
  if (created?.relpersistence === 't') return temporary(source, 'CREATE TABLE', created.relname)
  const inserted = bodyOf(tree, 'InsertStmt')?.relation
  if (inserted !== undefined) return temporary(source, 'INSERT', inserted.relname)
  const dropped = bodyOf(tree, 'DropStmt')
  if (dropped?.removeType !== 'OBJECT_TABLE' || dropped.objects?.length !== 1) return undefined
  const names = bodyOf(dropped.objects[0], 'List')?.items ?? []
  return temporary(source, 'DROP TABLE', bodyOf(names.at(-1), 'String')?.sval)
}

const temporary = (source: string, tag: string, table = ''): Statement => ({ kind: 'temporary', text: source.trim(), tag, table })

/** Refuses statements as PostgreSQL does in a read-only transaction, and statements that are not supported. */
function refuseOther(kind: string): never {
  throw new PgError('25006', `cannot execute ${commandOf(kind)} in a read-only transaction`, {
    hint: 'Models are read-only.',
  })
}

/** For example `CREATE TABLE AS` for `CreateTableAsStmt`. */
const commandOf = (kind: string): string =>
  kind
    .replace(/Stmt$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase()
