/** The end of periods that reach further than their rows. */
import t from 'tap'
import { said } from '../../../test/support/said.js'
import { DATE } from '../model/data-type.js'
import { furtherOut } from './further-out.js'
import { relationColumn } from './relation-column.js'
import { parseTime } from './time.js'

const end = relationColumn('', 'first', DATE)
const may = parseTime('2025-05-01')!.micros

t.test('the end of the rows counts if it is further out, and otherwise the period that is reached', async (t) => {
  t.equal(said(furtherOut(end, may, '<', DATE)), "case (first < '2025-05-01'): first, else '2025-05-01'")
  t.match(said(furtherOut(end, may, '>', DATE)), 'first > ')
  t.equal(furtherOut(end, undefined, '<', DATE), end, 'without one, the rows have the end')
})
