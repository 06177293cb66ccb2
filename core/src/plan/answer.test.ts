/** The columns of an answer: their names, their types, and their order. */
import t from 'tap'
import { own, scan } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { decimal, INT, STRING } from '../model/data-type.js'
import type { Output } from '../resolve/resolved-query.js'
import { displayed, sorted } from './answer.js'

const output = (name: string, more: Partial<Output> = {}): Output =>
  ({ name, role: 'measure', type: INT, expression: own('n'), displayAs: undefined, format: undefined, ...more }) as Output
const as = <E>(expression: E): E => expression
const told = (...outputs: readonly Output[]) =>
  displayed(outputs, as).map(({ name, type, expression }) => `${name} = ${said(expression)} ${type.kind}`)

t.test('names that differ only in case get a number', async (t) => {
  t.same(
    told(output('Sales'), output('SALES'), output('Other')).map((one) => one.split(' = ')[0]),
    ['Sales', 'SALES_2', 'Other'],
  )
})

t.test('the declared type is applied if it is another one', async (t) => {
  t.same(told(output('x')), ['x = n int'])
  t.same(told(output('x', { displayAs: INT })), ['x = n int'])
  t.same(told(output('x', { displayAs: STRING })), ['x = n::string string'])
  t.match(told(output('x', { type: decimal(9, 2), displayAs: decimal(9, 0) })), [/^x = n::.* decimal$/])
})

t.test('NULL can have a text', async (t) => {
  t.same(told(output('x', { type: STRING, ofNull: 'none', displayAs: INT })), ["x = coalesce(n, 'none') string"])
  t.same(told(output('x', { type: STRING, ofNull: '' })), ["x = coalesce(n, '') string"])
})

t.test('rows are sorted if something orders them', async (t) => {
  const rows = scan('t')
  t.equal(sorted(rows, [], as), rows)
  const key = { expression: own('n'), type: INT, descending: true, nullsFirst: true, sequence: ['a'] }
  t.same(sorted(rows, [{ ...key, name: 'n' } as never], as), { kind: 'sort', input: rows, keys: [key] })
})
