import fc from 'fast-check'
import t from 'tap'
import { atEndOf, longerPath, madeOf, measuredAt, named, rootPath } from '../relation/relation.js'
import { Aliases, plainName } from './aliases.js'

t.test('a relation is named after its object', async (t) => {
  const aliases = new Aliases()
  t.same(
    ['Sales Orders', 'sales orders', 'SALES-ORDERS', '日本', '2024', '"; DROP'].map((name) => aliases.relation(name)),
    ['sales_orders', 'sales_orders_2', 'sales_orders_3', 't', 't_2024', 'drop'],
  )
})

t.test('a derived relation never has the name of a table of the model', async (t) => {
  const aliases = new Aliases(new Set(['orders_facts', 'orders_facts_2']))
  t.equal(aliases.derived('Orders facts'), 'orders_facts_3')
  t.equal(aliases.relation('Orders facts'), 'orders_facts', 'a table itself may be called so')
})

t.test('a column keeps its name where it is free', async (t) => {
  const aliases = new Aliases()
  t.same(
    ['Total', 'total', 'TOTAL', 'total_2'].map((name) => aliases.column(name)),
    ['Total', 'total_2', 'TOTAL_3', 'total_2_2'],
  )
})

t.test('a column of the planner never has the name of a column of the query, in any case', async (t) => {
  const aliases = new Aliases(new Set(), ['Hit', 'n'])
  t.same(
    ['hit', 'n', 'place'].map((name) => aliases.column(name)),
    ['hit_2', 'n_2', 'place'],
  )
  t.equal(aliases.relation('Hit'), 'hit', 'relations have names of their own')
})

const SEED = Number(process.env.SEED ?? 20250615)
t.test(`no two aliases differ only by case (seed ${SEED})`, async (t) => {
  const names = fc.array(fc.oneof(fc.constantFrom('a', 'A', 'a_2', 'A_2', 'a 2', 'é'), fc.string({ maxLength: 3 })), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(names, (given) => {
      const aliases = new Aliases(new Set(['a_facts']))
      const made = given.map((name, i) =>
        i % 3 === 0 ? aliases.relation(name) : i % 3 === 1 ? aliases.derived(`${name} facts`) : aliases.column(name),
      )
      return new Set(made.map((a) => a.toLowerCase())).size === made.length
    }),
    { seed: SEED },
  )
  t.pass()
})

t.test('the name of a relation follows its origin', async (t) => {
  const customers = longerPath(rootPath('Orders'), 'Customers', 2)
  t.equal(plainName(atEndOf(customers)), 'orders_customers')
  t.equal(plainName(measuredAt(customers, 'Total Sales')), 'total_sales')
  t.equal(plainName(madeOf('Order Items', '_found', ['Orders', '0'])), 'order_items_found')
  t.equal(plainName(named('answer_rows')), 'answer_rows')
})
