/** The rules of the oracle itself, each on a case with hand-computed values. */
import t from 'tap'
import { evaluate } from './evaluate.js'
import { model as base, data as headToHead } from './head-to-head.js'
import type { FilterJson, JoinJson, MeasureJson, ModelJson, QueryJson, Tables } from './model.js'
import { show } from './values.js'

/** Rows as text, in the order of the answer; or the code of the error. */
function ask(query: QueryJson, model: ModelJson = base, data: Tables = headToHead): string[] | string {
  const outcome = evaluate(model, data, query)
  return 'refused' in outcome ? outcome.refused : outcome.rows.map((r) => r.map(show).join(' '))
}
const measures = (more: Record<string, MeasureJson>, model: ModelJson = base): ModelJson => ({
  ...model,
  measures: { ...model.measures, ...more },
})
const orders = (column: string) => ({ dataObject: 'Orders', column })
const sum = (...where: FilterJson[]): QueryJson => ({ select: { measures: ['amount'] }, where })
const idsWhere = (filter: FilterJson): string[] | string =>
  ask({ select: { fields: ['Orders.id'] }, where: [filter], order_by: [{ field: 1 }] })

t.test('a filter through a bridge keeps a base row if any connection remains, and counts it once', async (t) => {
  t.same(ask(sum({ field: 'item qty', op: 'in', value: [1, 2, 3] })), ['651.10'])
  t.same(ask(sum({ field: 'item qty', op: 'is_null' })), ['7.70'], 'an order without items has one all-NULL connection')
})

t.test('filters and dimensions on a bridge read the same connection', async (t) => {
  const query = {
    select: { dimensions: ['item qty'], measures: ['amount'] },
    where: [{ field: 'product', op: 'eq', value: 'lamp' }],
    order_by: [{ field: 1 }],
  }
  t.same(ask(query), ['1 350.80', '3 100.10'], 'order 1 has no chair among its lamps')
})

t.test('bridges in one chain share one connection, from the base object outward', async (t) => {
  const query: QueryJson = {
    select: { dimensions: ['status', 'item qty'], measures: ['credit'] },
    order_by: [{ field: 1 }, { field: 2 }],
  }
  t.same(ask(query), ['"open" 1 2751.00', '"paid" 1 1000.50', '"paid" 2 1000.50', '"paid" 3 1000.50', '"paid" 4 500.00'])
})

t.test('unrelated bridges are independent', async (t) => {
  const model: ModelJson = { ...base, dimensions: { ...base.dimensions, back: { dataObject: 'Returns', column: 'refund' } } }
  const query: QueryJson = {
    select: { dimensions: ['status', 'back'], measures: ['credit'] },
    order_by: [{ field: 1 }, { field: 2 }],
  }
  t.same(ask(query, model), [
    '"open" 1.00 2000.25',
    '"open" NULL 750.75',
    '"paid" 10.00 1000.50',
    '"paid" 11.00 500.00',
    '"paid" 20.00 1000.50',
  ])
})

t.test('an object beyond a bridge is read through it', async (t) => {
  t.same(ask({ select: { dimensions: ['product'], measures: ['amount'] }, order_by: [{ field: 1 }] }), [
    '"chair" 800.80',
    '"lamp" 350.80',
    'NULL 58.20',
  ])
})

t.test('a bridge needs the key of the base object', async (t) => {
  const { id: _, ...columns } = base.dataObjects['Orders']!.columns
  const keyless: ModelJson = {
    ...base,
    dataObjects: {
      ...base.dataObjects,
      Orders: { ...base.dataObjects['Orders']!, columns: { id: { code: 'id', abstractType: 'int' }, ...columns } },
    },
  }
  t.equal(ask({ select: { dimensions: ['item qty'], measures: ['amount'] } }, keyless), 'KEY_REQUIRED')
  t.equal(ask(sum({ field: 'item qty', op: 'eq', value: 1 }), keyless), 'KEY_REQUIRED')
  t.same(ask({ select: { dimensions: ['region'], measures: ['amount'] }, limit: 1 }, keyless), ['"EU" 600.60'])
})

t.test('fields that cannot be reached are refused by name', async (t) => {
  const query = { select: { dimensions: ['product'], measures: ['refund'] } }
  t.equal(ask(query), 'NO_JOIN_PATH')
  t.equal(ask(sum({ field: 'Returns.refund', op: 'gt', value: 5 })), 'FILTER_APPLIES_TO_NOTHING')
  t.equal(
    ask({
      select: { measures: ['amount', 'credit'] },
      where: [{ field: 'Returns.refund', op: 'gt', value: 15 }],
      strict_filters: true,
    }),
    'FILTER_NOT_APPLICABLE',
  )
  t.same(ask({ select: { measures: ['amount', 'credit'] }, where: [{ field: 'Returns.refund', op: 'gt', value: 15 }] }), [
    '1059.20 1000.50',
  ])
  t.equal(ask({ select: { measures: ['nothing'] } }), 'UNKNOWN_MEASURE')
  t.equal(ask(sum({ field: 'amount', op: 'gt', value: 1 })), 'UNKNOWN_FILTER_FIELD')
})

t.test('only selected aggregates create rows, and missing values are zero, NULL or the default', async (t) => {
  const model = measures({
    n: { aggregation: 'count', columns: [{ dataObject: 'Returns', column: 'id' }] },
    back: { aggregation: 'sum', columns: [{ dataObject: 'Returns', column: 'refund' }], defaultValue: 0 },
  })
  t.same(
    ask(
      { select: { dimensions: ['region'], measures: ['amount', 'n', 'back'] }, order_by: [{ field: 1, nulls: 'first' }] },
      model,
    ),
    ['NULL 58.20 0 0', '"EU" 600.60 3 31.00', '"US" 400.40 1 11.00'],
  )
  t.same(
    ask({ select: { dimensions: ['region'], measures: ['refund'] }, order_by: [{ field: 'amount', direction: 'desc' }] }),
    ['"EU" 31.00', '"US" 11.00'],
    'an order adds no rows',
  )
  t.same(
    ask({ select: { measures: ['n'] }, where: [{ field: 'region', op: 'eq', value: 'nowhere' }] }, model),
    ['0'],
    'one row without dimensions',
  )
})

t.test('metrics read values that are not rounded and have defaults; a zero divisor gives NULL', async (t) => {
  const model: ModelJson = {
    ...base,
    metrics: {
      r: { expression: '{[amount]} / ({[buyers]} - 4)', dataType: 'decimal(18,1)' },
      s: { expression: '{[net]} * 2' },
      net: base.metrics!['net']!,
    },
  }
  t.same(ask({ select: { measures: ['r', 's'] } }, model), ['NULL 2034.40'])
  t.same(ask({ select: { dimensions: ['region'], measures: ['r'] }, order_by: [{ field: 1 }] }, model), [
    '"EU" -300.3',
    '"US" -133.5',
    'NULL -19.4',
  ])
})

t.test('having restricts rows by any measure with three-valued logic', async (t) => {
  const having = (filter: FilterJson) =>
    ask({ select: { dimensions: ['region'], measures: ['amount'] }, having: [filter], order_by: [{ field: 1 }] })
  t.same(having({ field: 'refund', op: 'gt', value: 20 }), ['"EU" 600.60'])
  t.same(
    having({ logic: 'or', negated: true, filters: [{ field: 'refund', op: 'gt', value: 20 }] }),
    ['"US" 400.40'],
    'NOT of unknown is unknown',
  )
  t.same(having({ field: 'refund', op: 'is_null' }), ['NULL 58.20'])
})

t.test('in and not in treat NULL explicitly', async (t) => {
  const by = (op: string, value: (string | null)[] | null) => ask(sum({ field: 'region', op, value }))
  t.same(by('in', ['EU', null]), ['658.80'])
  t.same(by('not_in', ['EU', null]), ['400.40'])
  t.same(by('not_in', ['EU']), ['400.40'])
  t.same(by('in', []), ['NULL'])
  t.same(by('not_in', []), ['1059.20'])
  t.same(by('=', null), ['58.20'])
  t.same(by('<>', null), ['1001.00'])
})

t.test('text operators: case, wildcards and characters', async (t) => {
  const names = ['Ab', 'a%b', 'a_b', ' ', '', 'é😀']
  const data = {
    ...headToHead,
    Orders: names.map((status, i) => ({ id: i + 1, status, customer_id: null, amount: '1.00', ordered_at: null })),
  }
  const where = (op: string, value?: string | number) =>
    ask(
      {
        select: { fields: ['Orders.id'] },
        where: [{ field: 'status', op, ...(value !== undefined && { value }) }],
        order_by: [{ field: 1 }],
      },
      base,
      data,
    )
  t.same(where('contains', 'B'), ['1', '2', '3'])
  t.same(where('contains', '%'), ['2'])
  t.same(where('starts_with', 'A'), ['1', '2', '3'])
  t.same(where('like', 'a_b'), ['2', '3'])
  t.same(where('like', 'a\\_b'), ['3'])
  t.same(where('eq', 'ab'), [])
  t.same(where('blank'), ['4', '5'])
  t.same(where('notblank'), ['1', '2', '3', '6'])
  t.same(where('length_eq', 2), ['1', '6'])
  t.same(where('regex', '^.$'), ['4'])
})

t.test('exists and nonexists partition the rows, missing subjects included', async (t) => {
  const leaf = (op: string, ...filter: FilterJson[]): FilterJson => ({
    field: 'Customers',
    op,
    subquery: { dataObject: 'Returns', filter },
  })
  t.same(idsWhere(leaf('exists')), ['1', '2', '3', '4'])
  t.same(idsWhere(leaf('nonexists')), ['5', '6'], 'order 6 has no customer')
  t.same(idsWhere(leaf('exists', { field: 'refund', op: 'gt', value: 10 })), ['1', '2', '4'])
  t.same(
    idsWhere({ field: 'Products', op: 'exists', subquery: { dataObject: 'Returns' } }),
    ['1', '2', '3', '4', '5'],
    'on a connection: items → orders → customers → returns',
  )
})

t.test('a static filter removes base rows, and on a bridge only connections', async (t) => {
  const model: ModelJson = { ...base, filters: [{ dataObject: 'Items', column: 'qty', operator: 'gt', value: 1 }] }
  t.same(ask({ select: { dimensions: ['item qty'], measures: ['amount'] }, order_by: [{ field: 1 }] }, model), [
    '2 100.10',
    '3 100.10',
    '4 400.40',
    'NULL 558.70',
  ])
  t.same(ask({ select: { measures: ['amount', 'qty'] } }, model), ['1059.20 9'])
  const customers: ModelJson = {
    ...base,
    filters: [{ dataObject: 'Customers', column: 'region', operator: 'equals', values: ['EU'] }],
  }
  t.same(ask({ select: { measures: ['amount', 'qty', 'credit'] } }, customers), ['600.60 8 3000.75'])
})

t.test('a required join removes rows without a match, and keeps NULL rows of an optional join above it', async (t) => {
  const [toCustomers] = base.dataObjects['Orders']!.joins!
  const model: ModelJson = {
    ...base,
    dataObjects: {
      ...base.dataObjects,
      Orders: { ...base.dataObjects['Orders']!, joins: [{ ...toCustomers!, required: true }] },
    },
  }
  t.same(ask({ select: { measures: ['amount', 'qty'] } }, model), ['1051.50 14'])
  const orphan = {
    ...headToHead,
    Items: [
      ...headToHead['Items']!,
      { id: 9, order_id: 6, product_id: 1, qty: 100 },
      { id: 10, order_id: null, product_id: 1, qty: 1000 },
    ],
  }
  t.same(ask({ select: { measures: ['qty'] } }, model, orphan), ['1014'], 'item 9 goes with order 6; item 10 has no order at all')
})

t.test('filters of a measure restrict only that measure, also through a bridge', async (t) => {
  const model = measures({
    paid: { aggregation: 'sum', columns: [orders('amount')], filters: [{ field: 'Orders.status', op: '=', value: 'paid' }] },
    'with chairs': {
      aggregation: 'count',
      columns: [orders('id')],
      filters: [
        {
          column: { dataObject: 'Products', column: 'title' },
          operator: 'equals',
          values: [{ dataType: 'string', valueString: 'chair' }],
        },
      ],
    },
  })
  t.same(ask({ select: { measures: ['amount', 'paid', 'with chairs'] } }, model), ['1059.20 708.40 3'])
  t.same(ask({ select: { dimensions: ['status'], measures: ['paid'] } }, model), ['"paid" 708.40'], 'no row of the other group')
})

t.test('aggregations over the eight items and six orders', async (t) => {
  const of = (aggregation: string, more: Partial<MeasureJson> = {}): string[] | string =>
    ask(
      { select: { measures: ['x'] } },
      measures({ x: { aggregation, columns: [{ dataObject: 'Items', column: 'qty' }], ...more } }),
    )
  t.same(of('avg'), ['1.75'])
  t.same(of('median'), ['1'])
  t.same(of('mode'), ['1'])
  t.same(of('sum', { distinct: true }), ['10'])
  t.same(of('count_distinct'), ['4'])
  t.same(of('var_pop'), ['1.1875'])
  t.same(of('variance'), [String(9.5 / 7)])
  t.same(of('stddev_pop'), [String(Math.sqrt(1.1875))])
  t.same(of('any_value'), ['1'])
  t.same(of('max'), ['4'])
  const pair = (aggregation: string) =>
    of(aggregation, {
      columns: [
        { dataObject: 'Items', column: 'qty' },
        { dataObject: 'Items', column: 'order_id' },
      ],
    })
  t.same(pair('covar_pop'), ['-0.1875'], '37/8 − 14/8 · 22/8')
  t.same(pair('regr_slope'), [String(-1.5 / 21.5)])
  t.same(pair('covar_samp'), [String(-1.5 / 7)])
  t.same(
    ask(
      { select: { measures: ['x'] } },
      measures({ x: { aggregation: 'listagg', columns: [orders('status')], distinct: true, delimiter: '; ' } }),
    ),
    ['"open; paid"'],
  )
  t.same(
    ask(
      { select: { measures: ['x'] } },
      measures({
        x: { aggregation: 'listagg', columns: [orders('status')], withinGroup: { column: orders('status'), order: 'DESC' } },
      }),
    ),
    ['"paid,paid,paid,paid,open,open"'],
  )
  t.same(
    ask(
      { select: { measures: ['x'] } },
      measures({ x: { aggregation: 'count_distinct', columns: [orders('customer_id'), orders('status')] } }),
    ),
    ['4'],
    'a tuple with NULL is skipped',
  )
})

t.test('an expression over two objects has its base object on the one that reaches the other', async (t) => {
  const model = measures({
    x: { aggregation: 'sum', expression: '{[Items].[qty]} * {[Orders].[amount]}' },
    y: { aggregation: 'sum', expression: 'coalesce({[Customers].[credit]}, 0) + {[Orders].[amount]}' },
  })
  t.same(ask({ select: { measures: ['x'] } }, model), ['2803.70'], '6×100.10 + 200.20 + 300.30 + 4×400.40 + 2×50.50')
  t.same(ask({ select: { dimensions: ['status'], measures: ['y'] }, order_by: [{ field: 1 }] }, model), [
    '"open" 3101.80',
    '"paid" 3209.40',
  ])
  t.equal(ask({ select: { measures: ['z'] } }, measures({ z: { aggregation: 'sum', expression: '1 + 1' } })), 'ANCHOR_REQUIRED')
})

t.test('a computed column of an absent row is NULL', async (t) => {
  const customers = base.dataObjects['Customers']!
  const model: ModelJson = {
    ...base,
    dataObjects: {
      ...base.dataObjects,
      Customers: {
        ...customers,
        columns: { ...customers.columns, label: { expression: "coalesce({region}, 'none')", abstractType: 'string' } },
      },
    },
    dimensions: { label: { dataObject: 'Customers', column: 'label' } },
  }
  t.same(ask({ select: { dimensions: ['label'], measures: ['amount'] }, order_by: [{ field: 1 }] }, model), [
    '"EU" 600.60',
    '"US" 400.40',
    '"none" 50.50',
    'NULL 7.70',
  ])
})

t.test('dimensions alone: the union over minimal objects, NULL tuples included', async (t) => {
  t.same(ask({ select: { dimensions: ['region'] }, order_by: [{ field: 1 }] }), ['"EU"', '"US"', 'NULL'])
  t.same(ask({ select: { dimensions: ['region', 'status'] }, order_by: [{ field: 1 }, { field: 2 }] }), [
    '"EU" "open"',
    '"EU" "paid"',
    '"US" "paid"',
    'NULL "open"',
    'NULL "paid"',
  ])
  t.same(ask({ select: { dimensions: ['region', 'status'] }, dimensions_exclude: true }), ['"US" "open"'])
  const model: ModelJson = { ...base, dimensions: { ...base.dimensions, back: { dataObject: 'Returns', column: 'refund' } } }
  t.equal(ask({ select: { dimensions: ['back', 'status'] } }, model), 'NO_JOIN_PATH')
  t.equal(ask({ select: { dimensions: ['status'] }, dimensions_exclude: true }), 'DIMENSIONS_EXCLUDE_INSUFFICIENT')
})

t.test('time grains give buckets, and filters use the declared grain', async (t) => {
  const ordered = (query: Partial<QueryJson>, model = base) =>
    ask({ select: { dimensions: ['ordered:month'], measures: ['amount'] }, order_by: [{ field: 1 }], ...query }, model)
  t.same(ordered({}), ['2025-01-01 100.10', '2025-02-01 500.50', '2025-03-01 458.60'])
  t.same(ordered({ where: [{ field: 'ordered', op: 'gte', value: '2025-02-28' }] }), ['2025-02-01 300.30', '2025-03-01 458.60'])
  const monthly: ModelJson = {
    ...base,
    dimensions: { ...base.dimensions, ordered: { ...base.dimensions!['ordered']!, timeGrain: 'month' } },
  }
  t.same(
    ordered(
      { select: { dimensions: ['ordered'], measures: ['amount'] }, where: [{ field: 'ordered', op: 'eq', value: '2025-02-01' }] },
      monthly,
    ),
    ['2025-02-01 500.50'],
  )
  t.same(
    ordered({ where: [{ field: 'ordered', op: 'eq', value: '2025-02-03' }] }, monthly),
    'INVALID_PERIOD',
    'no bucket starts there',
  )
  const weeks = (weekStart: 'monday' | 'sunday') =>
    ask(
      { select: { dimensions: ['ordered:week'] }, where: [{ field: 'ordered', op: 'eq', value: '2025-03-31' }] },
      { ...base, settings: { weekStart } },
    )
  t.same(weeks('monday'), ['2025-03-31'])
  t.same(weeks('sunday'), ['2025-03-30'])
})

t.test('a timestamp is compared with the first day of a period, and equals the day if it is its start', async (t) => {
  const monthly: ModelJson = {
    ...base,
    dimensions: { ...base.dimensions, month: { ...base.dimensions!['ordered']!, timeGrain: 'month' } },
  }
  const of = (field: string, op: string, value: string) =>
    ask({ select: { measures: ['amount'] }, where: [{ field, op, value }] }, monthly)
  t.same(of('month', '=', '2025-02-01 00:00:00'), of('month', '=', '2025-02-01'))
  t.equal(of('month', '=', '2025-02-01 00:00:01'), 'INVALID_PERIOD')
  t.same(of('month', '<', '2025-02-01 00:00:01'), of('month', '<=', '2025-02-01'))
  t.same(of('month', '>=', '2025-02-01 00:00:01'), of('month', '>', '2025-02-01'))
  t.same(of('ordered', '=', '2025-02-03 00:00:00'), of('ordered', '=', '2025-02-03'))
  t.equal(of('ordered', '=', '2025-02-03 08:15:00'), 'INVALID_FILTER_VALUE')
})

t.test('a date compared with a timestamp is the whole day', async (t) => {
  const at = ['2024-01-31 23:59:59', '2024-02-01 00:00:00', '2024-02-01 23:59:59.999999', '2024-02-02 00:00:00', null]
  const model: ModelJson = {
    dataObjects: {
      E: {
        code: 'e',
        columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, at: { code: 'at', abstractType: 'timestamp' } },
      },
    },
  }
  const data = { E: at.map((v, i) => ({ id: i + 1, at: v })) }
  const where = (op: string, value: string | string[]) =>
    ask({ select: { fields: ['E.id'] }, where: [{ field: 'E.at', op, value }], order_by: [{ field: 1 }] }, model, data)
  t.same(where('=', '2024-02-01'), ['2', '3'])
  t.same(where('<>', '2024-02-01'), ['1', '4'])
  t.same(where('<=', '2024-02-01'), ['1', '2', '3'])
  t.same(where('>', '2024-02-01'), ['4'])
  t.same(where('between', ['2024-01-31', '2024-02-01']), ['1', '2', '3'])
  t.same(where('in', ['2024-02-02', '2024-01-31']), ['1', '4'])
  t.same(where('=', '2024-02-01 00:00:00'), ['2'])
})

t.test('in an order, NULLs are last by default, and ties on a page are broken by the dimensions', async (t) => {
  const page = (more: Partial<QueryJson>) => ask({ select: { dimensions: ['region'], measures: ['buyers'] }, ...more })
  t.same(page({ order_by: [{ field: 'region', direction: 'desc' }] }), ['"US" 1', '"EU" 2', 'NULL 1'])
  t.same(page({ order_by: [{ field: 'buyers' }], limit: 2 }), ['"US" 1', 'NULL 1'])
  t.same(page({ order_by: [{ field: 'buyers', direction: 'desc' }], offset: 1 }), ['"US" 1', 'NULL 1'])
})

t.test('raw rows: one per base row, distinct on request', async (t) => {
  t.same(
    ask({
      select: { fields: ['Items.qty', 'Orders.status'], distinct: true },
      order_by: [{ field: 2 }, { field: 1, direction: 'desc' }],
    }),
    ['1 "open"', '4 "paid"', '3 "paid"', '2 "paid"', '1 "paid"'],
  )
  t.same(ask({ select: { fields: ['Orders.id', 'Customers.region'] }, limit: 2, offset: 4 }), ['5 NULL', '6 NULL'])
  t.equal(ask({ select: { fields: ['Returns.id', 'Orders.id'] } }), 'NO_JOIN_PATH')
})

t.test('coalesce: each aggregate uses its own members', async (t) => {
  const model: ModelJson = {
    ...base,
    dimensions: {
      ...base.dimensions,
      'order key': { dataObject: 'Orders', column: 'id' },
      'return key': { dataObject: 'Returns', column: 'id' },
    },
  }
  const query: QueryJson = {
    select: { dimensions: [{ coalesce: ['order key', 'return key'], as: 'key' }], measures: ['amount', 'refund'] },
    where: [{ field: 'key', op: 'gte', value: 3 }],
    order_by: [{ field: 'key' }],
  }
  t.same(ask(query, model), ['3 300.30 1.00', '4 400.40 11.00', '5 50.50 NULL', '6 7.70 NULL'])
  t.same(
    ask(
      {
        select: { dimensions: [{ coalesce: ['order key', 'return key'], as: 'key' }] },
        where: [{ field: 'key', op: 'lt', value: 3 }],
        order_by: [{ field: 'key' }],
      },
      model,
    ),
    ['1', '2'],
  )
})

t.test('row counts are named by label or pattern', async (t) => {
  const model: ModelJson = {
    ...base,
    dataObjects: { ...base.dataObjects, Returns: { ...base.dataObjects['Returns']!, countLabel: 'how many back' } },
  }
  t.same(ask({ select: { measures: ['Orders Count', 'how many back'] } }, model), ['6 4'])
  t.equal(ask({ select: { measures: ['Orders Count'] } }, { ...base, exposeCounts: false }), 'UNKNOWN_MEASURE')
})

const id = { id: { code: 'id', abstractType: 'int', primaryKey: true } } as const
const integer = (name: string) => ({ [name]: { code: name, abstractType: 'int' } })
const to = (joinTo: string, column: string, more: Partial<JoinJson> = {}): JoinJson => ({
  joinType: 'many-to-one',
  joinTo,
  columnsFrom: [column],
  columnsTo: ['id'],
  ...more,
})

/** Trips go from one airport to another, each through its own city. */
const diamond: ModelJson = {
  dataObjects: {
    Country: { code: 'country', columns: { ...id, name: { code: 'name', abstractType: 'string' } } },
    From: { code: 'f', columns: { ...id, ...integer('country') }, joins: [to('Country', 'country')] },
    To: { code: 't', columns: { ...id, ...integer('country') }, joins: [to('Country', 'country')] },
    Trip: { code: 'trip', columns: { ...id, ...integer('f'), ...integer('t') }, joins: [to('From', 'f'), to('To', 't')] },
  },
  dimensions: {
    country: { dataObject: 'Country', column: 'name' },
    'from country': { dataObject: 'Country', column: 'name', via: 'From' },
    'to country': { dataObject: 'Country', column: 'name', via: 'To' },
  },
}
const trips: Tables = {
  Country: [
    { id: 1, name: 'AT' },
    { id: 2, name: 'BE' },
  ],
  From: [{ id: 1, country: 1 }],
  To: [{ id: 1, country: 2 }],
  Trip: [
    { id: 1, f: 1, t: 1 },
    { id: 2, f: null, t: 1 },
  ],
}

t.test('a diamond is ambiguous until via names a role; two roles of one object can be used together', async (t) => {
  t.equal(ask({ select: { dimensions: ['country'], measures: ['Trip Count'] } }, diamond, trips), 'AMBIGUOUS_JOIN')
  t.same(
    ask(
      { select: { dimensions: ['from country', 'to country'], measures: ['Trip Count'] }, order_by: [{ field: 1 }] },
      diamond,
      trips,
    ),
    ['"AT" "BE" 1', 'NULL "BE" 1'],
  )
  t.same(
    ask({ select: { dimensions: ['to country'], measures: ['Country Count'] } }, diamond, trips),
    ['"AT" 1', '"BE" 1'],
    'a country is its own role',
  )
  t.same(
    ask({ select: { dimensions: ['to country'], measures: ['From Count'] } }, diamond, trips),
    ['"BE" 1'],
    'through the trips',
  )
})

t.test('a pinned path replaces the edges of its pair', async (t) => {
  const legs: ModelJson = {
    dataObjects: {
      City: { code: 'city', columns: { ...id, name: { code: 'name', abstractType: 'string' } } },
      Leg: {
        code: 'leg',
        columns: { ...id, ...integer('a'), ...integer('b') },
        joins: [to('City', 'a'), to('City', 'b', { secondary: true, pathName: 'arrival' })],
      },
    },
    dimensions: { city: { dataObject: 'City', column: 'name' } },
  }
  const data: Tables = {
    City: [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
    ],
    Leg: [
      { id: 1, a: 1, b: 2 },
      { id: 2, a: 1, b: null },
    ],
  }
  const query: QueryJson = { select: { dimensions: ['city'], measures: ['Leg Count'] }, order_by: [{ field: 1 }] }
  t.same(ask(query, legs, data), ['"A" 2'])
  t.same(ask({ ...query, use_path_names: [{ source: 'Leg', target: 'City', path_name: 'arrival' }] }, legs, data), [
    '"B" 1',
    'NULL 1',
  ])
  t.equal(ask({ ...query, use_path_names: [{ source: 'Leg', target: 'City', path_name: 'x' }] }, legs, data), 'UNKNOWN_PATH_NAME')
})

t.test('many-to-many uses a bridge of the matching pairs; one-to-one is forward in both directions', async (t) => {
  const pairs: ModelJson = {
    dataObjects: {
      A: {
        code: 'a',
        columns: { ...id, ...integer('tag') },
        joins: [{ joinType: 'many-to-many', joinTo: 'B', columnsFrom: ['tag'], columnsTo: ['mark'] }],
      },
      B: { code: 'b', columns: { ...id, ...integer('mark'), ...integer('w') } },
      C: { code: 'c', columns: { ...id, ...integer('b') }, joins: [to('B', 'b', { joinType: 'one-to-one' })] },
    },
    dimensions: {
      w: { dataObject: 'B', column: 'w' },
      a: { dataObject: 'A', column: 'id' },
      c: { dataObject: 'C', column: 'id' },
    },
  }
  const data: Tables = {
    A: [
      { id: 1, tag: 7 },
      { id: 2, tag: 7 },
      { id: 3, tag: null },
    ],
    B: [
      { id: 1, mark: 7, w: 10 },
      { id: 2, mark: 7, w: 10 },
      { id: 3, mark: null, w: 30 },
    ],
    C: [{ id: 5, b: 3 }],
  }
  t.same(
    ask({ select: { dimensions: ['w'], measures: ['A Count'] }, order_by: [{ field: 1 }] }, pairs, data),
    ['10 2', 'NULL 1'],
    'each A once per w; NULL links match nothing',
  )
  t.same(ask({ select: { dimensions: ['a', 'w'] }, order_by: [{ field: 1 }] }, pairs, data), ['1 10', '2 10'])
  t.same(ask({ select: { dimensions: ['c'], measures: ['B Count'] }, order_by: [{ field: 1 }] }, pairs, data), ['5 1', 'NULL 2'])
  t.same(ask({ select: { dimensions: ['w'], measures: ['C Count'] } }, pairs, data), ['30 1'])
})

t.test('a one-to-one companion of a bridge hides none of its rows', async (t) => {
  const shipped: ModelJson = {
    ...base,
    dataObjects: {
      ...base.dataObjects,
      Shipments: {
        code: 's',
        columns: { ...id, ...integer('order_id') },
        joins: [to('Orders', 'order_id', { joinType: 'one-to-one' })],
      },
    },
    dimensions: { ...base.dimensions, shipment: { dataObject: 'Shipments', column: 'id' } },
  }
  const data: Tables = { ...headToHead, Shipments: [{ id: 7, order_id: 1 }] }
  t.same(ask({ select: { dimensions: ['status'], measures: ['credit'] }, order_by: [{ field: 1 }] }, shipped, data), [
    '"open" 2751.00',
    '"paid" 1500.50',
  ])
  t.same(ask({ select: { dimensions: ['shipment'], measures: ['credit'] }, order_by: [{ field: 1 }] }, shipped, data), [
    '7 1000.50',
    'NULL 3251.00',
  ])
  t.same(
    ask(
      { select: { dimensions: ['status', 'shipment'], measures: ['credit'] }, order_by: [{ field: 1 }, { field: 2 }] },
      shipped,
      data,
    ),
    ['"open" NULL 2751.00', '"paid" 7 1000.50', '"paid" NULL 1500.50'],
  )
})

t.test('a pattern that ends in one backslash is refused, whatever the rows are', async (t) => {
  const like = (value: string) => ask(sum({ field: 'status', op: 'like', value }), base, { ...headToHead, Orders: [] })
  for (const value of ['\\', 'a\\', '\\\\\\']) t.equal(like(value), 'INVALID_FILTER_VALUE')
  for (const value of ['\\\\', '\\%', 'a']) t.same(like(value), ['NULL'])
})

t.test('a total as a column of an object is in the rows that static filters leave', async (t) => {
  const key = { code: 'id', abstractType: 'int', primaryKey: true } as const
  const shops: ModelJson = {
    name: 'shops',
    version: 1,
    dataObjects: {
      Shops: { code: 'shops', columns: { id: key, all: { measure: 'all', abstractType: 'int' } } },
      Owners: {
        code: 'owners',
        columns: { id: key, shop: { code: 'shop', abstractType: 'int' }, open: { code: 'open', abstractType: 'boolean' } },
        joins: [{ joinType: 'one-to-one', joinTo: 'Shops', columnsFrom: ['shop'], columnsTo: ['id'] }],
      },
      Sales: {
        code: 'sales',
        columns: { id: key, shop: { code: 'shop', abstractType: 'int' }, owner: { code: 'owner', abstractType: 'int' } },
        joins: [
          { joinType: 'many-to-one', joinTo: 'Shops', columnsFrom: ['shop'], columnsTo: ['id'] },
          { joinType: 'many-to-one', joinTo: 'Owners', columnsFrom: ['owner'], columnsTo: ['id'] },
        ],
      },
    },
    dimensions: { all: { dataObject: 'Shops', column: 'all' } },
    measures: {
      all: { aggregation: 'sum', columns: [{ dataObject: 'Owners', column: 'id' }], total: true },
      sold: { aggregation: 'count', columns: [{ dataObject: 'Sales', column: 'id' }] },
    },
    filters: [{ dataObject: 'Owners', column: 'open', operator: 'eq', value: true }],
  }
  const data: Tables = {
    Shops: [{ id: 1 }, { id: 2 }],
    Owners: [
      { id: 10, shop: 1, open: true },
      { id: 20, shop: 2, open: false },
    ],
    Sales: [
      { id: 1, shop: 1, owner: 10 },
      { id: 2, shop: 2, owner: 10 },
    ],
  }
  const query = { select: { dimensions: ['all'], measures: ['sold'] }, order_by: [{ field: 1 }] }
  t.same(ask(query, shops, data), ['10 1', 'NULL 1'], 'the filter hides the second shop from a question by shops')
})
