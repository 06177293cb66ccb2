/** `date_trunc` to a grain of the model's calendars is the dimension at that grain. */
import t from 'tap'
import { flightsHost } from './ask.js'

const { ask, refusalOf, close } = await flightsHost()
t.teardown(close)

t.test('DATE_TRUNC with a calendar grain compiles to the same statement as the grain after a colon', async (t) => {
  const named = await ask('SELECT "Date:fiscal_quarter", "Flight Count" FROM flights ORDER BY 1')
  const cut = await ask(`SELECT DATE_TRUNC('FISCAL_QUARTER', "Date"), "Flight Count" FROM flights GROUP BY 1 ORDER BY 1`)
  t.match(named.compiled.sql, /^SELECT|^WITH/)
  t.equal(cut.compiled.sql, named.compiled.sql)
  t.same(cut.rows, named.rows)
  t.equal(cut.rows.length, 4)
})

t.test('it works in conditions, and inside other expressions', async (t) => {
  const bucket = `date_trunc('fiscal_year', "Date")`
  const filtered = `SELECT ${bucket} AS y, "Flight Count" FROM flights WHERE date_trunc('fiscal_quarter', "Date") = DATE '2013-01-01' GROUP BY ${bucket}`
  t.same((await ask(filtered)).rows, [['2012-10-01', 80789]])
  t.same((await ask(`SELECT EXTRACT(month FROM ${bucket}) AS m, "Flight Count" FROM flights GROUP BY 1`)).rows, [[10, 336776]])
})

t.test(
  'an unknown period is refused with the nearest one; so are arguments that are not dimensions, or have another grain',
  async (t) => {
    const refused = async (unit: string, of: string) => refusalOf(`SELECT date_trunc('${unit}', ${of}) FROM flights`)
    t.match(await refused('fiscal_quater', '"Date"'), {
      code: 'UNKNOWN_TIME_UNIT',
      message: /did you mean 'fiscal_quarter'/,
      details: { suggestions: ['fiscal_quarter'], context: { position: 8 } },
    })
    t.match(await refused('fiscal_quarter', `"Date" + INTERVAL '1 day'`), {
      code: 'UNSUPPORTED_SQL_FEATURE',
      message: /takes a dimension/,
    })
    t.match(await refused('retail_year', '"Date:month"'), {
      code: 'UNSUPPORTED_SQL_FEATURE',
      message: /not within those of retail_year/,
    })
  },
)
