/** Conditions with ranges that touch are filtered by one range; which ranges touch is tested beside `joinedRanges`. */
import t from 'tap'
import { column, factsOf, filter, limited, scan } from '../../../../test/support/plans.js'
import { DATE } from '../../model/data-type.js'
import { allOf, anyOf, binary, literal } from '../../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { joinedRangesOfFilters } from './joined-ranges.js'

const day = column('Orders', 'day', DATE)
const between = (from: string, to: string): RowExpr =>
  allOf<RelationColumn>([binary('>=', day, literal(from, DATE)), binary('<', day, literal(to, DATE))])!
const rewritten = (condition: RowExpr) => joinedRangesOfFilters.rewrite(filter(scan('Orders'), condition), factsOf())

t.test('two months that touch are one range', async (t) => {
  const months = anyOf([between('2025-01-01', '2025-02-01'), between('2025-02-01', '2025-03-01')])
  t.same(rewritten(months), filter(scan('Orders'), between('2025-01-01', '2025-03-01')))
})

t.test('a condition without such ranges, or a node without a condition, is left alone', async (t) => {
  const apart = anyOf([between('2025-01-01', '2025-02-01'), between('2025-03-01', '2025-04-01')])
  t.equal(rewritten(apart), undefined)
  t.equal(rewritten(between('2025-01-01', '2025-02-01')), undefined)
  t.equal(joinedRangesOfFilters.rewrite(limited(scan('Orders')), factsOf()), undefined)
})
