import { type Binary, leavesOf } from '../model/expression/ast.js'
import { isNotNull } from '../resolve/expressions.js'
import { isSame } from '../same.js'
import { expressionsOf, operandsOf } from './expressions-of.js'
import type { From, Query, Select, SqlExpr, SqlLeaf, Statement } from './statement.js'

type Join = From & { readonly kind: 'join' }

/**
 * The statement in which a row is asked for among others instead of being joined to them, where nothing else is read of those: engines then
 * stop at the first that they find, and remove no repeated links. It comes last, for what is asked so is no table any more.
 */
export function semiJoins({ ctes, body, ...statement }: Statement): Statement {
  return { ...statement, ctes: ctes.map(({ name, query }) => ({ name, query: inQuery(query) })), body: inQuery(body) }
}

const inQuery = (query: Query): Query =>
  query.kind === 'select' ? inSelect(query) : { ...query, parts: query.parts.map(inSelect) }

function inSelect(given: Select): Select {
  let select: Select = { ...given, from: within(given.from) }
  for (const join of joinsOf(select.from)) select = foundBy(join, select) ?? select
  return select
}

function within(from: From): From {
  if (from.kind === 'join') return { ...from, left: within(from.left), right: within(from.right) }
  return from.kind === 'subquery' ? { ...from, query: inQuery(from.query) } : from
}

/** The joins of one table after another, the first one last. */
const joinsOf = (from: From): readonly Join[] => (from.kind === 'join' ? [from, ...joinsOf(from.left)] : [])

/** What a SELECT has instead of an inner join with distinct links of which it only asks that they are there. */
function foundBy(join: Join, select: Select): Select | undefined {
  const { right, on } = join
  if (join.type !== 'inner' || right.kind !== 'subquery' || right.query.kind !== 'select' || !right.query.distinct)
    return undefined
  const [link, hit, ...more] = right.query.items
  if (link === undefined || hit?.expression.kind !== 'literal' || more.length > 0) return undefined
  const asked = isNotNull<SqlLeaf>({ kind: 'column', table: right.alias, name: hit.alias, type: hit.type })
  const where = select.where.filter((condition) => !isSame(condition, asked))
  const key = on && keyOf(on, right.alias, link.alias)
  if (key === undefined || where.length === select.where.length) return undefined
  const from = without(select.from, join)
  if ([...expressionsOf({ ...select, where }), ...conditionsOf(from)].some((e) => reads(e, right.alias))) return undefined
  const query: Select = { ...right.query, distinct: false, items: [link] }
  return { ...select, from, where, among: [{ key, query }, ...(select.among ?? [])] }
}

/** The other side of an equality with the link. */
function keyOf(on: SqlExpr, alias: string, link: string): SqlExpr | undefined {
  if (on.kind !== 'binary' || on.operator !== '=') return undefined
  const isLink = (e: SqlExpr): boolean => e.kind === 'column' && e.table === alias && e.name === link
  const { left, right }: Binary<SqlLeaf> = on
  if (isLink(right) && !reads(left, alias)) return left
  return isLink(left) && !reads(right, alias) ? right : undefined
}

function without(from: From, join: Join): From {
  if (from.kind !== 'join') return from
  return from === join ? from.left : { ...from, left: without(from.left, join) }
}

const conditionsOf = (from: From): readonly SqlExpr[] => joinsOf(from).flatMap(({ on }) => (on ? [on] : []))

const reads = (expression: SqlExpr, alias: string): boolean =>
  leavesOf<SqlLeaf>(expression).some((leaf) => {
    if (leaf.kind === 'column') return leaf.table === alias
    return leaf.kind !== 'output' && operandsOf(leaf).some((e) => reads(e, alias))
  })
