/** Grains of the calendars that a model defines (decision 55). */
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { CALENDAR_UNITS } from '../../core/src/model/grain.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { dateText, floor, shift } from '../../core/src/resolve/time.js'
import { CALENDARS, calendarsOn, lastDaysOn } from '../interop/calendar-suite.js'
import type { Engine } from '../interop/suites.js'
import { fiscalAfter, fiscalStart } from '../oracle/fiscal.js'
import { Day } from '../oracle/values.js'
import { amount, PART } from '../support/amount.js'
import { ask } from '../support/answers.js'
import { compileFor, loadText, refusalOf } from '../support/compile.js'
import { database } from './database.js'

async function openEngine(): Promise<Engine> {
  const { connection } = await database("SET TimeZone = 'UTC'")
  return {
    dialect: duckdb,
    load: async (statements) => void (await connection.run(statements)),
    ask: (sql) => ask(connection, sql),
    close: async () => {},
  }
}
t.test('periods', (t) => calendarsOn(t, openEngine))
t.test('last days', (t) => lastDaysOn(t, openEngine))

t.test('a date in a query is in the same periods as the same date in the data', async (t) => {
  const { grains } = loadText(JSON.stringify({ calendars: CALENDARS, dataObjects: { A: { code: 'a', columns: {} } } }))
  const micros = (day: Day): bigint => BigInt(day.days) * 86_400_000_000n
  const step = amount(10, 1)
  for (const [name, calendar] of Object.entries(CALENDARS)) {
    for (const unit of CALENDAR_UNITS.filter((each) => each !== 'week' || calendar.pattern)) {
      const grain = grains.get(`${name}_${unit}`)!
      let wrong = 0
      for (let day = -10_000 + (PART % step); day < 20_000; day += step) {
        const start = fiscalStart(calendar, unit, new Day(day))
        const [at, next] = [floor(micros(new Day(day)) + 5n, grain, 'monday'), fiscalAfter(calendar, unit, start, (day % 7) - 3)]
        if (at !== micros(start) || shift(at, grain, (day % 7) - 3) !== micros(next)) wrong++
      }
      t.equal(wrong, 0, grain === undefined ? name : `${name} ${unit}`)
    }
  }
})

t.test('the retail years with 53 weeks are those that the trade published', async (t) => {
  const { grains } = loadText(JSON.stringify({ calendars: CALENDARS, dataObjects: { A: { code: 'a', columns: {} } } }))
  const year = grains.get('retail_year')!
  const long: number[] = []
  for (let at = floor(0n, year, 'monday'); dateText(at) < '2024-12-31'; at = shift(at, year, 1))
    if (shift(at, year, 1) - at === 371n * 86_400_000_000n) long.push(Number(dateText(at).slice(0, 4)))
  // https://nrf.com/resources/4-5-4-calendar
  t.strictSame(
    long.filter((y) => y > 2000),
    [2006, 2012, 2017, 2023],
  )
})

t.test('an invalid calendar is refused at its place, and an unknown grain with the nearest name', (t) => {
  const faults = (calendars: object, timeGrain = 'day') =>
    parseModelSync({
      json: {
        calendars,
        dataObjects: { A: { code: 'a', columns: { On: { code: 'o', abstractType: 'date' } } } },
        dimensions: { D: { dataObject: 'A', column: 'On', timeGrain } },
      },
    }).errors.map(({ code, path, suggestions }) => [code, path, ...(suggestions ?? [])])
  const yearEnd = { weekday: 'friday', month: 9, rule: 'last' }
  t.strictSame(faults({ fiscal: { yearStart: '02-29' } }), [['INVALID_SETTING', 'calendars.fiscal.yearStart']])
  t.strictSame(faults({ fiscal: { yearStart: '13-01' } }), [['INVALID_SETTING', 'calendars.fiscal.yearStart']])
  t.strictSame(faults({ fiscal: {} }), [['INVALID_SETTING', 'calendars.fiscal']])
  t.strictSame(faults({ fiscal: { pattern: '4-4-5' } }), [['INVALID_SETTING', 'calendars.fiscal']])
  t.strictSame(faults({ fiscal: { yearStart: '04-01', pattern: '4-4-5', yearEnd } }), [['INVALID_SETTING', 'calendars.fiscal']])
  t.strictSame(faults({ 'my year': { yearStart: '04-01' } }), [['INVALID_SETTING', 'calendars.my year']])
  t.strictSame(
    faults({ fiscal: { yearStart: '04-01' } }, 'fiscal_week').map(([code, path]) => [code, path]),
    [['SCHEMA_VALIDATION', 'dimensions.D.timeGrain']],
  )
  t.strictSame(faults({ fiscal: { yearStart: '04-01' } }, 'fiscal_qarter')[0]?.slice(0, 3), [
    'SCHEMA_VALIDATION',
    'dimensions.D.timeGrain',
    'fiscal_quarter',
  ])
  t.end()
})

t.test('a query with an unknown grain is refused with the nearest name', (t) => {
  const model = loadText(
    JSON.stringify({
      calendars: { fiscal: { yearStart: '04-01' } },
      dataObjects: { A: { code: 'a', columns: { On: { code: 'o', abstractType: 'date' } } } },
      dimensions: { Date: { dataObject: 'A', column: 'On' } },
    }),
  )
  t.match(refusalOf({ select: { dimensions: ['Date:fiscal_week'] } }, model), {
    code: 'UNKNOWN_DIMENSION',
    path: 'select.dimensions[0]',
  })
  const where = [{ field: 'Date', op: 'relative', value: { unit: 'fiscal_week', count: 1 } }]
  t.match(refusalOf({ select: { dimensions: ['Date'] }, where }, model), {
    code: 'INVALID_RELATIVE_FILTER',
    path: 'where[0].value.unit',
  })
  t.match(compileFor({ select: { dimensions: ['Date:Fiscal_Year'] } }, model).columns[0], { name: 'Date:fiscal_year' })
  t.end()
})

t.test('the compile time of nested calls is linear in their number', (t) => {
  const model = loadText(
    JSON.stringify({
      dataObjects: { A: { code: 'a', columns: { N: { code: 'n', abstractType: 'int' } } } },
      dimensions: { N: { dataObject: 'A', column: 'N' } },
    }),
  )
  const deep = `${'abs('.repeat(40)}{[N]}${')'.repeat(40)}`
  t.match(compileFor({ select: { dimensions: [{ expression: deep, as: 'Deep' }] } }, model).columns[0], { type: { kind: 'int' } })
  t.end()
})
