/** Row policies on the Postgres wire and over Flight SQL: the rows of each principal, no statement, and nothing of removed rows. */
import t, { type Test } from 'tap'
import { oneIn, PART } from '../support/amount.js'
import { hiddenShop } from './hidden-shop.js'
import { TABLES } from './shop.js'
import { CATALOGUE, type Heard, overFlight, overWire, STATEMENTS } from './wire-doors.js'
import { served } from './wire-served.js'

const OTHER_TABLES = [
  "CREATE TABLE regions AS SELECT * FROM (VALUES ('North'), ('West')) AS t(name)",
  "CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'Ann & Co', 'North', '101'), (2, 'Secret', 'West', 'x'), (7, 'Hidden', 'West', 'y')) AS t(id, name, region, zip)",
  'CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, 2, 10), (2, 2, 1, 5), (5, 1, 1, 20), (6, 7, 7, 1)) AS t(id, customer_id, referrer_id, amount)',
  'CREATE TABLE products AS SELECT 1 AS id',
]

async function changesNothing(t: Test): Promise<void> {
  const [one, other] = [await served(t, TABLES), await served(t, OTHER_TABLES)]
  const wires: Readonly<Record<string, Heard>> = { 'the Postgres wire': overWire, 'Flight SQL': overFlight }
  for (const [name, heard] of Object.entries(wires)) {
    const north = await heard(one, 'north', true)
    t.match(north[0], /North.*30/, name)
    t.notMatch(north[0], /South|100/)
    t.match(north[1], /30/)
    t.match(north[5], /error.*Access rules/, `${name} explains nothing`)
    t.match((await heard(one, 'south'))[1], /100/)
    t.match((await heard(one, 'auditor'))[1], /11130/)
    t.match((await heard(one, 'none'))[1], /error/)
    const elsewhere = await heard(other, 'north', true)
    t.ok(north.length > STATEMENTS.length + 8, `${name}: ${north.length} answers`)
    t.equal(elsewhere.length, north.length)
    for (const [i, said] of north.entries())
      t.equal(elsewhere[i], said, `${name}: ${[...STATEMENTS, ...CATALOGUE][i] ?? said.slice(0, 40)}`)
    t.notMatch(
      north.slice(0, STATEMENTS.length + CATALOGUE.length).join('\n'),
      /customer_id|"customers"\.|own regions|South|Bob|Lost/,
    )
  }
}

async function hidesFields(t: Test): Promise<void> {
  const [one, other] = [hiddenShop(7 + PART), hiddenShop(8 + PART)]
  const [a, b] = [await served(t, one.tables, one.model), await served(t, other.tables, other.model)]
  const wires: Readonly<Record<string, Heard>> = { 'the Postgres wire': overWire, 'Flight SQL': overFlight }
  for (const [name, heard] of Object.entries(wires))
    for (const who of oneIn(2, ['north', 'auditor'] as const, PART >> 1)) {
      const [here, there] = [await heard(a, who, true), await heard(b, who, true)]
      t.match(here[STATEMENTS.length - 4], who === 'north' ? /North/ : /South/, `${name}: published measures are answered`)
      for (const [i, said] of here.entries()) {
        t.equal(there[i], said, `${name}: ${who}: ${[...STATEMENTS, ...CATALOGUE][i] ?? said.slice(0, 40)}`)
        t.notMatch(said, /hidden_[0-9a-f]{6}|secretive/)
      }
    }
}

/** Each starts two servers; a change asks one. */
for (const [what, holds] of oneIn(2, [
  ['each principal gets its rows on both wires, and removed rows change nothing', changesNothing],
  ['hidden fields exist on neither wire, in no answer, error or relation of the catalogue', hidesFields],
] as const))
  t.test(what, holds)
