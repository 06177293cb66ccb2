import t from 'tap'
import type { Column } from '../api/read-arrow.js'
import { cellOf } from './cell-of.js'

const column = (name: string, type: string, value: unknown, role: Column['role'] = 'dimension'): Column => ({
  name,
  type,
  role,
  at: () => value,
})

t.test('a row is identified as the API expects', async (t) => {
  const columns = [
    column('Day', 'date', Date.UTC(2023, 1, 5)),
    column('At', 'timestamp', Date.UTC(2023, 1, 5, 1, 2, 3, 4) + 0.125),
    column('Instant', 'timestamp_tz', Date.UTC(2023, 1, 5, 1, 2, 3)),
    column('Airline', 'string', null),
    column('Number', 'int', 9007199254740993n),
    column('Delayed', 'boolean', false),
    column('Flights', 'int', 7, 'measure'),
  ]
  t.same(cellOf({ columns }, 0), {
    Day: '2023-02-05',
    At: '2023-02-05T01:02:03.004125',
    Instant: '2023-02-05T01:02:03.000Z',
    Airline: null,
    Number: '9007199254740993',
    Delayed: false,
  })
})

t.test('the group of all but the top values is null, whatever its name', async (t) => {
  const columns = [column('Airline', 'string', 'Others'), column('Airline is others', 'boolean', true, 'grouping')]
  t.same(cellOf({ columns }, 0), { Airline: null })
})

t.test('a dimension that a subtotal aggregates is omitted', async (t) => {
  const columns = [
    column('Airline', 'string', null),
    column('Month', 'int', null),
    column('Airline is total', 'boolean', false, 'grouping'),
    column('Month is total', 'boolean', true, 'grouping'),
  ]
  t.same(cellOf({ columns }, 0), { Airline: null })
})
