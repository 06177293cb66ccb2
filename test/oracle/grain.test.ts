/** Grain and filter context, each on a case with hand-computed values over the head-to-head rows. */
import t from 'tap'
import { amountOf, ask, by, modelWith } from './asking.js'

const model = modelWith(
  {
    all: amountOf({ total: true }),
    'by region': amountOf({ grain: { mode: 'FIXED', include: ['region'] } }),
    'by region if there': amountOf({ grain: { mode: 'FIXED', keepOnly: ['region', 'product'] } }),
    'without status': amountOf({ grain: { mode: 'RELATIVE', exclude: ['status'] } }),
    'any status': amountOf({ filterContext: { mode: 'RELATIVE', exclude: ['status'] } }),
    unfiltered: amountOf({ filterContext: { mode: 'FIXED' }, total: true }),
    'only region': amountOf({ filterContext: { mode: 'RELATIVE', keepOnly: ['region'] } }),
    'returns of all': { aggregation: 'count', columns: [{ dataObject: 'Returns', column: 'id' }], total: true },
  },
  { share: { expression: '{[amount]} / {[all]}' } },
)

t.test('a coarser value is repeated on every row that shares it', async (t) => {
  t.same(ask(by(['region', 'status'], ['amount', 'all', 'by region', 'by region if there', 'without status']), model), [
    '"EU" "open" 300.30 1059.20 600.60 600.60 600.60',
    '"EU" "paid" 300.30 1059.20 600.60 600.60 600.60',
    '"US" "paid" 400.40 1059.20 400.40 400.40 400.40',
    'NULL "open" 50.50 1059.20 58.20 58.20 58.20',
    'NULL "paid" 7.70 1059.20 58.20 58.20 58.20',
  ])
  t.same(ask(by(['region'], ['share'], { where: [{ field: 'region', op: 'neq', value: null }], limit: 1 }), model), ['"EU" 0.6'])
})

t.test('dimensions that FIXED includes must be selected; those of keepOnly need not', async (t) => {
  t.equal(ask(by(['status'], ['by region']), model), 'GRAIN_NOT_SUBSET')
  t.same(ask(by(['status'], ['by region if there']), model), ['"open" 1059.20', '"paid" 1059.20'])
})

t.test('a coarser value is computed before having and limit', async (t) => {
  const query = by(['region'], ['amount', 'all'], { having: [{ field: 'amount', op: 'gt', value: 100 }], limit: 1 })
  t.same(ask(query, model), ['"EU" 600.60 1059.20'])
})

t.test('a coarser value adds rows only where no selected aggregate is at query grain', async (t) => {
  t.same(ask(by(['region'], ['returns of all']), model), ['"EU" 4', '"US" 4'], 'the tuples of its own home')
  t.same(ask(by(['region'], ['amount', 'returns of all']), model), ['"EU" 600.60 4', '"US" 400.40 4', 'NULL 58.20 4'])
  t.same(
    ask(by(['product'], ['qty', 'returns of all']), model),
    ['"chair" 7 4', '"lamp" 6 4', 'NULL 1 4'],
    'a dropped dimension need not be reachable',
  )
  t.equal(ask(by(['product'], ['returns of all']), model), 'NO_JOIN_PATH')
})

t.test('a filter context removes filters of the query and never those of the model', async (t) => {
  const where = [
    { field: 'status', op: 'eq', value: 'paid' },
    { field: 'region', op: 'eq', value: 'EU' },
  ]
  t.same(ask({ select: { measures: ['amount', 'any status', 'unfiltered', 'only region'] }, where }, model), [
    '300.30 600.60 1059.20 600.60',
  ])
  const filtered = { ...model, filters: [{ dataObject: 'Orders', column: 'amount', operator: 'lt', value: 300 }] }
  t.same(ask({ select: { measures: ['amount', 'any status', 'unfiltered'] }, where }, filtered), ['300.30 300.30 358.50'])
})

t.test(
  'a filter that reads an excluded field and another one is removed entirely; a filter that all measures ignore is no error',
  async (t) => {
    const where = [
      {
        logic: 'or' as const,
        filters: [
          { field: 'status', op: 'eq', value: 'paid' },
          { field: 'region', op: 'eq', value: 'EU' },
        ],
      },
    ]
    t.same(ask({ select: { measures: ['any status', 'amount', 'only region'] }, where }, model), ['1059.20 1008.70 1059.20'])
    t.same(ask({ select: { measures: ['any status'] }, where: [{ field: 'status', op: 'eq', value: 'paid' }] }, model), [
      '1059.20',
    ])
    t.same(
      ask(
        { select: { measures: ['any status'] }, where: [{ field: 'status', op: 'eq', value: 'paid' }], strict_filters: true },
        model,
      ),
      ['1059.20'],
    )
  },
)

t.test('over bridges a coarser value counts each base row once', async (t) => {
  // Items of quantity up to 2: orders 1 (chair 2, lamp 1), 2 (lamp), 3 (chair), 5 (lamp, none): 100.10 + 200.20 + 300.30 + 50.50.
  const query = by(['product'], ['amount', 'all'], { where: [{ field: 'item qty', op: 'lte', value: 2 }] })
  t.same(ask(query, model), ['"chair" 400.40 651.10', '"lamp" 350.80 651.10', 'NULL 50.50 651.10'])
})
