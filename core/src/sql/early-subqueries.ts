import { reads } from './expressions-of.js'
import { mapSelects } from './map-selects.js'
import type { Among, From, Select, Statement } from './statement.js'

type Join = From & { readonly kind: 'join' }

/**
 * The statement with `IN` conditions moved into the last of the leading inner joins, where the engine would evaluate them after all outer joins. The
 * outer joins remove no rows, so the order does not change the answer, but otherwise they look for matches of every row.
 */
export const earlySubqueries = (statement: Statement): Statement => mapSelects(statement, withEarly)

function withEarly(select: Select): Select {
  const { from, among = [] } = select
  if (among.length === 0) return select
  const joins = joinsOf(from)
  const outer = joins.findIndex((join) => join.type === 'left')
  const at = joins[outer - 1]
  if (at === undefined || at.type !== 'inner') return select
  const later = joins.slice(outer).flatMap((join) => aliasesOf(join.right))
  const isEarly = ({ key }: Among): boolean => ['', ...later].every((alias) => !reads(key, alias))
  const early = among.filter(isEarly)
  if (early.length === 0) return select
  return { ...select, among: among.filter((one) => !isEarly(one)), from: withAmong(from, at, early) }
}

/** The joins of one table after another, the first one first. */
function joinsOf(from: From): readonly Join[] {
  const joins: Join[] = []
  for (let at = from; at.kind === 'join'; at = at.left) joins.push(at)
  return joins.toReversed()
}

function aliasesOf(from: From): readonly string[] {
  if (from.kind === 'join') return [...aliasesOf(from.left), ...aliasesOf(from.right)]
  return from.kind === 'nothing' ? [] : [from.alias]
}

function withAmong(from: From, at: Join, among: readonly Among[]): From {
  if (from.kind !== 'join') return from
  return from === at ? { ...from, among } : { ...from, left: withAmong(from.left, at, among) }
}
