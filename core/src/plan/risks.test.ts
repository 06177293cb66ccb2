/** Which columns are in conditions that may fail on some value. */
import t from 'tap'
import { above, column, filter, joinTo, lookup, own, project, scan } from '../../../test/support/plans.js'
import { INT, STRING } from '../model/data-type.js'
import { allOf, binary, call, integer, isNotNull, isNull, not, onlyWhere, text } from '../resolve/expressions.js'
import type { LogicalPlan, RowExpr } from './logical-plan.js'
import { risksOf } from './risks.js'

const [n, other] = [column('t', 'n'), column('t', 'other')]
const risky =
  (plan: LogicalPlan, scans = ['t']) =>
  (name: string) =>
    risksOf(plan, new Set(scans)).has('t', name)
/** Whether the columns `n` and `other` are at risk if rows meet a condition. */
const risk = (condition: RowExpr): readonly boolean[] => ['n', 'other'].map(risky(filter(scan('t'), condition)))
const half = binary('/', n, integer(2))

t.test('comparisons of columns cannot fail', async (t) => {
  for (const safe of [above(n), isNull(n), isNotNull(n), allOf([above(n), above(other)])!, not(above(n)), binary('<>', n, other)])
    t.same(risk(safe), [false, false])
  t.same(risk({ kind: 'in', operand: n, list: [integer(1)] }), [false, false])
  t.same(risk(onlyWhere(above(n), other)), [false, false])
})

t.test('functions, arithmetic and conversions of a column can', async (t) => {
  t.same(risk(above(half)), [true, false])
  t.same(risk(above(call('sqrt', n))), [true, false])
  t.same(risk(above({ kind: 'cast', operand: n, type: STRING })), [true, false])
  t.same(risk(above({ kind: 'unary', operator: '-', operand: n })), [true, false])
  t.same(risk(above({ ...n, stored: { type: STRING } } as never)), [true, false], 'it is converted when it is read')
  t.same(risk(above(other, 1)), [false, false])
})

t.test('wherever they are in the condition', async (t) => {
  t.same(risk(not(above(half))), [true, false])
  t.same(risk(isNull(half)), [true, false])
  t.same(risk({ kind: 'in', operand: other, list: [half] }), [true, false])
  t.same(risk(onlyWhere(above(half), text('x'))), [true, false])
  t.same(risk(onlyWhere(above(other), half)), [true, false])
  t.same(risk({ kind: 'case', branches: [{ when: above(other), then: integer(1) }], otherwise: half }), [true, false])
})

t.test('of filters, joins and lookups, at any depth', async (t) => {
  t.ok(risky(joinTo(scan('t'), 'u', half))('n'))
  t.notOk(risky(joinTo(scan('t'), 'u', n))('n'))
  t.ok(risky(lookup(scan('t'), scan('u'), [], { keys: [{ own: half, theirs: 'Key', type: INT, nullSafe: true }] }))('n'))
  t.ok(risky(project(filter(scan('t'), above(half)), []))('n'))
  t.notOk(risky(project(scan('t'), [{ name: 'half', type: INT, expression: half }]))('n'), 'a value is no condition')
  t.notOk(risky({ ...joinTo(scan('t'), 'u', n), type: 'cross', on: [] })('n'))
})

t.test('a relation that is computed may be made of any column', async (t) => {
  const made = filter(scan('t'), above(binary('/', own('sum'), integer(2))))
  t.ok(risky(made)('n'))
  t.notOk(risksOf(filter(scan('t'), above(half)), new Set(['t'])).has('u', 'n'), 'the column of another relation')
})

t.test('whether any column of a relation is at risk', async (t) => {
  const risks = risksOf(filter(scan('t'), above(half)), new Set(['t', 'u']))
  t.same([risks.hasAny('t'), risks.hasAny('u')], [true, false])
  const made = filter(scan('t'), above(binary('/', own('sum'), integer(2))))
  t.ok(risksOf(made, new Set(['t'])).hasAny('u'))
})
