/** What must hold between two questions on time, whatever the rows: each law on generated sales (LAWS_SEED runs the same ones again). */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { randomFrom } from '../oracle/generate/random.js'
import { amount, PART } from '../support/amount.js'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const seed = Number(process.env['LAWS_SEED'] ?? 20261127 + PART)
const random = randomFrom(seed)
t.comment(`LAWS_SEED=${seed}`)

const prior = (measure: string, more: object) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Sold', ...more },
})
const change = { comparison: 'difference' }
const running = (more: object) => ({ type: 'cumulative', measure: 'Revenue', timeDimension: 'Sold', ...more })

type Calendar = 'Days' | 'Dates'

function modelOf(calendar: Calendar) {
  const { model, errors } = parseModelSync({
    json: {
      dataObjects: {
        Sales: {
          code: 'sales',
          columns: {
            Id: { code: 'id', abstractType: 'int', primaryKey: true },
            Day: { code: 'day', abstractType: 'date' },
            Shop: { code: 'shop', abstractType: 'string' },
            Amount: { code: 'amount', abstractType: 'int' },
          },
          joins: [
            {
              joinType: 'many-to-one',
              joinTo: calendar,
              columnsFrom: ['Day'],
              columnsTo: [calendar === 'Days' ? 'Day' : 'Date'],
            },
          ],
        },
        Days: {
          code: 'days',
          calendar: { key: 'Day', periods: { Year: 'year', 'Month No': 'month_of_year' } },
          columns: {
            Day: { code: 'day', abstractType: 'date', primaryKey: true },
            Year: { code: 'year_no', abstractType: 'int' },
            'Month No': { code: 'month_no', abstractType: 'int' },
          },
        },
        Dates: { calendar: { grain: 'day' } },
      },
      dimensions: {
        Sold: { dataObject: 'Sales', column: 'Day' },
        Shop: { dataObject: 'Sales', column: 'Shop' },
        Year: { dataObject: 'Days', column: 'Year' },
        'Month No': { dataObject: 'Days', column: 'Month No' },
        'Year Number': { dataObject: 'Dates', column: 'Year Number' },
        'Month Number': { dataObject: 'Dates', column: 'Month Number' },
      },
      measures: {
        Revenue: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'Amount' }], defaultValue: 0 },
      },
      metrics: {
        'Month Before': prior('Revenue', { offsetGrain: 'month' }),
        'Year Before': prior('Revenue', { offsetGrain: 'year' }),
        'Change on Month': prior('Revenue', { offsetGrain: 'month', ...change }),
        'Change on Year': prior('Revenue', { offsetGrain: 'year', ...change }),
        'Thirty Days': running({ window: 30, windowGrain: 'day' }),
        'Two Weeks': running({ window: 2, windowGrain: 'week' }),
        'Two Months': running({ window: 2, windowGrain: 'month' }),
        'Best Day of Ten': running({ window: 10, windowGrain: 'day', cumulativeType: 'max' }),
        'Year to Date': running({ grainToDate: 'year' }),
        'So Far': running({}),
      },
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

const ofTable = modelOf('Days')
const ofGenerated = modelOf('Dates')

const METRICS = [
  ...['Revenue', 'Month Before', 'Year Before', 'Change on Month', 'Change on Year'],
  ...['Thirty Days', 'Two Weeks', 'Two Months', 'Best Day of Ten', 'Year to Date', 'So Far'],
]
const dayOf = (n: number): string => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10)
const sales = Array.from({ length: 400 }, (_, id) => {
  const shop = random.pick(["'a'", "'b'", "'c'", 'NULL'])
  return `(${id}, DATE '${dayOf(random.below(1000))}', ${shop}, ${random.below(100)})`
})
const { rows } = await database(
  'CREATE TABLE sales (id INT, day DATE, shop VARCHAR, amount INT)',
  `INSERT INTO sales VALUES ${sales.join(', ')}`,
  `CREATE TABLE days AS SELECT CAST(d AS DATE) AS day, year(d) AS year_no, month(d) AS month_no
    FROM range(DATE '2023-01-01', DATE '2027-12-31', INTERVAL 1 DAY) AS r(d)`,
)
const ask = (
  dimensions: readonly string[],
  measures: readonly string[],
  where: readonly object[],
  more: object = {},
  model = ofTable,
) =>
  rows(
    compileFor({ select: { dimensions, measures }, where, order_by: dimensions.map((field) => ({ field })), ...more }, model).sql,
  )

const during = (from: string, to: string) => [{ field: 'Sold', op: 'between', value: [from, to] }]
const monthsOf = (year: number, month: number, count: number) => ({
  from: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
  to: new Date(Date.UTC(year, month + count, 0)).toISOString().slice(0, 10),
})
const LENGTHS = { month: 1, quarter: 3, year: 12 } as const
const sum = (values: readonly unknown[]): number => values.reduce<number>((all, value) => all + Number(value), 0)
const CASES = amount(4, 40)

t.test('a range of one whole period has the values of the row of that period', async (t) => {
  for (let n = 0; n < CASES; n++) {
    const grain = random.pick(['month', 'quarter', 'year'] as const)
    const count = LENGTHS[grain]
    const { from, to } = monthsOf(2025, count * random.below(12 / count), count)
    const measures = grain === 'month' ? METRICS : METRICS.filter((name) => !/^Month|on Month$/.test(name))
    const [row] = await ask([`Sold:${grain}`], measures, during(from, to), { fill_gaps: 'range' })
    t.same(row!.slice(1), (await ask([], measures, during(from, to)))[0], `${grain} of ${from}`)
  }
})

t.test('the moved ranges of months add up to the moved range of all of them, if it begins with a month', async (t) => {
  for (let n = 0; n < CASES; n++) {
    const { from } = monthsOf(2025, random.below(12), 1)
    const to = dayOf(Math.round((Date.parse(from) - Date.parse('2024-01-01')) / 86_400_000) + random.below(200))
    const before = ['Month Before', 'Year Before', 'Change on Month', 'Change on Year']
    const months = await ask(['Sold:month'], before, during(from, to), { fill_gaps: 'range' })
    const [all] = await ask([], before, during(from, to))
    before.forEach((name, i) => void t.equal(sum(months.map((row) => row[i + 1])), Number(all![i]), `${name} ${from} to ${to}`))
  }
})

t.test('the changes of the shops add up to the change of the total', async (t) => {
  for (let n = 0; n < CASES; n++) {
    const first = 366 + random.below(500)
    const where = during(dayOf(first), dayOf(first + random.below(60)))
    const changes = ['Change on Month', 'Change on Year']
    const shops = await ask(['Shop'], changes, where)
    const [all] = await ask([], changes, where)
    // A shop without rows in the compared range has no value there, and all of its revenue is its change.
    const [revenue, befores] = [
      await ask(['Shop'], ['Revenue'], where),
      await ask(['Shop'], ['Month Before', 'Year Before'], where),
    ]
    const of = new Map(revenue.map(([shop, value]) => [String(shop), Number(value)]))
    changes.forEach((name, i) => {
      const moved = befores.map(([shop, ...prior]) => (of.get(String(shop)) ?? 0) - Number(prior[i] ?? 0))
      t.equal(sum(shops.map((row) => row[i + 1])), Number(all![i]), name)
      t.equal(sum(moved), Number(all![i]), `${name}, from both values`)
    })
  }
})

t.test('a period by dates, by columns of a calendar table and of a generated calendar has one answer', async (t) => {
  for (let n = 0; n < CASES; n++) {
    const month = random.below(12)
    const isYear = random.chance(0.4)
    const { from, to } = isYear ? monthsOf(2025, 0, 12) : monthsOf(2025, month, 1)
    const named = (year: string, no: string) => [
      { field: year, op: '=', value: 2025 },
      ...(isYear ? [] : [{ field: no, op: '=', value: month + 1 }]),
    ]
    const at = random.chance(0.5) ? ['Sold:month'] : ['Sold:month', 'Shop']
    const more = { fill_gaps: random.pick([true, 'range']) }
    const byDates = await ask(at, METRICS, during(from, to), more)
    t.same(await ask(at, METRICS, named('Year', 'Month No'), more), byDates, `${from} by the table`)
    t.same(
      await ask(at, METRICS, named('Year Number', 'Month Number'), more, ofGenerated),
      byDates,
      `${from} by the generated calendar`,
    )
  }
})
