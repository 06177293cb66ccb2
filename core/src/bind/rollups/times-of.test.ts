/** Which conditions say exactly which times they leave. */
import t from 'tap'
import { aggregateQuery } from '../../../../test/support/bound.js'
import { shopWith } from '../../../../test/support/models.js'
import { TABLES } from '../../../../test/support/rollups.js'
import { dateText, timestampText } from '../../resolve/time.js'
import type { Ranges } from '../../time-zones/ranges.js'
import { onlyField, timesOf } from './times-of.js'

const on = (field: string, op: string, value?: unknown) => ({ field, op, value })

const model = shopWith(TABLES, {
  dimensions: { 'Sent Quarter': { dataObject: 'Orders', column: 'Sent At', timeGrain: 'quarter' } },
})

const any = (...filters: readonly object[]) => ({ logic: 'or', filters })

function ask(where: object | readonly object[], more: object = {}) {
  const query = aggregateQuery({ select: { measures: ['Sales'] }, where: [where].flat(), ...more }, model)
  const [first] = query.where
  const leaf = onlyField(first!)
  return { leaf, times: leaf && shown(timesOf(query.where, leaf, query.time)) }
}

const shown = (ranges: Ranges | undefined): string | undefined =>
  ranges?.map(({ from, to }) => `${from === undefined ? '' : textOf(from)}..${to === undefined ? '' : textOf(to)}`).join(' ')
const textOf = (at: bigint): string => (at % 86_400_000_000n === 0n ? dateText(at) : timestampText(at))

t.test('an end of the times is of whole days for a date only', async (t) => {
  const query = aggregateQuery({ select: { measures: ['Sales'] }, where: [on('Sent At', 'lt', '2024-03-01')] }, model)
  const [first] = query.where
  const condition = { kind: 'up-to', admitted: [] } as const
  const until = { ...first!, times: [{ expression: first!.expression, condition }] }
  t.equal(timesOf([until], onlyField(first!)!, query.time), undefined)
  const open = shopWith(TABLES, { dataObjects: { Orders: { columns: { Open: { code: 'open', abstractType: 'boolean' } } } } })
  const { where, time } = aggregateQuery({ select: { measures: ['Sales'] }, where: [{ expression: '{[Orders].[Open]}' }] }, open)
  t.equal(timesOf(where, onlyField(where[0]!)!, time), undefined, 'a truth is no time')
})

t.test('a condition on one field, however often it names it', async (t) => {
  t.equal(ask(on('Day', 'gte', '2024-01-01')).leaf?.name, 'Day')
  t.equal(ask(any(on('Day', 'lt', '2024-01-01'), on('Day', 'gt', '2025-01-01'))).leaf?.name, 'Day')
  t.equal(ask(any(on('Day', 'lt', '2024-01-01'), on('Status', 'eq', 'paid'))).leaf, undefined)
  t.equal(ask(any(on('Status', 'eq', 'paid'), on('Day', 'lt', '2024-01-01'))).leaf, undefined)
  const { leaf } = ask(on('Day', 'gte', '2024-01-01'))
  t.equal(onlyField({ leaves: [{ ...leaf!, members: [leaf!.members[0], leaf!.members[0]] }] }), undefined, 'one for each base')
  t.equal(
    ask({ field: 'Customers', op: 'exists', subquery: { dataObject: 'Returns' } }).leaf,
    undefined,
    'rows of another object',
  )
})

t.test('days of a date', async (t) => {
  t.equal(ask(on('Day', 'between', ['2024-01-01', '2024-03-31'])).times, '2024-01-01..2024-04-01')
  t.equal(ask([on('Day', 'gte', '2024-01-01'), on('Day', 'lt', '2024-02-01')]).times, '2024-01-01..2024-02-01')
  t.equal(ask({ expression: "{[Day]} >= date '2024-01-05'" }).times, '2024-01-05..')
  t.equal(ask({ expression: "extract('month', {[Day]}) = 3" }).times, undefined)
})

t.test('instants only by whole days, because their condition is on instants', async (t) => {
  t.equal(ask(on('Sent At', 'gte', '2024-01-01')).times, '2024-01-01..')
  t.equal(ask(on('Sent At', 'gte', '2024-01-01T10:00:00')).times, undefined, 'a time of day')
  t.equal(ask(any(on('Sent At', 'lt', '2024-01-01'), on('Sent At', 'gte', '2024-02-01'))).times, '..2024-01-01 2024-02-01..')
  t.equal(ask(any(on('Sent At', 'lt', '2024-01-01'), on('Sent At', 'is_null'))).times, '..2024-01-01')
  t.equal(ask({ filters: [on('Sent At', 'lt', '2024-01-01')], negated: true }).times, '2024-01-01..')
  t.equal(ask(any(on('Sent At', 'lt', '2024-01-01'), on('Sent At', 'eq', '2024-02-01T10:00:00'))).times, undefined)
  t.equal(ask({ filters: [on('Sent At', 'lt', '2024-01-01T10:00:00')], negated: true }).times, undefined)
  t.equal(ask([on('Sent At', 'gte', '2024-01-01'), on('Sent At', 'lt', '2024-02-01T10:00:00')]).times, undefined, 'one of two')
  t.equal(ask(on('Sent Quarter', 'eq', '2024-04-01T00:00:00')).times, '2024-04-01..2024-07-01', 'a period has no time of day')
  t.match(
    ask(on('Sent At', 'relative', { unit: 'day', count: 7, direction: 'past' })).times,
    /^\d{4}-\d\d-\d\d\.\./,
    'nor have the last days',
  )
  t.equal(ask({ expression: "{[Sent At]} >= timestamp '2024-01-05 00:00:00'" }).times, undefined, 'of no days')
  t.equal(ask({ expression: '{[Sent At]} is null' }).times, undefined, 'no time is left')
  t.equal(ask({ expression: "date_trunc('day', {[Sent At]}) is null" }).times, undefined, 'a computed time')
  t.equal(ask({ expression: '{[Sent At]} is not null and false' }).times, undefined, 'no row')
  t.equal(ask({ expression: 'coalesce({[Sent At]} is null, true)' }).times, undefined, 'another function')
})

t.test('a bound that clocks show twice is no range of instants', async (t) => {
  const day = on('Sent At', 'gte', '2010-11-07')
  t.equal(ask(day, { timezone: 'Europe/Berlin' }).times, '2010-11-07..')
  t.equal(ask(day, { timezone: 'America/St_Johns' }).times, undefined, 'at 0:01 it is 23:01 again')
  const until = on('Sent At', 'lt', '2011-01-01')
  t.equal(ask([day, until], { timezone: 'America/St_Johns' }).times, undefined, 'also if the other bound is shown once')
  t.equal(ask(on('Day', 'gte', '2010-11-07'), { timezone: 'America/St_Johns' }).times, '2010-11-07..', 'a day has no hours')
})
