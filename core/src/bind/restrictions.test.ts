/** The rows that the policies on a principal leave of each object. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { manyToOne, SHOPS, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { Restriction } from '../model/semantic-model.js'
import { refuseMissing, restrictionsOf } from './restrictions.js'

const equals = (object: string, column: string, value: string) => ({
  label: '',
  dataObject: object,
  condition: { kind: 'leaf', column: { kind: 'column', object, column }, operator: 'eq', values: [value], path: '' } as const,
})
const north = equals('Regions', 'Name', 'north')

function restricted(rows: Restriction['rows'], removesFrom: readonly string[], model = shopWith()) {
  const view = { ...model, restriction: { missing: [], rows, removesFrom: new Set(removesFrom), withholdsSql: false } }
  const found = restrictionsOf(contextOf(view), new Date(0))
  return { get: (object: string) => found?.of(object)?.where.map(said), isNone: found === undefined }
}

t.test('no policies', async (t) => {
  t.equal(restrictionsOf(contextOf(shopWith()), new Date(0)), undefined)
  t.ok(restricted([], ['Orders']).isNone)
})

t.test('an object from which no rows are removed is not bound', async (t) => {
  t.equal(restricted([north], ['Orders']).get('Regions'), undefined)
})

t.test('nothing is found out about an object before it is asked for, and then once', async (t) => {
  const asked: string[] = []
  const rows = { missing: [], rows: [north], removesFrom: new Set(['Orders', 'Customers']), withholdsSql: false }
  const storedAs = (object: string) => void asked.push(object)
  const restrictions = restrictionsOf({ ...contextOf({ ...shopWith(), restriction: rows }), storedAs }, new Date(0))
  t.same(asked, [])
  const found = restrictions?.of('Customers')
  t.ok(found)
  t.notOk(asked.includes('Orders'))
  t.equal(restrictions?.of('Customers'), found)
  t.same(restrictions?.measured(), [])
})

t.test('a row is left if its way ends in a row of which the policy is true', async (t) => {
  const found = restricted([north], ['Regions', 'Customers', 'Orders'])
  t.same(found.get('Regions'), ["(Regions.name = 'north')"], 'the row itself')
  t.same(found.get('Customers'), ['Regions.id is not null', "(Regions.name = 'north')"])
  t.same(found.get('Orders'), ['Regions.id is not null', "(Regions.name = 'north')"])
})

t.test('each of several policies', async (t) => {
  const ada = equals('Customers', 'Name', 'Ada')
  const found = restricted([north, ada], ['Orders'])
  t.same(
    new Set(found.get('Orders')),
    new Set(['Regions.id is not null', "(Regions.name = 'north')", 'Customers.id is not null', "(Customers.name = 'Ada')"]),
  )
  t.same(restricted([ada], ['Orders']).get('Orders'), ['Customers.id is not null', "(Customers.name = 'Ada')"])
  t.same(restricted([ada], ['Regions']).get('Regions'), [], 'no way leads there')
})

t.test('on each of several ways', async (t) => {
  const two = shopWith({
    dataObjects: {
      Shops: SHOPS,
      Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Shops', 'Id')] },
    },
  })
  t.equal(restricted([north], ['Orders'], two).get('Orders')?.length, 4)
})

t.test('more ways than can be followed', async (t) => {
  const id = { code: 'id', abstractType: 'int', primaryKey: true }
  const to = { code: 'to_id', abstractType: 'int' }
  // Each of eight forks has two ways to the next: 256 ways.
  const forks = Array.from({ length: 8 }, (_, n) => {
    const next = n === 7 ? 'Regions' : `Fork ${n + 1}`
    const way = (side: string) => [
      `${side} ${n}`,
      { code: 'way', columns: { Id: id, Next: to }, joins: [manyToOne(next, 'Next')] },
    ]
    const joins = [manyToOne(`Left ${n}`, 'Left'), manyToOne(`Right ${n}`, 'Right')]
    return [[`Fork ${n}`, { code: 'fork', columns: { Id: id, Left: to, Right: to }, joins }], way('Left'), way('Right')]
  })
  const model = shopWith({ dataObjects: Object.fromEntries(forks.flat()) })
  t.throws(() => restricted([north], ['Fork 0'], model).get('Fork 0'), {
    code: 'POLICY_DOES_NOT_BIND',
    message: /More than 200 ways lead from 'Fork 0'/,
  })
  t.equal(restricted([north], ['Fork 5'], model).get('Fork 5')?.length, 16, 'eight ways, each with a row and the policy')
})

t.test('an attribute that the principal does not have', async (t) => {
  const restriction = { missing: ['team', 'country'], rows: [], removesFrom: new Set<string>(), withholdsSql: false }
  t.throws(() => refuseMissing({ ...shopWith(), restriction }), {
    code: 'ACCESS_ATTRIBUTE_MISSING',
    message: /read 'team', 'country', which you do not have/,
  })
})
