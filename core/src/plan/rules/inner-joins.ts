import { conditionOf, tablesOn } from '../../resolve/row-terms.js'
import { type JoinedRows, mapJoinedRows, relationOf } from '../joined-rows.js'
import type { Join } from '../logical-plan.js'
import { neededBy } from '../null-rejecting.js'
import type { Rule } from './rule.js'

/**
 * Outer joins as inner ones, and inner ones first. Where no row without a match can meet the conditions, the outer join removes the same rows as an
 * inner one, and so does every join on the way to it. An inner join that reads nothing of an outer one before it can come before that: the rows are the same, and
 * there are fewer of them on the way. Engines order inner joins by what they cost, and hardly move one past an outer join.
 */
export const innerJoins: Rule = {
  name: 'inner-joins',
  rewrite: (node) => mapJoinedRows(node, (rows) => innerFirst(withInner(rows))),
}

/** From the last join to the first: a join reads only earlier joins. */
export function withInner(rows: JoinedRows): JoinedRows {
  const needed = new Set(rows.filters.flatMap(({ condition }) => [...neededBy(condition)]))
  const joins: Join[] = []
  for (const join of rows.joins.toReversed()) {
    const type = join.type === 'left' && needed.has(relationOf(join)) ? 'inner' : join.type
    const on = type === 'inner' ? conditionOf(join.on) : undefined
    if (on) for (const relation of neededBy(on)) needed.add(relation)
    joins.unshift(type === join.type ? join : { ...join, type })
  }
  return joins.every((join, at) => join === rows.joins[at]) ? rows : { ...rows, joins }
}

function innerFirst(rows: JoinedRows): JoinedRows {
  const joins = rows.joins.reduce<readonly Join[]>((done, join) => {
    const place = join.type === 'inner' ? done.findLastIndex((other) => !mayFollow(other, join)) + 1 : done.length
    return done.toSpliced(place, 0, join)
  }, [])
  return joins.every((join, at) => join === rows.joins[at]) ? rows : { ...rows, joins }
}

/** Whether an outer join may move after the inner join that follows it. */
const mayFollow = (outer: Join, inner: Join): boolean =>
  outer.type === 'left' && relationOf(outer) !== '' && inner.on.length > 0 && !tablesOn(inner.on).includes(relationOf(outer))
