/** What the rules of requests change, which requests they leave alone, and that the driver finds a rule that changes a meaning. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { compileWithout } from '../../../test/support/compile.js'
import { shop } from '../../../test/support/models.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { blockRequests, type PlannedRequest } from './block-requests.js'
import type { RequestRule } from './request-rule.js'
import { applyRequestRules } from './request-rules.js'

const NONE: ReadonlySet<string> = new Set()
const month = ['Day:month']
const since = { field: 'Day', op: 'gte', value: '2024-01-01' }
const until = { field: 'Day', op: 'lt', value: '2024-03-01' }

const asked = (measures: readonly string[], where: readonly object[] = [], dimensions: readonly unknown[] = month) =>
  aggregateQuery({ select: { dimensions, measures }, where }, shop)

const ruled = (query: AggregateQuery, without = NONE) =>
  applyRequestRules(blockRequests(query), query, { without, isChecked: true })

const addedBounds = ({ request }: PlannedRequest): number => request.conjuncts.filter(({ isNear }) => isNear).length

t.test('near-periods bounds the periods that bounded rows look up', async (t) => {
  const query = asked(['Sales', 'Sales Last Month'], [since, until])
  const { requests, rules } = ruled(query)
  t.same(rules, ['near-periods'])
  t.same(
    requests.map((one) => [one.shift !== undefined, addedBounds(one)]),
    [
      [false, 0],
      [true, 2],
    ],
  )
  t.same(ruled(query, new Set(['near-periods'])).requests, blockRequests(query), 'it can be left out')
})

t.test('near-periods adds no bound that does not follow', async (t) => {
  const cases: Readonly<Record<string, AggregateQuery>> = {
    'no row has a bound': asked(['Sales', 'Sales Last Month']),
    'the bound is of no time': asked(['Sales', 'Sales Last Month'], [{ field: 'Status', op: 'equals', value: 'paid' }]),
    'nothing is looked up': asked(['Sales', 'Units'], [since, until]),
    'rows of another fact have no bound': asked(['Customer Count', 'Sales Last Month'], [since], ['Customer', ...month]),
  }
  for (const [title, query] of Object.entries(cases))
    t.notOk(
      ruled(query).requests.some((r) => addedBounds(r) > 0),
      title,
    )
})

t.test('shared-rows reads all rows of a period if the answer does', async (t) => {
  const query = asked(['Sales', 'Paid Orders Last Month'])
  const { requests, rules } = ruled(query)
  t.same(rules, ['shared-rows'])
  t.same(
    requests.map(({ shift, request }) => [shift !== undefined, request.ofAllRows === true]),
    [
      [false, false],
      [true, true],
    ],
  )
  for (const measures of [
    ['Paid Sales', 'Paid Orders Last Month'],
    ['Sales', 'Sales Last Month'],
    ['Units', 'Paid Orders Last Month'],
  ])
    t.same(ruled(asked(measures)).rules, [], measures.join())
})

t.test('a request that no rule changes is the same object', async (t) => {
  const query = asked(['Sales', 'Sales Last Month'], [since, until])
  const requests = blockRequests(query)
  const after = applyRequestRules(requests, query).requests
  t.equal(after[0], requests[0])
  t.not(after[1], requests[1])
})

t.test('the driver refuses a rule that changes a meaning', async (t) => {
  const query = asked(['Sales', 'Sales Last Month'], [since, until])
  const changed = (change: (request: PlannedRequest) => PlannedRequest) => () => {
    const rule: RequestRule = { name: 'wrong', rewrite: (all) => all.map(change) }
    return applyRequestRules(blockRequests(query), query, { without: NONE, isChecked: true }, [rule])
  }
  const internal = { code: 'INTERNAL_ERROR', message: /the rule 'wrong' changes what is computed from 'Orders'/ }
  t.throws(
    changed((one) => ({ ...one, shift: undefined })),
    internal,
    'another period',
  )
  t.throws(
    changed((one) => ({ ...one, request: { ...one.request, conjuncts: [] } })),
    internal,
    'a condition less',
  )
  t.throws(
    changed((one) => ({ ...one, request: { ...one.request, dimensions: [] } })),
    internal,
    'other groups',
  )
  t.doesNotThrow(changed((one) => ({ ...one, request: { ...one.request, ofAllRows: true } })))
})

t.test('explain names them, and --without leaves them out', async (t) => {
  const query = { select: { dimensions: month, measures: ['Sales', 'Sales Last Month'] }, where: [since, until] }
  const whole = compileWithout(query, shop, [])
  t.ok(whole.explain().rules.includes('near-periods'))
  t.match(whole.sql, /2023-12-01/)
  const unbounded = compileWithout(query, shop, ['near-periods'])
  t.notOk(unbounded.explain().rules.includes('near-periods'))
  t.notMatch(unbounded.sql, /2023/)
})
