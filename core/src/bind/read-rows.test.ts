/** What a column, a field or an expression of the model is over the rows that are joined. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shopWith } from '../../../test/support/models.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { DATE, STRING } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { Term } from '../model/join-term.js'
import { integer } from '../resolve/expressions.js'
import type { FieldSource } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'
import { joinedBy, presenceOf, readBeside, readColumn, readExpression, readField, readTerms } from './read-rows.js'
import { nextRole } from './role.js'
import { roleOf, rowsOf } from './rows.js'

const text = { abstractType: 'string' }
const known = { dataObjects: { Customers: { columns: { Known: { expression: "coalesce({Name}, 'nobody')", ...text } } } } }
const model = shopWith(known, {
  measures: { 'First Day': { aggregation: 'min', columns: [{ dataObject: 'Orders', column: 'Day' }] } },
  metrics: { 'Sales or None': { expression: 'coalesce({[Sales]}, 0)' } },
  dataObjects: {
    Customers: {
      columns: {
        Loud: { expression: 'upper({Name})', ...text },
        Place: { expression: 'concat({Name}, {[Regions].[Name]})', ...text },
        'Orders Made': { measure: 'Order Count' },
        Spent: { measure: 'Sales' },
        'Spent or None': { measure: 'Sales or None' },
        'First Month': { measure: 'First Day', grain: 'month' },
      },
    },
  },
})
const context = contextOf(model)

/** A column of an object, read from the rows of another, or from its own. */
function read(object: string, column: string, base = object, within: BindContext = context): string {
  const rows = rowsOf(within, base)
  return said(readColumn(rows, roleOf(rows, { object }), column))
}

t.test('a column is that of its role, and a computed one is written out', async (t) => {
  t.equal(read('Orders', 'Amount'), 'Orders.amount')
  t.equal(read('Customers', 'Name', 'Orders'), 'Customers.name')
  t.equal(read('Customers', 'Loud'), 'upper(Customers.name)')
  t.equal(read('Customers', 'Place'), 'concat(Customers.name, Regions.name)', 'with a column of an object that is joined')
  const orders = rowsOf(context, 'Orders')
  const customers = roleOf(orders, { object: 'Customers' })
  const ref = (object: string): ColumnRef => ({ kind: 'column', object, column: 'Name' })
  t.equal(said(readBeside(orders, customers, ref('Customers'))), 'Customers.name')
  t.equal(said(readBeside(orders, customers, ref('Regions'))), 'Regions.name')
})

t.test('a value of a missing row is NULL, also if it is computed from NULLs', async (t) => {
  t.equal(read('Customers', 'Known'), "coalesce(Customers.name, 'nobody')", 'no row is missing')
  t.equal(read('Customers', 'Known', 'Orders'), "case Customers.id is not null: coalesce(Customers.name, 'nobody')")
  t.equal(read('Customers', 'Loud', 'Orders'), 'upper(Customers.name)', 'its expression is NULL without a row')
  const required = contextOf(shopWith(known, joining('Orders', manyToOne('Customers', 'Customer Id', { required: true }))))
  const rows = rowsOf(required, 'Orders', { isBase: true })
  t.equal(
    said(readColumn(rows, roleOf(rows, { object: 'Customers' }), 'Known')),
    "coalesce(Customers.name, 'nobody')",
    'the join drops rows without a match',
  )
})

t.test('a field is read by its own path', async (t) => {
  const expression: FieldSource['expression'] = {
    kind: 'call',
    name: 'coalesce',
    args: [{ kind: 'column', object: 'Customers', column: 'Name' }],
    portable: true,
  }
  const field = { name: 'Customer', object: 'Customers', via: undefined, expression, type: STRING }
  t.equal(said(readField(rowsOf(context, 'Customers'), field)), 'coalesce(Customers.name)')
  t.equal(said(readField(rowsOf(context, 'Orders'), field)), 'case Customers.id is not null: coalesce(Customers.name)')
})

t.test('columns of an expression can be replaced', async (t) => {
  const column = (name: string): ColumnRef => ({ kind: 'column', object: 'Orders', column: name })
  const sum = { kind: 'binary', operator: '+', left: column('Amount'), right: column('Id') } as const
  const rows = rowsOf(context, 'Orders')
  t.equal(said(readExpression(rows, sum)), '(Orders.amount + Orders.id)')
  t.equal(said(readExpression(rows, sum, (ref) => (ref.column === 'Id' ? integer(1) : undefined))), '(Orders.amount + 1)')
})

t.test('the presence of a role shows that it has a row, and a root always has one', async (t) => {
  const rows = rowsOf(context, 'Orders')
  t.equal(presenceOf(rows, rows.root), undefined)
  const presence = presenceOf(rows, roleOf(rows, { object: 'Customers' }))
  t.equal(presence && said(presence), 'Customers.id')
})

t.test('the terms of a join read the columns of both sides as they are', async (t) => {
  const rows = rowsOf(context, 'Orders')
  const customers = roleOf(rows, { object: 'Customers' })
  const on = [{ kind: 'equal', from: 'Customer Id', to: 'Id' }] as const
  t.equal(saidTerms(readTerms(rows, on, { from: rows.root, to: customers })), '(Orders.customer_id = Customers.id)')
})

// ---- keys -----------------------------------------------------------------------------------------------------------------------------

const country = { code: 'country', abstractType: 'string' }
const referring = (type: string) => ({
  dataObjects: {
    Countries: {
      code: 'countries',
      columns: { Code: { code: 'code', abstractType: type, primaryKey: true }, Name: { code: 'name', abstractType: 'string' } },
    },
    Regions: {
      columns: { Country: { ...country, abstractType: type } },
      joins: [manyToOne('Countries', 'Country', { columnsTo: ['Code'], foreignKey: true })],
    },
  },
})
const codeOf = (type: string, storedAs?: BindContext['storedAs']): string =>
  read('Countries', 'Code', 'Regions', contextOf(shopWith(referring(type)), undefined, storedAs))
const unlikeTexts = { name: 'Code', declared: STRING, physical: undefined, collation: 'nocase' }

t.test('a key to which a foreign key refers is read where it refers', async (t) => {
  t.equal(codeOf('string'), 'Regions.country')
  t.equal(codeOf('int'), 'Regions.country')
  t.equal(read('Countries', 'Name', 'Regions', contextOf(shopWith(referring('string')))), 'Countries.name', 'no key')
  t.equal(read('Customers', 'Id', 'Orders'), 'Customers.id', 'no foreign key')
})

t.test('unless equal values may differ', async (t) => {
  t.equal(codeOf('float'), 'Countries.code', '0.0 = -0.0')
  t.equal(
    codeOf('string', (object) => (object === 'Countries' ? unlikeTexts : undefined)),
    'Countries.code',
    'a = A',
  )
  t.equal(
    codeOf('string', (object) => (object === 'Regions' ? unlikeTexts : undefined)),
    'Countries.code',
    'a = A',
  )
})

t.test('a stored column says how, and keys are read by the clocks of the data', async (t) => {
  const instant = { declared: DATE, physical: { kind: 'timestamp_tz', name: 'timestamptz' }, collation: undefined } as const
  const stored = contextOf(model, 'Asia/Tokyo', (_, { name }) => ({ ...instant, name }))
  const rows = rowsOf(stored, 'Orders')
  t.match(readColumn(rows, rows.root, 'Id'), { stored: { name: 'Id', daysIn: 'UTC' } })
  t.match(readColumn(rows, rows.root, 'Customer Id'), { stored: { name: 'Customer Id', daysIn: 'UTC' } })
  t.match(readColumn(rows, rows.root, 'Status'), { stored: { name: 'Status', daysIn: undefined } })
  const plain = rowsOf(contextOf(model), 'Orders')
  t.match(readColumn(plain, plain.root, 'Status'), { stored: undefined })
})

// ---- calendars ------------------------------------------------------------------------------------------------------------------------

const byDay = (column: string) => manyToOne('Dates', column, { columnsTo: ['Date'] })
const dated = contextOf(
  shopWith({
    dataObjects: {
      Dates: { calendar: { grain: 'day' } },
      Returns: { joins: [manyToOne('Customers', 'Customer Id'), byDay('Day')] },
      Orders: {
        columns: { Day: { abstractType: 'timestamp_tz' } },
        joins: [manyToOne('Customers', 'Customer Id'), byDay('Day')],
      },
    },
  }),
  'Asia/Tokyo',
)

t.test('the day of a calendar without a table is that of the time which joins it', async (t) => {
  t.equal(read('Dates', 'Date', 'Returns', dated), 'Returns.day')
  t.equal(read('Dates', 'Month', 'Returns', dated), "date_trunc('month', Returns.day)")
  t.equal(read('Dates', 'Date', 'Orders', dated), "date_trunc('day', in_zone(Orders.day, 'Asia/Tokyo'))")
  t.equal(read('Dates', 'Date', 'Dates', dated), 'Dates.day', 'its own rows are days')
})

t.test('a day that is joined in another way than by an equality is its own', async (t) => {
  const rows = rowsOf(dated, 'Returns')
  const [edge] = dated.graph.edges('Returns').filter(({ to }) => to === 'Dates')
  const until: Term<string> = {
    kind: 'as-of',
    found: 'to',
    value: 'Day',
    at: 'Date',
    direction: 'backward',
    within: undefined,
    ties: [],
    zone: undefined,
  }
  const role = nextRole(rows.root, { ...edge!, on: [until] }, dated.graph, false)
  t.equal(said(readColumn(rows, role, 'Date')), 'Dates.day')
})

// ---- measures -------------------------------------------------------------------------------------------------------------------------

t.test('of coarse data, the time of the rows is their day, but what is joined by a time reads the stored one', async (t) => {
  const shop = shopWith({ dataObjects: { Customers: { columns: { Day: { code: 'since', abstractType: 'date' } } } } })
  const days = { column: 'Day', day: integer(7), part: () => integer(1), join: undefined as never }
  const rows = { ...rowsOf(contextOf(shop), 'Orders'), days }
  const readOf = (object: string, column: string) => said(readColumn(rows, roleOf(rows, { object }), column))
  t.equal(readOf('Orders', 'Day'), '7')
  t.equal(readOf('Orders', 'Amount'), 'Orders.amount')
  t.equal(readOf('Customers', 'Day'), 'Customers.since', 'another column of the name')
  t.equal(joinedBy(rows, { kind: 'equal', from: 'Day', to: 'Day' }).days, days)
  t.equal(joinedBy(rows, { kind: 'as-of', from: 'Day', to: 'Day' } as never).days, undefined)
})

t.test('a measure that is a column is found by the key of its row', async (t) => {
  t.equal(read('Customers', 'Spent'), 'Spent.value')
  t.equal(read('Customers', 'First Month'), "date_trunc('month', First Month.value)")
})

t.test('for a row to which nothing belongs it is the value of no rows', async (t) => {
  t.equal(read('Customers', 'Orders Made'), 'coalesce(Orders Made.value, 0)')
  t.equal(
    read('Customers', 'Spent or None'),
    'case Spent or None.key_1 is null: coalesce(null::decimal(38,0), 0), else Spent or None.value',
    'NULL may be a value, too',
  )
})

t.test('for a missing row it is NULL', async (t) => {
  t.equal(read('Customers', 'Spent', 'Orders'), 'Spent.value')
  t.equal(read('Customers', 'Orders Made', 'Orders'), 'case Customers.id is not null: coalesce(Orders Made.value, 0)')
})

// ---- size -----------------------------------------------------------------------------------------------------------------------------

/** Each column has the one before it twice, so that the text of the last doubles with each. */
const doubling = shopWith({
  dataObjects: {
    Returns: {
      columns: {
        C0: { code: 'c', abstractType: 'int' },
        ...Object.fromEntries(
          Array.from({ length: 14 }, (_, i) => [`C${i + 1}`, { expression: `{C${i}} + {C${i}}`, abstractType: 'int' }]),
        ),
      },
    },
  },
})

t.test('a computed column may grow to 20,000 terms', async (t) => {
  const within = contextOf(doubling)
  t.doesNotThrow(() => read('Returns', 'C12', 'Returns', within))
  t.throws(() => read('Returns', 'C13', 'Returns', within), {
    code: 'INVALID_EXPRESSION',
    message: /'Returns.C13' grows to more than/,
  })
})

t.test('each column of a computed one is read once', async (t) => {
  let reads = 0
  const counting = contextOf(doubling, undefined, () => {
    reads++
    return undefined
  })
  read('Returns', 'C10', 'Returns', counting)
  t.equal(reads, 1, 'and not 1,024 times')
})
