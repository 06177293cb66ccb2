import { type Binary, mapLeaves } from '../model/expression/ast.js'
import { isNotNull, isNull, not } from '../resolve/expressions.js'
import { includesSame } from '../same.js'
import type { Dialect } from './dialect.js'
import { expressionsOf, reads } from './expressions-of.js'
import { mapSelects } from './map-selects.js'
import type { From, Select, SelectItem, SqlExpr, SqlLeaf, Statement } from './statement.js'

type Join = From & { readonly kind: 'join' }

/**
 * The statement with `IN` and EXISTS in place of joins whose other columns are not read. Engines then stop at the first match and need not remove
 * repeated links. A correlated subquery replaces joins with several links, and tests for missing rows, where the engine evaluates those well. This
 * rewrite comes last, because afterwards the subquery is no longer a table.
 */
export const semiJoins = (statement: Statement, { semantics }: Pick<Dialect, 'semantics'>): Statement =>
  mapSelects(statement, (given) => {
    let select = given
    for (const join of joinsOf(given.from)) select = foundBy(join, select, semantics.correlated) ?? select
    return select
  })

/** The joins of one table after another, the first one last. */
function joinsOf(from: From): readonly Join[] {
  const joins: Join[] = []
  for (let at = from; at.kind === 'join'; at = at.left) joins.push(at)
  return joins
}

/** The SELECT with a test in place of a join that only checks whether distinct links exist. */
function foundBy(join: Join, select: Select, isCorrelated: boolean): Select | undefined {
  const { right, on } = join
  if (join.type === 'cross' || right.kind !== 'subquery' || right.query.kind !== 'select' || !right.query.distinct)
    return undefined
  const links = right.query.items.slice(0, -1)
  const hit = right.query.items.at(-1)
  if (links.length === 0 || hit?.expression.kind !== 'literal') return undefined
  const column: SqlLeaf = { kind: 'column', table: right.alias, name: hit.alias, type: hit.type }
  const negated = join.type === 'left'
  const asked = negated ? [isNull<SqlLeaf>(column), not(isNotNull<SqlLeaf>(column))] : [isNotNull<SqlLeaf>(column)]
  const where = select.where.filter((condition) => !includesSame(asked, condition))
  if (on === undefined || where.length === select.where.length) return undefined
  const from = without(select.from, join)
  if ([...expressionsOf({ ...select, where }), ...conditionsOf(from)].some((e) => reads(e, right.alias))) return undefined
  const [link, ...more] = links
  const key = negated || more.length > 0 ? undefined : keyOf(on, right.alias, link!.alias)
  const query: Select = { ...right.query, distinct: false }
  if (key) return { ...select, from, where, among: [{ key, query: { ...query, items: [link!] } }, ...(select.among ?? [])] }
  if (!isCorrelated || !isPlain(query.from) || !conjunctsOf(on).every((e) => isPair(e, right.alias))) return undefined
  const correlated = [...query.where, ...conjunctsOf(linked(on, right.alias, links))]
  const found = { negated, query: { ...query, items: [hit], where: correlated } }
  return { ...select, from, where, found: [found, ...(select.found ?? [])] }
}

/** The other side of an equality with the link. */
function keyOf(on: SqlExpr, alias: string, link: string): SqlExpr | undefined {
  if (on.kind !== 'binary' || on.operator !== '=') return undefined
  const isLink = (e: SqlExpr): boolean => e.kind === 'column' && e.table === alias && e.name === link
  const { left, right }: Binary<SqlLeaf> = on
  if (isLink(right) && !reads(left, alias)) return left
  return isLink(left) && !reads(right, alias) ? right : undefined
}

/** Engines turn a correlated subquery into a hash join if it reads only tables. */
const isPlain = (from: From): boolean =>
  from.kind === 'join'
    ? isPlain(from.left) && isPlain(from.right)
    : from.kind === 'cte' || (from.kind === 'table' && !from.elements)

/** An equality of a link with what the row around has: of a column without a table the subquery would take its own. */
function isPair(e: SqlExpr, alias: string): boolean {
  if (e.kind !== 'binary' || e.operator !== '=' || reads(e, '')) return false
  const { left, right }: Binary<SqlLeaf> = e
  return reads(left, alias) !== reads(right, alias)
}

const conjunctsOf = (e: SqlExpr): readonly SqlExpr[] => {
  if (e.kind !== 'binary' || e.operator !== 'and') return [e]
  const { left, right }: Binary<SqlLeaf> = e
  return [...conjunctsOf(left), ...conjunctsOf(right)]
}

/** The condition with the link columns of the subquery's rows. */
const linked = (on: SqlExpr, alias: string, links: readonly SelectItem[]): SqlExpr =>
  mapLeaves<SqlLeaf, SqlLeaf>(on, (leaf) => {
    const link = leaf.kind === 'column' && leaf.table === alias ? links.find((one) => one.alias === leaf.name) : undefined
    return link?.expression ?? leaf
  })

function without(from: From, join: Join): From {
  if (from.kind !== 'join') return from
  return from === join ? from.left : { ...from, left: without(from.left, join) }
}

const conditionsOf = (from: From): readonly SqlExpr[] => joinsOf(from).flatMap(({ on }) => (on ? [on] : []))
