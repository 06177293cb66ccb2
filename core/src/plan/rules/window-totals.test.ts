import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'
import { shopWith } from '../../../../test/support/models.js'
import { DATE, decimal, FLOAT, INT, STRING } from '../../model/data-type.js'
import { binary, integer, isNotNull } from '../../resolve/expressions.js'
import { type RelationColumn, relationColumn } from '../../resolve/relation-column.js'
import type { Aggregate, LogicalPlan, Lookup, NamedAggregate } from '../logical-plan.js'
import { plainAggregate } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { windowTotals } from './window-totals.js'

const statuses = (aggregation: string, more: object = {}) => ({
  aggregation,
  columns: [{ dataObject: 'Orders', column: 'Status' }],
  grain: { keepOnly: ['Customer'] },
  ...more,
})
const model = shopWith({
  dimensions: {
    'Long Status': { dataObject: 'Orders', expression: "concat({[Orders].[Status]}, '!')", resultType: 'string' },
  },
  measures: {
    Statuses: statuses('count_distinct'),
    'Statuses or so': statuses('approx_count_distinct'),
    'Different Statuses': statuses('count', { distinct: true }),
    'Statuses and Days': statuses('count_distinct', {
      columns: ['Status', 'Day'].map((column) => ({ dataObject: 'Orders', column })),
    }),
  },
})

/** How often the orders are read. */
const readsOf = (measure: string, dimensions: readonly string[]): number =>
  compileFor({ select: { dimensions: ['Customer', ...dimensions], measures: ['Order Count', measure] } }, model).sql.split(
    'FROM "orders"',
  ).length - 1

for (const [measure, dimensions] of [
  ['Statuses', ['Status']],
  ['Different Statuses', ['Status']],
  ['Statuses and Days', ['Status']],
  ['Statuses and Days', ['Status', 'Day']],
] as const)
  t.test(`${measure} with ${dimensions.join(' and ')} is the sum of disjoint groups`, (t) => {
    t.equal(readsOf(measure, dimensions), 1)
    t.end()
  })

for (const [title, measure, dimensions] of [
  ['groups of another dimension may share one', 'Statuses', ['Day']],
  ['a month has several days', 'Statuses and Days', ['Day:month']],
  ['an expression may be alike for several', 'Statuses', ['Long Status']],
  ['approximate counts do not add up', 'Statuses or so', ['Status']],
] as const)
  t.test(`${title}: the coarser count reads the rows`, (t) => {
    t.equal(readsOf(measure, dimensions), 2)
    t.end()
  })

t.test('with a further dimension the groups still contain every value', (t) => {
  t.equal(readsOf('Statuses', ['Status', 'Day']), 1)
  t.end()
})

/** Rows of a table, counted by one of its columns. */
function counted(object: string, key: string, ofRows: (rows: LogicalPlan) => LogicalPlan = (rows) => rows): Aggregate {
  const source = { kind: 'table', database: undefined, schema: undefined, name: object } as const
  const scan: LogicalPlan = { kind: 'scan', object, source, alias: object }
  const keys = ['a', 'b']
    .slice(0, key === 'a' ? 1 : 2)
    .map((name) => ({ name, type: INT, expression: relationColumn(object, name, INT) }))
  const aggregates = [plainAggregate(`rows by ${key}`, 'count', [], INT)]
  return { kind: 'aggregate', input: ofRows(scan), alias: key, keys, aggregates, reason: '' }
}

const lookup = (input: LogicalPlan, from: Aggregate): Lookup => ({
  kind: 'lookup',
  alias: 'rows',
  input,
  from,
  keys: from.keys.map(({ name, type }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: true })),
  values: from.aggregates.map(({ name, type }) => ({ name, type, emptyIsZero: true })),
  reason: '',
})

const rewritten = (node: Lookup): string | undefined => windowTotals.rewrite(node, { hints: NO_HINTS, typeOf: () => INT })?.kind

t.test('what is looked up of the same rows is a window', async (t) => {
  t.equal(rewritten(lookup(counted('orders', 'b'), counted('orders', 'a'))), 'window')
})

t.test('rows of another table, or of a kind that it does not know, are looked up', async (t) => {
  const isUnknown = (input: LogicalPlan): LogicalPlan => ({ kind: 'limit', input, limit: 1, offset: undefined })
  t.equal(rewritten(lookup(counted('orders', 'b'), counted('visits', 'a'))), undefined)
  t.equal(rewritten(lookup(counted('orders', 'b', isUnknown), counted('orders', 'a', isUnknown))), undefined)
  t.equal(rewritten(lookup(isUnknown(counted('orders', 'b')), counted('orders', 'a'))), undefined)
})

const total = (key: string, ...calls: readonly Partial<NamedAggregate>[]): Aggregate => ({
  ...counted('orders', key),
  aggregates: calls.map((call, at) => ({
    ...plainAggregate(`value ${at}`, 'sum', [relationColumn('orders', 'n', INT)], INT),
    ...call,
  })),
})
const n = relationColumn('orders', 'n', INT)
const b = relationColumn('orders', 'b', INT)
/** The names that are windows, and those that are still looked up. */
function split(node: Lookup): readonly (readonly string[])[] {
  const after = windowTotals.rewrite(node, { hints: NO_HINTS, typeOf: () => INT })
  const looked = after?.kind === 'lookup' ? after.values.map(({ name }) => name) : []
  const window = after?.kind === 'lookup' ? after.input : after
  return [window?.kind === 'window' ? window.calls.map(({ name, function: called }) => `${called} ${name}`) : [], looked]
}
const fine = total('b', {})

for (const [title, call, wanted] of [
  ['a sum of whole numbers', {}, 'sum'],
  ['a sum of decimals', { type: decimal(9, 2) }, 'sum'],
  ['a sum of doubles, which depends on its order', { type: FLOAT }, undefined],
  ['the least double', { aggregate: 'min', type: FLOAT }, 'min'],
  ['the last day', { aggregate: 'max', type: DATE }, 'max'],
  ['the last text, which has its own order', { aggregate: 'max', type: STRING }, undefined],
  ['a median', { aggregate: 'median' }, undefined],
  ['a sum of different values', { distinct: true }, undefined],
  ['a value that is NULL without some rows', { onlyWith: n }, undefined],
  ['a value in an order', { orderBy: [{ expression: n } as never] }, undefined],
  ['a count of what distinguishes the groups', { aggregate: 'count_distinct', args: [b] }, 'sum'],
  ['a count of different values of it', { aggregate: 'count', distinct: true, args: [b] }, 'sum'],
  ['a count of other values', { aggregate: 'count_distinct', args: [n] }, undefined],
  ['an approximate count', { aggregate: 'approx_count_distinct', args: [b] }, undefined],
  ['a count that is NULL without some rows', { aggregate: 'count_distinct', args: [b], onlyWith: n }, undefined],
] as const satisfies readonly (readonly [string, Partial<NamedAggregate>, string | undefined])[])
  t.test(`${title}: ${wanted ? 'a window' : 'looked up, beside a window'}`, async (t) => {
    const both = split(lookup(fine, total('a', call, { aggregate: 'max' })))
    t.same(both, wanted ? [[`${wanted} value 0`, 'max value 1'], []] : [['max value 1'], ['value 0']])
  })

const open = isNotNull<RelationColumn>(n)
const ofOpen = (from: Aggregate): Aggregate => ({
  ...from,
  input: { kind: 'filter', input: from.input, condition: binary<RelationColumn>('>', n, integer(0)), reason: '' },
})
const zeroIf = (node: Lookup, isZero: boolean): Lookup => ({
  ...node,
  values: node.values.map((value) => ({ ...value, emptyIsZero: isZero && value.name === 'value 0' })),
})

t.test('a count of rows that only some groups have is a window if no rows are 0', async (t) => {
  const counts = total('a', { aggregate: 'count' }, { aggregate: 'sum' })
  t.same(split(zeroIf(lookup(fine, ofOpen(counts)), true)), [['sum value 0', 'sum value 1'], []])
  t.same(split(zeroIf(lookup(fine, ofOpen(counts)), false)), [['sum value 1'], ['value 0']])
  t.same(split(zeroIf(lookup(fine, counts), false)), [['sum value 0', 'sum value 1'], []], 'without a condition')
  t.same(
    split(zeroIf(lookup(fine, ofOpen(total('a', {}, { aggregate: 'count' }))), true)),
    [['sum value 0'], ['value 1']],
    'each by its name',
  )
})

t.test('a group that is not looked up by the keys of the row is looked up', async (t) => {
  const node = lookup(fine, total('a', {}))
  t.same(split({ ...node, isInner: true }), [[], []])
  t.same(split({ ...node, from: { kind: 'limit', input: node.from, limit: 1, offset: undefined } }), [[], []])
  t.equal(windowTotals.rewrite(fine, { hints: NO_HINTS, typeOf: () => INT }), undefined)
})

t.test('windows of the rows stay', async (t) => {
  const own = { name: 'own', type: INT, function: 'rank', args: [], partitionBy: [], orderBy: [] }
  const columns = [{ name: 'a', type: INT, expression: open }]
  const after = windowTotals.rewrite(
    lookup({ kind: 'window', alias: 'w', input: fine, columns, calls: [own] } as never, total('a', {})),
    { hints: NO_HINTS, typeOf: () => INT },
  )
  t.same(after?.kind === 'window' && after.calls.map(({ name }) => name), ['value 0', 'own'])
  t.same(after?.kind === 'window' && after.columns, columns)
})

t.test('what else is looked up stays', async (t) => {
  const other = lookup(fine, { ...counted('visits', 'a') })
  const after = windowTotals.rewrite({ ...lookup(fine, total('a', {})), input: other }, { hints: NO_HINTS, typeOf: () => INT })
  t.equal(after?.kind === 'lookup' && after.from, other.from)
})

t.test('a total leaves a lookup whose other value has a filter of its own', async (t) => {
  const loaded = loadText(`
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Status: { code: status, abstractType: string }
      Shop: { code: shop, abstractType: string }
dimensions:
  Status: { dataObject: Orders, column: Status }
measures:
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Statuses: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Status }], grain: { exclude: [Status] }, filters: [{ field: Orders.Id, op: '>', value: 3 }] }
  Shops: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Shop }], grain: { exclude: [Status] }, filters: [{ field: Orders.Status, op: '=', value: paid }] }
`)
  const { sql } = compileFor({ select: { dimensions: ['Status'], measures: ['Statuses', 'Shops', 'Orders'] } }, loaded)
  t.match(sql, /SUM\([^)]*"Statuses \(detail\)"\) OVER \(\)/)
  t.match(sql, /COUNT\(DISTINCT CASE WHEN "orders"."status" = 'paid' THEN "orders"."shop" END\) AS "Shops"/)
})
