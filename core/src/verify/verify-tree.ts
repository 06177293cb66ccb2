import { entryOf, firstOf, itemAt } from '../invariant.js'
import { INT } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { Closure, DataObject } from '../model/semantic-model.js'
import { binary, integer, isNull } from '../resolve/expressions.js'
import { baseRows } from './base-rows.js'
import { offGroups } from './off-groups.js'
import type { TreeReport } from './report.js'
import { numberAt, runStatement } from './run-statement.js'
import { aggregate, column, item, leftJoin, part, present, select, sumWhere } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

type Tree = DataObject & { readonly closure: Closure }

export const isTree = (object: DataObject): object is Tree => object.closure !== undefined

/** One statement for the parents, and two for the pairs. */
export async function verifyTree(object: Tree, context: VerifyContext): Promise<TreeReport> {
  const { dataObject, key, parent } = object.closure
  return {
    name: object.name,
    data_object: dataObject,
    key,
    parent,
    ...(await verifyParents(object.closure, context)),
    ...(await verifyPairs(object, context)),
  }
}

/** The parents that are the key of no row. */
async function verifyParents(
  { dataObject, key, parent }: Closure,
  context: VerifyContext,
): Promise<Pick<TreeReport, 'missing_parents' | 'examples'>> {
  const wanted = [columnOf(dataObject, key, 'key'), columnOf(dataObject, parent, 'parent')]
  const base = baseRows({ object: dataObject, name: 'object_rows', wanted }, context)
  const [own, above] = [firstOf(base.columns), itemAt(base.columns, 1)]
  const others = { ...part(base.name), alias: 'found_rows' }
  const found = column('found_rows', 'key', own.type)
  const query = select(
    [item('parent', above.read, above.type), item('found', aggregate('count', [found], INT), INT)],
    leftJoin(part(base.name), others, binary('=', found, above.read)),
    { where: present([above.read]), groupBy: [above.read] },
  )
  const { off, examples } = await offGroups(
    { ctes: base.ctes, query, keys: [above], isOff: (read) => binary('=', read('found', INT), integer(0)) },
    context,
  )
  return { missing_parents: off, examples }
}

/** Each row above itself: those without a level are on a circle, or below one. */
async function verifyPairs(
  object: Tree,
  context: VerifyContext,
): Promise<Pick<TreeReport, 'rows' | 'deepest' | 'without_root' | 'circle_examples'>> {
  const wanted = ['Ancestor', 'Depth', 'Level'].map((name) => columnOf(object.name, name, name.toLowerCase()))
  const base = baseRows({ object: object.name, name: 'tree_pairs', wanted, all: true }, context)
  const [ancestor, depth, level] = [firstOf(base.columns), itemAt(base.columns, 1), itemAt(base.columns, 2)]
  const deepest = select([item('deepest', aggregate('max', [depth.read], INT), INT)], part(base.name))
  const [row] = await runStatement(base.ctes, deepest, context)
  const query = select(
    [item('ancestor', ancestor.read, ancestor.type), item('circles', sumWhere(integer(1), [isNull(level.read)]), INT)],
    part(base.name),
    { where: [binary('=', depth.read, integer(0))], groupBy: [ancestor.read] },
  )
  const found = await offGroups(
    { ctes: base.ctes, query, keys: [ancestor], isOff: (read) => binary('>', read('circles', INT), integer(0)) },
    context,
  )
  return { rows: found.groups, deepest: numberAt(row, 'deepest'), without_root: found.off, circle_examples: found.examples }
}

const columnOf = (object: string, name: string, as: string): { readonly name: string; readonly expression: Expr<ColumnRef> } => ({
  name: as,
  expression: { kind: 'column', object, column: name },
})

/** The object whose table is read. */
export const rowsOfTree = ({ closure }: Tree, objects: ReadonlyMap<string, DataObject>): DataObject =>
  entryOf(objects, closure.dataObject)
