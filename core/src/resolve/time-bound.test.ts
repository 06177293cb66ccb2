/** The first and the last time that a condition accepts, and the condition without its lower bound. */
import t from 'tap'
import { alongOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { dateText } from './time.js'
import { momentAt, upperBound } from './time-bound.js'

const day = (op: string, value?: unknown) => ({ field: 'Day', op, ...(value !== undefined && { value }) })
const not = (filter: object) => ({ logic: 'and', negated: true, filters: [filter] })
const any = (...filters: readonly object[]) => ({ logic: 'or', filters })
const written = (expression: string) => ({ expression })

/** A condition, its first time, its last one, and what is left of it. */
const CASES: readonly (readonly [object, string, string, string])[] = [
  [day('>=', '2025-03-01'), '2025-03-01', '', 'all'],
  [day('<', '2025-03-01'), '', '2025-03-01', "(Day < '2025-03-01')"],
  [day('=', '2025-03-01'), '2025-03-01', '2025-03-01', "(Day <= '2025-03-01')"],
  [day('between', ['2025-03-01', '2025-03-10']), '2025-03-01', '2025-03-10', "(Day <= '2025-03-10')"],
  [day('in', ['2025-03-05', '2025-03-01']), '2025-03-01', '2025-03-05', "(Day <= '2025-03-05')"],
  [day('in', []), '', '', 'false'],
  [day('!=', '2025-03-01'), '', '', 'all'],
  [day('notset'), '', '', 'all'],
  [day('set'), '', '', 'all'],
  [day('relative', { unit: 'month', count: 1 }), '1970-01-01', '1970-02-01', "(Day < '1970-02-01')"],
  [not(day('>=', '2025-03-01')), '', '2025-03-01', "(Day < '2025-03-01')"],
  [not(day('!=', '2025-03-01')), '2025-03-01', '2025-03-01', "(Day <= '2025-03-01')"],
  [not(day('between', ['2025-03-01', '2025-03-10'])), '', '', 'all'],
  [any(day('<', '2025-03-01'), day('<', '2025-04-01')), '', '2025-04-01', "(Day < '2025-04-01')"],
  [any(day('<', '2025-03-01'), day('notset')), '', '2025-03-01', "(Day < '2025-03-01')"],
  [any(day('notset'), day('<', '2025-03-01')), '', '2025-03-01', "(Day < '2025-03-01')"],
  [any(day('<', '2025-03-01'), day('set')), '', '', 'all'],
  [any(day('<', '2025-03-01'), day('in', [])), '', '2025-03-01', "(Day < '2025-03-01')"],
  [not(any(day('>', '2025-03-01'), day('>', '2025-02-01'))), '', '2025-02-01', "(Day <= '2025-02-01')"],
  [written("{[Day]} >= DATE '2025-03-01' AND {[Day]} < DATE '2025-04-01'"), '2025-03-01', '2025-04-01', "(Day < '2025-04-01')"],
  [written("{[Day]} IN (DATE '2025-03-01', DATE '2025-03-05')"), '2025-03-01', '2025-03-05', "(Day <= '2025-03-05')"],
  [written("NOT {[Day]} > DATE '2025-03-01'"), '', '2025-03-01', "(Day <= '2025-03-01')"],
  [written("date_trunc('month', {[Day]}) < DATE '2025-03-01'"), '', '', 'all'],
  [written('{[Day]} IS NULL'), '', '', 'all'],
  [written('{[Day]} < {[Orders].[Day]}'), '', '', 'all'],
  [written("{[Day]} < DATE '2025-03-01' OR true"), '', '', 'all'],
  [written("{[Day]} < DATE '2025-03-01' OR false"), '', '2025-03-01', "(Day < '2025-03-01')"],
  [written('NOT {[Day]} IS NULL'), '', '', 'all'],
  [written("NOT {[Day]} IN (DATE '2025-03-01')"), '', '', 'all'],
  [written("coalesce({[Day]} > DATE '2025-03-01', true)"), '', '', 'all'],
]
for (const [filter, first, last, left] of CASES)
  t.test(JSON.stringify(filter), async (t) => {
    const { where, clocks } = alongOf({ select: { measures: ['Sales'] }, where: [filter] }, shop)
    const moment = (end: 'lower' | 'upper') => {
      const at = momentAt(end, where[0]!, clocks)
      return at === undefined ? '' : dateText(at)
    }
    t.same([moment('lower'), moment('upper')], [first, last])
    const bound = upperBound(where[0]!, clocks)
    t.equal(bound ? saidWhere(bound.expression) : 'all', left)
    if (bound && left !== 'false') t.equal(saidWhere(upperBound(bound, clocks)!.expression), left, 'once more')
  })
