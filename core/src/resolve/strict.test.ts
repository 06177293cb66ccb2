import t from 'tap'
import { INT } from '../model/data-type.js'
import { call, integer } from './expressions.js'
import { relationColumn } from './relation-column.js'
import { isStrict } from './strict.js'

t.test('NULLIF of a value and a column of a missing row is the value, so it needs a guard', async (t) => {
  const column = relationColumn('t', 'c', INT)
  t.equal(isStrict(call('nullif', integer(5), column)), false)
  t.equal(isStrict(call('nullif', column, integer(5))), true)
})
