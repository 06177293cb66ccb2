/** TMDL: time intelligence, other relationships, and choices between aggregates have the numbers of SQL written by hand. */
import { readFileSync } from 'node:fs'
import type { Imported } from '@grainline/core'
import t from 'tap'
import { tmdl } from '../../plugins/importer-tmdl/src/index.js'
import { type NumberCase, sameNumbers } from './numbers-by-hand.js'

const days = readFileSync(new URL('./test/interchange/tmdl/days.tmdl', `file://${process.cwd()}/`), 'utf8')

const imported = async (text: string): Promise<Imported> => {
  const read = await tmdl.read({ text })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  return read
}

const refusals = ({ losses }: Imported) => losses.filter(({ kind }) => kind === 'refused')

const changed = (from: string, to: string): string => {
  if (!days.includes(from)) throw new Error(`the model has no '${from}'`)
  return days.replace(from, () => to)
}

/** Sales of three years with gaps: some have no day, no day of shipping, no customer, or no fee. */
const ROWS = `
  CREATE SCHEMA IF NOT EXISTS main;
  CREATE TABLE days AS SELECT d::DATE AS day, date_trunc('month', d)::DATE AS month_start, dayname(d) AS weekday
    FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2027-01-01', INTERVAL 1 DAY) AS t(d);
  CREATE TABLE customers (customer_id INTEGER, region VARCHAR);
  INSERT INTO customers VALUES (1, 'north'), (2, 'south'), (3, NULL);
  CREATE TABLE sales AS SELECT i::INTEGER AS sale_id, (i % 4 + 1)::INTEGER AS customer_id, CASE i % 3 WHEN 0 THEN 'web' WHEN 1 THEN 'shop' END AS channel,
    CASE WHEN i % 17 = 0 THEN NULL ELSE TIMESTAMP '2024-02-27' + INTERVAL (i * 5) DAY END AS sold_on,
    CASE WHEN i % 7 = 0 THEN NULL ELSE TIMESTAMP '2024-02-27' + INTERVAL (i * 5 + 20) DAY END AS shipped_on,
    ((i * 37) % 211)::DECIMAL(19, 4) AS amount, CASE WHEN i % 5 = 0 THEN 2.5 END::DECIMAL(19, 4) AS fee
    FROM range(190) AS t(i)`

const SALES = 'sales LEFT JOIN customers USING (customer_id)'
/** The months with sales. */
const MONTHS = `(SELECT DISTINCT date_trunc('month', sold_on)::DATE AS m, (date_trunc('month', sold_on) + INTERVAL 1 MONTH)::DATE AS e FROM sales)`
const between = (what: string, from: string, to: string) =>
  `(SELECT ${what} FROM sales WHERE sold_on >= ${from} AND sold_on < ${to})`
const MONTH = 'Days.Date:month'
/** Sums of the months before are shown only beside a month with sales. */
const whole = { where: [{ field: 'Days.Date', op: 'between', value: ['2025-01-01', '2026-08-31'] }] }
const WHOLE = "WHERE m >= '2025-01-01' AND m < '2026-09-01'"

const CASES: readonly NumberCase[] = [
  {
    says: 'values to date, by months',
    dimensions: [MONTH],
    measures: ['Revenue', 'Revenue YTD', 'Revenue QTD', 'Revenue MTD', 'Average YTD', 'Fiscal YTD', 'Revenue to Date'],
    ...whole,
    sql: `SELECT m, ${between('sum(amount)', 'm', 'e')}, ${between('sum(amount)', "date_trunc('year', m)", 'e')}, ${between('sum(amount)', "date_trunc('quarter', m)", 'e')},
      ${between('sum(amount)', 'm', 'e')}, ${between('sum(amount) / count(*)', "date_trunc('year', m)", 'e')},
      ${between('sum(amount)', "date_trunc('year', m - INTERVAL 6 MONTH) + INTERVAL 6 MONTH", 'e')}, ${between('sum(amount)', "'1900-01-01'", 'e')} FROM ${MONTHS} ${WHOLE}`,
  },
  {
    says: 'values to date, by days',
    dimensions: ['Days.Date'],
    measures: ['Revenue', 'Revenue YTD', 'Revenue MTD', 'Seven Days', 'Last Day'],
    where: [{ field: 'Days.Date', op: 'between', value: ['2025-12-20', '2026-01-20'] }],
    sql: `SELECT d, ${between('sum(amount)', 'd', 'd + 1')}, ${between('sum(amount)', "date_trunc('year', d)", 'd + 1')}, ${between('sum(amount)', "date_trunc('month', d)", 'd + 1')},
      ${between('sum(amount)', 'd - 6', 'd + 1')}, ${between('sum(amount)', 'd', 'd + 1')}
      FROM (SELECT DISTINCT sold_on::DATE AS d FROM sales WHERE sold_on >= '2025-12-20' AND sold_on < '2026-01-21')`,
  },
  {
    says: 'the last seven days and the last day of a month',
    dimensions: [MONTH],
    measures: ['Revenue', 'Seven Days', 'Last Day'],
    ...whole,
    sql: `SELECT m, ${between('sum(amount)', 'm', 'e')}, ${between('sum(amount)', 'e - 7', 'e')}, ${between('sum(amount)', 'e - 1', 'e')} FROM ${MONTHS} ${WHOLE}`,
  },
  {
    says: 'one number, as of the last day that the filters leave',
    measures: ['Revenue YTD', 'Revenue MTD', 'Last Year', 'Web YTD'],
    where: [{ field: 'Days.Date', op: 'between', value: ['2026-02-10', '2026-03-15'] }],
    sql: `SELECT ${between('sum(amount)', "'2026-01-01'", "'2026-03-16'")}, ${between('sum(amount)', "'2026-03-01'", "'2026-03-16'")}, ${between('sum(amount)', "'2025-02-10'", "'2025-03-16'")},
      ${between("sum(amount) FILTER (WHERE channel = 'web')", "'2026-01-01'", "'2026-03-16'")}`,
  },
  {
    says: 'other periods, by months',
    dimensions: [MONTH],
    measures: [
      'Revenue',
      'Last Year',
      'Month Before',
      'Quarter After',
      'YTD Last Year',
      'Average Last Year',
      'Growth',
      'Two Years Ago',
    ],
    where: [{ field: 'Days.Date', op: 'between', value: ['2026-01-01', '2026-08-31'] }],
    sql: `SELECT m, r, l, b, a, y, g, (r - l) / l, t FROM (SELECT m, ${between('sum(amount)', 'm', 'e')} AS r, ${between('sum(amount)', 'm - INTERVAL 1 YEAR', 'e - INTERVAL 1 YEAR')} AS l,
      ${between('sum(amount)', 'm - INTERVAL 1 MONTH', 'm')} AS b, ${between('sum(amount)', 'm + INTERVAL 3 MONTH', 'm + INTERVAL 4 MONTH')} AS a,
      ${between('sum(amount)', "date_trunc('year', m) - INTERVAL 1 YEAR", 'e - INTERVAL 1 YEAR')} AS y, ${between('sum(amount) / count(*)', 'm - INTERVAL 1 YEAR', 'e - INTERVAL 1 YEAR')} AS g,
      ${between('sum(amount)', 'm - INTERVAL 2 YEAR', 'm - INTERVAL 2 YEAR + INTERVAL 1 MONTH')} AS t FROM ${MONTHS} WHERE m >= '2026-01-01' AND m < '2026-09-01')`,
  },
  {
    says: 'filters on columns of the table of days choose the days',
    dimensions: [MONTH, 'Days.Month No'],
    measures: ['Revenue YTD', 'Last Year'],
    where: [{ field: 'Days.Year', op: '=', value: 2025 }],
    sql: `SELECT m, month(m), ${between('sum(amount)', "date_trunc('year', m)", 'e')}, ${between('sum(amount)', 'm - INTERVAL 1 YEAR', 'e - INTERVAL 1 YEAR')} FROM ${MONTHS} WHERE year(m) = 2025`,
  },
  {
    says: 'columns of the table of days that tell the month, without the date',
    dimensions: ['Days.Year', 'Days.Month No'],
    measures: ['Revenue', 'Revenue YTD', 'Last Year', 'YTD Last Year'],
    ...whole,
    sql: `SELECT year(m), month(m), ${between('sum(amount)', 'm', 'e')}, ${between('sum(amount)', "date_trunc('year', m)", 'e')}, ${between('sum(amount)', 'm - INTERVAL 1 YEAR', 'e - INTERVAL 1 YEAR')},
      ${between('sum(amount)', "date_trunc('year', m) - INTERVAL 1 YEAR", 'e - INTERVAL 1 YEAR')} FROM ${MONTHS} ${WHOLE}`,
  },
  {
    dimensions: ['Days.Month No'],
    measures: ['Revenue YTD', 'Month Before'],
    where: [{ field: 'Days.Year', op: '=', value: 2025 }],
    sql: `SELECT month(m), ${between('sum(amount)', "date_trunc('year', m)", 'e')}, ${between('sum(amount)', 'm - INTERVAL 1 MONTH', 'm')} FROM ${MONTHS} WHERE year(m) = 2025`,
  },
  {
    dimensions: ['Days.Month Start'],
    measures: ['Revenue to Date'],
    sql: `SELECT m, ${between('sum(amount)', "'1900-01-01'", 'e')} FROM ${MONTHS}`,
  },
  {
    says: 'other groups stay, and members that only the other year has are rows',
    dimensions: ['Customers.region'],
    measures: ['Revenue', 'Last Year', 'Share of Region', 'Share Last Year'],
    where: [{ field: 'Days.Date', op: 'between', value: ['2026-01-01', '2026-01-31'] }],
    sql: `SELECT region, r, l, r / (sum(r) OVER ()), l / (sum(l) OVER ()) FROM (SELECT region, sum(amount) FILTER (WHERE sold_on >= '2026-01-01' AND sold_on < '2026-02-01') AS r,
      sum(amount) FILTER (WHERE sold_on >= '2025-01-01' AND sold_on < '2025-02-01') AS l FROM ${SALES} GROUP BY 1)`,
  },
  {
    says: 'USERELATIONSHIP: by the day of shipping, beside the day of sale',
    dimensions: [MONTH],
    measures: ['Revenue', 'Shipped', 'Shipped Web', 'Shipped Large'],
    sql: `SELECT coalesce(a.m, b.m), r, s, w, g FROM (SELECT date_trunc('month', sold_on)::DATE AS m, sum(amount) AS r FROM sales GROUP BY 1) a
      FULL JOIN (SELECT date_trunc('month', shipped_on)::DATE AS m, sum(amount) AS s, count(*) FILTER (WHERE channel = 'web') AS w, sum(amount) FILTER (WHERE amount >= 100) AS g FROM sales GROUP BY 1) b
      ON a.m IS NOT DISTINCT FROM b.m`,
  },
  {
    says: 'USERELATIONSHIP: other groups and filters are those of the rows',
    dimensions: ['Sales.channel', 'Customers.region'],
    measures: ['Revenue', 'Shipped'],
    where: [
      { field: 'Days.Date', op: 'between', value: ['2026-01-01', '2026-06-30'] },
      { field: 'Sales.channel', op: '!=', value: 'shop' },
    ],
    sql: `SELECT channel, region, sum(amount) FILTER (WHERE sold_on >= '2026-01-01' AND sold_on < '2026-07-01'), sum(amount) FILTER (WHERE shipped_on >= '2026-01-01' AND shipped_on < '2026-07-01')
      FROM ${SALES} WHERE channel <> 'shop' AND (sold_on >= '2026-01-01' AND sold_on < '2026-07-01' OR shipped_on >= '2026-01-01' AND shipped_on < '2026-07-01') GROUP BY 1, 2`,
  },
  {
    dimensions: [MONTH],
    measures: ['Shipped Last Year'],
    where: [{ field: 'Days.Date', op: 'between', value: ['2026-01-01', '2026-06-30'] }],
    sql: `SELECT (date_trunc('month', shipped_on) + INTERVAL 1 YEAR)::DATE, sum(amount) FROM sales WHERE shipped_on >= '2025-01-01' AND shipped_on < '2025-07-01' GROUP BY 1`,
  },
  {
    says: 'ALLSELECTED: the total of what the filters leave',
    dimensions: ['Customers.region'],
    measures: ['Of Shown', 'Of Shown Regions'],
    where: [{ field: 'Customers.region', op: 'in', value: ['north', 'south'] }],
    sql: `SELECT region, sum(amount) / (SELECT sum(amount) FROM ${SALES} WHERE region IS NOT NULL), sum(amount) / (SELECT sum(amount) FROM ${SALES} WHERE region IS NOT NULL)
      FROM ${SALES} WHERE region IS NOT NULL GROUP BY 1`,
  },
  {
    says: 'choices between aggregates',
    dimensions: ['Customers.region', 'Sales.channel'],
    measures: ['Good', 'Grade', 'By Count', 'Fee or Zero', 'Last Sale', 'Net'],
    where: [{ field: 'Days.Date', op: 'between', value: ['2026-01-01', '2026-01-31'] }],
    sql: `SELECT region, channel, CASE WHEN r > 100 AND n >= 2 THEN r ELSE 0 END, CASE WHEN r >= 500 THEN 'high' WHEN r >= 100 THEN 'middle' ELSE 'low' END, CASE n WHEN 1 THEN 10 WHEN 2 THEN 20 END,
      coalesce(f, 0), last, r - coalesce(f, 0) FROM (SELECT region, channel, sum(amount) AS r, count(*) AS n, sum(fee) AS f, max(sold_on) AS last FROM ${SALES}
      WHERE sold_on >= '2026-01-01' AND sold_on < '2026-02-01' GROUP BY 1, 2)`,
  },
  {
    says: 'the days that Power BI makes for a time',
    dimensions: ['Sales.shipped_on:month'],
    measures: ['Shipped on Days'],
    where: [{ field: 'Sales.shipped_on', op: 'between', value: ['2026-01-01', '2026-06-30'] }],
    sql: `SELECT date_trunc('month', shipped_on) + INTERVAL 1 MONTH, sum(amount) FROM sales WHERE shipped_on >= '2025-12-01' AND shipped_on < '2026-06-01' GROUP BY 1`,
  },
  {
    says: 'several filters',
    dimensions: [MONTH],
    measures: ['Large Web'],
    sql: `SELECT date_trunc('month', sold_on)::DATE, sum(amount) FROM ${SALES} WHERE channel = 'web' AND amount >= 100 AND coalesce(region, '') <> 'south' GROUP BY 1`,
  },
  { says: 'a value to date needs days', measures: ['Revenue YTD'], code: 'TIME_RANGE_REQUIRED' },
  {
    says: 'months to date have no quarters',
    dimensions: ['Days.Date:quarter'],
    measures: ['Revenue MTD'],
    code: 'INVALID_METRIC',
  },
]

sameNumbers('TMDL over time', { importer: tmdl, text: days, rows: ROWS, cases: CASES })

t.test('functions of days that have no place are refused, each with its reason', async (t) => {
  for (const [dax, message] of [
    ['CALCULATE([Orders], PREVIOUSMONTH(Days[Date]))', /PREVIOUSMONTH is a whole period beside rows of each length/],
    ['CALCULATE([Orders], PARALLELPERIOD(Days[Date], -1, YEAR))', /PARALLELPERIOD is a whole period/],
    ['CALCULATE([Orders], DATESBETWEEN(Days[Date], DATE(2025, 1, 1), DATE(2025, 2, 1)))', /DATESBETWEEN has no place/],
    ['CALCULATE([Orders], SAMEPERIODLASTYEAR(Sales[sold_on]))', /has no day without rows/],
    ['CALCULATE([Orders], SAMEPERIODLASTYEAR(Days[Year]))', /is no time/],
    ['CALCULATE([Orders], SAMEPERIODLASTYEAR(Sales[sold_on].[Date]))', /'Sales.sold_on'.\[Date\] is no day/],
    ['CALCULATE([Orders], DATEADD(Days[Date], 0, YEAR))', /DATEADD has not a number/],
    ['CALCULATE([Orders], DATEADD(Days[Date], [Orders], YEAR))', /no whole number/],
    ['CALCULATE([Orders], DATESINPERIOD(Days[Date], MAX(Days[Date]), -1, MONTH))', /DATESINPERIOD has no DAY/],
    ['CALCULATE([Orders], DATESYTD(Days[Date], "6/7"))', /no end of a year/],
    ['CALCULATE([Orders], DATESYTD(Days[Date]), SAMEPERIODLASTYEAR(Days[Date]))', /two filters on days/],
    ['CALCULATE([Last Year], DATESYTD(Days[Date]))', /for days to date/],
    ['CALCULATE([Orders], SAMEPERIODLASTYEAR(Days[Date]), Days[Year] = 2025)', /moves the days of 'Days', and filters them/],
    ['CALCULATE([Orders], SAMEPERIODLASTYEAR(Days[Date]), ALL())', /leaves out all filters/],
    ['CALCULATE([Orders], FILTER(ALL(Days), Days[Date] <= MAX(Sales[sold_on])))', /has no day without rows/],
    [
      'CALCULATE(COUNTROWS(Customers), USERELATIONSHIP(Sales[shipped_on], Days[Date]))',
      /no relationship with these columns leads from 'Customers'/,
    ],
    ['CALCULATE([Orders], USERELATIONSHIP(Sales[sold_on], Sales[shipped_on]))', /no relationship with these columns/],
    ['OPENINGBALANCEYEAR([Orders], Days[Date])', /the function OPENINGBALANCEYEAR has no place/],
    ['IF([Orders] > "a", 1)', /it compares/],
    ['IF(HASONEVALUE(Days[Year]), [Orders])', /HASONEVALUE has no place in a measure/],
  ] as const) {
    const read = await imported(
      changed('measure Revenue = SUM(Sales[amount])', `measure Odd = ${dax}\n\tmeasure Revenue = SUM(Sales[amount])`),
    )
    const [first, ...rest] = refusals(read)
    t.match(first, { message, place: { line: 3, column: 16 }, hint: /Its DAX is: / }, `${dax}: ${first?.message}`)
    t.same(rest, [], dax)
  }
  const keyless = await imported(
    changed('\tcolumn sale_id\n\t\tdataType: int64\n\t\tisKey\n', '\tcolumn sale_id\n\t\tdataType: int64\n'),
  )
  t.match(refusals(keyless), [{ message: /'Shipped' is left out: 'Sales' has no key/ }, {}, {}, {}])
})

t.test('a table of days is a calendar, and the list says which columns are no periods', async (t) => {
  const { document, losses } = await imported(days)
  t.match(document, {
    calendars: { year_to_06_30: { yearStart: '07-01' } },
    dataObjects: {
      Days: {
        calendar: { key: 'Date', periods: { Year: 'year', 'Month No': 'month_of_year', 'Month Start': 'month' } },
        columns: { Date: { abstractType: 'date' } },
      },
    },
    metrics: {
      'Revenue YTD': { type: 'cumulative', measure: 'Revenue', timeDimension: 'Days.Date', grainToDate: 'year' },
      'Last Year': { type: 'period_over_period', measure: 'Revenue', periodOverPeriod: { offset: -1, offsetGrain: 'year' } },
      'Shipped on Days': { periodOverPeriod: { timeDimension: 'Sales.shipped_on' } },
    },
  })
  t.ok(losses.some(({ message }) => /'Days' is a table of days/.test(message)))
  t.ok(losses.some(({ message }) => /Filters and groups by 'Weekday' of 'Days' hold/.test(message)))
  t.ok(losses.some(({ message }) => /Measures with USERELATIONSHIP are over 'Sales by shipped_on'/.test(message)))
  const unmarked = await imported(changed('\tdataCategory: Time\n', ''))
  t.match(unmarked.document, { dataObjects: { Days: { calendar: { key: 'Date' } } } }, 'a relationship leads to it')
  const odd = await imported(changed('GrainlinePeriod = month', 'GrainlinePeriod = fortnight'))
  t.match(refusals(odd), [{ message: /The period 'fortnight' of 'Month Start' is left out/, place: { line: Number } }])
})

t.test('a marked table whose column of days nothing names is an ordinary table, and has one line', async (t) => {
  const text = `table Days
	dataCategory: Time

	column Date
		dataType: dateTime
		isUnique
		sourceColumn: date

	partition Days = entity
		mode: directQuery
		source
			entityName: days
`
  const { document, losses } = await imported(text)
  t.equal(Object.hasOwn((document['dataObjects'] as { Days: object }).Days, 'calendar'), false)
  t.match(
    losses.filter(({ place }) => place?.line === 2),
    [{ kind: 'inert', message: /'Days' is marked as a table of days, and is an ordinary one/, hint: /isKey/ }],
  )
  const keyed = await imported(text.replace('isUnique', 'isKey'))
  t.match(keyed.document, { dataObjects: { Days: { calendar: { key: 'Date' } } } })
  t.same(
    keyed.losses.filter(({ place }) => place?.line === 2),
    [],
  )
})
