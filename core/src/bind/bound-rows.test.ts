/** Which joins rows have, and in which order, follows from the names of what is read of them. */
import t from 'tap'
import { bindContext, contextOf } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { joining, MATCHING_RETURNS, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { at, wordsOf } from '../../../test/support/relations.js'
import { said, saidJoins } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { atEndOf, longerPath, madeOf, named, rootPath } from '../relation/relation.js'
import { tablesIn } from '../resolve/relation-column.js'
import type { FieldSource } from '../resolve/resolved-query.js'
import type { BoundRows } from './bound-block.js'
import { boundRows } from './bound-rows.js'
import { readExpression, readField } from './read-rows.js'
import { roleOf, rowsOf } from './rows.js'

const model = loadText(`
version: 1
dataObjects:
  Countries:
    code: countries
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country Id: { code: country_id, abstractType: int }
      Name: { code: name, abstractType: string }
      Place: { expression: "coalesce({[Countries].[Name]}, 'nowhere')", abstractType: string }
      Long Place: { expression: "concat({[Customers].[Place]}, {[Customers].[Name]})", abstractType: string }
    joins:
      - { joinTo: Countries, joinType: many-to-one, columnsFrom: [Country Id], columnsTo: [Id] }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Payer Id: { code: payer_id, abstractType: int }
      Country Id: { code: country_id, abstractType: int }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id], required: true }
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Payer Id], columnsTo: [Id], secondary: true, pathName: payer }
      - { joinTo: Countries, joinType: many-to-one, columnsFrom: [Country Id], columnsTo: [Id] }
measures:
  Order Count: { columns: [{ dataObject: Orders, column: Id }], aggregation: count }
`)

const context = bindContext({ select: { measures: ['Order Count'] } }, model)
const orders = rowsOf(context, 'Orders', { isBase: true })

const field = (object: string, column: string, via?: string): FieldSource => {
  const expression = { kind: 'column', object, column } as const
  return { name: column, object, via, expression, type: context.model.dataObjects.get(object)!.columns.get(column)!.type }
}

const joinsOf = ({ joins }: BoundRows): readonly string[] =>
  joins.map(({ type, right }) => `${type} ${right.kind === 'scan' ? wordsOf(right.alias) : right.kind}`)

t.test('each join is there once, after the joins that it reads', async (t) => {
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[], []],
    [[at('Orders')], []],
    [[at('Orders', 'Countries')], ['left Orders/Countries']],
    [[at('Orders', 'Customers', 'Countries')], ['inner Orders/Customers', 'left Orders/Customers/Countries']],
    [
      [at('Orders', 'Countries'), at('Orders', 'Customers'), at('Orders', 'Countries')],
      ['left Orders/Countries', 'inner Orders/Customers'],
    ],
    [[named(''), madeOf('Orders', '_facts', ['Orders']), at('Customers', 'Countries'), at('OrdersX', 'Countries')], []],
  ]
  const back = atEndOf(longerPath(rootPath('Orders'), 'Customers', 'back'))
  t.same(joinsOf(boundRows(orders, [back, at('Orders', 'Shops')])), [], 'ways of other rows')
  for (const [tables, joins] of cases) t.same(joinsOf(boundRows(orders, tables)), joins, tables.map(wordsOf).join())
})

t.test('a read has no side effect: in any order and any number of times it gives the same value', async (t) => {
  const fields = [field('Customers', 'Place'), field('Countries', 'Name'), field('Customers', 'Name'), field('Orders', 'Id')]
  const once = fields.map((one) => readField(orders, one))
  const backwards = fields
    .toReversed()
    .map((one) => readField(orders, one))
    .toReversed()
  t.same(backwards, once)
  t.same(boundRows(orders, backwards.flatMap(tablesIn)), boundRows(orders, once.flatMap(tablesIn)))
  t.same(
    new Set(joinsOf(boundRows(orders, once.toReversed().flatMap(tablesIn)))),
    new Set(joinsOf(boundRows(orders, once.flatMap(tablesIn)))),
  )
})

t.test('a value names the path on which it is read', async (t) => {
  const read = (one: FieldSource): readonly string[] => [...new Set(tablesIn(readField(orders, one)))].map(wordsOf)
  t.same(read(field('Orders', 'Id')), ['Orders'])
  t.same(read(field('Countries', 'Name')), ['Orders/Countries'], 'the join that the object declares itself')
  t.same(read(field('Countries', 'Name', 'Customers')), ['Orders/Customers/Countries'], 'by way of another')
  t.same(read(field('Customers', 'Long Place')), ['Orders/Customers/Countries', 'Orders/Customers'], 'written out')
})

t.test('a value of a missing row is NULL, unless no row is missing', async (t) => {
  const kindOf = (isBase: boolean): string => readField(rowsOf(context, 'Orders', { isBase }), field('Customers', 'Place')).kind
  t.equal(kindOf(true), 'call', 'the join is required')
  t.equal(kindOf(false), 'case', 'a required join leaves the rows of others alone')
})

t.test('an explanation names the alternative paths, whichever relation is read first', async (t) => {
  const reasons = (tables: readonly string[]): readonly string[] =>
    boundRows(orders, tables)
      .joins.map(({ label: { to, reason } }) => `${to}: ${reason}`)
      .sort()
  const tables = [at('Orders', 'Countries'), at('Orders', 'Customers')]
  t.same(reasons(tables), reasons(tables.toReversed()))
  t.match(reasons(tables)[0], /'Customers' would lead to 'Countries', too/)
})

t.test('the size of a computed column is bounded', async (t) => {
  const names = Array.from({ length: 20 }, (_, i) => `C${i}`)
  const columns = names
    .slice(1)
    .map((name, i) => `      ${name}: { expression: "{[T].[C${i}]} + {[T].[C${i}]}", abstractType: int }`)
    .join('\n')
  const text = `
version: 1
dataObjects:
  T:
    code: t
    columns:
      C0: { code: c, abstractType: int }
${columns}
measures:
  Rows: { columns: [{ dataObject: T, column: C0 }], aggregation: count }
`
  const rows = rowsOf(bindContext({ select: { measures: ['Rows'] } }, loadText(text)), 'T')
  const read = (column: string) => readExpression(rows, { kind: 'column', object: 'T', column })
  t.equal(new Set(tablesIn(read('C10'))).size, 1)
  t.throws(() => read('C19'), { code: 'INVALID_EXPRESSION' })
})

// ---- joins of the shop ----------------------------------------------------------------------------------------------------------------

const region = { code: 'region_id', abstractType: 'int' }
const joined = (model: SemanticModel, base: string, objects: readonly string[], isBase = true): BoundRows => {
  const rows = rowsOf(contextOf(model), base, { isBase })
  return boundRows(
    rows,
    objects.map((object) => roleOf(rows, { object }).alias),
  )
}

t.test('a foreign key shows which rows have a match, unless a column of it is computed or all have one', async (t) => {
  const matched = (join: object, columns: object = {}) => {
    const model = shopWith(
      { dataObjects: { Orders: { columns } } },
      joining('Orders', manyToOne('Customers', 'Customer Id', join)),
    )
    const [one] = joined(model, 'Orders', ['Customers']).joins
    return [one?.type, one?.matchedBy?.map(said)]
  }
  t.same(matched({}), ['left', undefined])
  t.same(matched({ foreignKey: true }), ['left', ['Orders.customer_id']])
  t.same(matched({ foreignKey: true, required: true }), ['inner', []], 'all have one')
  t.same(matched({ required: true }), ['inner', undefined])
  const computed = { 'Other Id': { expression: '{Customer Id} + 0', abstractType: 'int' } }
  t.same(matched({ foreignKey: true, columnsFrom: ['Other Id'] }, computed), ['left', undefined])
})

t.test('a join that always matches drops nothing, and so need not be inner', async (t) => {
  const keyed = shopWith(joining('Items', manyToOne('Orders', 'Order Id', { foreignKey: true })))
  t.equal(joined(keyed, 'Items', ['Orders']).joins[0]?.type, 'left')
})

t.test('a join says why it is there', async (t) => {
  const reason = (model: SemanticModel, object: string) =>
    joined(model, 'Orders', [object]).joins.map(({ label }) => label.reason)
  t.same(reason(shop, 'Customers'), ['the join by the path rule'])
  const named = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id', { pathName: 'buyer', required: true })))
  t.same(reason(named, 'Customers'), ["the join named 'buyer', required"])
  const near = shopWith(
    { dataObjects: { Orders: { columns: { Region: region } } } },
    joining('Orders', manyToOne('Customers', 'Customer Id'), manyToOne('Regions', 'Region')),
  )
  t.same(reason(near, 'Regions'), ["the join by the path rule; 'Customers' would lead to 'Regions', too"])
  t.same(reason(near, 'Customers'), ['the join by the path rule'])
  const rows = rowsOf(contextOf(near), 'Orders')
  const way = roleOf(rows, { object: 'Regions' }, roleOf(rows, { object: 'Customers' }))
  t.same(
    boundRows(rows, [way.alias]).joins.map(({ label }) => label.reason),
    ['the join by the path rule', 'the join by the path rule'],
    'by another way: no rule chose it',
  )
})

t.test('a join on the path that a rule chose names the other paths to its end', async (t) => {
  const extras = {
    code: 'extras',
    columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Region: region },
    joins: [manyToOne('Regions', 'Region')],
  }
  const model = shopWith(
    { dataObjects: { Extras: extras } },
    joining('Orders', manyToOne('Customers', 'Customer Id'), { ...manyToOne('Extras', 'Id'), joinType: 'one-to-one' }),
  )
  const reasons = (object: string) => joined(model, 'Orders', [object]).joins.map(({ label }) => label.reason)
  t.same(reasons('Regions'), ["the join by the path rule; 'Extras' would lead to 'Regions', too", 'the join by the path rule'])
  t.same(reasons('Customers'), ['the join by the path rule'])
})

t.test('a row scan has the columns of its key, as far as they are stored', async (t) => {
  const keyOf = (model: SemanticModel, base: string) => joined(model, base, []).start.key
  t.same(keyOf(shop, 'Items'), ['order_id', 'line'])
  t.same(keyOf(shopWith({ dataObjects: { Returns: { columns: { Id: { primaryKey: false } } } } }), 'Returns'), undefined)
  const computed = shopWith({
    dataObjects: {
      Returns: {
        columns: { Id: { primaryKey: false }, Number: { expression: '{Id} + 1', abstractType: 'int', primaryKey: true } },
      },
    },
  })
  t.same(keyOf(computed, 'Returns'), undefined)
})

t.test('of a join by a period, static filters of the target choose among the periods', async (t) => {
  const during = { time: 'Day', from: 'Since', to: 'Until' }
  const date = (code: string) => ({ code, abstractType: 'date' })
  const prices = (filters: readonly object[], join: object = { during }) =>
    shopWith({
      filters,
      dataObjects: {
        Customers: {
          columns: {
            Since: date('since'),
            Until: date('until'),
            Place: { expression: 'concat({Name}, {[Regions].[Name]})', abstractType: 'string' },
          },
        },
        Orders: { joins: [manyToOne('Customers', 'Customer Id', join)] },
      },
    })
  const on = (model: SemanticModel) => saidJoins(joined(model, 'Orders', ['Customers']))[0]
  const [named, other] = [
    { dataObject: 'Customers', column: 'Name', operator: '=', value: 'Ada' },
    { dataObject: 'Regions', column: 'Name', operator: '=', value: 'north' },
  ]
  t.match(on(prices([named])), /\(Customers\.name = 'Ada'\)\)$/)
  t.notMatch(on(prices([other])), /north/, 'a filter of another object')
  t.doesNotThrow(
    () => on(prices([{ ...other, dataObject: 'Returns', column: 'Id', value: 1 }])),
    'nor of one that is not reached',
  )
  const both = { ...named, column: 'Place' }
  t.notMatch(on(prices([both])), /Regions/, 'rows that are joined later choose no period')
  t.notMatch(on(prices([named], {})), /Ada/, 'one row matches anyway')
})

t.test('the values of a measure are joined by the key of their object', async (t) => {
  const model = shopWith({ dataObjects: { Customers: { columns: { Spent: { measure: 'Sales' } } } } })
  const rows = rowsOf(contextOf(model), 'Orders')
  const value = readField(rows, {
    name: 'Spent',
    object: 'Customers',
    via: undefined,
    expression: { kind: 'column', object: 'Customers', column: 'Spent' },
    type: INT,
  })
  t.same(saidJoins(boundRows(rows, tablesIn(value))), [
    'left Customers on (Orders.customer_id = Customers.id)',
    'left measured on (Customers.id = Spent.key_1)',
  ])
})

t.test('both objects of a pair are joined by its terms', async (t) => {
  const model = shopWith(MATCHING_RETURNS)
  const [pair = ''] = contextOf(model).graph.pairs.keys()
  t.same(saidJoins(joined(model, pair, ['Regions'])), [
    'inner Returns on (Customers.id = Returns.customer_id)',
    'left Regions on (Customers.region_id = Regions.id)',
  ])
})
