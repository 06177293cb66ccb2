/** Which conditions of a question leave only rows that meet the condition of a table. */
import t from 'tap'
import { shopWith } from '../../../../test/support/models.js'
import { asked, TABLES } from '../../../../test/support/rollups.js'
import { isImplied } from './implied.js'

const model = shopWith(TABLES, {
  dataObjects: {
    Orders: { columns: { Rate: { code: 'rate', abstractType: 'float' }, Open: { code: 'open', abstractType: 'boolean' } } },
  },
  dimensions: { Open: { dataObject: 'Orders', column: 'Open' }, Rate: { dataObject: 'Orders', column: 'Rate' } },
})
const on = (field: string, op: string, value?: unknown) => ({ field, op, value })
const any = (...filters: readonly object[]) => ({ logic: 'or', filters })
const text = (expression: string) => ({ expression })

function implies(own: object, ...where: readonly object[]): boolean {
  const [held] = asked({}, 'Daily', { where: [own] }, model).request.conjuncts
  const { request, query } = asked({}, 'Daily', { where }, model)
  return isImplied(held!, request.conjuncts, query.time)
}

const CASES: readonly (readonly [title: string, isMet: boolean, held: object, ...asked: readonly object[]])[] = [
  ['the same condition', true, on('Status', 'contains', 'a'), on('Day', 'gte', '2024-01-01'), on('Status', 'contains', 'a')],
  ['no condition', false, on('Status', 'eq', 'paid')],
  ['a condition on a time that is no range', false, on('Day', 'is_null'), text("date_trunc('month', {[Day]}) IS NULL")],
  ['a time of day', false, on('Sent At', 'gte', '2024-01-01'), on('Sent At', 'gte', '2024-01-03T10:30:00')],
  ['a truth that is a condition', false, text('{[Open]}'), on('Open', 'eq', true)],
  ['a condition on another field', false, on('Status', 'eq', 'paid'), on('Region', 'eq', 'paid')],
  ['one of the values', true, on('Status', 'in', ['paid', 'sent']), on('Status', 'eq', 'sent')],
  ['some of the values', true, on('Status', 'in', ['paid', 'sent', 'open']), on('Status', 'in', ['open', 'paid'])],
  ['another value', false, on('Status', 'in', ['paid', 'sent']), on('Status', 'in', ['open', 'paid'])],
  [
    'one of two conditions is enough',
    true,
    on('Status', 'eq', 'paid'),
    on('Status', 'contains', 'a'),
    on('Status', 'eq', 'paid'),
  ],
  [
    'some of the values beside another condition',
    true,
    on('Status', 'in', ['paid', 'sent']),
    on('Status', 'neq', 'open'),
    on('Status', 'eq', 'paid'),
  ],
  ['a list with a computed value', false, text("{[Status]} in ('paid', lower({[Status]}))"), on('Status', 'eq', 'paid')],
  ['an equality by its list', true, on('Amount', 'eq', 3), on('Amount', 'in', [3])],
  ['a number of another list', false, on('Amount', 'in', [1, 2]), on('Amount', 'eq', 3)],
  ['a range within a range', true, on('Amount', 'between', [1, 9]), on('Amount', 'between', [1, 9.5]), on('Amount', 'lte', 9)],
  ['a range that begins before', false, on('Amount', 'gte', 1), on('Amount', 'gte', 0)],
  ['a range that ends later', false, on('Amount', 'lte', 9), on('Amount', 'lte', 10)],
  ['a bound that belongs to it', true, on('Amount', 'gte', 1), on('Amount', 'gt', 1)],
  ['a bound that does not', false, on('Amount', 'gt', 1), on('Amount', 'gte', 1)],
  ['the same bound', true, on('Amount', 'gt', 1), on('Amount', 'gt', 1), on('Amount', 'lt', 5)],
  ['an end that does not belong to it', false, on('Amount', 'lt', 9), on('Amount', 'lte', 9)],
  ['an end of two, one of which excludes it', true, on('Amount', 'lt', 9), on('Amount', 'lte', 9), on('Amount', 'lt', 9)],
  ['a start of two', true, on('Amount', 'gt', 1), on('Amount', 'gte', 1), on('Amount', 'gt', 1)],
  [
    'a start that one of two excludes',
    true,
    text('{[Amount]} > 1 and {[Amount]} > 0'),
    on('Amount', 'gt', 1),
    on('Amount', 'gte', 1),
  ],
  [
    'a start after that of the other',
    false,
    text('{[Amount]} > 2 and {[Amount]} > 0'),
    on('Amount', 'gte', 2),
    on('Amount', 'gt', 1),
  ],
  [
    'an end that one of two excludes',
    true,
    text('{[Amount]} < 9 and {[Amount]} < 10'),
    on('Amount', 'lt', 9),
    on('Amount', 'lte', 9),
  ],
  [
    'an end before that of the other',
    false,
    text('{[Amount]} < 8 and {[Amount]} < 10'),
    on('Amount', 'lte', 8),
    on('Amount', 'lt', 9),
  ],
  ['a number in a range', true, on('Amount', 'gt', 1), on('Amount', 'eq', 2)],
  ['a number beside it', false, on('Amount', 'gt', 1), on('Amount', 'eq', 1)],
  ['a negative number', true, on('Amount', 'gte', -3), on('Amount', 'eq', -2)],
  ['a negative number below', false, on('Amount', 'gte', -3), on('Amount', 'eq', -4)],
  ['no range', false, on('Amount', 'gte', 1), on('Amount', 'neq', 1)],
  ['of no range', false, on('Amount', 'neq', 1), on('Amount', 'gte', 2)],
  ['another relation than one of order', false, on('Amount', 'gte', 1), text('{[Amount]} <> 1')],
  [
    'a range of two, the first of which begins later',
    true,
    on('Amount', 'gte', 3),
    on('Amount', 'gte', 3),
    on('Amount', 'gte', 1),
  ],
  ['the second of which begins later', true, on('Amount', 'gte', 3), on('Amount', 'gt', 1), on('Amount', 'gt', 4)],
  ['the first of which ends earlier', true, on('Amount', 'lte', 3), on('Amount', 'lt', 3), on('Amount', 'lte', 5)],
  ['the second of which ends earlier', true, on('Amount', 'lte', 3), on('Amount', 'lte', 5), on('Amount', 'lt', 2)],
  ['a range in one condition', true, text('{[Amount]} > 1 and {[Amount]} < 9'), on('Amount', 'between', [2, 8])],
  ['half of which is no range', false, text('{[Amount]} > 1 and {[Amount]} <> 3'), on('Amount', 'eq', 2)],
  ['a number with a sign of its own', true, text('{[Amount]} >= -(3)'), on('Amount', 'gte', -2)],
  ['what has a sign is no number', false, text('{[Amount]} >= -({[Amount]} + 1)'), on('Amount', 'gte', 2)],
  ['no number', false, text('{[Amount]} >= {[Amount]} / 2'), on('Amount', 'gte', 2)],
  ['a list with NULL', false, text("{[Status]} in ('paid', null)"), on('Status', 'eq', 'paid')],
  ['a list of a computed value', false, text("upper({[Status]}) in ('paid')"), on('Status', 'eq', 'paid')],
  ['half a range', false, text('{[Amount]} >= 1 or {[Amount]} < 0'), on('Amount', 'gte', 2)],
  [
    'numbers that a double does not tell apart',
    false,
    text('{[Amount]} >= 1234567890123456'),
    text('{[Amount]} >= 1234567890123457'),
  ],
  ['NaN is more than any number', false, on('Rate', 'lte', 9), on('Rate', 'gte', 1)],
  [
    'days within days',
    true,
    on('Day', 'between', ['2020-01-01', '2029-12-31']),
    on('Day', 'between', ['2021-01-01', '2021-03-31']),
  ],
  ['days that end later', false, on('Day', 'between', ['2020-01-01', '2029-12-31']), on('Day', 'gte', '2021-01-01')],
  [
    'two ends of days',
    true,
    on('Day', 'between', ['2020-01-01', '2029-12-31']),
    on('Day', 'gte', '2021-01-01'),
    on('Day', 'lt', '2022-01-01'),
  ],
  ['times of a form that says nothing', false, on('Day', 'gte', '2020-01-01'), text("extract('year', {[Day]}) = 2021")],
  ['times of a part of each year', false, on('Day', 'gte', '2020-01-01'), text("extract('month', {[Day]}) = 3")],
  [
    'beside one that does',
    true,
    on('Day', 'gte', '2020-01-01'),
    text("extract('year', {[Day]}) > 1"),
    on('Day', 'gte', '2021-01-01'),
  ],
  [
    'whole days beside a time of day',
    true,
    on('Sent At', 'gte', '2020-01-01'),
    on('Sent At', 'gte', '2021-01-01T10:00:00'),
    on('Sent At', 'gte', '2021-02-01'),
  ],
  [
    'rows without a value beside a condition that says nothing of them',
    false,
    on('Day', 'gte', '2020-01-01'),
    text('coalesce({[Day]} is null, true)'),
    any(on('Day', 'gte', '2021-01-01'), on('Day', 'is_null')),
  ],
  ['of a form that says nothing', false, text("extract('year', {[Day]}) = 2021"), on('Day', 'gte', '2021-01-01')],
  [
    'rows without a value',
    true,
    any(on('Day', 'gte', '2020-01-01'), on('Day', 'is_null')),
    any(on('Day', 'gte', '2021-01-01'), on('Day', 'is_null')),
  ],
  [
    'rows without a value that it lacks',
    false,
    on('Day', 'gte', '2020-01-01'),
    any(on('Day', 'gte', '2021-01-01'), on('Day', 'is_null')),
  ],
  [
    'rows without a value that another condition leaves out',
    true,
    on('Day', 'gte', '2020-01-01'),
    any(on('Day', 'gte', '2021-01-01'), on('Day', 'is_null')),
    on('Day', 'is_not_null'),
  ],
  ['a condition on two fields', false, any(on('Status', 'eq', 'paid'), on('Amount', 'eq', 1)), on('Status', 'eq', 'paid')],
]

for (const [title, isMet, held, ...where] of CASES) t.test(title, async (t) => t.equal(implies(held, ...where), isMet))
