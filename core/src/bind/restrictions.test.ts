/** The rows that the policies on a principal leave of each object. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { manyToOne, SHOPS, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { DATE } from '../model/data-type.js'
import type { Restriction } from '../model/semantic-model.js'
import { refuseMissing, restrictionsOf } from './restrictions.js'

const equals = (object: string, column: string, value: string) => ({
  label: '',
  dataObject: object,
  condition: { kind: 'leaf', column: { kind: 'column', object, column }, operator: 'eq', values: [value], path: '' } as const,
})
const north = equals('Regions', 'Name', 'north')

const ID = { code: 'id', abstractType: 'int', primaryKey: true }

const viewOf = (rows: Restriction['rows'], removesFrom: readonly string[], model = shopWith()) => ({
  ...model,
  restriction: { missing: [], rows, removesFrom: new Set(removesFrom), withholdsSql: false },
})

function restricted(rows: Restriction['rows'], removesFrom: readonly string[], model = shopWith()) {
  const found = restrictionsOf(contextOf(viewOf(rows, removesFrom, model)), new Date(0))
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
  t.same(restrictions?.measureColumns(), [])
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

t.test('200 ways are followed, and not one more', async (t) => {
  const names = Array.from({ length: 200 }, (_, n) => `Shop ${n}`)
  const shops = Object.fromEntries(names.map((name) => [name, { code: 'shops', columns: { Id: ID } }]))
  const joins = names.map((name) => manyToOne(name, 'Id'))
  const starOf = (count: number) =>
    shopWith({ dataObjects: { ...shops, Hub: { code: 'hub', columns: { Id: ID }, joins: joins.slice(0, count) } } })
  const rows = names.map((name) => ({
    ...north,
    dataObject: name,
    condition: { ...north.condition, column: { ...north.condition.column, object: name, column: 'Id' }, values: [1] },
  }))
  t.equal(restricted(rows, ['Hub'], starOf(199)).get('Hub')?.length, 398, 'and the row itself')
  t.throws(() => restricted(rows, ['Hub'], starOf(200)).get('Hub'), { code: 'POLICY_DOES_NOT_BIND' })
})

t.test('an object on the way must be left by its own ways, and none leads back', async (t) => {
  const ada = equals('Customers', 'Name', 'Ada')
  const direct = shopWith({
    dataObjects: {
      Orders: {
        columns: { 'Region Id': { code: 'region_id', abstractType: 'int' } },
        joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Regions', 'Region Id')],
      },
    },
  })
  t.same(
    restricted([north, ada], ['Orders'], direct).get('Orders')?.toSorted(),
    [
      "(Customers.name = 'Ada')",
      "(Regions.name = 'north')",
      "(Regions.name = 'north')",
      'Customers.id is not null',
      'Regions.id is not null',
      'Regions.id is not null',
    ],
    'the region of the order, and that of its customer, which the customer needs',
  )
  const both = shopWith({
    dataObjects: {
      Cards: { code: 'cards', columns: { Id: ID, Kind: { code: 'kind', abstractType: 'string' } } },
      Customers: { joins: [manyToOne('Regions', 'Region Id'), { ...manyToOne('Cards', 'Id'), joinType: 'one-to-one' }] },
    },
  })
  const gold = equals('Cards', 'Kind', 'gold')
  const found = restricted([north, gold], ['Orders', 'Customers', 'Cards'], both)
  const ofRegion = ['Regions.id is not null', "(Regions.name = 'north')"]
  const ofCard = ['Cards.id is not null', "(Cards.kind = 'gold')"]
  t.same(found.get('Customers')?.toSorted(), [...ofRegion, ...ofCard].toSorted())
  t.same(found.get('Orders')?.toSorted(), [...ofRegion, ...ofCard].toSorted())
  t.same(
    found.get('Cards')?.toSorted(),
    [...ofRegion, "(Cards.kind = 'gold')"].toSorted(),
    'its own policy, without a join to itself',
  )
})

t.test('every stored column of an object is read as it is stored, once', async (t) => {
  const model = shopWith({
    dataObjects: {
      Customers: {
        columns: {
          Also: { code: 'name', abstractType: 'string' },
          Loud: { expression: 'upper({Name})', abstractType: 'string' },
          Spent: { measure: 'Sales' },
        },
      },
    },
  })
  const { of } = restrictionsOf(contextOf(viewOf([north], ['Customers'], model)), new Date(0)) ?? {}
  const { columns = [] } = of?.('Customers') ?? {}
  t.same(
    columns.map(({ name, expression }) => `${name}: ${said(expression)}`),
    ['id: Customers.id', 'name: Customers.name', 'region_id: Customers.region_id'],
  )
})

t.test('no promise about a reference counts, also where no row is removed from the object', async (t) => {
  const promised = shopWith({ dataObjects: { Orders: { joins: [manyToOne('Customers', 'Customer Id', { foreignKey: true })] } } })
  const ada = equals('Customers', 'Name', 'Ada')
  t.same(restricted([ada], ['Orders'], promised).get('Orders'), ['Customers.id is not null', "(Customers.name = 'Ada')"])
})

t.test('policies read what is hidden', async (t) => {
  const whole = viewOf([north], ['Customers'])
  const { dataObjects } = whole
  const seen = { ...whole, dataObjects: new Map([...dataObjects].filter(([name]) => name !== 'Regions')) }
  const view = { ...seen, restriction: { ...whole.restriction, removesFrom: new Set<string>(), whole } }
  const found = restrictionsOf(contextOf(view), new Date(0))?.of('Customers')
  t.same(found?.where.map(said), ['Regions.id is not null', "(Regions.name = 'north')"])
})

t.test('what reads other rows is bound once for a question, and otherwise once for the view', async (t) => {
  const model = shopWith({ dataObjects: { Customers: { columns: { Spent: { measure: 'Sales' } } } } })
  const condition = { ...north.condition, column: { kind: 'column', object: 'Customers', column: 'Spent' }, values: [1] } as const
  const reading = contextOf(viewOf([{ ...north, dataObject: 'Customers', condition }], ['Customers'], model))
  const restrictions = restrictionsOf(reading, new Date(0))
  t.ok(restrictions?.of('Customers'))
  t.equal(restrictions?.of('Customers'), restrictions?.of('Customers'))
  const plain = contextOf(viewOf([north], ['Customers']))
  const of = () => restrictionsOf(plain, new Date(0))?.of('Customers')
  t.equal(of(), of())
})

t.test('stored instants are days in the zone of the model, whatever zone a question has', async (t) => {
  const first = {
    ...north,
    dataObject: 'Orders',
    condition: { ...north.condition, column: { kind: 'column', object: 'Orders', column: 'Day' }, values: ['2024-01-01'] },
  } as const
  const storedAs = (_: string, { name }: { readonly name: string }) =>
    name === 'Day'
      ? ({ name, declared: DATE, physical: { kind: 'timestamp_tz', name: 'timestamptz' }, collation: undefined } as const)
      : undefined
  const zoneOf = (model: ReturnType<typeof shopWith>, timezone?: string): unknown => {
    const { where = [] } =
      restrictionsOf(contextOf(viewOf([first], ['Orders'], model), timezone, storedAs), new Date(0))?.of('Orders') ?? {}
    return where.flatMap((one) => (one.kind === 'binary' && one.left.kind === 'column' ? one.left.stored?.daysIn : []))
  }
  t.same(zoneOf(shopWith(), 'Asia/Tokyo'), ['UTC'])
  const inParis = shopWith({ settings: { queryTimezone: 'Europe/Paris' } })
  t.same(zoneOf(inParis), ['Europe/Paris'])
  t.same(zoneOf(inParis, 'Asia/Tokyo'), ['Europe/Paris'])
})

const TREE = {
  Regions: {
    columns: { Parent: { code: 'parent_id', abstractType: 'int' }, Rank: { code: 'rank', abstractType: 'int' } },
    uniqueKeys: [['Rank'], ['Id', 'Rank']],
  },
  Shops: { code: 'shops', columns: { Id: ID } },
}
const ends = (from: readonly string[], joinTo: string, to: readonly string[]) => ({
  joinType: 'many-to-one',
  joinTo,
  columnsFrom: from,
  columnsTo: to,
})

/** What must be true of the pairs of a tree of regions that has these joins. */
function ofPairs(...joins: readonly object[]) {
  const closure = { dataObject: 'Regions', key: 'Id', parent: 'Parent' }
  const model = shopWith({ dataObjects: { ...TREE, Tree: { closure, ...(joins.length > 0 && { joins }) } } })
  const first = {
    ...north,
    dataObject: 'Shops',
    condition: { ...north.condition, column: { kind: 'column', object: 'Shops', column: 'Id' }, values: [1] },
  } as const
  return restricted([north, first], ['Tree'], model).get('Tree')
}

t.test('the pairs of a closure are of rows that are left, so that its own ends ask for none', async (t) => {
  t.equal(ofPairs(), undefined)
  t.equal(ofPairs(ends(['Ancestor'], 'Regions', ['Id'])), undefined)
})

t.test('every other way from a pair must end in a row that is left', async (t) => {
  const isNorth = ['Regions.id is not null', "(Regions.name = 'north')"]
  const isFirst = ['Shops.id is not null', '(Shops.id = 1)']
  t.same(ofPairs(ends(['Descendant'], 'Shops', ['Id'])), isFirst, 'to another object')
  t.same(ofPairs(ends(['Descendant'], 'Regions', ['Id']), ends(['Descendant'], 'Shops', ['Id'])), isFirst)
  t.same(ofPairs(ends(['Depth'], 'Regions', ['Id'])), isNorth, 'by another column')
  t.same(
    ofPairs(ends(['Descendant'], 'Regions', ['Rank'])),
    ['Regions.rank is not null', "(Regions.name = 'north')"],
    'to another column',
  )
  t.same(ofPairs(ends(['Descendant', 'Depth'], 'Regions', ['Id', 'Rank'])), isNorth, 'by more than its key')
})

t.test('an attribute that the principal does not have', async (t) => {
  const restriction = { missing: ['team', 'country'], rows: [], removesFrom: new Set<string>(), withholdsSql: false }
  t.throws(() => refuseMissing({ ...shopWith(), restriction }), {
    code: 'ACCESS_ATTRIBUTE_MISSING',
    message: /read 'team', 'country', which you do not have/,
    details: { hint: /API_KEYS_FILE, a claim of its token, X-On-Behalf-Of, --as/ },
  })
  t.doesNotThrow(() => refuseMissing({ ...shopWith(), restriction: { ...restriction, missing: [] } }))
  t.doesNotThrow(() => refuseMissing(shopWith()), 'without access rules')
})
