import t from 'tap'
import { writeSemantic } from './semantic-text.js'

t.test('a query is written as a statement', async (t) => {
  const query = {
    select: { dimensions: ['Airline', 'Date:month'], measures: ['Flight Count'] },
    where: [
      { field: 'Origin Code', op: 'in', value: ['JFK', "O'H"] },
      { field: 'Distance', op: '>=', value: 500 },
      { field: 'Tail Number', op: 'is_null' },
    ],
    having: [{ field: 'Flight Count', op: 'gt', value: 10 }],
    order_by: [{ field: 'Flight Count', direction: 'desc' as const, nulls: 'last' as const }],
    limit: 5,
    grouping: 'rollup',
  }
  t.same(writeSemantic(query, 'flights'), {
    sql: `SELECT "Airline",
       "Date:month",
       "Flight Count"
FROM "flights"
WHERE "Origin Code" IN ('JFK', 'O''H')
  AND "Distance" >= 500
  AND "Tail Number" IS NULL
GROUP BY ROLLUP ("Airline", "Date:month")
HAVING "Flight Count" > 10
ORDER BY "Flight Count" DESC NULLS LAST
LIMIT 5`,
  })
})

t.test('a filter that keeps rows without a value is written with IS NULL', async (t) => {
  const where = [{ field: 'Airline', op: 'not_in', value: ['A', 'B'], or_missing: true }]
  t.match(writeSemantic({ select: { measures: ['Flight Count'] }, where }, 'flights'), {
    sql: /WHERE \("Airline" NOT IN \('A', 'B'\) OR "Airline" IS NULL\)$/,
  })
})

t.test('a query that has no SQL form says so', async (t) => {
  const select = { measures: ['Flight Count'] }
  for (const query of [
    { select, fill_gaps: true },
    { select, where: [{ logic: 'or', filters: [] }] },
    { select, where: [{ field: 'Date', op: 'relative', value: { unit: 'day', count: 3 } }] },
    { select, where: [{ field: 'Airline', op: 'in', value: [null] }] },
    { select: { ...select, dimensions: [{ as: 'Both', coalesce: ['A', 'B'] }] } },
    { select: {} },
  ])
    t.match(writeSemantic(query, 'flights'), { reason: /has no words in semantic QL/ }, JSON.stringify(query))
})
