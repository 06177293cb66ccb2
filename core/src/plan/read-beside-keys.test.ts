/** What an aggregation of joined rows reads besides its keys. */
import t from 'tap'
import { above, aggregate, column, filter, named, scan, sumOf } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import { readBesideKeys } from './read-beside-keys.js'

const at = (name: string) => column('t', name)
const read = (...[of, filters = []]: readonly [Parameters<typeof aggregate>[2], ReturnType<typeof filter>[]?]) =>
  readBesideKeys(aggregate(scan('t'), [named('Key', at('key'))], of), { filters }).map((one) => said(one))

t.test('values, orders, conditions of values and of rows', async (t) => {
  const key = { expression: at('order'), type: INT, descending: false, nullsFirst: false }
  t.same(read([sumOf('a', at('n'))]), ['t.n'])
  t.same(read([sumOf('a', at('n'), { orderBy: [key], filter: at('kept'), onlyWith: at('with') })]), [
    't.n',
    't.order',
    't.kept',
    't.with',
  ])
  t.same(read([], [filter(scan('t'), above(at('m')))]), ['(t.m > 0)'])
  t.same(read([]), [], 'no key')
})
