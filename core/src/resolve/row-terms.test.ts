/** The terms of a join of rows as one condition. */
import t from 'tap'
import { said, saidTerms } from '../../../test/support/said.js'
import { BOOLEAN, INT } from '../model/data-type.js'
import { relationColumn } from './relation-column.js'
import { conditionOf, equal, expressionsOn, holds, mapTerms, type RowTerm, tablesOn } from './row-terms.js'

const column = (table: string, name: string) => relationColumn(table, name, INT)
const end = (name: string, isIncluded: boolean, isOpen: boolean) => ({ at: column('b', name), isIncluded, isOpen })
const within = (start: readonly [boolean, boolean], until: readonly [boolean, boolean]): RowTerm => ({
  kind: 'within',
  interval: 'to',
  value: column('a', 'v'),
  start: end('from', ...start),
  end: end('until', ...until),
})
const asOf = (direction: 'backward' | 'forward'): RowTerm =>
  ({
    kind: 'as-of',
    value: column('a', 'v'),
    at: column('b', 'at'),
    direction,
    found: 'to',
    ties: [column('b', 'tie')],
  }) as unknown as RowTerm
const plain = (terms: readonly RowTerm[]): string => {
  const condition = conditionOf(mapTerms(terms, (e) => (e.kind === 'column' ? relationColumn('', e.name, e.type) : e)))
  return condition ? said(condition) : ''
}

t.test('each kind of term', async (t) => {
  t.equal(saidTerms([]), '')
  t.equal(plain([equal(column('a', 'x'), column('b', 'y')), holds(relationColumn('b', 'ok', BOOLEAN))]), '((x = y) and ok)')
  t.equal(plain([within([true, false], [false, false])]), '((v >= from) and (v < until))')
  t.equal(plain([within([false, true], [true, false])]), '((from is null or (v > from)) and (v <= until))')
  t.equal(
    plain([within([true, true], [true, true])]),
    '((v is not null and (from is null or (v >= from))) and (until is null or (v <= until)))',
    'a missing value is in no interval',
  )
  t.equal(plain([asOf('backward')]), '(at <= v)')
  t.equal(plain([asOf('forward')]), '(at >= v)')
})

t.test('what the terms read', async (t) => {
  t.same(tablesOn([equal(column('a', 'x'), column('b', 'y')), holds(column('c', 'ok'))]), ['a', 'b', 'c'])
  t.same(
    expressionsOn([asOf('backward')]).map((e) => e.kind === 'column' && e.name),
    ['v', 'at', 'tie'],
  )
  t.same(expressionsOn([within([true, false], [false, false])]).length, 3)
})
