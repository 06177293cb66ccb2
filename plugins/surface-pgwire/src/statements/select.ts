import { refuse } from '../wire/pg-error.js'
import { bodyOf, type Node, nodesIn } from './node.js'
import type { Relation, SelectStatement } from './statement.js'

export interface Source {
  readonly source: string
  /** The number of characters before it in the text of the client. */
  readonly offset: number
}

/** Reads a SELECT, VALUES or TABLE. Throws if it would write or lock. */
export function readSelect(tree: Node, { source, offset }: Source): SelectStatement {
  const locals = new Set<string>()
  const relations: Relation[] = []
  let parameters = 0
  for (const node of nodesIn(tree)) {
    const select = bodyOf(node, 'SelectStmt')
    if (select?.intoClause) refuse('25006', 'cannot execute SELECT INTO in a read-only transaction')
    if (select?.lockingClause) refuse('25006', 'cannot execute SELECT FOR UPDATE in a read-only transaction')
    if ('InsertStmt' in node || 'UpdateStmt' in node || 'DeleteStmt' in node || 'MergeStmt' in node)
      refuse('25006', 'cannot execute a data-modifying WITH in a read-only transaction')
    const local = bodyOf(node, 'CommonTableExpr')?.ctename
    if (local !== undefined) locals.add(local)
    const relation = bodyOf(node, 'RangeVar')
    if (relation) relations.push({ schema: relation.schemaname || undefined, name: relation.relname ?? '' })
    parameters = Math.max(parameters, bodyOf(node, 'ParamRef')?.number ?? 0)
  }
  const leading = source.length - source.trimStart().length
  return {
    kind: 'select',
    text: source.trim(),
    offset: offset + leading,
    relations: relations.filter(({ schema, name }) => schema !== undefined || !locals.has(name)),
    tree,
    parameters,
  }
}

/** A statement in syntax that only SemanticQL has. */
export const ofModels = (text: string): SelectStatement => ({
  kind: 'select',
  text,
  offset: 0,
  relations: [],
  tree: undefined,
  parameters: Math.max(0, ...[...text.matchAll(/\$(\d{1,5})/g)].map((match) => Number(match[1]))),
})
