/** Grains of a model's own calendars (decision 55). */
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { CALENDAR_UNITS } from '../../core/src/model/grain.js'
import { floor, shift } from '../../core/src/resolve/time.js'
import { CALENDARS, calendarsOn } from '../interop/calendar-suite.js'
import { fiscalAfter, fiscalStart } from '../oracle/fiscal.js'
import { Day } from '../oracle/values.js'
import { ask } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { database } from './database.js'

const { connection } = await database("SET TimeZone = 'UTC'")
await calendarsOn(t, async () => ({
  dialect: duckdb,
  load: async (statements) => void (await connection.run(statements)),
  ask: (sql) => ask(connection, sql),
  close: async () => {},
}))

t.test('a day that a question names stands in the same periods as one of the data', async (t) => {
  const { grains } = loadText(JSON.stringify({ calendars: CALENDARS, dataObjects: { A: { code: 'a', columns: {} } } }))
  const micros = (day: Day): bigint => BigInt(day.days) * 86_400_000_000n
  for (const [name, calendar] of Object.entries(CALENDARS)) {
    for (const unit of CALENDAR_UNITS.filter((each) => each !== 'week' || calendar.pattern)) {
      const grain = grains.get(`${name}_${unit}`)!
      let wrong = 0
      for (let day = -10_000; day < 20_000; day++) {
        const start = fiscalStart(calendar, unit, new Day(day))
        const [at, next] = [floor(micros(new Day(day)) + 5n, grain, 'monday'), fiscalAfter(calendar, unit, start, (day % 7) - 3)]
        if (at !== micros(start) || shift(at, grain, (day % 7) - 3) !== micros(next)) wrong++
      }
      t.equal(wrong, 0, grain === undefined ? name : `${name} ${unit}`)
    }
  }
})
