/** The times that conditions leave. */
import t from 'tap'
import { alongOf } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { dateText, MICROS_PER_DAY, timestampText } from './time.js'
import { upperBound } from './time-bound.js'
import { timesLeft } from './times-left.js'

const textOf = (at: bigint | undefined): string =>
  at === undefined ? '' : at % MICROS_PER_DAY === 0n ? dateText(at) : timestampText(at)
function left(where: readonly object[], model = shop, timezone = 'UTC'): string | undefined {
  const along = alongOf({ select: { measures: ['Sales'] }, where, timezone }, model)
  const found = timesLeft(along.where, along.clocks)
  return found?.map(({ from, to }) => `${textOf(from)}–${textOf(to)}`).join(', ')
}
const day = (op: string, value?: unknown) => ({ field: 'Day', op, ...(value !== undefined && { value }) })
const not = (filter: object) => ({ logic: 'and', negated: true, filters: [filter] })

const CASES: readonly (readonly [readonly object[], string | undefined])[] = [
  [[], '–'],
  [[day('=', '2025-03')], '2025-03-01–2025-04-01'],
  [[day('in', ['2025-03-01', '2025-03-05'])], '2025-03-01–2025-03-02, 2025-03-05–2025-03-06'],
  [[day('!=', '2025-03-01')], '–2025-03-01, 2025-03-02–'],
  [[day('not_in', ['2025-03-01'])], '–2025-03-01, 2025-03-02–'],
  [[day('between', ['2025-03-01', '2025-03-10'])], '2025-03-01–2025-03-11'],
  [[day('not_between', ['2025-03-01', '2025-03-10'])], '–2025-03-01, 2025-03-11–'],
  [[day('>', '2025-03'), day('<=', '2025-05')], '2025-04-01–2025-06-01'],
  [[day('notset')], ''],
  [[day('set')], '–'],
  [[day('relative', { unit: 'day', count: 2 })], '1969-12-31–1970-01-02'],
  [[not(day('<', '2025-03-01'))], '2025-03-01–'],
  [[{ logic: 'or', filters: [day('<', '2025-03-01'), day('>=', '2025-04-01')] }], '–2025-03-01, 2025-04-01–'],
  [[{ expression: "{[Day]} = DATE '2025-03-01' OR {[Day]} <> DATE '2025-03-05'" }], '–2025-03-05, 2025-03-06–'],
  [[{ expression: "{[Day]} IN (DATE '2025-03-01')" }], '2025-03-01–2025-03-02'],
  [[{ expression: '{[Day]} IS NULL' }], ''],
  [[{ expression: "{[Day]} = DATE '2025-03-01' OR true" }], '–'],
  [[{ expression: "{[Day]} = DATE '2025-03-01' OR false" }], '2025-03-01–2025-03-02'],
  [[{ expression: "{[Day]} = TIMESTAMP '2025-03-01 00:00:00'" }], '2025-03-01–2025-03-01 00:00:00.000001'],
  [[{ expression: "{[Status]} = 'paid'" }], undefined],
  [[{ expression: "date_trunc('month', {[Day]}) = DATE '2025-03-01'" }], undefined],
  [[{ expression: '{[Day]} = {[Orders].[Day]}' }], undefined],
  [[{ expression: "date_trunc('month', {[Day]}) IS NULL" }], undefined],
  [[{ expression: "date_trunc('month', {[Day]}) IN (DATE '2025-03-01')" }], undefined],
  [[{ expression: "{[Day]} IN (DATE '2025-03-01', {[Orders].[Day]})" }], undefined],
  [[{ expression: "coalesce({[Day]} > DATE '2025-03-01', true)" }], undefined],
  [
    [{ logic: 'or', filters: [{ filters: [day('>=', '2025-03-01'), day('<', '2025-03-05')] }, day('=', '2025-04-01')] }],
    '2025-03-01–2025-03-05, 2025-04-01–2025-04-02',
  ],
]
for (const [where, expected] of CASES) t.test(JSON.stringify(where), async (t) => t.equal(left(where), expected))

t.test('a field that is a condition itself is none on a time', async (t) => {
  const paid = shopWith({ dataObjects: { Orders: { columns: { Paid: { code: 'paid', abstractType: 'boolean' } } } } })
  t.equal(left([{ expression: "{[Day]} = DATE '2025-03-01' OR {[Orders].[Paid]}" }], paid), undefined)
})

t.test('of an instant, as clocks of the query show them', async (t) => {
  const model = shopWith({ dataObjects: { Orders: { columns: { Day: { abstractType: 'timestamp_tz' } } } } })
  t.equal(left([day('>=', '2025-03-01T00:00:00Z')], model, 'Asia/Tokyo'), '2025-03-01 09:00:00–')
  t.equal(left([day('=', '2025-03-01')], model, 'Asia/Tokyo'), '2025-03-01–2025-03-02')
})

t.test('up to an end, as clocks of the query show it', async (t) => {
  const upTo = (model: typeof shop, timezone = 'UTC') => {
    const along = alongOf({ select: { measures: ['Sales'] }, where: [day('<', '2025-03-01')], timezone }, model)
    const found = timesLeft([upperBound(along.where[0]!, along.clocks)!], along.clocks)
    return found?.map(({ from, to }) => `${textOf(from)}–${textOf(to)}`).join(', ')
  }
  t.equal(upTo(shop), '–2025-03-01')
  const timed = (abstractType: string, settings: object = {}) =>
    shopWith({ settings, dataObjects: { Orders: { columns: { Day: { abstractType } } } } })
  t.equal(upTo(timed('timestamp_tz'), 'Asia/Tokyo'), '–2025-03-01')
  t.equal(upTo(timed('timestamp', { defaultTimezone: 'UTC' }), 'Asia/Tokyo'), '–2025-03-01')
  t.equal(upTo(timed('timestamp'), 'Asia/Tokyo'), '–2025-03-01')
})
