/** Times inside an expression are those that clocks of the query show. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { DATE, STRING, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { call, text } from './expressions.js'
import { inClocks } from './in-clocks.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'

const { time, functions } = resolveContext(shop, 'Asia/Tokyo')
const at = relationColumn('', 'at', TIMESTAMP_TZ)
const shown = (expression: RowExpr, type = TIMESTAMP_TZ): string =>
  said(
    inClocks<RelationColumn, RelationColumn>({ expression, type }, { time, functions }, (leaf) => ({
      expression: leaf,
      type: leaf.type,
    })),
  )

t.test('a leaf alone stays what it is', async (t) => {
  t.equal(shown(at), 'at')
  t.equal(shown(at, TIMESTAMP), "in_zone(at, 'Asia/Tokyo')", 'unless another type is asked for')
})

t.test('a time in an expression is a local time, and its value an instant if it is declared as one', async (t) => {
  const hour = call<RelationColumn>('date_trunc', text('hour'), at)
  t.equal(shown(hour, TIMESTAMP), "date_trunc('hour', in_zone(at, 'Asia/Tokyo'))")
  t.equal(shown(hour), "from_zone(date_trunc('hour', in_zone(at, 'Asia/Tokyo')), 'Asia/Tokyo')")
})

t.test('only a text may name an instant', async (t) => {
  const cast = (operand: RowExpr): RowExpr => ({ kind: 'cast', operand, type: TIMESTAMP_TZ })
  t.match(shown(call('date_trunc', text('hour'), cast(relationColumn('', 's', STRING))), TIMESTAMP), 'in_zone(s::timestamp_tz')
  t.match(shown(call('date_trunc', text('hour'), cast(relationColumn('', 'd', DATE))), TIMESTAMP), 'd::timestamp)')
})
