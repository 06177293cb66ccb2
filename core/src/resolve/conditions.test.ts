/** Conditions of filters, for each operator and type. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { BOOLEAN, DATE, type DataType, FLOAT, INT, STRING, TIME } from '../model/data-type.js'
import type { Operator } from '../model/operators.js'
import type { FilterValue } from '../model/semantic-model.js'
import { columnsOf, condition, knownCondition, relativeSpan } from './conditions.js'
import { type RelationColumn, relationColumn } from './relation-column.js'
import { dateText } from './time.js'

const { time } = resolveContext(shop)
const subject = (type: DataType) => ({ expression: relationColumn('', 'x', type), type, grain: undefined, name: 'X' })
const of = (type: DataType, operator: Operator, ...values: readonly FilterValue[]): string =>
  said(condition<RelationColumn>(subject(type), { operator, values, path: 'p' }, time))

const CASES: readonly (readonly [DataType, Operator, readonly FilterValue[], string])[] = [
  [STRING, 'eq', ['a'], "(x = 'a')"],
  [STRING, 'eq', [null], 'x is null'],
  [STRING, 'neq', ['a'], "not (x = 'a')"],
  [STRING, 'neq', [null], 'x is not null'],
  [INT, 'gte', [' 12.5 '], "(x >= '12.5')"],
  [FLOAT, 'lt', ['1e3'], '(x < 1000)'],
  [STRING, 'in', [], 'false'],
  [STRING, 'not_in', [], 'true'],
  [STRING, 'in', ['a'], "(x = 'a')"],
  [STRING, 'in', ['a', 'b', null], "(x in ('a', 'b') or x is null)"],
  [STRING, 'in', [null], 'x is null'],
  [STRING, 'not_in', ['a', 'b', null], "(not x in ('a', 'b') and x is not null)"],
  [DATE, 'in', ['2025', '2026-01-01'], "(((x >= '2025-01-01') and (x < '2026-01-01')) or (x = '2026-01-01'))"],
  [STRING, 'is_null', [], 'x is null'],
  [STRING, 'is_not_null', [], 'x is not null'],
  [STRING, 'blank', [], "(x is null or (trim(x) = ''))"],
  [INT, 'not_blank', [], 'x is not null'],
  [INT, 'between', [1, 2], '((x >= 1) and (x <= 2))'],
  [INT, 'not_between', [1, 2], 'not ((x >= 1) and (x <= 2))'],
  [DATE, 'between', ['2025-01', '2025-03'], "((x >= '2025-01-01') and (x < '2025-04-01'))"],
  [STRING, 'contains', ['5%_\\'], "lower(x) like lower('%5\\%\\_\\\\%')"],
  [STRING, 'not_contains', ['a'], "not lower(x) like lower('%a%')"],
  [STRING, 'starts_with', ['a'], "lower(x) like lower('a%')"],
  [STRING, 'ends_with', ['a'], "lower(x) like lower('%a')"],
  [STRING, 'like', ['a_'], "x like 'a_'"],
  [STRING, 'not_like', ['a_'], "not x like 'a_'"],
  [STRING, 'regex', ['^a'], "regexp_matches(x, '^a')"],
  [STRING, 'not_regex', ['^a'], "not regexp_matches(x, '^a')"],
  [STRING, 'length_eq', [3], '(length(x) = 3)'],
  [STRING, 'length_gt', [3], '(length(x) > 3)'],
  [STRING, 'length_lt', [3], '(length(x) < 3)'],
  [BOOLEAN, 'eq', [true], '(x = true)'],
  [TIME, 'lt', ['12:30'], "(x < '12:30')"],
]
for (const [type, operator, values, expected] of CASES)
  t.test(`${operator} ${JSON.stringify(values)} of a ${type.kind}`, async (t) => t.equal(of(type, operator, ...values), expected))

const REFUSED: readonly (readonly [DataType, Operator, readonly FilterValue[], string])[] = [
  [STRING, 'eq', ['a\u0000'], 'INVALID_FILTER_VALUE'],
  [STRING, 'eq', ['a', 'b'], 'INVALID_FILTER_VALUE'],
  [INT, 'between', [1], 'INVALID_FILTER_VALUE'],
  [INT, 'eq', ['many'], 'INVALID_FILTER_VALUE'],
  [INT, 'eq', [''], 'INVALID_FILTER_VALUE'],
  [INT, 'eq', [true], 'INVALID_FILTER_VALUE'],
  [BOOLEAN, 'eq', ['yes'], 'INVALID_FILTER_VALUE'],
  [TIME, 'eq', ['noon'], 'INVALID_FILTER_VALUE'],
  [STRING, 'eq', [1], 'INVALID_FILTER_VALUE'],
  [STRING, 'contains', [1], 'INVALID_FILTER_VALUE'],
  [STRING, 'like', ['a\\'], 'INVALID_FILTER_VALUE'],
  [BOOLEAN, 'gt', [true], 'INVALID_FILTER_OPERATOR'],
  [INT, 'contains', ['a'], 'INVALID_FILTER_OPERATOR'],
  [INT, 'exists', [], 'INVALID_FILTER_OPERATOR'],
  [INT, 'relative', [], 'INVALID_FILTER_OPERATOR'],
  [DATE, 'relative', [], 'INVALID_RELATIVE_FILTER'],
]
for (const [type, operator, values, code] of REFUSED)
  t.test(`${operator} ${JSON.stringify(values)} of a ${type.kind} is refused`, async (t) => {
    t.throws(() => of(type, operator, ...values), { code, path: 'p' })
  })

t.test('a relative range is one of periods of the clock', async (t) => {
  const days = (more: object, grain?: 'month') =>
    relativeSpan({ unit: 'month', count: 2, direction: 'past', include_current: false, ...more }, { grain }, time).map(dateText)
  t.same(days({}), ['1969-11-01', '1970-01-01'])
  t.same(days({ include_current: true }), ['1969-12-01', '1970-02-01'])
  t.same(days({ direction: 'future' }), ['1970-02-01', '1970-04-01'])
  t.same(days({ direction: 'future', include_current: true }), ['1970-01-01', '1970-03-01'])
  t.same(days({ unit: 'week', count: 1 }, 'month'), ['1970-01-01', '1970-01-01'], 'months by their first day')
  const relative = { unit: 'hour', count: 1, direction: 'past', include_current: false } as const
  t.throws(() => condition(subject(DATE), { operator: 'relative', values: [], relative, path: 'p' }, time), /has no hours/)
})

t.test('where it is unknown', async (t) => {
  const unknown = (operator: Operator, values: readonly FilterValue[], orMissing?: boolean) =>
    knownCondition<RelationColumn>(subject(STRING), { operator, values, orMissing, path: '' }, time).unknown !== undefined
  t.ok(unknown('eq', ['a']))
  t.ok(unknown('in', ['a']))
  for (const [operator, ...values] of [['eq', null], ['in'], ['in', 'a', null], ['is_null'], ['not_blank']] as const)
    t.notOk(unknown(operator, values), operator)
  t.throws(() => unknown('in', ['a', null], true), { code: 'INVALID_FILTER_VALUE' })
})

t.test('the columns of a condition of the model', async (t) => {
  const filter = shop.measures.get('Paid Sales')!.filters[0]!
  t.same(
    columnsOf({ kind: 'group', logic: 'and', negated: false, filters: [filter, filter] }).map(({ column }) => column),
    ['Status', 'Status'],
  )
  const subject = { object: 'Orders', via: undefined }
  const found = {
    kind: 'exists',
    subject,
    target: 'Items',
    pathName: undefined,
    filters: [filter],
    negated: false,
    path: '',
  } as const
  t.same(
    columnsOf(found).map(({ column }) => column),
    ['Status'],
  )
})
