/** Which joins rows have, and in which order, follows from the names of what is read of them. */
import t from 'tap'
import { bindContext } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { at, wordsOf } from '../../../test/support/relations.js'
import { madeOf, named } from '../relation/relation.js'
import { tablesIn } from '../resolve/relation-column.js'
import type { FieldSource } from '../resolve/resolved-query.js'
import type { BoundRows } from './bound-block.js'
import { boundRows } from './bound-rows.js'
import { readExpression, readField } from './read-rows.js'
import { rowsOf } from './rows.js'

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
