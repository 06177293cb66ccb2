import { fail } from '../errors.js'
import { firstOf, lastOf } from '../invariant.js'
import { mapLeaves } from '../model/expression/ast.js'
import { type Equal, equalityOf, turned } from '../model/join-term.js'
import { allOf, integer, isNotNull, TRUE } from '../resolve/expressions.js'
import { type RowExpr, tablesIn } from '../resolve/relation-column.js'
import { columnOf, type ExistsLeaf } from '../resolve/resolved-query.js'
import { backName } from './block-names.js'
import type { FoundRows, NamedExpr } from './bound-block.js'
import { boundRows } from './bound-rows.js'
import { existsPath, type Hop } from './exists-path.js'
import { type FoundColumn, foundColumn } from './read-column.js'
import { presenceOf, readColumn, readField } from './read-rows.js'
import { type Role, rootRole } from './role.js'
import { type Matched, type Rows, roleOf, rowsOf } from './rows.js'
import { staticConditions } from './rows-conditions.js'

/** NULL exactly if no row of the target meets the filter and connects with the subject. Throws `AMBIGUOUS_JOIN`, `NO_JOIN_PATH`, `UNKNOWN_PATH_NAME`. */
export function readExists(rows: Rows, leaf: ExistsLeaf): RowExpr | FoundColumn {
  const subject = roleOf(rows, leaf.subject)
  const hops = existsPath(rows.context.graph, subject.object, leaf)
  if (hops.length === 0) return existsHere(rows, leaf, subject)
  const links = linksFrom(firstOf(hops))
  const columns = links.map(({ from }) => from)
  const reason = `exists: whether a row of '${leaf.target}' connects`
  return foundColumn({
    node: rows.node,
    found: foundBy(leaf, hops, rows),
    linkedTo: columns.map((name) => readColumn(rows, subject, name)),
    label: { from: subject.object, to: leaf.target, columns, reason },
  })
}

/** Target and subject are the same object: the row itself is tested. */
function existsHere(rows: Rows, leaf: ExistsLeaf, subject: Role): RowExpr {
  const presence = presenceOf(rows, subject)
  const conditions = [...(presence ? [isNotNull(presence)] : []), ...innerFilter(rows, leaf, subject)]
  return { kind: 'case', branches: [{ when: allOf(conditions) ?? TRUE, then: integer(1) }], otherwise: undefined }
}

/** The rows of the target, joined back to the object next to the subject. */
function foundBy(leaf: ExistsLeaf, hops: readonly Hop[], { context }: Rows): Omit<FoundRows, 'alias' | 'kind'> {
  const target = rowsOf(context, leaf.target)
  const matched = wayBack(target.root, hops)
  const rows = { ...target, matched }
  const where = [...staticConditions(rows), ...innerFilter(rows, leaf, rows.root)]
  const links = linkColumns(rows, matched.length > 0 ? lastOf(matched).role : rows.root, firstOf(hops))
  const tables = [
    ...where.flatMap(tablesIn),
    ...matched.map(({ role }) => role.alias),
    ...links.flatMap(({ expression }) => tablesIn(expression)),
  ]
  return { rows: boundRows(rows, tables), where, links }
}

/** Rows are found by the distinct values that equal those of the subject. */
const linksFrom = ({ from, to, on }: Hop): readonly Equal<string>[] =>
  equalityOf(on) ?? fail('INTERNAL_ERROR', `rows of '${to}' match those of '${from}' by more than equal columns`)

const linkColumns = (rows: Rows, nearest: Role, hop: Hop): readonly NamedExpr[] =>
  linksFrom(hop).map(({ to: name }, i) => ({
    name: `link_${i + 1}`,
    expression: readColumn(rows, nearest, name),
    type: columnOf(rows.context.model, { kind: 'column', object: hop.to, column: name }).type,
  }))

const innerFilter = (rows: Rows, { filter }: ExistsLeaf, base: Role): RowExpr[] =>
  filter ? [mapLeaves(filter, (field) => readField(rows, field.members[0], base))] : []

/** From the target back to the object next to the subject. */
function wayBack(target: Role, hops: readonly Hop[]): readonly Matched[] {
  const way: Matched[] = []
  for (const { from: object, on } of hops.slice(1).reverse()) {
    const from = way.at(-1)?.role ?? target
    const role = rootRole(backName(from.alias, object), object)
    way.push({ role, from, on: turned(on), reason: 'on the path to the subject' })
  }
  return way
}
