/** Days that are known when a condition is resolved. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { DATE, type DataType, FLOAT, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import type { Grain } from '../model/grain.js'
import { withConstantTimes } from './constant-times.js'
import { binary, call, integer, literal, not, text } from './expressions.js'
import { knownLeft } from './known-left.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
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

const clock: Grain[] = []
const context = { model: shop, time: contextOf(shop).time, readClock: (unit: Grain) => void clock.push(unit) }
const column: RowExpr = relationColumn('orders', 'day', DATE)
const day = (value: string | null, type: DataType = DATE): RowExpr => literal(value, type)
/** What stands in place of an expression: a literal's value, or the kind of what is left. */
function constant(expression: RowExpr): unknown {
  const made = withConstantTimes<RelationColumn>(expression, context)
  return made.kind === 'literal' ? made.value : made.kind
}
const trunc = (unit: RowExpr, ...of: readonly RowExpr[]): RowExpr => call('date_trunc', unit, ...of)
const add = (count: RowExpr, ...of: readonly RowExpr[]): RowExpr => call('date_add', text('month'), count, ...of)
const cast = (operand: RowExpr, type: DataType): RowExpr => ({ kind: 'cast', operand, type })
const minus = (operand: RowExpr): RowExpr => ({ kind: 'unary', operator: '-', operand })
const JANUARY = day('2024-01-31')

t.test('a start of a period, and a day before or after another', async (t) => {
  t.equal(constant(trunc(text('month'), JANUARY)), '2024-01-01')
  t.equal(constant(trunc(text('MONTH'), JANUARY)), '2024-01-01', 'units in any case')
  t.equal(constant(add(integer(-1), JANUARY)), '2023-12-31')
  t.equal(constant(add(minus(integer(1)), JANUARY)), '2023-12-31')
  t.equal(constant(add(minus(minus(integer(1))), JANUARY)), '2024-02-29')
  t.equal(constant(add(integer(1), trunc(text('year'), JANUARY))), '2024-02-01', 'one inside of the other')
  clock.length = 0
  t.match(constant(call<RelationColumn>('current_date')), /^\d{4}-\d{2}-\d{2}$/)
  t.same(clock, ['day'])
})

t.test('a cast of a time that is known', async (t) => {
  const noon = day('2024-01-31 12:00:00', TIMESTAMP)
  t.equal(constant(cast(noon, DATE)), '2024-01-31')
  t.equal(constant(cast(JANUARY, TIMESTAMP)), '2024-01-31 00:00:00')
  t.equal(constant(cast(noon, TIMESTAMP)), '2024-01-31 12:00:00')
  t.equal(constant(cast(JANUARY, TIMESTAMP_TZ)), 'cast', 'an instant depends on a zone')
  t.equal(constant(cast(column, DATE)), 'cast')
  t.equal(constant(cast(text('2024-01-31'), DATE)), 'cast', 'a text is read by the engine')
})

t.test('what is not known, or cannot be counted, stays as it is', async (t) => {
  for (const [title, expression] of [
    ['a literal', JANUARY],
    ['a column', column],
  ] as const)
    t.equal(withConstantTimes<RelationColumn>(expression, context), expression, title)
  for (const [title, expression] of [
    ['of a column', trunc(text('month'), column)],
    ['of NULL', trunc(text('month'), day(null))],
    ['of a text that is no day', trunc(text('month'), day('the first'))],
    ['of a comparison', trunc(text('month'), binary('=', column, column))],
    ['of nothing', trunc(text('month'))],
    ['a unit that is a column', trunc(column, JANUARY)],
    ['a unit that is a number', trunc(integer(1), JANUARY)],
    ['a unit that is unknown', trunc(text('moon'), JANUARY)],
    ['a unit within a day', trunc(text('hour'), JANUARY)],
    ['no unit', call<RelationColumn>('date_trunc')],
    ['another function', call<RelationColumn>('last_day', text('month'), JANUARY)],
    ['as many as a column says', add(column, JANUARY)],
    ['as many as minus a column says', add(minus(column), JANUARY)],
    ['as many as a condition says', add(not(integer(1)), JANUARY)],
    ['as many as a sum says', add(binary('+', integer(1), integer(1)), JANUARY)],
    ['half a month', add(literal('0.5', FLOAT), JANUARY)],
    ['ten thousand months', add(integer(10_000), JANUARY)],
    ['months after a column', add(integer(1), column)],
    ['months after nothing', add(integer(1))],
    ['a day that no date follows', add(integer(0), day('9999-12-31'))],
    ['the first day', add(integer(0), day('0001-01-01'))],
  ] as const)
    t.equal(constant(expression), 'call', title)
  t.equal(constant(add(integer(9_999), day('1000-01-01'))), '1833-04-01', 'almost ten thousand')
})
