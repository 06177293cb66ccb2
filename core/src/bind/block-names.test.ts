import fc from 'fast-check'
import t from 'tap'
import { backName, isAmong, madeName, nameWithoutPlace, roleName, rootName } from './block-names.js'

t.test('a relation is named after its position', async (t) => {
  const orders = rootName('Orders')
  t.equal(roleName(orders, 'Customers', 1), 'Orders/Customers')
  t.equal(roleName(orders, 'Customers', 2), 'Orders//Customers', 'the second join to the same object')
  t.equal(backName(orders, 'Items'), 'Orders<Items')
  t.equal(madeName(['Orders', '0'], 'Items', '_found'), 'Orders:0:items_found')
  t.equal(nameWithoutPlace(madeName(['Orders', '0'], 'Items', '_found')), 'items_found')
})

t.test('a name begins with those of the rows on its path', async (t) => {
  for (const name of ['Orders', 'Orders/Customers', 'Orders<Items', 'Orders:0:items_found']) t.ok(isAmong(name, 'Orders'), name)
  for (const name of ['', 'Order', 'Orders 2', 'Orders 2/Customers']) t.notOk(isAmong(name, 'Orders'), name)
})

const SEED = Number(process.env.SEED ?? 20270401)
t.test(`no two relations of a block share a name, for any names of objects (seed ${SEED})`, async (t) => {
  const object = fc.oneof(
    fc.constantFrom('a', 'b', 'a/b', 'a//b', 'a:a_rows', 'a<b', 'a%2Fb', 'a_rows'),
    fc.string({ minLength: 1 }),
  )
  const step = fc.tuple(object, fc.integer({ min: 1, max: 3 }))
  const way = fc.tuple(object, fc.array(step, { maxLength: 3 }))
  const named = ([root, steps]: readonly [string, readonly (readonly [string, number])[]]): string =>
    steps.reduce((from, [to, n]) => roleName(from, to, n), rootName(root))
  fc.assert(
    fc.property(way, way, (one, other) => (named(one) === named(other)) === (JSON.stringify(one) === JSON.stringify(other))),
    {
      seed: SEED,
      examples: [
        [
          ['a/b', []],
          ['a', [['b', 1]]],
        ],
      ],
    },
  )
  fc.assert(
    fc.property(way, way, fc.nat({ max: 3 }), ([root, steps], other, count) => {
      const name = named([root, steps])
      t.ok(isAmong(name, named([root, steps.slice(0, count)])))
      const [start, own] = other
      const isPart = start === root && JSON.stringify(steps.slice(0, own.length)) === JSON.stringify(own)
      t.equal(isAmong(name, named(other)), isPart, 'so that one join of each object is the next one on the path')
    }),
    { seed: SEED },
  )
  fc.assert(
    fc.property(way, object, (one, of) => named(one) !== madeName([of], of, '_rows')),
    { seed: SEED },
  )
  t.pass()
})
