/** Which relations an expression reads. */
import t from 'tap'
import { INT } from '../model/data-type.js'
import { binary, integer } from './expressions.js'
import { type RelationColumn, readsAny, relationColumn, tablesIn } from './relation-column.js'

t.test('the relation of each column is found', async (t) => {
  const sum = binary<RelationColumn>(
    '+',
    relationColumn('a', 'x', INT),
    binary<RelationColumn>('+', relationColumn('b', 'y', INT), integer(1)),
  )
  t.same(tablesIn(sum), ['a', 'b'])
  t.ok(readsAny(sum, new Set(['b', 'c'])))
  t.notOk(readsAny(sum, new Set(['c'])))
  t.same(tablesIn(integer(1)), [])
})
