/** A statement → its queries and their models. */

import type { Catalogue, ModelScope, NamedModel, ReadRequest, RecordBatch } from '@grainline/core/language'
import { constantRow } from './constant-row.js'
import { canonical } from './grammar/canonical.js'
import { bodyOf, type ExplainStmt, kindOf, type Node, nodesIn, type RangeVar, type SelectStmt } from './grammar/node.js'
import { betweenSteps, type ParsedSql, parseSql, treeOfSql } from './grammar/parse-sql.js'
import { isOfGrainline, overSystem } from './information-schema.js'
import { withMeasuresPerRow } from './measures-per-row.js'
import { firstRelation, modelOf, notAModel } from './model-scope.js'
import { withModelParameters } from './models-with-parameters.js'
import { merged } from './outer/bare-projection.js'
import { withoutSimpleWith } from './outer/inline-with.js'
import { readsFields, soleRelation, withConditions } from './outer/sole-relation.js'
import { placeOf, type StatementContext } from './reader.js'
import { refuse, unsupported } from './refusal.js'
import { type RelationColumns, relationColumns } from './relation-columns.js'
import { refuseMisplacedWindows } from './select/misplaced-windows.js'
import { type ModelSelect, readModelSelect } from './select/model-select.js'
import { FEWEST_COLUMNS } from './select/preview.js'

export type SqlReading<M extends NamedModel = NamedModel> =
  /** One query of one model; its answer is that of the statement, except for the names and order of the columns. */
  | { readonly kind: 'model_query'; readonly select: ModelSelect<M> }
  /** Queries of models, and a statement over their answers. */
  | { readonly kind: 'outer'; readonly stmt: SelectStmt; readonly context: StatementContext; readonly scope: ModelScope<M> }
  /** A question about the models themselves, or about the server. */
  | { readonly kind: 'catalogue'; readonly about: CatalogueQuestion }
  /** EXPLAIN of another statement, which is not run. */
  | { readonly kind: 'explain'; readonly reading: SqlReading<M> }
  /** A change of the client's own session. */
  | { readonly kind: 'session' }

export type CatalogueQuestion =
  | { readonly kind: 'tables' }
  | { readonly kind: 'describe'; readonly relation: string }
  /** Reads no relation at all, such as `SELECT 1` and `SELECT version()`; `row` is its answer if it needs no evaluator. */
  | {
      readonly kind: 'constant'
      readonly stmt: SelectStmt
      readonly context: StatementContext
      readonly row: RecordBatch | undefined
    }
  /** Reads `pg_catalog` or `information_schema`; `stmt` if it reads only the supported part of `information_schema`. */
  | { readonly kind: 'system'; readonly stmt: SelectStmt | undefined; readonly context: StatementContext }

/** Throws a `GrainlineError` with the place of the fault in the text. */
export async function readSql<M extends NamedModel>(request: ReadRequest<M>): Promise<SqlReading<M>> {
  const { text, tree, parameters, now, functions, aggregates, client } = request
  const relation = describedIn(text)
  if (relation !== undefined) return { kind: 'catalogue', about: { kind: 'describe', relation } }
  const sql = tree === undefined ? await parseSql(text, client) : treeOfSql(text, tree)
  const named = withModelParameters({ statement: soleStatement(sql), scope: request.scope }, { sql, parameters })
  const { statement, scope, reading } = withMeasuresPerRow(named, { sql, functions, aggregates })
  const columns = await starsOf(statement, scope, request)
  const context = { sql, parameters, now, functions, aggregates, relationColumns: columns }
  const spelled = canonical(statement, context)
  await betweenSteps(text)
  return reading(() => readStatement(spelled, scope, context))
}

/** An unknown name needs no further explanation. */
const LONGEST_NAME = 1000

/** The text after DESCRIBE. A single expression would try all ways to distribute blanks among its parts. */
function describedIn(text: string): string | undefined {
  const [start] = /^\s*(?:DESCRIBE|DESC)\s/i.exec(text) ?? []
  if (start === undefined) return undefined
  const rest = text.slice(start.length).trim()
  const relation = (rest.endsWith(';') ? rest.slice(0, -1) : rest).trimEnd()
  return relation === '' ? undefined : relation.slice(0, LONGEST_NAME)
}

/** The columns of the models that a statement may read, if it has `*`, or so many columns that it may be a preview. */
async function starsOf<M extends NamedModel>(statement: Node, scope: ModelScope<M>, catalogue: Catalogue) {
  const columns = new Map<NamedModel, RelationColumns>()
  const nodes = nodesIn(statement)
  const isWide = (node: Node): boolean => (bodyOf(node, 'SelectStmt')?.targetList ?? []).length >= FEWEST_COLUMNS
  if (!nodes.some((node) => 'A_Star' in node || isWide(node))) return columns
  const read = nodes.flatMap((node) => {
    const relation = bodyOf(node, 'RangeVar')
    return relation ? (modelOf(relation, scope) ?? []) : []
  })
  const unnamed = scope.chosen ?? (scope.models.length === 1 ? scope.models[0] : undefined)
  for (const model of unnamed ? [firstRelation(unnamed), ...read] : read)
    columns.set(model, await relationColumns(model, catalogue))
  return columns
}

function soleStatement({ statements, place }: ParsedSql): Node {
  const [sole, ...others] = statements
  if (sole && others.length === 0) return sole
  if (statements.length === 0) refuse('SQL_SYNTAX_ERROR', 'The statement is empty', { at: place(0) })
  return unsupported('statement', `Send one statement at a time; these are ${statements.length}`, { at: place(0) })
}

const SESSION: ReadonlySet<string> = new Set([
  'VariableSetStmt',
  'TransactionStmt',
  'DiscardStmt',
  'DeallocateStmt',
  'PrepareStmt',
  'ExecuteStmt',
  'DeclareCursorStmt',
  'FetchStmt',
  'ClosePortalStmt',
  'ListenStmt',
  'UnlistenStmt',
])

async function readStatement<M extends NamedModel>(
  node: Node,
  scope: ModelScope<M>,
  context: StatementContext,
): Promise<SqlReading<M>> {
  const select = bodyOf(node, 'SelectStmt')
  if (select) return readSelect(select, node, scope, context)
  const shown = bodyOf(node, 'VariableShowStmt')
  if (shown) {
    const isTables = /^(tables|models)$/i.test(shown.name ?? '')
    return isTables ? { kind: 'catalogue', about: { kind: 'tables' } } : { kind: 'session' }
  }
  if (SESSION.has(kindOf(node))) return { kind: 'session' }
  const explained = bodyOf(node, 'ExplainStmt')
  if (explained) return { kind: 'explain', reading: await readExplained(explained, scope, context) }
  return refuse('WRITE_OPERATION_REJECTED', 'Only reading is possible here, and this statement would write', {
    at: placeOf(context, node) ?? context.sql.place(0),
  })
}

/** EXPLAIN runs nothing, so there is nothing to analyse, and its answer is text. */
async function readExplained<M extends NamedModel>(
  { query, options = [] }: ExplainStmt,
  scope: ModelScope<M>,
  context: StatementContext,
): Promise<SqlReading<M>> {
  for (const option of options) {
    const { defname, arg } = bodyOf(option, 'DefElem') ?? {}
    const value = bodyOf(arg, 'String')?.sval ?? 'true'
    if (defname === 'analyze' && !/^(?:false|off|0)$/i.test(value))
      unsupported('EXPLAIN', 'EXPLAIN ANALYZE would run the statement', { rewrite: 'EXPLAIN without ANALYZE' })
    if (defname === 'format' && !/^text$/i.test(value))
      unsupported('EXPLAIN', `The plan is text, not ${value.toUpperCase()}`, { rewrite: 'EXPLAIN without FORMAT' })
  }
  return readStatement(query!, scope, context)
}

async function readSelect<M extends NamedModel>(
  stmt: SelectStmt,
  node: Node,
  scope: ModelScope<M>,
  context: StatementContext,
): Promise<SqlReading<M>> {
  refuseWriting(node, context)
  const relations = relationsOf(node)
  const foreign = relations.filter((relation) => modelOf(relation, scope) === undefined)
  const [first] = foreign
  if (first && foreign.every(isOfSystem)) {
    if (foreign.length === relations.length)
      return { kind: 'catalogue', about: { kind: 'system', stmt: overSystem(stmt, relations), context } }
    unsupported('FROM', 'Models and the system catalogue cannot be read together', { at: context.sql.place(first.location) })
  }
  if (first) notAModel(first, scope, context.sql.place(first.location))
  refuseMisplacedWindows(node, context)
  const isConstant =
    relations.length === 0 && !readsFields(node) && stmt.op === 'SETOP_NONE' && !stmt.valuesLists && !stmt.fromClause
  if (isConstant) return { kind: 'catalogue', about: { kind: 'constant', stmt, context, row: constantRow(stmt, context) } }
  await betweenSteps(context.sql.text)
  const simple = withoutSimpleWith(stmt)
  const alone = simple.withClause ? simple : merged(simple, { ...context, models: scope }, new Set())
  const sole = alone.withClause ? undefined : soleRelation(alone, scope, new Set(), context)
  const select =
    sole &&
    readModelSelect(
      { written: withConditions(alone, sole), named: sole.model, alias: sole.alias, trailing: context.sql.withGrouping },
      context,
    )
  return select && select.rest === undefined ? { kind: 'model_query', select } : { kind: 'outer', stmt: simple, context, scope }
}

/** Every relation that is read, except those that the statement defines. */
function relationsOf(node: Node): RangeVar[] {
  const made = new Set<string>()
  const found: RangeVar[] = []
  for (const each of nodesIn(node)) {
    const name = bodyOf(each, 'CommonTableExpr')?.ctename
    if (name !== undefined) made.add(name)
    const read = bodyOf(each, 'RangeVar')
    if (read) found.push(read)
  }
  return found.filter((relation) => relation.schemaname !== undefined || !made.has(relation.relname ?? ''))
}

const isOfSystem = (relation: RangeVar): boolean => isOfGrainline(relation) || isOfPostgres(relation)

const isOfPostgres = ({ schemaname, relname = '' }: RangeVar): boolean =>
  schemaname === 'pg_catalog' || schemaname === 'information_schema' || (schemaname === undefined && relname.startsWith('pg_'))

function refuseWriting(node: Node, context: StatementContext): void {
  for (const each of nodesIn(node)) {
    const select = bodyOf(each, 'SelectStmt')
    if (select?.intoClause || select?.lockingClause) {
      refuse(
        'WRITE_OPERATION_REJECTED',
        'SELECT … INTO and FOR UPDATE would change something, and only reading is possible here',
        {
          at: placeOf(context, select.targetList?.[0]),
        },
      )
    }
    if (/^(Insert|Update|Delete|Merge)Stmt$/.test(kindOf(each)))
      refuse('WRITE_OPERATION_REJECTED', 'Only reading is possible here, and this statement would write', {
        at: placeOf(context, each),
      })
  }
}
