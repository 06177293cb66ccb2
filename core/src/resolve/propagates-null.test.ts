import t from 'tap'
import { INT } from '../model/data-type.js'
import { call, integer } from './expressions.js'
import { propagatesNull } from './propagates-null.js'
import { relationColumn } from './relation-column.js'

t.test('NULLIF of a value and a column of a missing row is the value, so it needs a guard', async (t) => {
  const column = relationColumn('t', 'c', INT)
  t.equal(propagatesNull(call('nullif', integer(5), column)), false)
  t.equal(propagatesNull(call('nullif', column, integer(5))), true)
})
