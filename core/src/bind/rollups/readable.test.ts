/** Which columns and fields the rows of a table have or reach. */
import t from 'tap'
import { joining, manyToOne, shopWith } from '../../../../test/support/models.js'
import { asked, shownField, shownUnread, TABLES, tables } from '../../../../test/support/rollups.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { columnOfTable, heldFor, isExpressionRead, isRefRead, isRowRead, readField } from './readable.js'
import { isUnread } from './unread.js'

const model = shopWith(TABLES, {
  dataObjects: {
    Orders: {
      columns: {
        'Who and How': { expression: "concat({Status}, '-', cast({Customer Id} as string))", abstractType: 'string' },
        'Who Pays': { expression: '{Payer Id} + 1', abstractType: 'int' },
      },
    },
  },
  dimensions: {
    'Who and How': { dataObject: 'Orders', column: 'Who and How' },
    'Who Pays': { dataObject: 'Orders', column: 'Who Pays' },
  },
})
const ref = (object: string, column: string) => ({ kind: 'column', object, column }) as const

function ask(dimension: string, rollup = 'Daily', of: SemanticModel = model, more: object = {}) {
  const { request, reading } = asked({ dimensions: [dimension] }, rollup, more, of)
  const [member] = request.dimensions[0]!.members
  return { member, reading, read: readField(member, reading) }
}
function shown(...of: Parameters<typeof ask>): string {
  const { read } = ask(...of)
  return isUnread(read) ? shownUnread(read) : `${read.object}: ${shownField(read.expression)}`
}

t.test('a dimension of the table is its column', async (t) => {
  t.equal(shown('Status'), 'Orders: #status')
  t.equal(shown('Customer Key'), 'Orders: #customer_key')
})

t.test('a time of which it holds periods is not', async (t) => {
  t.equal(shown('Day'), 'GRAIN_TOO_COARSE Day')
  const { member, reading } = ask('Day')
  t.same(
    heldFor(member, reading).map(({ grain }) => grain),
    ['day'],
  )
})

t.test('what is computed of its columns is computed of them', async (t) => {
  t.equal(shown('Who and How'), 'Orders: Who and How')
  t.equal(shown('Who Pays'), 'DIMENSION_MISSING Who Pays')
  t.equal(shown('Amount'), 'DIMENSION_MISSING Amount')
})

t.test('a field of a row that its rows reach is read there', async (t) => {
  t.equal(shown('Customer'), 'Customers: Name')
  t.equal(shown('Region'), 'Regions: Name', 'through other rows')
  t.equal(shown('Customer', 'Weekly'), 'DIMENSION_MISSING Customer')
  t.equal(shown('Region', 'Monthly'), 'Orders: #region', 'its own value comes first')
})

t.test('a column by which a join finds a row must be held as it is', async (t) => {
  const byComputed = shopWith(TABLES, joining('Orders', manyToOne('Customers', 'Who')), {
    dataObjects: { Orders: { columns: { Who: { expression: '{Customer Id} + 0', abstractType: 'int' } } } },
  })
  t.equal(shown('Customer', 'Daily', byComputed), 'Customers: Name', 'or computed of what is held')
})

t.test('rows and columns by themselves', async (t) => {
  const { reading } = ask('Status')
  t.ok(isRowRead({ object: 'Regions', via: undefined }, reading))
  t.notOk(isRowRead({ object: 'Customers', via: 'payer' }, reading), 'the key of the payer is not held')
  t.notOk(isRowRead({ object: 'Orders', via: undefined }, reading), 'a group is no row')
  t.notOk(isRowRead({ object: 'Returns', via: undefined }, reading), 'no path')
  t.ok(isRefRead(ref('Orders', 'Status'), reading))
  t.ok(isRefRead(ref('Customers', 'Name'), reading))
  t.notOk(isRefRead(ref('Orders', 'Day'), reading), 'a day is held as a period')
  t.ok(
    isExpressionRead({ kind: 'binary', operator: '=', left: ref('Orders', 'Status'), right: ref('Customers', 'Name') }, reading),
  )
  t.notOk(
    isExpressionRead({ kind: 'binary', operator: '=', left: ref('Orders', 'Status'), right: ref('Orders', 'Amount') }, reading),
  )
})

t.test('joins that a question pins must be those of the table', async (t) => {
  const pinned = { use_path_names: [{ source: 'Orders', target: 'Customers', path_name: 'payer' }] }
  t.equal(shown('Region', 'Monthly', model, pinned), 'DIMENSION_MISSING Region', 'the region of the payer')
  t.equal(shown('Status', 'Monthly', model, pinned), 'DIMENSION_MISSING Status')
  t.equal(shown('Status', 'Daily', model, pinned), 'Orders: #status', 'a column is read by no join')
})

t.test('a computed column that the table holds is read where the question pins none of its joins', async (t) => {
  const ofOrders = (column: string) => ({ dataObject: 'Orders', column })
  const held = shopWith(TABLES, {
    dataObjects: {
      Orders: {
        columns: {
          How: { expression: "concat({Status}, '!')", abstractType: 'string' },
          'How Twice': { expression: 'concat({How}, {How})', abstractType: 'string' },
          'Buyer and How': { expression: 'concat({[Customers].[Name]}, {How})', abstractType: 'string' },
        },
      },
    },
    dimensions: { 'How Twice': ofOrders('How Twice'), 'Buyer and How': ofOrders('Buyer and How') },
    rollups: { Computed: { dataObject: 'Orders', dimensions: ['How Twice', 'Buyer and How'], measures: ['Sales'] } },
  })
  const pinned = { use_path_names: [{ source: 'Orders', target: 'Customers', path_name: 'payer' }] }
  t.equal(shown('How Twice', 'Computed', held, pinned), 'Orders: #how_twice')
  t.equal(shown('Buyer and How', 'Computed', held), 'Orders: #buyer_and_how')
  t.equal(shown('Buyer and How', 'Computed', held, pinned), 'DIMENSION_MISSING Buyer and How', 'the name is that of the payer')
})

t.test('a column of the table in place of a field', async (t) => {
  const { member, reading } = ask('Status')
  const [held] = heldFor(member, reading)
  t.match(columnOfTable(held!, 'Status'), {
    name: 'Status',
    object: 'Orders',
    via: undefined,
    expression: held!.ref,
    type: held!.type,
  })
  t.same(heldFor({ ...member, via: 'payer' }, reading), [], 'by another path')
  t.equal(asked({}, 'Daily', {}, tables).reading.table.base.name, 'Orders')
})
