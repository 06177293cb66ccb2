/** Windows over periods that fill gaps, beside measures that see other times: generated, the oracle and the compiler agree, and no measure moves a window. */
import t from 'tap'
import { amount, PART } from '../support/amount.js'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import { type Random, randomFrom } from './generate/random.js'
import type { FilterJson, MeasureJson, MetricJson, ModelJson, QueryJson, Tables } from './model.js'
import { keyOfAll, show, type Value } from './values.js'

const CASES = Number(process.env['CASES'] ?? amount(30, 2000))
const before = (measure: string, offsetGrain: string, comparison = 'previousValue'): MetricJson => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Sold', offsetGrain, comparison },
})
const windowOf = (windowFunction: string, measure: string): MetricJson => ({
  type: 'window',
  windowFunction,
  measure,
  ...(windowFunction === 'ntile' && { buckets: 2 }),
})
const count = (more: Partial<MeasureJson> = {}): MeasureJson => ({
  aggregation: 'count',
  columns: [{ dataObject: 'Orders', column: 'id' }],
  ...more,
})
const BASES = ['Orders', 'Year Before', 'Change', 'Quarter Before', 'Rank Before', 'Changes of Cities', 'Orders of x', 'So Far']
const FUNCTIONS = ['row_number', 'rank', 'lag', 'lead', 'first_value', 'ntile']
const model: ModelJson = {
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        sold: { code: 'sold', abstractType: 'date' },
        shop: { code: 'shop', abstractType: 'string' },
        city: { code: 'city', abstractType: 'string' },
      },
    },
  },
  dimensions: {
    Sold: { dataObject: 'Orders', column: 'sold' },
    Shop: { dataObject: 'Orders', column: 'shop' },
    City: { dataObject: 'Orders', column: 'city' },
  },
  measures: {
    Orders: count(),
    'Orders of x': count({ filters: [{ field: 'Orders.city', op: 'eq', value: 'x' }] }),
    'All Orders': count({ filterContext: { mode: 'FIXED' } }),
    'All of y': count({ filterContext: { mode: 'FIXED' }, filters: [{ field: 'Orders.city', op: 'eq', value: 'y' }] }),
  },
  metrics: {
    'Year Before': before('Orders', 'year'),
    'Quarter Before': before('Orders', 'quarter'),
    Change: before('Orders', 'year', 'difference'),
    'Changes of Cities': { type: 'aggregate', aggregation: 'sum', measure: 'Change', per: ['City'] },
    'Rank of Orders': windowOf('rank', 'Orders'),
    'Rank Before': before('Rank of Orders', 'quarter'),
    'So Far': { type: 'cumulative', measure: 'Orders', timeDimension: 'Sold' },
    ...Object.fromEntries(FUNCTIONS.flatMap((one) => BASES.map((base) => [`${one} of ${base}`, windowOf(one, base)] as const))),
  },
}

const dayOf = (random: Random): string =>
  `${random.pick(['2024', '2025'])}-${String(random.pick([1, 2, 3, 4, 5, 6, 7, 8])).padStart(2, '0')}-${random.pick(['01', '15'])}`

const dataOf = (random: Random): Tables => ({
  Orders: Array.from({ length: random.pick([1, 2, 3, 4, 6]) }, (_, id) => ({
    id,
    sold: random.chance(0.05) ? null : dayOf(random),
    shop: random.pick(['a', 'b', 'c']),
    city: random.pick(['x', 'y']),
  })),
})

function filterOf(random: Random): FilterJson {
  const [first, last] = [dayOf(random), dayOf(random)].toSorted()
  return random.pick<FilterJson>([
    { field: 'Sold', op: 'between', value: ['2025-01-01', '2025-12-31'] },
    { field: 'Sold', op: 'between', value: [first!, last!] },
    { field: 'Sold', op: 'gte', value: '2025-01-01' },
    { field: 'Sold', op: 'lt', value: '2025-05-01' },
  ])
}

interface Case {
  readonly data: Tables
  readonly alone: QueryJson
  readonly beside: QueryJson
}

function caseOf(random: Random): Case {
  const window = `${random.pick(FUNCTIONS)} of ${random.pick(BASES)}`
  const others = ['All Orders', 'All of y', 'Orders', 'Year Before'].filter(() => random.chance(0.4))
  const dimensions = [random.pick(['Sold:month', 'Sold:quarter', 'Sold:week']), ...(random.chance(0.8) ? ['Shop'] : [])]
  const query = { where: [filterOf(random)], fill_gaps: random.chance(0.8) ? ('range' as const) : true }
  const asked = (measures: readonly string[]): QueryJson => ({ select: { dimensions, measures }, ...query })
  return { data: dataOf(random), alone: asked([window]), beside: asked([window, ...others]) }
}

const engine = await openEngine()
t.teardown(engine.close)
const run = runOn(engine)
const seed = Number(process.env['SEED'] ?? 3300 + PART)

t.test('a measure that sees no filter on the time leaves the months of the year, and the tuples that they bring', async (t) => {
  const data: Tables = {
    Orders: [
      { id: 0, sold: '2024-05-01', shop: 'b', city: 'x' },
      { id: 1, sold: '2025-01-01', shop: 'a', city: 'x' },
      { id: 2, sold: '2025-03-01', shop: 'a', city: 'x' },
    ],
  }
  const query: QueryJson = {
    select: { dimensions: ['Sold:month', 'Shop'], measures: ['row_number of Year Before', 'All Orders'] },
    where: [{ field: 'Sold', op: 'between', value: ['2025-01-01', '2025-12-31'] }],
    fill_gaps: 'range',
  }
  const expected = evaluate(model, data, query)
  t.strictSame(await compareCase({ model, data, query }, run, expected), undefined)
  if ('refused' in expected) return t.fail(expected.why)
  const places = new Map(expected.rows.map(([month, shop, place]) => [`${show(month!)} ${show(shop!)}`, show(place!)]))
  t.equal(places.size, 40, 'from May 2024 to December 2025')
  t.equal(places.get('2024-05-01 "b"'), 'NULL', 'the window has no row before its own range')
  // Shop b sold in May of the year before, which is the only value; all others are NULL, and in the order of months and shops.
  const of = (month: string) => ['"a"', '"b"'].map((shop) => places.get(`2025-${month}-01 ${shop}`))
  t.strictSame(['01', '02', '05', '12'].map(of), [
    ['2', '3'],
    ['4', '5'],
    ['10', '1'],
    ['23', '24'],
  ])
})

t.test(`windows in gaps, seed ${seed}`, async (t) => {
  const random = randomFrom(seed)
  const faults: string[] = []
  const moved: string[] = []
  for (let number = 0; number < CASES; number++) {
    const { data, alone, beside } = caseOf(random)
    const expected = evaluate(model, data, beside)
    const mismatch = await compareCase({ model, data, query: beside }, run, expected)
    const shown = JSON.stringify([data['Orders'], beside])
    if (mismatch) faults.push(`${number}: ${mismatch.message} ${shown}`)
    const own = evaluate(model, data, alone)
    if ('refused' in expected || 'refused' in own) continue
    const width = alone.select!.dimensions!.length
    const value = new Map(expected.rows.map((row) => [keyOfAll(row.slice(0, width) as readonly Value[]), show(row[width]!)]))
    const wrong = own.rows.filter((row) => value.get(keyOfAll(row.slice(0, width) as readonly Value[])) !== show(row[width]!))
    if (wrong.length > 0) moved.push(`${number}: ${wrong.map((row) => row.map(show).join(' ')).join('; ')} ${shown}`)
  }
  t.same(faults, [], 'the oracle and the compiler agree')
  t.same(moved, [], 'each row of the window alone is there with its value')
})
