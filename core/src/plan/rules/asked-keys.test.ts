/** Groups that lack a condition of the rows of an answer are computed only for the keys of these rows. The answers are compared in test/compile. */
import t from 'tap'
import {
  above,
  aggregate,
  column,
  combined,
  distinct,
  factsOf,
  filter,
  joinTo,
  leg,
  limited,
  lookup,
  named,
  nodesIn,
  own,
  project,
  rowColumn,
  scan,
  shared,
  sumOf,
} from '../../../../test/support/plans.js'
import { FLOAT } from '../../model/data-type.js'
import { isNotNull } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import type { Aggregate, Combine, LogicalPlan, Lookup } from '../logical-plan.js'
import { askedKeys } from './asked-keys.js'

const of = (name: string): RelationColumn => column('Orders', name)
const [key, other] = [named('Key', of('key')), named('Other', of('other'))]
const orders = scan('Orders', { key: ['id'] })
const open = above(of('open'))
const rows = aggregate(filter(orders, open), [key], [sumOf('Sum', of('n'))])
const ever = (input: LogicalPlan = orders, keys = [key], more: Partial<Aggregate> = {}) =>
  aggregate(input, keys, [sumOf('Ever', of('n'))], { alias: 'ever', ...more })
const given = lookup(rows, ever(), ['Ever'])
const rewritten = (node: LogicalPlan, hints = {}) => askedKeys.rewrite(node, factsOf(hints))
/** The names of the rows whose keys are asked for, once for each aggregation that they limit. */
const askedIn = (plan: LogicalPlan | undefined): readonly string[] =>
  plan ? nodesIn(plan, 'distinct').flatMap(({ input }) => (input.kind === 'shared' ? [input.alias] : [])) : []
const bothKeys = [own('Key'), own('Other')].map((one) => ({ own: one, theirs: one.name, type: one.type, nullSafe: true }))
const filtered = (input: LogicalPlan) => aggregate(input, [key], [sumOf('Sum', of('n'))])

t.test('the rows are computed once, and read for their values and for their keys', async (t) => {
  const after = rewritten(given)
  t.ok(after?.kind === 'lookup' && after.input.kind === 'shared' && after.input.input === rows)
  t.same(after?.kind === 'lookup' && after.values, given.values)
  t.same(askedIn(after), ['looked_up'])
  t.same(
    after && nodesIn(after, 'distinct').map(({ columns }) => columns.map(({ name }) => name)),
    [['Key']],
    'without their values',
  )
})

for (const [title, node, asked] of [
  ['groups that lack a condition of the rows', given, 1],
  ['groups with one more condition', lookup(rows, ever(filter(orders, above(of('big')))), ['Ever']), 1],
  ['groups with joins', lookup(rows, ever(joinTo(orders, 'Customers', of('customer'))), ['Ever']), 1],
  ['groups with the same condition', lookup(rows, ever(filter(orders, open)), ['Ever']), 0],
  ['rows without a condition', lookup(filtered(orders), ever(), ['Ever']), 0],
  ['rows that only need a value', lookup(filtered(filter(orders, isNotNull<RelationColumn>(of('n')))), ever(), ['Ever']), 0],
  ['rows that are no groups', lookup(project(filter(orders, open), [key]), ever(), ['Ever']), 0],
  ['values of another period', lookup(rows, ever(), ['Ever'], { period: { name: 'Day', grain: 'day' } }), 0],
  ['values of another kind', lookup(rows, project(ever(), [named('Key', own('Key'))]), ['Ever']), 0],
  ['groups of rows of another kind', lookup(rows, ever(limited(orders)), ['Ever']), 0],
  [
    'groups of computed rows that are joined',
    lookup(rows, ever({ ...joinTo(limited(orders), 'Customers', of('customer')) }), ['Ever']),
    0,
  ],
  ['groups by a computed key', lookup(rows, ever(orders, [named('Key', own('key'))]), ['Ever']), 0],
  ['groups by two keys', lookup(rows, ever(orders, [key, other]), ['Ever'], { keys: bothKeys }), 0],
  ['groups by two keys of which one is asked', lookup(rows, ever(orders, [key, other]), ['Ever']), 0],
  ['groups by one key of which two are asked', lookup(rows, ever(), ['Ever'], { keys: bothKeys }), 0],
  ['a key that the rows lack', lookup(aggregate(filter(orders, open), [other], []), ever(), ['Ever']), 0],
  ['two values', lookup(given, ever(), ['More']), 2],
  ['names before the values', lookup(lookup(rows, project(scan('Names'), [key]), ['Name']), ever(), ['Ever']), 1],
  ['one of two values', lookup(given, ever(filter(orders, open)), ['More']), 1],
  [
    'rows of two facts with the condition',
    lookup(combined([rowColumn('Key')], [leg(rows, ['Sum']), leg(rows, [])]), ever(), ['Ever']),
    1,
  ],
  [
    'rows of two facts of which one lacks it',
    lookup(combined([rowColumn('Key')], [leg(rows, ['Sum']), leg(filtered(orders), [])]), ever(), ['Ever']),
    0,
  ],
  [
    'a fact without it that makes no rows',
    lookup(combined([rowColumn('Key')], [leg(rows, ['Sum']), leg(filtered(orders), [], { contributesRows: false })]), ever(), [
      'Ever',
    ]),
    1,
  ],
  ['rows below a projection', lookup(project(rows, [named('Key', own('Key'))]), ever(), ['Ever']), 1],
] as const satisfies readonly (readonly [string, Lookup, number])[])
  t.test(`${title}: ${asked} limited`, async (t) => {
    const after = rewritten(node)
    t.equal(after !== undefined, asked > 0)
    t.equal(askedIn(after).length, asked)
  })

/** How the groups are limited: by an equality, or by one in which NULLs are equal. */
const limitOf = (node: Lookup): string | undefined => {
  const after = rewritten(node)
  const join = after && nodesIn(after, 'join').find(({ right }) => right.kind === 'distinct')
  return join?.on[0]?.kind
}

for (const [title, keyOfRows, input, kind] of [
  ['a key that no row lacks', named('Key', of('id')), orders, 'equal'],
  ['a key that a row may lack', key, orders, 'holds'],
  ['a key that a condition needs', key, filter(orders, above(of('key'))), 'equal'],
  ['a double', named('Key', column('Orders', 'id', FLOAT), FLOAT), orders, 'holds'],
] as const)
  t.test(`${title} is compared by ${kind}`, async (t) => {
    const few = aggregate(filter(input, open), [keyOfRows], [sumOf('Sum', of('n'))])
    t.equal(limitOf(lookup(few, ever(orders, [keyOfRows]), ['Ever'])), kind)
  })

t.test('joins on the way to the key are inner joins, and the keys have a free name', async (t) => {
  const customer = named('Key', column('Customers', 'id'))
  const joined = joinTo(scan('Orders', { alias: 'asked' }), 'Customers', column('asked', 'customer'))
  const known = filter(joined, above(column('Customers', 'id')))
  const after = rewritten(
    lookup(aggregate(known, [customer], [sumOf('Sum', of('n'))]), ever(filter(joined, above(of('n'))), [customer]), ['Ever']),
  )
  const found = after && nodesIn(after, 'join').filter(({ right }) => right.kind === 'distinct')
  t.same(
    found?.map(({ right }) => right.kind === 'distinct' && right.alias),
    ['asked_2'],
  )
  t.ok(found?.every(({ left }) => left.kind === 'join' && left.type === 'inner'))
  t.equal(after?.kind === 'lookup' && after.from.kind === 'aggregate' && after.from.input.kind, 'filter', 'after the joins')
})

const keys = [rowColumn('Key')]
const returns = aggregate(scan('Returns'), [named('Key', column('Returns', 'key'))], [sumOf('Returned', column('Returns', 'n'))])
const beside = { contributesRows: false }
const facts = (more: Partial<Combine> = {}) =>
  combined(keys, [leg(rows, ['Sum'], { name: 'orders' }), leg(returns, ['Returned'], beside)], more)
const joinedReturns = { ...returns, input: joinTo(scan('Returns'), 'Customers', column('Returns', 'customer')) }

for (const [title, node, hints, asked] of [
  ['facts that are joined to the one with all rows', facts({ making: [0] }), {}, ['orders']],
  [
    'facts of which one makes the rows, because of a condition',
    facts({ making: [0], legs: [leg(rows, ['Sum'], { name: 'orders' }), leg(returns, ['Returned'])] }),
    {},
    ['orders'],
  ],
  ['facts of which two make the rows', facts({ making: [0, 1] }), {}, []],
  ['united facts', facts(), {}, []],
  ['united facts, if the engine passes no keys to grouped rows', facts(), { asksForKeys: true }, ['orders']],
  [
    'united facts with joins, whose number of rows is not known',
    combined(keys, [leg(rows, ['Sum']), leg(joinedReturns, ['Returned'], beside)]),
    { asksForKeys: true },
    [],
  ],
  [
    'united facts of which each has own rows',
    combined(keys, [leg(rows, ['Sum']), leg(returns, ['Returned'])]),
    { asksForKeys: true },
    [],
  ],
  [
    'one of them, if a condition needs its values',
    filter(combined(keys, [leg(rows, ['Sum'], { name: 'orders' }), leg(returns, ['Returned'])]), above(own('Sum'))),
    { asksForKeys: true },
    ['orders'],
  ],
  ['facts that are all limited', combined(keys, [leg(rows, ['Sum']), leg(rows, ['Sum'], beside)]), { asksForKeys: true }, []],
  ['a plan without facts', distinct(rows, []), { asksForKeys: true }, []],
] as const satisfies readonly (readonly [string, LogicalPlan, object, readonly string[]])[])
  t.test(title, async (t) => {
    const after = rewritten(node, hints)
    t.equal(after !== undefined, asked.length > 0)
    t.same(askedIn(after), asked)
  })

t.test('of united facts, one with the condition stays as it is', async (t) => {
  const same = leg(aggregate(filter(scan('Returns'), open), [key], [sumOf('Returned', of('n'))]), ['Same'], beside)
  const after = rewritten({ ...facts(), legs: [...facts().legs, same] }, { asksForKeys: true })
  const legs = after?.kind === 'combine' ? after.legs : []
  t.equal(legs[2]?.input, same.input)
  t.same(askedIn(after), ['orders'])
})

t.test('of united facts, the one with all rows is computed once', async (t) => {
  const after = rewritten(facts(), { asksForKeys: true })
  const legs = after?.kind === 'combine' ? after.legs.map(({ input }) => input) : []
  t.same(legs[0], shared(rows, [rowColumn('Key'), rowColumn('Sum')], 'orders'))
  t.equal(legs[1]?.kind, 'aggregate')
})
