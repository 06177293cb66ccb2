import { fail } from '../errors.js'
import { firstOf, itemAt, lastOf } from '../invariant.js'
import { type ColumnRef, mapLeaves } from '../model/expression/ast.js'
import { asOfOf, type Equal, equalityOf, pairwiseEqual, turned } from '../model/join-term.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Hop } from '../model/shortest-ways.js'
import { longerPath } from '../relation/relation.js'
import { allOf, integer, isNotNull, TRUE } from '../resolve/expressions.js'
import { type RowExpr, tablesIn } from '../resolve/relation-column.js'
import { type ExistsLeaf, objectOf } from '../resolve/resolved-query.js'
import type { BindContext, FoundColumn as FoundOf } from './bind-context.js'
import type { FoundRows } from './bound-block.js'
import { boundRows } from './bound-rows.js'
import { existsPath } from './exists-path.js'
import { type FoundColumn, foundColumn } from './read-column.js'
import { presenceOf, readBesideColumn, readField } from './read-rows.js'
import { type Role, rootRole } from './role.js'
import { type Matched, type Rows, roleOf, rowsOf } from './rows.js'
import { staticConditions } from './rows-conditions.js'

/** NULL exactly if no row of the target meets the filter and connects with the subject. Throws `AMBIGUOUS_JOIN`, `NO_JOIN_PATH`, `UNKNOWN_PATH_NAME`. */
export const readExists = (rows: Rows, leaf: ExistsLeaf): RowExpr | FoundColumn =>
  readExistsFrom(rows, leaf, roleOf(rows, leaf.subject))

/** From a role that has the object of the subject. */
export function readExistsFrom(rows: Rows, leaf: ExistsLeaf, subject: Role): RowExpr | FoundColumn {
  const hops = existsPath(rows.context.graph, subject.object, leaf)
  if (hops.length === 0) return existsHere(rows, leaf, subject)
  const linking = linkingOf(hops, rows.context.model)
  const columns = linking.equal.map(({ from }) => from)
  const reason = `exists: whether a row of '${leaf.target}' connects`
  return foundColumn({
    node: rows.node,
    found: foundOver(leaf, linking, rows.context),
    linkedTo: besideOf(linking).map((beside, i) => readBesideColumn(rows, subject, itemAt(columns, i), beside).expression),
    label: { from: subject.object, to: leaf.target, columns, reason },
  })
}

/** The rows of the target that meet the filter, by what equals the columns of the subject. The two are different objects, or joined by a name. */
export function foundRows(
  context: BindContext,
  subject: string,
  leaf: ExistsLeaf,
): { readonly found: Omit<FoundRows, 'alias' | 'kind'> } & Pick<FoundOf, 'by' | 'beside'> {
  const linking = linkingOf(existsPath(context.graph, subject, leaf), context.model)
  return { found: foundOver(leaf, linking, context), by: linking.equal.map(({ from }) => from), beside: besideOf(linking) }
}

/** Target and subject are the same object: the row itself is tested. */
function existsHere(rows: Rows, leaf: ExistsLeaf, subject: Role): RowExpr {
  const presence = presenceOf(rows, subject)
  const conditions = [...(presence ? [isNotNull(presence)] : []), ...innerFilter(rows, leaf, subject)]
  return { kind: 'case', branches: [{ when: allOf(conditions) ?? TRUE, then: integer(1) }], otherwise: undefined }
}

/** How found rows are linked to those of the subject. They are distinct values, so a link is an equality. */
interface Linking {
  readonly equal: readonly Equal<string>[]
  /** The object of the subject. */
  readonly subject: string
  /** The object with the linking columns, to which the rows of the target are joined. */
  readonly object: string
  readonly wayBack: readonly Hop[]
}

const besideOf = ({ equal, object }: Linking): readonly ColumnRef[] =>
  equal.map(({ to }) => ({ kind: 'column', object, column: to }))

/** By the equal columns of the object next to the subject; if its join has other terms, by the key of the subject itself. */
function linkingOf(hops: readonly Hop[], model: SemanticModel): Linking {
  const { from, to, on } = firstOf(hops)
  const equal = equalityOf(on)
  if (equal) return { equal, subject: from, object: to, wayBack: hops.slice(1) }
  const { key } = objectOf(model, from)
  if (key.length === 0) fail('KEY_REQUIRED', `a test for rows of '${to}' needs a primaryKey of '${from}'`)
  return { equal: pairwiseEqual(key, key), subject: from, object: from, wayBack: hops }
}

/** The rows by which a row of the target connects. */
function foundOver(leaf: ExistsLeaf, linking: Linking, context: BindContext): Omit<FoundRows, 'alias' | 'kind'> {
  const isForward = linking.wayBack.some(({ on }) => asOfOf(on)?.found === 'to')
  return isForward ? foundForward(leaf, linking, context) : foundBy(leaf, linking, context)
}

/** The rows of the subject, joined to those of the target: a row that is found by its time is not found from there. */
function foundForward(leaf: ExistsLeaf, linking: Linking, context: BindContext): Omit<FoundRows, 'alias' | 'kind'> {
  const { object, wayBack } = linking
  if (wayBack.some(({ on }) => asOfOf(on)?.found === 'from'))
    fail(
      'NO_JOIN_PATH',
      `'${object}' and '${leaf.target}' are connected by joins with asOf in both directions; test for a row between them`,
    )
  const start = rowsOf(context, object)
  const matched: Matched[] = []
  for (const { to, on } of wayBack) {
    const from = matched.at(-1)?.role ?? start.root
    matched.push({ role: rootRole(longerPath(from.path, to, 'back'), to), from, on, reason: 'on the path to the target' })
  }
  const { role } = lastOf(matched)
  const target = { ...start, node: leaf.target, root: role }
  const where = [...staticConditions(target), ...innerFilter(target, leaf, role)]
  return linkedBy({ ...start, matched }, where, start.root, linking)
}

/** The rows of the target, joined back to the object with the links. */
function foundBy(leaf: ExistsLeaf, linking: Linking, context: BindContext): Omit<FoundRows, 'alias' | 'kind'> {
  const target = rowsOf(context, leaf.target)
  const matched = matchedBack(target.root, linking.wayBack)
  const rows = { ...target, matched }
  const where = [...staticConditions(rows), ...innerFilter(rows, leaf, rows.root)]
  const nearest = matched.length > 0 ? lastOf(matched).role : rows.root
  return linkedBy(rows, where, nearest, linking)
}

/** The rows with the columns of one of their roles, which are the links. */
function linkedBy(
  rows: Rows,
  where: readonly RowExpr[],
  role: Role,
  { equal, subject }: Linking,
): Omit<FoundRows, 'alias' | 'kind'> {
  const links = equal.map(({ from, to }, i) => {
    const { expression, type } = readBesideColumn(rows, role, to, { kind: 'column', object: subject, column: from })
    return { name: `link_${i + 1}`, expression, type }
  })
  const tables = [
    ...where.flatMap(tablesIn),
    ...rows.matched.map((one) => one.role.alias),
    ...links.flatMap(({ expression }) => tablesIn(expression)),
  ]
  return { rows: boundRows(rows, tables), where, links }
}

const innerFilter = (rows: Rows, { filter }: ExistsLeaf, base: Role): RowExpr[] =>
  filter ? [mapLeaves(filter, (field) => readField(rows, field.members[0], base))] : []

/** The rows on the way back from the target, the nearest to it first. */
function matchedBack(target: Role, hops: readonly Hop[]): readonly Matched[] {
  const way: Matched[] = []
  for (const { from: object, on } of hops.toReversed()) {
    const from = way.at(-1)?.role ?? target
    const role = rootRole(longerPath(from.path, object, 'back'), object)
    way.push({ role, from, on: turned(on), reason: 'on the path to the subject' })
  }
  return way
}
