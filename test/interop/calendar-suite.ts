/** Calendars on a real engine: every day of ten years, and in the long run of forty, compared with a walk through the days. CALENDARS=all tests every calendar. */
import type { CompiledQuery, SemanticModel } from '@grainline/core'
import { nameOfGrain } from '@grainline/core/language'
import { parseModelSync } from '@grainline/core/unstable'
import { compileFor } from '../corpus/corpus.js'
import { type CalendarJson, calendarGrain, fiscalLater, fiscalStart } from '../oracle/fiscal.js'
import { Day, isoDay } from '../oracle/values.js'
import { amount, oneIn, PART } from '../support/amount.js'
import type { Answer } from '../support/answers.js'
import { type OpenEngine, type SuiteTest, sampled, withEngine } from './suites.js'

/** Starts in the middle of a month and at its end, years with every rule for their end, every pattern, weeks from four weekdays. */
export const CALENDARS: Readonly<Record<string, CalendarJson>> = {
  civil: { yearStart: '01-01' },
  april: { yearStart: '04-01' },
  tax: { yearStart: '04-06' },
  late: { yearStart: '02-28' },
  retail: { pattern: '4-5-4', yearEnd: { weekday: 'saturday', month: 1, rule: 'nearest' } },
  last: { pattern: '4-4-5', yearEnd: { weekday: 'friday', month: 9, rule: 'last' } },
  dec: { pattern: '5-4-4', yearEnd: { weekday: 'sunday', month: 12, rule: 'last' } },
  near: { pattern: '4-4-5', yearEnd: { weekday: 'wednesday', month: 12, rule: 'nearest' } },
  midweek: { pattern: '5-4-4', yearEnd: { weekday: 'wednesday', month: 12, rule: 'last' } },
  leap: { pattern: '5-4-4', yearEnd: { weekday: 'saturday', month: 2, rule: 'nearest' } },
}
const [REGULAR, ...OTHERS] = ['retail', ...Object.keys(CALENDARS).filter((name) => name !== 'retail')]
const ASKED =
  process.env['CALENDARS'] === 'all' ? Object.keys(CALENDARS) : [REGULAR!, ...sampled(oneIn(OTHERS.length, OTHERS), [])]
/** Calendars that are also tested with times of day. */
const OF_MOMENTS = new Set(['tax', 'retail'])
/** From 1985 forty years, of which a change asks ten, and another commit the others. */
const DAYS = amount(3_675, 14_700)
const FIRST = Date.parse('1985-01-01') / 86_400_000 + amount((PART % 4) * DAYS, 0)

const modelWith = (weekStart: string): SemanticModel => {
  const offsets = { month: [-1, 2], quarter: [-5], year: [-1, 3], week: [-3] }
  const metrics = Object.entries(CALENDARS).flatMap(([name, { pattern }]) =>
    Object.entries(offsets).flatMap(([unit, counts]) =>
      unit === 'week' && !pattern
        ? []
        : counts.map((offset) => [
            `${name}_${unit} ${offset}`,
            {
              type: 'period_over_period',
              measure: 'Day',
              periodOverPeriod: { timeDimension: 'Date', offset, offsetGrain: `${name}_${unit}` },
            },
          ]),
    ),
  )
  const { model, errors } = parseModelSync({
    json: {
      settings: { weekStart },
      calendars: CALENDARS,
      dataObjects: {
        Days: {
          code: 'days',
          columns: {
            N: { code: 'n', abstractType: 'int', primaryKey: true },
            On: { code: 'on_day', abstractType: 'date' },
            At: { code: 'at_time', abstractType: 'timestamp' },
          },
        },
      },
      dimensions: { Date: { dataObject: 'Days', column: 'On' }, Moment: { dataObject: 'Days', column: 'At' } },
      measures: { Day: { columns: [{ dataObject: 'Days', column: 'N' }], aggregation: 'max' } },
      metrics: Object.fromEntries(metrics),
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

/** The days have two times: midnight, and the last microsecond of the day. */
const TABLE = `CREATE TABLE days (n BIGINT, on_day DATE, at_time TIMESTAMP);
  INSERT INTO days SELECT n, CAST(DATE '${isoDay(FIRST)}' + n * INTERVAL '1' DAY AS DATE), DATE '${isoDay(FIRST)}' + (n + 1) * INTERVAL '1' DAY - INTERVAL '1' SECOND
    FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM ${['a', 'b', 'c', 'e']
      .map(
        (name) =>
          `(SELECT 0 AS d${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ` UNION ALL SELECT ${n}`).join('')}${name === 'e' ? [10, 11, 12, 13, 14].map((n) => ` UNION ALL SELECT ${n}`).join('') : ''}) ${name}`,
      )
      .join(', ')}) k WHERE n < ${DAYS};`

const iso = (day: Day): string => isoDay(day.days)

export const calendarsOn = (t: SuiteTest, open: OpenEngine): Promise<void> =>
  withEngine(t, open, async (engine) => {
    await engine.load(TABLE)
    const answer = async (query: object, model: SemanticModel): Promise<Answer['rows']> => {
      const compiled: CompiledQuery = compileFor(engine.dialect, query, model)
      return (await engine.ask(compiled.sql, compiled.columns)).rows
    }
    for (const weekStart of ['monday', 'sunday']) {
      const model = modelWith(weekStart)
      for (const name of weekStart === 'monday' ? ASKED : ['retail']) {
        const own = [...model.grains.values()]
          .map(nameOfGrain)
          .filter((grain) => calendarGrain(grain, { [name]: CALENDARS[name]! }))
        t.test(`every day is in its periods of '${name}', weeks from ${weekStart}`, async (t) => {
          const units = own.map((grain) => calendarGrain(grain, CALENDARS)!.unit)
          for (const time of OF_MOMENTS.has(name) ? ['Date', 'Moment'] : ['Date']) {
            const query = {
              select: { dimensions: ['Date', ...own.map((grain) => `${time}:${grain}`)] },
              order_by: [{ field: 1 }],
            }
            const rows = await answer(query, model)
            const wrong = rows.findIndex((row, i) => {
              const day = new Day(FIRST + i)
              return row[0] !== iso(day) || units.some((unit, c) => row[c + 1] !== iso(fiscalStart(CALENDARS[name]!, unit, day)))
            })
            t.equal(rows.length, DAYS)
            t.equal(wrong, -1, wrong < 0 ? time : `${rows[wrong]} ${compileFor(engine.dialect, query, model).sql}`)
          }
        })
        t.test(`every day is shifted by the periods of '${name}', weeks from ${weekStart}`, async (t) => {
          for (const metric of oneIn(
            2,
            [...model.metrics.keys()].filter((m) => m.startsWith(`${name}_`)),
          )) {
            const [grain, offset] = metric.split(' ') as [string, string]
            const query = { select: { dimensions: ['Date:day'], measures: [metric] }, order_by: [{ field: 1 }] }
            const rows = await answer(query, model)
            const { calendar, unit } = calendarGrain(grain, CALENDARS)!
            const at = rows.findIndex(
              ([, found], i) => found !== there(fiscalLater(calendar, unit, new Day(FIRST + i), Number(offset))),
            )
            t.equal(at, -1, at < 0 ? metric : `${metric}: ${rows[at]} ${compileFor(engine.dialect, query, model).sql}`)
          }
        })
      }
    }
  })

const LAST_DAYS = Array.from({ length: 40 }, (_, i) => isoDay(Date.parse('9999-12-31') / 86_400_000 - i))

/** What 16 to 26 December have of 2,550, which is the sum of the period with 26 December. All but the one of weeks end on the last day. */
const OF_ELEVEN_DAYS = { week: '2550', month: '905', quarter: '304', year: '77', leap_year: '77' }

function budgetsBy(granularity: string): SemanticModel {
  const columns = {
    On: { code: 'on_day', abstractType: 'date', granularity, spread: 'even' },
    Amount: { code: 'amount', abstractType: 'int' },
  }
  const { model, errors } = parseModelSync({
    json: {
      calendars: CALENDARS,
      dataObjects: { Budgets: { code: 'budgets', columns } },
      dimensions: { On: { dataObject: 'Budgets', column: 'On' } },
      measures: { Amount: { aggregation: 'sum', columns: [{ dataObject: 'Budgets', column: 'Amount' }] } },
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

/** The last days that many engines support, with their periods: each period begins by then, and some end later. */
export const lastDaysOn = (t: SuiteTest, open: OpenEngine): Promise<void> =>
  withEngine(t, open, async (engine) => {
    const values = LAST_DAYS.map((day) => `(DATE '${day}', TIMESTAMP '${day} 23:59:59')`)
    await engine.load(`CREATE TABLE days (on_day DATE, at_time TIMESTAMP); INSERT INTO days VALUES ${values.join(', ')};`)
    // Before the first test: while nothing runs, tap may take the file for done.
    await engine.load(`CREATE TABLE budgets (on_day DATE, amount INTEGER); INSERT INTO budgets VALUES (DATE '9999-12-26', 2550);`)
    t.test('the last day of December 9999 is its last day', async (t) => {
      const query = { select: { dimensions: [{ expression: 'last_day({[Moment]})', as: 'Last' }] } }
      const { sql, columns } = compileFor(engine.dialect, query, modelWith('monday'))
      const wanted = [...new Set(LAST_DAYS.map((day) => (day < '9999-12' ? '9999-11-30' : '9999-12-31')))].sort()
      t.strictSame((await engine.ask(sql, columns)).rows.flat().sort(), wanted, sql)
    })
    t.test('the sum of the last period is divided among its days', async (t) => {
      for (const [grain, part] of Object.entries(OF_ELEVEN_DAYS)) {
        const query = {
          select: { measures: ['Amount'] },
          where: [{ field: 'On', op: 'between', value: ['9999-12-16', '9999-12-26'] }],
        }
        const { sql, columns } = compileFor(engine.dialect, query, budgetsBy(grain))
        t.strictSame((await engine.ask(sql, columns)).rows, [[part]], grain)
      }
    })
    for (const weekStart of ['monday', 'sunday']) {
      const model = modelWith(weekStart)
      const grains = [...model.grains.values()].map(nameOfGrain).filter((grain) => calendarGrain(grain, CALENDARS))
      for (const time of ['Date', 'Moment'])
        t.test(`the last days of 9999 are in their periods, by ${time}, weeks from ${weekStart}`, async (t) => {
          for (const grain of grains) {
            const { calendar, unit } = calendarGrain(grain, CALENDARS)!
            const query = { select: { dimensions: ['Date', `${time}:${grain}`] }, order_by: [{ field: 1, direction: 'desc' }] }
            const { sql, columns } = compileFor(engine.dialect, query, model)
            const wanted = LAST_DAYS.map((day) => [day, iso(fiscalStart(calendar, unit, new Day(Date.parse(day) / 86_400_000)))])
            t.strictSame((await engine.ask(sql, columns)).rows, wanted, `${grain}: ${sql}`)
          }
        })
    }
  })

/** The value of the measure for a day: its number, if the table has it. */
const there = ({ days }: Day): string | null => (days < FIRST || days >= FIRST + DAYS ? null : String(days - FIRST))
