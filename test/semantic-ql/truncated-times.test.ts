/** `date_trunc` of a time has the type of its input, as in PostgreSQL. A grain has the type of its period. */
import t from 'tap'
import { flightsHost } from './ask.js'

const { ask, close } = await flightsHost()
t.teardown(close)

const asked = async (item: string, tail = 'GROUP BY 1 ORDER BY 1 LIMIT 2') => {
  const { compiled, rows } = await ask(`SELECT ${item} AS m, "Flight Count" FROM flights ${tail}`)
  return { type: compiled.columns[0]?.type.kind, rows }
}

t.test('the type is that of the input, and the value is the first moment in the zone of the model', async (t) => {
  const cases: readonly (readonly [string, string, string])[] = [
    [`date_trunc('month', "Scheduled At")`, 'timestamp_tz', '2013-01-01T05:00:00Z'],
    [`date_trunc('hour', "Scheduled At")`, 'timestamp_tz', '2013-01-01T10:00:00Z'],
    [`date_trunc('month', "Scheduled Local")`, 'timestamp', '2013-01-01T00:00:00'],
    [`date_trunc('month', "Date")`, 'date', '2013-01-01'],
    [`"Scheduled At:month"`, 'date', '2013-01-01'],
    [`CAST(date_trunc('month', "Scheduled At") AS DATE)`, 'date', '2013-01-01'],
  ]
  for (const [item, type, first] of cases) {
    const { type: found, rows } = await asked(item)
    t.equal(found, type, item)
    t.equal(String(rows[0]?.[0]), first, item)
  }
})

t.test('the numbers are those of the grain', async (t) => {
  const [times, periods] = [
    await asked(`date_trunc('month', "Scheduled At")`, 'GROUP BY 1 ORDER BY 1'),
    await asked('"Scheduled At:month"', 'GROUP BY 1 ORDER BY 1'),
  ]
  t.same(
    times.rows.map(([, n]) => n),
    periods.rows.map(([, n]) => n),
  )
  t.equal(times.rows.length, 12)
})

t.test('a total has no time, and of the same type', async (t) => {
  const { type, rows } = await asked(`date_trunc('month', "Scheduled At")`, 'GROUP BY ROLLUP(1) ORDER BY 2 DESC LIMIT 1')
  t.equal(type, 'timestamp_tz')
  t.same(rows[0]?.slice(0, 2), [null, 336776])
})

t.test('the numbers are the same around a query, in the zone of the model', async (t) => {
  const { rows } = await ask(
    `SELECT date_trunc('month', t.at) AS m, COUNT(*) FROM (SELECT "Scheduled At" AS at FROM flights LIMIT 1000000) AS t GROUP BY 1 ORDER BY 1 LIMIT 1`,
  )
  t.same(rows, [['2013-01-01T05:00:00Z', 27_004]])
})
