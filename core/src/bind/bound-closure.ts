import type { Closure } from '../model/semantic-model.js'
import { isNotNull } from '../resolve/expressions.js'
import { tablesIn } from '../resolve/relation-column.js'
import { columnOf } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'
import type { BoundClosure, TypedExpr } from './bound-block.js'
import { boundRows } from './bound-rows.js'
import { readColumn } from './read-rows.js'
import { rowsOf } from './rows.js'
import { staticConditions } from './rows-conditions.js'

/** The rows of a tree that the filters of the model leave: no path or condition of a query is inside. A row without a key is in no tree. */
export function boundClosure(object: string, { dataObject, key, parent, maxDepth }: Closure, context: BindContext): BoundClosure {
  const rows = rowsOf(context, dataObject)
  const read = (column: string): TypedExpr => ({
    expression: readColumn(rows, rows.root, column),
    type: columnOf(context.model, { kind: 'column', object: dataObject, column }).type,
  })
  const [own, above] = [read(key), read(parent)]
  const where = [...staticConditions(rows), isNotNull(own.expression)]
  const tables = [own.expression, above.expression, ...where].flatMap(tablesIn)
  return { kind: 'closure', object, of: dataObject, rows: boundRows(rows, tables), where, key: own, parent: above, maxDepth }
}
