/** Every vector of the compliance suite of Ossie: its rows, or what the page says of it. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { ossie } from '../../plugins/importer-ossie/src/index.js'
import { type NumberCase, sameNumbers } from './numbers-by-hand.js'

const textOf = (file: string) => readFileSync(new URL(`./${file}`, `file://${process.cwd()}/`), 'utf8')
const shop = textOf('test/interchange/ossie/shop.yaml')

const ROWS = `
  CREATE TABLE segments (id INTEGER, label VARCHAR); INSERT INTO segments VALUES (1, 'retail'), (2, 'wholesale');
  CREATE TABLE customers (id INTEGER, region VARCHAR, segment INTEGER);
  INSERT INTO customers VALUES (1, 'EAST', 1), (2, 'EAST', 1), (3, 'WEST', 2), (4, 'NORTH', 1);
  CREATE TABLE orders (id INTEGER, customer_id INTEGER, payer_id INTEGER, "Amount" DECIMAL(10, 2), status VARCHAR);
  INSERT INTO orders VALUES (101, 1, 1, 100, 'completed'), (102, 1, 2, 50, 'completed'), (103, 2, 2, 200, 'pending'), (104, 3, 1, 75, 'completed'),
    (105, 99, 1, 30, 'completed');
  CREATE TABLE returns (id INTEGER, customer_id INTEGER, amount DECIMAL(10, 2)); INSERT INTO returns VALUES (201, 1, 10), (202, 3, 5), (203, 4, 15);
  CREATE TABLE actors (actor_id INTEGER, height INTEGER); INSERT INTO actors VALUES (1, 170), (2, 170), (3, 180);
  CREATE TABLE movies (movie_id INTEGER, gross DECIMAL(10, 2)); INSERT INTO movies VALUES (10, 100), (11, 200), (12, 50);
  CREATE TABLE appearances (actor_id INTEGER, movie_id INTEGER); INSERT INTO appearances VALUES (1, 10), (1, 11), (2, 10), (3, 12);
  CREATE TABLE stock (store INTEGER, sku VARCHAR, reorder INTEGER); INSERT INTO stock VALUES (1, 'a', 5), (1, 'b', 5), (2, 'a', 7);
  CREATE TABLE sales (id INTEGER, store INTEGER, sku VARCHAR, qty INTEGER, maker_id INTEGER, seller_id INTEGER);
  INSERT INTO sales VALUES (1, 1, 'a', 2, 1, 2), (2, 1, 'b', 3, 2, 2), (3, 2, 'a', 4, 1, 1), (4, 2, 'b', 1, 1, 1);
  CREATE TABLE users (id INTEGER, city VARCHAR); INSERT INTO users VALUES (1, 'Oslo'), (2, 'Rome');
  CREATE TABLE campaigns (id INTEGER); INSERT INTO campaigns VALUES (1), (2);
  CREATE TABLE customer_campaigns (customer_id INTEGER, campaign_id INTEGER); INSERT INTO customer_campaigns VALUES (1, 1), (2, 1), (1, 2), (4, 2)`

const values = (...rows: readonly string[]) => `SELECT * FROM (VALUES ${rows.map((row) => `(${row})`).join(', ')})`

const EAST_WEST_NULL = values("'EAST', 350", "'WEST', 75", 'NULL, 30')

const completed = { field: 'status', op: '=', value: 'completed' }

interface Vector extends NumberCase {
  readonly says: string
}

/** The rows that the vectors state. */
const SAME: readonly Vector[] = [
  { says: 'T-001, T-005a, T-010', dimensions: ['region'], measures: ['revenue'], sql: EAST_WEST_NULL },
  { says: 'T-005b', dimensions: ['region'], measures: ['mean'], sql: values("'EAST', 350 / 3", "'WEST', 75", 'NULL, 30') },
  { says: 'T-005e', dimensions: ['region'], measures: ['statuses'], sql: values("'EAST', 2", "'WEST', 1", 'NULL, 1') },
  {
    ...{ says: 'T-006', dimensions: ['region'], measures: ['order_count'], where: [completed] },
    sql: values("'EAST', 2", "'WEST', 1", 'NULL, 1'),
  },
  {
    ...{ says: 'T-011', dimensions: ['region'], measures: ['revenue', 'return_total'] },
    sql: values("'EAST', 350, 10", "'WEST', 75, 5", "'NORTH', NULL, 15", 'NULL, 30, NULL'),
  },
  { says: 'T-012', measures: ['revenue', 'return_total'], sql: values('455, 30') },
  { says: 'T-015', dimensions: ['height'], measures: ['gross_total'], sql: values('170, 300', '180, 50') },
  {
    ...{ says: 'T-026', dimensions: ['region'], measures: ['revenue'], isOrdered: true },
    ...{ more: { order_by: [{ field: 'region', direction: 'asc' }] }, sql: EAST_WEST_NULL },
  },
  { says: 'T-043', dimensions: ['label'], measures: ['revenue'], sql: values("'retail', 350", "'wholesale', 75", 'NULL, 30') },
  { says: 'T-044', dimensions: ['reorder'], measures: ['units'], sql: values('5, 5', '7, 4', 'NULL, 1') },
  {
    ...{ says: 'T-045', dimensions: ['region'], measures: ['revenue', 'campaign_count'] },
    sql: values("'EAST', 350, 2", "'WEST', 75, 0", "'NORTH', NULL, 1", 'NULL, 30, 0'),
  },
  {
    ...{ says: 'T-047, T-053', dimensions: ['region'], measures: ['revenue', 'order_count', 'mean', 'least', 'most'] },
    sql: values("'EAST', 350, 3, 350 / 3, 50, 200", "'WEST', 75, 1, 75, 75, 75", 'NULL, 30, 1, 30, 30, 30'),
  },
  {
    ...{ says: 'T-052', dimensions: ['region'], measures: ['revenue'], isOrdered: true },
    ...{ more: { limit: 2, order_by: [{ field: 'region' }] }, sql: values("'EAST', 350", "'WEST', 75") },
  },
]

/** The same over other rows: a customer without a region. */
const SAME_WITH_NULL: readonly Vector[] = [
  {
    ...{ says: 'T-049', dimensions: ['region'], measures: ['revenue', 'customer_count'] },
    sql: values("'EAST', 350, 2", "'WEST', 75, 1", 'NULL, 30, 1'),
  },
]

/** Rows that follow from the data of a vector, which states others. */
const CORRECTED: readonly Vector[] = [
  {
    ...{ says: 'T-028', dimensions: ['region'], measures: ['revenue'] },
    ...{ where: [completed, { field: 'orders.Amount', op: '>', value: 60 }], sql: values("'EAST', 100", "'WEST', 75") },
  },
]

const CORRECTED_WITH_NULL: readonly Vector[] = [
  { says: 'T-048', dimensions: ['region'], measures: ['revenue'], sql: values("'EAST', 350", "'WEST', 75", 'NULL, 110') },
]

/** The rows of the newer draft of the specification; the vectors refuse the query. */
const NEWER: readonly Vector[] = [
  { says: 'T-016', dimensions: ['height'], measures: ['gross_mean'], sql: values('170, 150', '180, 50') },
  {
    ...{ says: 'T-021', dimensions: ['status'], measures: ['unique_customers'] },
    sql: values("'completed', 2", "'pending', 1", 'NULL, 1'),
  },
]

const over100 = { field: 'revenue', op: '>', value: 100 }
const east = { field: 'region', op: '=', value: 'EAST' }

/** Refused there and here. */
const REFUSED: readonly Vector[] = [
  {
    ...{ says: 'T-002', fields: [], more: { select: { dimensions: ['region'], fields: ['customers.id'] } } },
    code: 'MIXED_RAW_AND_AGGREGATE_MODE',
  },
  { says: 'T-003', fields: ['orders.id', 'revenue'], code: 'RAW_FIELD_UNKNOWN_COLUMN' },
  { says: 'T-007', dimensions: ['region'], measures: ['revenue'], where: [over100], code: 'UNKNOWN_FILTER_FIELD' },
  { says: 'T-014, T-040', dimensions: ['region'], measures: ['gross_total'], code: 'NO_JOIN_PATH' },
  { says: 'T-019', dimensions: ['city'], measures: ['units'], code: 'NO_JOIN_PATH' },
  { says: 'T-020', dimensions: ['region'], measures: ['total_revenue'], code: 'UNKNOWN_MEASURE' },
  { says: 'T-025', fields: ['orders.Amount', 'returns.amount', 'customers.region'], code: 'NO_JOIN_PATH' },
  {
    ...{ says: 'T-029', dimensions: ['region'], measures: ['revenue'], code: 'UNKNOWN_FILTER_FIELD' },
    where: [{ field: 'ROW_NUMBER() OVER (ORDER BY orders.amount)', op: '=', value: 1 }],
  },
  { says: 'T-050', measures: [], code: 'INVALID_QUERY' },
  { says: 'T-051', fields: [], code: 'INVALID_QUERY' },
]

/** Answered here, as the page says; the vectors refuse them. */
const ANSWERED: readonly Vector[] = [
  { says: 'T-008', dimensions: ['region'], measures: ['revenue'], more: { having: [east] }, sql: values("'EAST', 350") },
  {
    ...{ says: 'T-009', dimensions: ['region'], measures: ['revenue'], sql: values("'EAST', 350") },
    more: { having: [{ logic: 'and', filters: [east, over100] }] },
  },
  { says: 'T-013', measures: ['revenue', 'units'], sql: values('455, 10') },
  {
    ...{ says: 'T-022', fields: ['customers.region', 'orders.id'] },
    sql: values("'EAST', 101", "'EAST', 102", "'EAST', 103", "'WEST', 104", 'NULL, 105'),
  },
]

/** What the specification says beside its vectors. */
const BESIDE: readonly Vector[] = [
  {
    says: 'a metric over metrics, and one over two datasets',
    measures: ['share_returned', 'reserve'],
    sql: 'SELECT 30 / 455, (SELECT sum(qty * reorder) FROM sales JOIN stock USING (store, sku))',
  },
  {
    says: 'a filter that does not reach a metric',
    measures: ['return_total'],
    where: [{ field: 'status', op: '=', value: 'pending' }],
    code: 'FILTER_NOT_APPLICABLE',
  },
]

sameNumbers('vectors', {
  ...{ importer: ossie, text: shop, rows: ROWS },
  cases: [...SAME, ...CORRECTED, ...NEWER, ...REFUSED, ...ANSWERED, ...BESIDE],
})

sameNumbers('vectors with a NULL', {
  ...{ importer: ossie, text: shop, cases: SAME_WITH_NULL },
  rows: `${ROWS}; UPDATE customers SET region = NULL WHERE id = 4`,
})

sameNumbers('vectors with an order of nobody', {
  ...{ importer: ossie, text: shop, cases: CORRECTED_WITH_NULL },
  rows: `${ROWS}; INSERT INTO orders VALUES (106, NULL, 1, 80, 'completed')`,
})

type Changed = readonly [id: string, from: string, to: string, message: RegExp]

const ofRevenue = (id: string, expression: string, message: RegExp): Changed => [
  ...([id, 'expression: SUM(orders.amount)', `expression: '${expression}'`] as const),
  message,
]

const ofCustomer = (id: string, expression: string, message: RegExp): Changed => [
  ...([id, '- { name: segment, expression: { dialects: [{ dialect: ANSI_SQL, expression: segment'] as const),
  `- { name: segment, expression: { dialects: [{ dialect: ANSI_SQL, expression: '${expression}'`,
  message,
]

const OVER = 'SUM(orders.amount) OVER (PARTITION BY orders.customer_id ORDER BY orders.id'

/** Refused there and here, when the text is read. */
const REFUSED_TEXTS: readonly Changed[] = [
  ofCustomer('T-023', 'orders.amount', /no relationship leads from 'customers' to one row of 'orders'/),
  ofRevenue('T-030', `SUM(${OVER})) OVER ()`, /window/),
  ofRevenue('T-033', `${OVER})`, /'share_returned' is left out: 'revenue' is left out/),
  ofRevenue('T-034', `${OVER} GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)`, /window/),
  ofRevenue('T-035', `${OVER} ROWS BETWEEN :n PRECEDING AND CURRENT ROW)`, /syntax error/),
  ['T-042', '{ name: least,', '{ name: least, grain: FIXED,', /'grain' is no key of a metric/],
]

/** Refused here: the model has another form for it. */
const WRITTEN_TEXTS: readonly Changed[] = [
  ofCustomer('T-004', 'SUM(orders.amount)', /'sum' is not known here/),
  ofRevenue('T-005c', 'AVG(AVG(orders.amount))', /aggregates an aggregate/),
  ofRevenue('T-005d', 'SUM(SUM(orders.amount))', /aggregates an aggregate/),
  ofRevenue('T-017', 'AVG(AVG(movies.gross))', /aggregates an aggregate/),
  ofCustomer('T-024', 'COUNT(orders.id) > 0', /'count' is not known here/),
  ofRevenue('T-027', 'ROW_NUMBER() OVER (ORDER BY orders.amount)', /window|row_number/),
  ofRevenue('T-031', `${OVER} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`, /window/),
  ofCustomer('T-032', 'ROW_NUMBER() OVER (ORDER BY orders.amount)', /window|row_number/),
  ofRevenue('T-036', 'RANK() OVER (ORDER BY orders.amount)', /window|rank/),
  [
    ...(['T-046', '- { name: made_by, from: sales, to: users, from_columns: [maker_id]'] as const),
    ...(['- { name: made_by, from: users, to: users, from_columns: [city]', /'users' joins itself/] as const),
  ],
]

t.test('texts of vectors that are refused, at their places', async (t) => {
  for (const [id, from, to, message] of [...REFUSED_TEXTS, ...WRITTEN_TEXTS]) {
    t.ok(shop.includes(from), id)
    const read = await ossie.read({ text: shop.replace(from, () => to) })
    const lines = 'faults' in read ? read.faults : read.losses.filter(({ kind }) => kind === 'refused')
    t.ok(
      lines.some((line) => message.test(line.message) && line.place),
      `${id}: ${JSON.stringify(lines)}`,
    )
  }
})

const ordered = (over: object) => ({ window: { partitionBy: ['customer_id'], ...over } })

/** The forms of the model that stand for texts which are refused. */
const FORMS = {
  dataObjects: {
    customers: {
      columns: {
        lifetime_value: { measure: 'revenue' },
        completed: { measure: 'completed_count' },
        has_completed: { expression: '{completed} > 0', abstractType: 'boolean' },
      },
    },
    orders: {
      columns: {
        running: ordered({ function: 'sum', column: 'Amount', orderBy: ['id'] }),
        place: ordered({ function: 'rank', orderBy: ['Amount'], direction: 'desc' }),
        number: ordered({ function: 'row_number', orderBy: ['Amount'], direction: 'desc' }),
      },
    },
    employees: {
      code: 'employees',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        manager_id: { code: 'manager_id', abstractType: 'int' },
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'managers', columnsFrom: ['manager_id'], columnsTo: ['id'] }],
    },
    managers: {
      code: 'employees',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        region: { code: 'region', abstractType: 'string' },
      },
    },
  },
  dimensions: {
    customer: { dataObject: 'orders', column: 'customer_id' },
    actor: { dataObject: 'actors', column: 'actor_id' },
    has_completed: { dataObject: 'customers', column: 'has_completed' },
    manager_region: { dataObject: 'managers', column: 'region' },
  },
  measures: {
    completed_count: {
      ...{ aggregation: 'count', columns: [{ dataObject: 'orders', column: 'id' }] },
      filters: [{ field: 'status', op: '=', value: 'completed' }],
    },
  },
  metrics: {
    mean_of_means: { type: 'aggregate', measure: 'mean', aggregation: 'avg', per: ['customer'] },
    sum_of_sums: { type: 'aggregate', measure: 'revenue', aggregation: 'sum', per: ['customer'] },
    mean_of_actors: { type: 'aggregate', measure: 'gross_mean', aggregation: 'avg', per: ['actor'] },
  },
}

const rowsOf = (says: string, fields: readonly string[], sql: string, where?: readonly unknown[]): Vector => ({
  ...{ says, fields: fields.map((field) => `orders.${field}`), sql },
  ...(where && { where }),
})

const WRITTEN: readonly Vector[] = [
  {
    ...{ says: 'T-004', fields: ['customers.region', 'customers.id', 'customers.lifetime_value'] },
    sql: values("'EAST', 1, 150", "'EAST', 2, 200", "'WEST', 3, 75", "'NORTH', 4, NULL"),
  },
  { says: 'T-005c', dimensions: ['region'], measures: ['mean_of_means'], sql: values("'EAST', 137.5", "'WEST', 75", 'NULL, 30') },
  { says: 'T-005d', dimensions: ['region'], measures: ['sum_of_sums'], sql: EAST_WEST_NULL },
  { says: 'T-017', dimensions: ['height'], measures: ['mean_of_actors'], sql: values('170, 125', '180, 50') },
  {
    ...{ says: 'T-024', dimensions: ['region'], measures: ['customer_count'] },
    ...{ where: [{ field: 'has_completed', op: '=', value: true }], sql: values("'EAST', 1", "'WEST', 1") },
  },
  rowsOf('T-027', ['id', 'number'], values('101, 1', '102, 2', '103, 1', '104, 1', '105, 1')),
  rowsOf('T-031', ['id', 'running'], values('101, 100', '102, 150', '103, 200', '104, 75', '105, 30')),
  rowsOf('T-032', ['id'], values('101', '103', '104', '105'), [{ field: 'orders.number', op: '=', value: 1 }]),
  rowsOf('T-036', ['id', 'place'], values('101, 1', '102, 2', '103, 1', '104, 1', '105, 1')),
  {
    ...{ says: 'T-046', dimensions: ['manager_region'], measures: ['employees Count'] },
    sql: values("'EAST', 2", 'NULL, 1'),
  },
]

t.test('what is refused has a form of the model with the same rows', async (t) => {
  const read = await ossie.read({ text: shop })
  if ('faults' in read) return t.fail(JSON.stringify(read.faults))
  const rows = `${ROWS}; CREATE TABLE employees (id INTEGER, manager_id INTEGER, region VARCHAR);
    INSERT INTO employees VALUES (1, NULL, 'EAST'), (2, 1, 'WEST'), (3, 1, 'WEST')`
  const text = JSON.stringify(merged(read.document, FORMS))
  return sameNumbers('forms', { importer: ossie, text, isOwn: true, rows, cases: WRITTEN }, t)
})

function merged(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other
  const entries = Object.entries(other).map(([key, value]) => [key, merged((one as Record<string, unknown>)[key], value)])
  return { ...one, ...Object.fromEntries(entries) }
}

t.test('the page lists every vector once, under what becomes of it', async (t) => {
  const page = textOf('docs/interchange.md').split('### The vectors of its compliance suite')[1]?.split('###')[0] ?? ''
  const listed = [...page.matchAll(/^\| (\d+) \| ([\d, a-e]+) \|/gm)].map(([, count, ids = '']) => {
    const vectors = ids.split(', ').map((id) => `T-${id}`)
    t.equal(Number(count), vectors.length, ids)
    return vectors
  })
  const ofCases = (cases: readonly Vector[]) => cases.flatMap(({ says }) => says.split(', ')).toSorted()
  const ofTexts = (texts: readonly Changed[]) => texts.map(([id]) => id)
  t.same(listed, [
    ofCases([...SAME, ...SAME_WITH_NULL]),
    ofCases([...CORRECTED, ...CORRECTED_WITH_NULL]),
    ofCases(NEWER),
    [...ofCases(REFUSED), ...ofTexts(REFUSED_TEXTS)].toSorted(),
    ofTexts(WRITTEN_TEXTS),
    ofCases([...ANSWERED])
      .concat('T-041')
      .toSorted(),
  ])
  t.same(ofCases(WRITTEN), ofTexts(WRITTEN_TEXTS))
  t.equal(new Set(listed.flat()).size, 53)
})

t.test('T-041: a field may have any name', async (t) => {
  const read = await ossie.read({ text: shop.replaceAll('name: label,', 'name: select,') })
  t.match(read, { document: { dimensions: { select: {} } } })
})
