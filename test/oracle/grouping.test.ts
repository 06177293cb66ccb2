/** Rollup and cube with hand-computed values. */
import t from 'tap'
import { amountOf, ask, by, modelWith } from './asking.js'
import { evaluate } from './evaluate.js'
import { data } from './head-to-head.js'

const model = modelWith(
  { all: amountOf({ total: true }), 'of region': amountOf({ grain: { mode: 'FIXED', include: ['region'] } }) },
  {
    rank: { type: 'window', windowFunction: 'rank', measure: 'amount', partitionBy: ['region'] },
    before: { type: 'period_over_period', measure: 'amount', periodOverPeriod: { timeDimension: 'ordered' } },
    'so far': { type: 'cumulative', measure: 'amount', timeDimension: 'ordered' },
    known: { expression: 'coalesce({[before]}, 0)' },
  },
)

t.test('every level of a rollup is the answer with only its dimensions, recomputed', async (t) => {
  const query = by(['region', 'status'], ['amount', 'buyers', 'of region'], { grouping: 'rollup', limit: 20 })
  t.same(ask(query, model), [
    '"EU" "open" 300.30 1 600.60 false false',
    '"EU" "paid" 300.30 1 600.60 false false',
    '"EU" NULL 600.60 2 600.60 false true',
    '"US" "paid" 400.40 1 400.40 false false',
    '"US" NULL 400.40 1 400.40 false true',
    'NULL "open" 50.50 1 58.20 false false',
    'NULL "paid" 7.70 0 58.20 false false',
    'NULL NULL 58.20 1 58.20 false true',
    'NULL NULL 1059.20 4 1059.20 true true',
  ])
})

t.test('a cube has every subset; the flags come after the fields', async (t) => {
  const query = by(['region', 'status'], ['amount'], {
    grouping: 'cube',
    having: [{ field: 'amount', op: 'gt', value: 350 }],
    limit: 20,
  })
  t.same(ask(query, model), [
    '"EU" NULL 600.60 false true',
    '"US" "paid" 400.40 false false',
    '"US" NULL 400.40 false true',
    'NULL "open" 350.80 true false',
    'NULL "paid" 708.40 true false',
    'NULL NULL 1059.20 true true',
  ])
  const outcome = evaluate(model, data, query)
  t.same('columns' in outcome && outcome.columns, ['region', 'status', 'amount', 'region is total', 'status is total'])
})

t.test('a row with a bridge counts once in its subtotal', async (t) => {
  t.same(ask(by(['product'], ['amount'], { grouping: 'rollup', limit: 9 }), model), [
    '"chair" 800.80 false',
    '"lamp" 350.80 false',
    'NULL 58.20 false',
    'NULL 1059.20 true',
  ])
})

t.test('windows apply within their own level; a running value whose time is rolled up is that of the end', async (t) => {
  t.same(ask(by(['region', 'status'], ['rank'], { grouping: 'rollup', limit: 20 }), model), [
    '"EU" "open" 1 false false',
    '"EU" "paid" 1 false false',
    '"EU" NULL 1 false true',
    '"US" "paid" 1 false false',
    '"US" NULL 1 false true',
    'NULL "open" 1 false false',
    'NULL "paid" 2 false false',
    'NULL NULL 1 false true',
    'NULL NULL 1 true true',
  ])
  t.same(
    ask(
      by(['status', 'ordered:month'], ['before', 'known', 'so far'], {
        grouping: 'rollup',
        limit: 20,
        where: [{ field: 'status', op: 'eq', value: 'open' }],
      }),
      model,
    ),
    [
      '"open" 2025-02-01 NULL 0 300.30 false false',
      '"open" 2025-03-01 300.30 300.30 350.80 false false',
      '"open" NULL NULL 0 350.80 false true',
      'NULL NULL NULL 0 350.80 true true',
    ],
  )
})

t.test('the grand total exists even without rows', async (t) => {
  t.same(
    ask(
      by(['region'], ['amount', 'buyers'], { grouping: 'rollup', where: [{ field: 'region', op: 'eq', value: 'nowhere' }] }),
      model,
    ),
    ['NULL NULL 0 true'],
  )
})

t.test('sets are the named levels, each once, in any order of their names', async (t) => {
  const sets = { sets: [['status'], [], ['region', 'status'], ['status', 'region'], ['status']] }
  t.same([...ask({ ...by(['region', 'status'], ['amount']), grouping: sets })].toSorted(), [
    '"EU" "open" 300.30 false false',
    '"EU" "paid" 300.30 false false',
    '"US" "paid" 400.40 false false',
    'NULL "open" 350.80 true false',
    'NULL "open" 50.50 false false',
    'NULL "paid" 7.70 false false',
    'NULL "paid" 708.40 true false',
    'NULL NULL 1059.20 true true',
  ])
})

t.test('a dimension may be named without its grain, and may be in no set', async (t) => {
  const query = { ...by(['ordered:quarter', 'region'], ['amount']), grouping: { sets: [['ordered']] } }
  t.same(ask(query), ['2025-01-01 NULL 1059.20 false true'])
  t.equal(ask({ ...query, grouping: { sets: [['product']] } }), 'UNKNOWN_DIMENSION')
})
