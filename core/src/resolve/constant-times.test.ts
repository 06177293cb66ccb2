/** Days that are known when a condition is resolved. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { knownLeft } from './known-left.js'
import { dateText, MICROS_PER_DAY } from './time.js'

const where = (expression: string) => {
  const query = aggregateQuery({ select: { dimensions: ['Day'], measures: ['Sales'] }, where: [{ expression }] }, shop)
  const [conjunct] = query.where
  const [time] = query.dimensions
  const left = knownLeft([conjunct!], { time: time!, clocks: contextOf(shop).time, model: shop })
  const ends = left?.flatMap(({ from, to }) => [from, to]).map((at) => (at === undefined ? '' : dateText(at)))
  return { conjunct: conjunct!, ends }
}
/** The clock of the contexts of tests. */
const year = new Date(Number(contextOf(shop).time.clock.wall / 1000n)).getUTCFullYear()

t.test('today, starts of its periods, and days before them are dates, and bound what is read', async (t) => {
  const tomorrow = dateText(contextOf(shop).time.clock.wall + MICROS_PER_DAY)
  t.same(where('{[Day]} <= current_date()').ends, ['', tomorrow])
  t.same(where("{[Day]} >= date_trunc('year', current_date())").ends, [`${year}-01-01`, ''])
  t.same(where("{[Day]} < date_add('year', -1, date_trunc('year', current_date()))").ends, ['', `${year - 1}-01-01`])
  t.same(where("{[Day]} = date_add('month', 1, DATE '2024-01-31')").ends, ['2024-02-29', '2024-03-01'], 'month ends clamp')
})

t.test('it is noted that a condition reads the present', async (t) => {
  t.equal(where('{[Day]} <= current_date()').conjunct.ofClock, true)
  t.equal(where("{[Day]} <= DATE '2024-01-31'").conjunct.ofClock, undefined)
})

t.test('what depends on rows, and parts of a day, stay as they are', async (t) => {
  t.match(where("date_trunc('month', {[Day]}) = DATE '2024-01-01'").conjunct.expression, { left: { name: 'date_trunc' } })
  t.match(where("{[Day]} < date_add('hour', 1, current_date())").conjunct.expression, { right: { name: 'date_add' } })
})
