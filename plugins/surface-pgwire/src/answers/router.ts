import type { Database, VisibleModel } from '../models/visible-models.js'
import type { TemporaryTables } from '../session/temporary-tables.js'
import { bodyOf, type Node, nodesIn } from '../statements/node.js'
import type { Relation, SelectStatement } from '../statements/statement.js'
import { refuse } from '../wire/pg-error.js'
import type { Answerer } from './answer.js'

export type Route = 'question' | 'catalog'

interface Routing {
  /** Which of the two answers a statement. Throws for a statement that needs both. */
  readonly route: (statement: SelectStatement) => Promise<Route>
  readonly question: Answerer
  readonly catalog: Answerer
}

/** Passes each SELECT to the models or to the catalogue. */
export function router({ route, question, catalog }: Routing): Answerer {
  const to = async (statement: SelectStatement) => ((await route(statement)) === 'question' ? question : catalog)
  return {
    describe: async (statement, types, signal) => (await to(statement)).describe(statement, types, signal),
    check: async (statement, types, signal) => (await to(statement)).check?.(statement, types, signal),
    open: async (statement, bound, formats, signal) => (await to(statement)).open(statement, bound, formats, signal),
  }
}

/** Decides by the relations that a statement reads: models, or system tables of PostgreSQL. */
export function routeOf(
  { relations, tree }: SelectStatement,
  { models, named }: Pick<Database, 'models' | 'named'>,
  temporary: Pick<TemporaryTables, 'has'>,
): Route {
  if (tree === undefined) return 'question'
  if (modelCalls(tree).some((name) => isModel(name, named()))) return 'question'
  // PostgreSQL has no such table; the language lists what the columns of models are.
  if (relations.length > 0 && relations.every(({ schema }) => schema?.toLowerCase() === 'grainline')) return 'question'
  const own = relations.filter((relation) => isOfPostgres(relation) || temporary.has(relation.name))
  if (relations.length > 0 && own.length === relations.length) return 'catalog'
  if (relations.length === 0) return models().length > 0 && asksFields(tree) ? 'question' : 'catalog'
  const asked = relations.some(({ name }) => isModel(name, named()))
  if (asked && own.length > 0) refuse('0A000', 'a statement cannot read both a model and the catalogue')
  // The catalogue reports an unknown table as PostgreSQL does.
  return asked ? 'question' : 'catalog'
}

/** The schemas of PostgreSQL itself. A name `pg_…` without a schema is in the first. */
const CATALOG_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'pg_toast', 'pg_temp'])

const isOfPostgres = ({ schema, name }: Relation): boolean =>
  schema === undefined ? name.startsWith('pg_') : CATALOG_SCHEMAS.has(schema)

/** Or a further fact or a view of a model. */
function isModel(name: string, models: readonly VisibleModel[]): boolean {
  const folded = name.toLowerCase()
  const isOne = (known: string | undefined) => folded === known?.toLowerCase() || folded.startsWith(`${known?.toLowerCase()}__`)
  const isView = (view: string): boolean => folded === view.toLowerCase()
  return models.some(
    ({ name: own, handle: { model } }) => isOne(own) || isOne(model.name) || [...model.views.keys()].some(isView),
  )
}

/** The names of functions in FROM: a model with values of its parameters is written as one. */
const modelCalls = (tree: Node): readonly string[] =>
  nodesIn(tree).flatMap((node) => {
    const call = bodyOf(bodyOf(bodyOf(node, 'RangeFunction')?.functions?.[0], 'List')?.items?.[0], 'FuncCall')
    return bodyOf(call?.funcname?.at(-1), 'String')?.sval ?? []
  })

/** Whether a statement without FROM reads columns. */
function asksFields(tree: Node): boolean {
  const nodes = nodesIn(tree)
  return nodes.some((node) => 'ColumnRef' in node) && !nodes.some((node) => bodyOf(node, 'SelectStmt')?.fromClause !== undefined)
}
