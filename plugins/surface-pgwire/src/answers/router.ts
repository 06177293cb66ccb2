import type { VisibleModel } from '../models/visible-models.js'
import type { TemporaryTables } from '../session/temporary-tables.js'
import { bodyOf, type Node, nodesIn } from '../statements/node.js'
import type { Relation, SelectStatement } from '../statements/statement.js'
import { refuse } from '../wire/pg-error.js'
import type { Answerer } from './answer.js'

export type Route = 'question' | 'catalog'

interface Routing {
  /** Which of the two a statement is for. Throws for one that is for both. */
  readonly route: (statement: SelectStatement) => Promise<Route>
  readonly question: Answerer
  readonly catalog: Answerer
}

/** Hands every SELECT to the one it is for. */
export function router({ route, question, catalog }: Routing): Answerer {
  const to = async (statement: SelectStatement) => ((await route(statement)) === 'question' ? question : catalog)
  return {
    describe: async (statement, types, signal) => (await to(statement)).describe(statement, types, signal),
    open: async (statement, bound, formats, signal) => (await to(statement)).open(statement, bound, formats, signal),
  }
}

/** By the relations that a statement reads: models, or what PostgreSQL tells about itself. */
export function routeOf(
  { relations, tree }: SelectStatement,
  models: readonly VisibleModel[],
  temporary: Pick<TemporaryTables, 'has'>,
): Route {
  if (tree === undefined) return 'question'
  const own = relations.filter((relation) => isOfPostgres(relation) || temporary.has(relation.name))
  if (relations.length > 0 && own.length === relations.length) return 'catalog'
  if (relations.length === 0) return models.length > 0 && asksFields(tree) ? 'question' : 'catalog'
  const asked = relations.some(({ name }) => isModel(name, models))
  if (asked && own.length > 0) refuse('0A000', 'a statement cannot read a model and the catalogue at once')
  // An unknown table is reported as PostgreSQL reports it.
  return asked ? 'question' : 'catalog'
}

/** Schemas of PostgreSQL itself; `pg_…` without a schema is found in the first. */
const CATALOG_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'pg_toast', 'pg_temp'])

const isOfPostgres = ({ schema, name }: Relation): boolean =>
  schema === undefined ? name.startsWith('pg_') : CATALOG_SCHEMAS.has(schema)

function isModel(name: string, models: readonly VisibleModel[]): boolean {
  const folded = name.toLowerCase()
  const isOne = (known: string | undefined) => folded === known?.toLowerCase() || folded.startsWith(`${known?.toLowerCase()}__`)
  return models.some((model) => isOne(model.name) || isOne(model.handle.model.name))
}

/** Reads columns, and says of no relation or function that they are its. */
function asksFields(tree: Node): boolean {
  const nodes = nodesIn(tree)
  return nodes.some((node) => 'ColumnRef' in node) && !nodes.some((node) => bodyOf(node, 'SelectStmt')?.fromClause !== undefined)
}
