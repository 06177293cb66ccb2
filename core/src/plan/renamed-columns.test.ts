/** Columns of several relations as columns of one. */
import t from 'tap'
import { above, column, filter, named, scan } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { namedColumns, readingOf, withColumns } from './renamed-columns.js'

const [a, b, c] = [column('t', 'n'), column('u', 'n'), column('u', 'm')] as const
const columns = namedColumns([a, b, c], [named('m', a)])

t.test('each has a name that no other has', async (t) => {
  t.same(
    columns.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['n = t.n', 'n_2 = u.n', 'm_2 = u.m'],
  )
})

t.test('what reads them reads the one relation, and other columns stay', async (t) => {
  const change = readingOf('rows', columns)
  t.equal(said(change(b)), 'rows.n_2')
  t.equal(said(change(column('v', 'n'))), 'v.n')
  t.equal(said(withColumns(filter(scan('t'), above(c)), change).condition), '(rows.m_2 > 0)')
})
