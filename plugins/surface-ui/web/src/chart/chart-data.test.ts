import t from 'tap'
import type { Column } from '../api/read-arrow.js'
import { axisFormat } from './axis-format.js'
import { barLabels } from './bar-labels.js'
import { brokenLines } from './broken-lines.js'
import { chartData } from './chart-data.js'
import { shapeOf } from './chart-kind.js'
import type { ChartLook } from './chart-look.js'
import { chartQuery } from './chart-query.js'
import { placeTips, tipsOf } from './place-tips.js'

// The charts read the language of the browser.
Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-US' }, configurable: true })

const column = (name: string, role: Column['role'], type: string, values: readonly unknown[]): Column => ({
  name,
  role,
  type,
  at: (row) => values[row],
})
const day = (n: number) => Date.UTC(2024, 0, n)
const answerOf = (columns: readonly Column[], rowCount: number, truncated = false) => ({
  columns,
  rowCount,
  truncated,
  timezone: 'UTC',
})
const many = Array.from({ length: 40 }, (_, n) => n)
const lines = [
  column(
    'Day',
    'dimension',
    'date',
    many.map((n) => day(1 + (n % 2))),
  ),
  column(
    'City',
    'dimension',
    'string',
    many.map((n) => `City ${Math.floor(n / 2)}`),
  ),
  column(
    'Sales',
    'measure',
    'int',
    many.map((n) => n),
  ),
]
const bars = (values: readonly (string | number | null)[], numbers: readonly number[], type = 'string') => [
  column('City', 'dimension', type, values),
  column('Sales', 'measure', 'int', numbers),
]
const data = (columns: readonly Column[], rowCount: number, look: ChartLook = {}, truncated = false) =>
  chartData({
    answer: answerOf(columns, rowCount, truncated),
    shape: shapeOf(columns, look),
    kind: 'line',
    look,
    query: {},
  })

t.test('the largest series are drawn, and the chart says how many are not', async (t) => {
  const { series, points, notes } = data(lines, 40)
  t.same(
    series
      .filter(({ isDrawn }) => isDrawn)
      .map(({ name }) => name)
      .slice(0, 2),
    ['City 19', 'City 18'],
  )
  t.equal(series.length, 20)
  t.equal(points.length, 24)
  t.same(notes, ['12 of 20 series are drawn, the largest first.'])
  const colours = series.filter(({ isDrawn }) => isDrawn).map(({ colour }) => colour)
  t.equal(new Set(colours).size, 12, 'no two look the same')
})

t.test('a series that is left out makes room for the next one', async (t) => {
  const { series, notes } = data(lines, 40, { without: ['City 19'] })
  t.same(
    series
      .filter(({ isDrawn }) => isDrawn)
      .map(({ name }) => name)
      .slice(0, 1),
    ['City 18'],
  )
  t.same(notes, ['12 of 20 series are drawn, the largest first.', '1 series left out by hand.'])
})

t.test('a chart of an answer that is not whole says so', async (t) => {
  t.match(data(bars(['a', 'b'], [1, 2]), 2, {}, true).notes, ['Only the first 2 rows of the answer are drawn; more exist.'])
})

t.test('subtotals are no bars, and rows without a time are counted', async (t) => {
  const columns = [...bars(['a', 'b', null], [1, 2, 3]), column('City is total', 'grouping', 'boolean', [false, false, true])]
  const { points, notes } = data(columns, 3)
  t.same(
    points.map(({ place }) => place),
    ['a', 'b'],
  )
  t.same(notes, ['1 subtotal is not drawn.'])
  const times = [column('Day', 'dimension', 'date', [day(1), null]), column('Sales', 'measure', 'int', [1, 2])]
  t.same(data(times, 2).notes, ['1 row without Day cannot be drawn.'])
})

t.test('bars are ordered by their size, numbers by their value, and as the person says', async (t) => {
  const cities = bars(['b', 'c', 'a'], [2, 9, 5])
  t.same(data(cities, 3).places, ['c', 'a', 'b'])
  t.same(data(cities, 3, { order: 'name' }).places, ['a', 'b', 'c'])
  t.same(data(cities, 3, { order: 'answer' }).places, ['b', 'c', 'a'])
  t.same(data(bars([10, 9, 1], [1, 2, 3], 'int'), 3).places, ['1', '9', '10'])
  const others = [...bars(['b', 'Others', 'a'], [2, 9, 5]), column('City is others', 'grouping', 'boolean', [false, true, false])]
  t.same(data(others, 3).places, ['a', 'b', 'Others'], 'the others come last')
})

t.test(
  'the bar of the others is said in numbers where it would flatten all others, and drawn where a person ticks it',
  async (t) => {
    const columns = (others: number) => [
      ...bars(['b', 'Others', 'a'], [2, others, 5]),
      column('City is others', 'grouping', 'boolean', [false, true, false]),
    ]
    const drawn = (others: number, look: ChartLook = {}) => {
      const shown = columns(others)
      const shape = shapeOf(shown)
      const { points, notes } = chartData({ answer: answerOf(shown, 3), shape, kind: 'bar', look, query: {} })
      return { places: points.map(({ place }) => place), notes }
    }
    t.same(drawn(16), {
      places: ['b', 'a'],
      notes: ['Others (16) would flatten all other bars, and is left out: tick it in the legend to see it.'],
    })
    t.same(drawn(15), { places: ['b', 'Others', 'a'], notes: [] })
    t.same(drawn(16, { without: [] }), { places: ['b', 'Others', 'a'], notes: [] })
    t.same(drawn(15, { without: ['Others'] }), { places: ['b', 'a'], notes: ['Others (15) is left out by hand.'] })
  },
)

t.test('bars have their numbers at their ends, unless these are long or on both sides', async (t) => {
  const point = (value: number, text = String(value)) => ({ x: 'a', place: 'a', series: 'a', values: [value], texts: [text] })
  t.equal(barLabels([point(12_345), point(7)], 0)?.room, 47)
  t.equal(barLabels([point(1), point(-1)], 0), undefined)
  t.equal(barLabels([point(1, '1'.repeat(15))], 0), undefined)
})

t.test('a line of months has a gap where months are missing; one of days goes on over a weekend', async (t) => {
  const at = (x: Date, series = 'a') => ({ x, series, place: '', values: [1], texts: ['1'] })
  const month = (n: number) => new Date(Date.UTC(2005, n, 1))
  const shown = (points: ReturnType<typeof at>[]) =>
    brokenLines(points).map(({ x, values }) => `${(x as Date).toISOString().slice(0, 7)} ${values[0]}`)
  t.same(shown([month(5), month(6), month(9)].map((each) => at(each))), ['2005-06 1', '2005-07 1', '2005-07 null', '2005-10 1'])
  t.same(shown([0, 1, 2, 3].map((n) => at(month(n)))).length, 4, 'February is shorter, and no gap')
  t.same(shown([at(month(1)), at(month(2), 'b'), at(month(3)), at(month(3), 'b')]).length, 5, 'each series has its own gaps')
  t.same(shown([3, 4, 7].map((n) => at(new Date(day(n))))).length, 3)
})

t.test('the tip of a place has all series, the largest first', async (t) => {
  const point = (n: number, series: string, value: number) => ({
    x: new Date(day(n)),
    place: `day ${n}`,
    series,
    values: [value],
    texts: [String(value)],
  })
  const points = [point(1, 'a', 2), point(1, 'b', 3), point(2, 'a', 4)]
  t.same(
    tipsOf(points, 0, 'Sales').map(({ y, title }) => [y, title]),
    [
      [3, 'day 1\nSales\nb: 3\na: 2'],
      [4, 'day 2\nSales\na: 4'],
    ],
  )
  t.equal(placeTips(points, 0, 'Sales').length, 2)
})

t.test('an answer with too many groups is asked for again: the largest, and all others as one', async (t) => {
  const query = { select: { dimensions: ['Day', 'City'], measures: ['Sales'] }, limit: 100 }
  const asked = chartQuery(query, answerOf(lines, 40), shapeOf(lines))
  t.match(asked, { select: query.select, top: { dimension: 'City', by: 'Sales', n: 10, others: 'Others' } })
  const few = bars(['a', 'b'], [1, 2])
  const plain = { select: { dimensions: ['City'], measures: ['Sales'] } }
  t.equal(chartQuery(plain, answerOf(few, 2), shapeOf(few)), undefined)
  t.match(chartQuery(plain, answerOf(few, 2, true), shapeOf(few)), { top: { n: 30 } }, 'an answer that is not whole')
  for (const chosen of [
    { ...plain, limit: 2 },
    { ...plain, grouping: 'rollup' },
    { ...plain, top: { dimension: 'City', by: 'Sales', n: 2 } },
  ])
    t.equal(chartQuery(chosen, answerOf(few, 2, true), shapeOf(few)), undefined, 'the person has chosen the rows')
})

t.test('axes have percent and signs of currencies', async (t) => {
  const labels = (format: string | undefined, ...values: number[]) =>
    values.map(axisFormat({ ...(format !== undefined && { format }) }, values))
  t.same(labels('0.0%', 0.05, 0.25), ['5%', '25%'])
  t.same(labels('0.0%', 0.001, 0.002), ['0.1%', '0.2%'])
  t.same(labels('$#,##0.00', 1500, -2_000_000), ['$1.5K', '-$2M'])
  t.same(labels('#,##0.0 km', 1500), ['1.5K km'])
  t.same(labels(undefined, 1e30), ['1E30'])
})
