/** The rows behind a value: those that its block aggregates, and what is shown of them. */
import t from 'tap'
import { boundBehind } from '../../../test/support/bound.js'
import { PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'

const amount = { dataObject: 'Orders', column: 'Amount' }
const only = (field: string, value: string) => ({ filters: [{ field, op: 'equals', value }] })
const model = shopWith(PARCELS_AND_LABELS, {
  dataObjects: {
    Orders: { columns: { Tags: { code: 'tags', abstractType: 'json' } } },
    Returns: { columns: { Id: { primaryKey: false }, Doc: { code: 'doc', abstractType: 'json' } } },
  },
  measures: {
    Balance: {
      aggregation: 'sum',
      columns: [amount],
      semiAdditive: { timeDimension: 'Day', take: 'last', per: ['Customer', 'Region'] },
    },
    'North Sales': { aggregation: 'sum', columns: [amount], ...only('Regions.Name', 'north') },
    'Apple Sales': { aggregation: 'sum', columns: [amount], ...only('Items.Product', 'apple') },
    Twice: { aggregation: 'sum', expression: '{[Orders].[Amount]} * 2' },
    Kept: {
      aggregation: 'sum',
      expression: '{[Orders].[Amount]} - {[Returns].[Amount]}',
      anchor: 'Customers',
      filters: [{ field: 'Orders.Status', op: 'equals', value: 'paid' }],
    },
  },
  metrics: { Half: { expression: '{[Sales]} / 2' } },
})

interface Asked {
  readonly measures?: readonly string[]
  readonly dimensions?: readonly string[]
  readonly shows?: 'rows' | 'value' | 'count'
  readonly cell?: Readonly<Record<string, string>>
  readonly columns?: readonly string[]
  readonly more?: object
}

function behind({
  measures = ['Sales'],
  dimensions = ['Region'],
  shows = 'rows',
  cell = { Region: 'x' },
  columns,
  more = {},
}: Asked) {
  const { outputs, ties, block } = boundBehind(
    { select: { dimensions, measures }, ...more },
    { cell, shows, ...(columns && { columns }) },
    model,
  )
  return {
    shown: outputs.map(({ name, expression }) => (said(expression) === name ? name : `${name}: ${said(expression)}`)),
    roles: outputs.map(({ role }) => role),
    ties: ties.map(({ name }) => name),
    where: block.where.map(({ expression }) => said(expression)),
  }
}

const names = (asked: Asked): readonly string[] => behind(asked).shown.map((each) => each.split(': ')[0] ?? '')
const REST = ['Orders.Customer Id', 'Orders.Payer Id', 'Orders.Day', 'Orders.Status', 'Orders.Tags']

t.test('rows show their groups, the key, what the measure reads, and all other columns of the object', async (t) => {
  t.same(names({}), ['Region', 'Orders.Id', 'Orders.Amount', ...REST])
  t.same(behind({}).roles.slice(0, 3), ['dimension', 'field', 'field'])
  t.same(
    names({ measures: ['North Sales'] }).slice(0, 4),
    ['Region', 'Orders.Id', 'Orders.Amount', 'Regions.Name'],
    'and its filter',
  )
  t.same(names({ measures: ['Paid Sales'] }).slice(0, 4), ['Region', 'Orders.Id', 'Orders.Amount', 'Orders.Status'])
})

t.test('rows show the columns that are chosen, also of joined objects, in their order', async (t) => {
  const columns = ['Regions.Name', 'orders.id', 'Customers.Name']
  t.same(names({ columns }), ['Regions.Name', 'Orders.Id', 'Customers.Name'])
  t.same(
    names({ columns, measures: ['Apple Sales'] }),
    ['Regions.Name', 'Orders.Id', 'Customers.Name'],
    'rows that are made distinct, too',
  )
  t.same(behind({ columns: ['Regions.Name'], more: { limit: 1 } }).ties, ['Regions.Name'], 'pages are sorted by what they show')
  t.same(names({ columns, shows: 'count' }), ['rows'])
  const refused =
    (columns: readonly string[], measures = ['Sales']) =>
    () =>
      behind({ columns, measures })
  t.throws(refused(['Orders.Id', 'Returns.Id']), {
    code: 'NO_JOIN_PATH',
    path: 'columns[1]',
    message: /row of 'Orders' has no row of 'Returns'/,
  })
  t.throws(refused(['Orders.Idd']), { code: 'RAW_FIELD_UNKNOWN_COLUMN', path: 'columns[0]', message: /did you mean 'Orders.Id'/ })
  t.throws(refused(['Orders.Id', 'orders.id']), { code: 'INVALID_QUERY' })
  t.throws(refused(['Orders.Tags'], ['Apple Sales']), { code: 'INVALID_QUERY', path: 'columns[0]', message: /is JSON/ })
})

t.test('a value that is no column has its own', async (t) => {
  t.same(behind({ measures: ['Twice'] }).shown.slice(0, 3), ['Region', 'Twice: (Orders.amount * 2)', 'Orders.Id: Orders.id'])
  t.same(behind({ measures: ['Kept'] }).shown[1], 'Kept: (Orders.Amount - Returns.Amount)', 'its facts have no rows here')
})

t.test('only the rows of the cell', async (t) => {
  t.same(behind({}).where, ["(Regions.name = 'x')"])
  t.same(behind({ measures: ['Paid Sales'] }).where, ["(Orders.status = 'paid')", "(Regions.name = 'x')"])
  const coarse = { measures: ['Sales of Region'], dimensions: ['Region', 'Status'], cell: { Region: 'x', Status: 'y' } }
  t.same(behind(coarse).where, ["(Regions.name = 'x')"], 'as far as the measure is grouped')
})

t.test('columns that conditions read are shown if each row has one value of them', async (t) => {
  const where = [
    { field: 'Customer', op: 'equals', value: 'Ada' },
    { field: 'Status', op: 'exists', subquery: { dataObject: 'Returns' } },
  ]
  t.same(names({ more: { where } }), ['Region', 'Orders.Id', 'Orders.Amount', 'Customer', ...REST])
  const bridged = [{ field: 'Product', op: 'equals', value: 'apple' }]
  t.notOk(names({ more: { where: bridged } }).includes('Product'))
  const own = [{ field: 'Region', op: 'in', value: ['x', 'y'] }]
  t.same(names({ more: { where: own } }), ['Region', 'Orders.Id', 'Orders.Amount', ...REST], 'a group is shown once')
})

t.test('rows that a join multiplies are made distinct, which JSON texts cannot be', async (t) => {
  const distinct = ['Orders.Id', 'Orders.Amount', ...REST.filter((name) => name !== 'Orders.Tags')]
  t.same(names({ measures: ['Apple Sales'] }), ['Region', ...distinct])
  t.same(names({ dimensions: ['Product'], cell: { Product: 'x' } }), ['Product', ...distinct])
})

t.test('a weighted row shows its weight', async (t) => {
  t.same(behind({ dimensions: ['Label'], cell: { Label: 'x' } }).shown.slice(0, 2), [
    'Label',
    'weight: case Order Labels.order_id is null: 1, else Order Labels.share',
  ])
})

t.test('the rows of a balance show its times and entities, each once', async (t) => {
  t.same(names({ measures: ['Balance'] }).slice(0, 4), ['Region', 'Day', 'Customer', 'Orders.Id'])
  const day = { measures: ['Balance'], dimensions: ['Day'], cell: { Day: '2024-01-01' } }
  t.same(names(day).slice(0, 4), ['Day', 'Customer', 'Region', 'Orders.Id'])
  const month = { measures: ['Balance'], dimensions: ['Day:month'], cell: { 'Day:month': '2024-01-01' } }
  t.same(names(month).filter((name) => name.startsWith('Day')).length, 2, 'a month, and its days')
})

t.test('pages are sorted by the key, or by everything that can be sorted', async (t) => {
  t.same(behind({}).ties, [], 'no pages')
  t.same(behind({ more: { limit: 5 } }).ties, ['Orders.Id'])
  t.same(behind({ more: { offset: 5 } }).ties, ['Orders.Id'])
  t.same(behind({ measures: ['Returned'], more: { limit: 5 } }).ties, [
    'Region',
    'Returns.Amount',
    'Returns.Id',
    'Returns.Customer Id',
    'Returns.Day',
  ])
})

t.test('their total is the value, and their number a count', async (t) => {
  t.same(behind({ shows: 'value' }).shown, ['Sales'])
  t.same(behind({ shows: 'value', more: { grouping: 'rollup' } }).shown, ['Sales'])
  const shown = { grouping: { sets: 'rollup', of: 'shown' }, having: [{ field: 'Sales', op: '>', value: 1 }] }
  t.ok(
    boundBehind({ select: { dimensions: ['Region'], measures: ['Sales'] }, ...shown }, { cell: {}, shows: 'value' }, model)
      .tuples,
  )
  t.same(behind({ shows: 'count' }).shown, ['rows'])
  t.same(behind({ shows: 'count' }).where, ["(Regions.name = 'x')"])
})

t.test('a value that is computed from others has no rows', async (t) => {
  const refused = { code: 'NO_ROWS_BEHIND', path: 'measure' }
  t.throws(() => behind({ measures: ['Half'] }), refused)
  t.throws(() => behind({ measures: ['Sales', 'Order Count'] }), refused, 'of two values')
  t.throws(() => behind({ measures: [] }), refused, 'of none')
})
