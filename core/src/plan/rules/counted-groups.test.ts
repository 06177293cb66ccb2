/** Values by which the rows are grouped are counted in the groups: the same counts as over the rows, if the groups have these rows and values. */
import t from 'tap'
import { canonicalPlan } from '../../../../test/support/compile.js'
import { shopAnd } from '../../../../test/support/models.js'
import {
  column,
  factsOf,
  filter,
  limited,
  lookup as lookedUp,
  named,
  nodesIn,
  own,
  project,
  scan,
} from '../../../../test/support/plans.js'
import { shopRows, withRule } from '../../../../test/support/rule-answers.js'
import { firstOf } from '../../invariant.js'
import { STRING } from '../../model/data-type.js'
import { integer, isNotNull } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import type { Aggregate, LogicalPlan, Lookup, NamedAggregate } from '../logical-plan.js'
import { countedGroups } from './counted-groups.js'

const counted = (columns: string, more = ''): string =>
  `{ aggregation: count_distinct, columns: [${columns}], grain: { mode: FIXED, include: [Region] }${more} }`
const status = '{ dataObject: Orders, column: Status }'
const day = '{ dataObject: Orders, column: Day }'
const model = shopAnd({
  measures: {
    Statuses: counted(status),
    'Big Statuses': counted(status, ', filters: [{ field: Orders.Amount, op: gt, value: 5 }]'),
    'Big Days': counted(`${status}, ${day}`, ', filters: [{ field: Orders.Amount, op: gt, value: 5 }]'),
    'Distinct Days': counted(day).replace('count_distinct', 'count, distinct: true'),
    'All Statuses': `{ aggregation: count_distinct, columns: [${status}], total: true }`,
    'Buyers of Region': counted('{ dataObject: Orders, column: Customer Id }'),
  },
})
const dimensions = ['Region', 'Customer', 'Status', 'Day']
const ask = (...measures: readonly string[]) => ({ select: { dimensions, measures: ['Sales', ...measures] } })

t.test('counts of the groups are those of the rows', async (t) => {
  const connection = await shopRows()
  for (const measures of [
    ['Statuses'],
    ['Big Statuses'],
    ['Big Days', 'Big Statuses'],
    ['Distinct Days'],
    ['All Statuses', 'Buyers of Region'],
    ['Statuses', 'Sales of Region'],
  ])
    t.equal(await withRule('counted-groups', ask(...measures), model, connection), 'the same answer', measures.join(', '))
  t.equal(await withRule('counted-groups', ask('Buyers of Region'), model, connection), 'left alone')
  connection.closeSync()
})

const planned = (measure: string): Lookup => firstOf(nodesIn(canonicalPlan(ask(measure), model), 'lookup'))
const given = planned('Statuses')
const groups = given.input as Aggregate
const coarse = given.from as Aggregate
const rewritten = (node: LogicalPlan) => countedGroups.rewrite(node, factsOf())
const ofGroups = (change: Partial<Aggregate>): Lookup => ({ ...given, input: { ...groups, ...change } })
const ofCounts = (change: Partial<Aggregate>): Lookup => ({ ...given, from: { ...coarse, ...change } })
const ofCall = (change: Partial<NamedAggregate>): Lookup =>
  ofCounts({ aggregates: coarse.aggregates.map((call) => ({ ...call, ...change })) })
const known = isNotNull<RelationColumn>(column('Orders', 'amount'))

for (const [title, node] of [
  ['another node', groups],
  ['groups of another kind', { ...given, input: limited(groups) }],
  ['groups without a value', ofGroups({ aggregates: [] })],
  ['groups of rows that meet a condition', ofGroups({ input: filter(groups.input, known) })],
  ['groups of the rows of another table', ofGroups({ input: scan('Returns') })],
  ['groups without the values', ofGroups({ keys: groups.keys.filter(({ name }) => name !== 'Status') })],
  ['groups without a key of the counts', ofGroups({ keys: groups.keys.filter(({ name }) => name !== 'Region') })],
  ['counts of rows of another kind', ofCounts({ input: limited(coarse.input) })],
  ['counts without a value', ofCounts({ aggregates: [] })],
  ['values of another kind', { ...given, from: limited(coarse) }],
  ['counts by which rows are left out', { ...given, isInner: true }],
  ['a count of rows', ofCall({ aggregate: 'count', distinct: false })],
  ['a count of all different rows', ofCall({ aggregate: 'count', distinct: true, args: [] })],
  ['a total of different values', ofCall({ aggregate: 'sum', distinct: true })],
  [
    'a count in an order',
    ofCall({ orderBy: [{ expression: own('n'), type: STRING, descending: false, nullsFirst: false } as never] }),
  ],
  ['a count that is NULL without some rows', ofCall({ onlyWith: known })],
  ['a count of a value and another one', ofCall({ args: [...coarse.aggregates.flatMap(({ args }) => args), integer(1)] })],
  [
    'one count beside another value',
    ofCounts({ aggregates: [...coarse.aggregates, { ...coarse.aggregates[0]!, name: 'n', aggregate: 'max' }] }),
  ],
] as const satisfies readonly (readonly [string, LogicalPlan])[])
  t.test(`${title}: left alone`, async (t) => {
    t.ok(rewritten(given))
    t.equal(rewritten(node), undefined)
  })

t.test('a window over the groups stays between them and what is looked up', async (t) => {
  const after = rewritten({ ...given, input: { kind: 'window', alias: 'w', input: groups, columns: [], calls: [] } })
  t.equal(after?.kind === 'lookup' && after.input.kind === 'window' && after.input.input.kind, 'shared')
})

t.test('other values are looked up afterwards, as before', async (t) => {
  const other = lookedUp(given, project(scan('Returns'), [named('Key', integer(1))]), ['n'])
  const after = rewritten(other)
  t.equal(after?.kind === 'lookup' && after.from, other.from)
})

t.test('the rows that a count needs are counted with the groups, under a free name', async (t) => {
  const big = planned('Big Statuses')
  const named1 = { ...big, input: { ...groups, aggregates: groups.aggregates.map((call) => ({ ...call, name: 'counted_1' })) } }
  const namesIn = (node: LogicalPlan | undefined) =>
    node &&
    firstOf(nodesIn(node, 'shared'))
      .columns.map(({ name }) => name)
      .slice(dimensions.length)
  t.same(namesIn(rewritten(given)), ['Sales'])
  t.same(namesIn(rewritten(big)), ['Sales', 'counted_1'])
  t.same(namesIn(rewritten(named1)), ['counted_1', 'counted_1_2'])
})

t.test('groups get the joins that only the conditions of a count read', async (t) => {
  const { input } = groups
  if (input.kind !== 'join') throw new Error('the groups have no join')
  const after = rewritten({ ...planned('Big Statuses'), input: { ...groups, input: input.left } })
  t.same(after && firstOf(nodesIn(after, 'shared')).input, { ...groups, aggregates: [...groups.aggregates, countOf(after!)] })
  t.same(firstOf(nodesIn(rewritten({ ...given, input: { ...groups, input: input.left } })!, 'shared')).input, {
    ...groups,
    input: input.left,
  })
})
const countOf = (plan: LogicalPlan) =>
  firstOf(nodesIn(plan, 'aggregate').flatMap(({ aggregates }) => aggregates.filter(({ name }) => name === 'counted_1')))
