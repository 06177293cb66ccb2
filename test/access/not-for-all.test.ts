/** A published model that a key may not use does not exist for it: at every door, also where it is named, a server that has it answers as one that has not. */
import { connectFlightSql } from '@grainline/flight-sql'
import pg from 'pg'
import t, { type Test } from 'tap'
import { rowsOf } from '../flight/rows-of.js'
import { amount, oneIn } from '../support/amount.js'
import { alike, everyDoor, partOfDoors, requestsOf, type Seen } from './doors.js'
import { type Served, SHOP_PLUGINS, SHOP_SETTINGS, servedShop } from './served.js'
import { KEYS, KEYS_FILE } from './shop.js'
import { overFlight, overWire } from './wire-doors.js'
import { served as servedOnWires } from './wire-served.js'

const OTHER = `
version: 1
name: vault
description: zq_secretive
settings: { defaultDialect: duckdb }
dataObjects: { Gems: { code: products, columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }
dimensions: { Gem: { dataObject: Gems, column: Id } }
measures: { Gems Count: { columns: [{ dataObject: Gems, column: Id }], aggregation: count } }
access: { fields: [{ hide: [Gem] }] }
`
/** The key of the north may use the shop; nobody else asks here. */
const keys = KEYS_FILE.replace(
  'roles: [sales], attributes: { regions: [North] } }',
  'roles: [sales], attributes: { regions: [North] }, models: [shop] }',
)
const SHOWN = /vault|\bgems?\b|zq_secretive/i

function same(t: Test, [one, other]: readonly [readonly Seen[], readonly Seen[]], isNamed: boolean): void {
  t.equal(one.length, other.length)
  t.ok(one.length > 50, `${one.length} answers`)
  for (const [i, { name, status, text }] of one.entries()) {
    t.equal(other[i]?.status, status, name)
    if (text !== other[i]?.text) t.equal(other[i]?.text, text, name)
    if (!isNamed) t.notMatch(text, SHOWN, name)
  }
}

/** The requests of the doors, of the other model instead of the shop. */
async function namingTheOther(shop: Served): Promise<readonly Seen[]> {
  const parts = { session_id: 'vault', model_id: 'vault', feed: 'vault', set: 'vault' }
  const seen: Seen[] = []
  for (const { door, name, request } of oneIn(
    amount(3, 1),
    requestsOf(shop, parts, () => true),
  )) {
    const { payload, ...asked } = JSON.parse(
      JSON.stringify(request).replaceAll(/(?<=[=/"])shop(?=["&/])/g, 'vault'),
    ) as typeof request
    const answer = await shop.app.inject({
      ...asked,
      headers: { 'x-api-key': KEYS.north, ...asked.headers },
      ...(payload !== undefined && { payload }),
    })
    seen.push({ door, name, status: answer.statusCode, text: alike(answer.payload) })
  }
  return seen
}

t.test('over HTTP', async (t) => {
  const given = { keys, plugins: SHOP_PLUGINS, settings: SHOP_SETTINGS }
  const [one, other] = [await servedShop(t, { ...given, others: { 'vault.yaml': OTHER } }), await servedShop(t, given)]
  t.match((await one.get('ops', '/v1/models')).text, SHOWN, 'it is there for others')
  const isWanted = partOfDoors(one, 2)
  same(t, [await everyDoor(one, 'north', isWanted), await everyDoor(other, 'north', isWanted)], false)
  same(t, [await namingTheOther(one), await namingTheOther(other)], true)
})

const NAMING = [
  'SELECT "Gems Count" FROM vault',
  'DESCRIBE vault',
  'SELECT * FROM vault',
  'SELECT s."Revenue" FROM shop s, vault',
]

t.test('on the Postgres wire and over Flight SQL', async (t) => {
  const [one, other] = [
    await servedOnWires(t, undefined, undefined, { keys, others: { vault: OTHER } }),
    await servedOnWires(t, undefined, undefined, { keys }),
  ]
  for (const heard of [overWire, overFlight]) {
    const [here, there] = [await heard(one, 'north', true), await heard(other, 'north', true)]
    t.strictSame(here, there)
    t.notMatch(here.join('\n'), SHOWN)
  }
  const onWire = async ({ port }: typeof one) => {
    const named = new pg.Client({ host: '127.0.0.1', port, user: 'x', password: KEYS.north, database: 'vault' })
    const said = [
      await named.connect().then(
        () => 'connected',
        (error: Error) => error.message,
      ),
    ]
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'x', password: KEYS.north, database: 'shop' })
    await client.connect()
    for (const text of NAMING)
      said.push(
        await client.query(text).then(
          ({ rows }) => JSON.stringify(rows),
          (error: Error) => error.message,
        ),
      )
    await client.end()
    return said
  }
  t.strictSame(await onWire(one), await onWire(other))
  const overFlightNamed = async ({ flightPort }: typeof one) => {
    const said: string[] = []
    for (const headers of [{}, { database: 'vault' }, { catalog: 'vault' }, { 'x-session-id': 'vault' }]) {
      const client = await connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token: KEYS.north }, headers })
      for (const text of NAMING)
        said.push(
          await client.query(text).then(
            async (answer) => JSON.stringify(await rowsOf(answer)),
            (error: Error) => error.message,
          ),
        )
      client.close()
    }
    return said
  }
  t.strictSame(await overFlightNamed(one), await overFlightNamed(other))
})
