/**
 * Two sets of data that differ only in rows that policies remove are the same to everybody whom these bind, at every door: the routes, tools and resources come
 * from the server's own lists, and each has a request that somebody is answered. ACCESS_SEED and ACCESS_PAIRS select other generated pairs.
 */
import t, { type Test } from 'tap'
import { hashOf, randomFrom } from '../oracle/generate/random.js'
import { amount, oneIn, PART } from '../support/amount.js'
import { everyCommandSays, everyToolOnStdio, type OnMachine } from './command-doors.js'
import { ANSWERS_NOBODY, type Door, everyDoor, QUERIES, type Seen } from './doors.js'
import { ENTITLED, grantsTable, OWN_GRANTS } from './entitled-shop.js'
import { type Served, SHOP_PLUGINS, SHOP_SETTINGS, servedShop } from './served.js'
import { MODEL, TABLES, type Who } from './shop.js'
import { overFlight, overWire, STATEMENTS } from './wire-doors.js'
import { served as servedOnWires } from './wire-served.js'

/** Names of tables and columns that no name of the model contains, so that none of them can be shown unseen. */
const named = (model: string): string => model.replace(/code: (\w+)/g, 'code: zq_$1')
const PHYSICAL = named(MODEL)
const BY_TABLE = named(ENTITLED)
const physical = (tables: readonly string[]): readonly string[] =>
  tables.map((table) =>
    table
      .replace(/CREATE TABLE (\w+)/, 'CREATE TABLE zq_$1')
      .replace(/AS t\(([^)]*)\)/, (_, columns: string) => `AS t(${columns.replace(/\w+/g, 'zq_$&')})`)
      .replace('SELECT 1 AS id', 'SELECT 1 AS zq_id'),
  )

/** More hidden customers and orders, other values, orphans, and texts that are no numbers. */
const OTHER_TABLES = [
  "CREATE TABLE regions AS SELECT * FROM (VALUES ('North'), ('West'), ('East')) AS t(name)",
  "CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'Ann & Co', 'North', '101'), (2, 'Kaput Co', 'West', 'x'), (5, 'Umbra Co', 'West', '99999999999999999999'), (6, 'Nobody', NULL, '')) AS t(id, name, region, zip)",
  'CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, 2, 10), (7, 2, 1, 777), (8, 5, 5, 2147483647), (9, 99, 98, 3), (5, 1, 1, 20)) AS t(id, customer_id, referrer_id, amount)',
  'CREATE TABLE products AS SELECT 1 AS id',
]

const served = (t: Test, tables: readonly string[], settings: object = {}, model = PHYSICAL): Promise<Served> =>
  servedShop(t, { model, tables: physical(tables), plugins: SHOP_PLUGINS, settings: { ...SHOP_SETTINGS, ...settings } })

/** Those whom policies bind; a developer sees SQL. */
const BOUND = ['north', 'empty', 'developer', 'none'] as const

function sameSeen(t: Test, who: Who, [one, other]: readonly [readonly Seen[], readonly Seen[]]): void {
  t.equal(one.length, other.length)
  for (const [i, { door, name, status, text }] of one.entries()) {
    const there = other[i]
    if (there === undefined) continue
    if (status !== there.status || text !== there.text)
      t.same(around(there.text, text), around(text, there.text), `${who}: ${name}: ${status} ${there.status}`)
    // Who has the file reads the names of its rules there.
    if (door === 'access of a file') continue
    if (who !== 'developer')
      t.notMatch(text, /zq_(?!customers'? ?(?:is|in|"|WHERE|$))/, `${who} reads no name of a table: ${name}`)
    t.notMatch(
      text,
      /own regions|Bob|"South"|Kaput|Umbra|Grants|Grantee|hidden_[0-9a-f]{6}/,
      `${who} reads nothing of removed rows: ${name}`,
    )
  }
}

function around(text: string, other: string): string {
  const at = [...text].findIndex((character, i) => character !== other[i])
  return text.slice(Math.max(0, at - 80), at + 160)
}

/** What keeps answers, and who asks: a change asks one of the pairs. */
const WAYS = oneIn(
  8,
  ['noop', 'memory'].flatMap((kept) => BOUND.map((who) => ({ kept, who }))),
)

for (const CACHE_BACKEND of new Set(WAYS.map(({ kept }) => kept))) {
  t.test(`rows that are removed change no answer, with answers kept by ${CACHE_BACKEND}`, async (t) => {
    const settings = { CACHE_BACKEND, CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl' }
    const [one, other] = [await served(t, TABLES, settings), await served(t, OTHER_TABLES, settings)]
    // What somebody else asked before must not show either.
    for (const shop of [one, other]) {
      await shop.post('ops', '/v1/verify')
      for (const query of QUERIES) await shop.post('auditor', '/v1/query/execute', { query })
    }
    const all: Seen[] = []
    for (const { who } of WAYS.filter(({ kept }) => kept === CACHE_BACKEND)) {
      const seen = [await everyDoor(one, who), await everyDoor(other, who)] as const
      all.push(...seen[0])
      sameSeen(t, who, seen)
    }
    all.push(...(await everyDoor(one, 'auditor')))
    const there = await everyDoor(other, 'auditor', ({ url }) => /query\/execute/.test(url))
    t.ok(
      there.some(({ name, text }) => all.findLast((each) => each.name === name)?.text !== text),
      'somebody who is not bound sees the difference',
    )
    const isAnswered = new Set(all.filter(({ status }) => status < 400).map(({ door }) => door))
    const onlyOps = await everyDoor(one, 'ops', ({ door }) => !isAnswered.has(door))
    answersEach(t, [...all, ...onlyOps])
  })
}

/** A door that refuses everybody shows nothing in this test. */
function answersEach(t: Test, seen: readonly Seen[]): void {
  for (const door of new Set(seen.map((each) => each.door))) {
    const answers = seen.filter((each) => each.door === door)
    const refusal = ANSWERS_NOBODY[door]
    if (refusal)
      t.ok(
        answers.every(({ text }) => refusal.test(text)),
        `${door} says ${refusal}`,
      )
    else
      t.ok(
        answers.some(({ status }) => status < 400),
        `somebody is answered by ${door}: ${answers[0]?.status} ${answers[0]?.text.slice(0, 200)}`,
      )
  }
}

const seed = Number(process.env['ACCESS_SEED'] ?? 20261127 + PART)
const pairs = Number(process.env['ACCESS_PAIRS'] ?? amount(1, 100))
/** A run that was ended goes on at this pair. */
const firstPair = Number(process.env['ACCESS_FIRST_PAIR'] ?? 0)

/** What the key of the north sees is equal; all else is generated: regions, customers with texts that are no numbers, orders of others and of nobody. */
function generatedTables(visible: string, hidden: string): readonly string[] {
  const [same, random] = [randomFrom(seedOf(visible)), randomFrom(seedOf(hidden))]
  const count = (from: typeof random, most: number) => Array.from({ length: from.between(0, most) }, (_, i) => i)
  const text = (from: typeof random) => from.pick(["'12'", "'7'", "'-3'"])
  const own = [0, ...count(same, 4)].map((_, i) => `(${i + 1}, 'Ann ${i}', 'North', ${text(same)})`)
  const ownOrders = count(same, 8).map(
    (i) => `(${i + 1}, ${same.between(1, own.length)}, ${same.between(1, 40)}, ${same.between(-100, 100)})`,
  )
  const others = count(random, 8).map((i) => {
    const region = random.pick(["'West'", "'East'", 'NULL', "'north'", "'North '", "''"])
    return `(${i + 20}, 'Kaput ${random.between(1, 99)}', ${region}, ${random.pick(["'x'", "'99999999999999999999'", "''", 'NULL', "'5'"])})`
  })
  const othersOrders = count(random, 12).map((i) => {
    const customer = random.pick(['NULL', '999', String(random.between(20, 30))])
    return `(${i + 100}, ${customer}, ${random.pick(['NULL', '1', '21'])}, ${random.pick(['2147483647', '-5', '0', 'NULL', '7'])})`
  })
  const regions = ["('North')", ...['West', 'East', 'Far'].filter(() => random.chance(0.5)).map((name) => `('${name}')`)]
  const values = (rows: readonly string[], none: string) =>
    rows.length > 0 ? `VALUES ${rows.join(', ')}` : `${none} WHERE false`
  return [
    `CREATE TABLE regions AS SELECT * FROM (VALUES ${regions.join(', ')}) AS t(name)`,
    `CREATE TABLE customers AS SELECT * FROM (${values([...own, ...others], '')}) AS t(id, name, region, zip)`,
    `CREATE TABLE orders AS SELECT * FROM (${values([...ownOrders, ...othersOrders], 'SELECT 1, 1, 1, 1')}) AS t(id, customer_id, referrer_id, amount)`,
    'CREATE TABLE products AS SELECT 1 AS id',
    ...grantsTable([...OWN_GRANTS, ...generatedGrants(random)]),
  ]
}

/** Grants to others, to nobody, and of nothing; those of the north twice, or from a later day on. */
function generatedGrants(random: ReturnType<typeof randomFrom>): readonly string[] {
  return Array.from({ length: random.between(0, 6) }, () => {
    const who = random.pick(['NULL', "'South'", "'North'", "'other'", "'north'"])
    const since = who === "'north'" ? '2999-01-01' : random.pick(['2020-01-01', '2999-01-01'])
    const area = random.pick(['NULL', "'West'", "'North'", "'north'"])
    return random.chance(0.2) ? OWN_GRANTS[0]! : `(${who}, ${area}, DATE '${since}')`
  })
}

const seedOf = (text: string): number => seed ^ hashOf(text)

/** Of these, each statement, relation of the catalogue and operation of Flight SQL is asked, too, each command, and each tool over stdio. */
const pairsOnWires = Number(process.env['ACCESS_PAIRS_ON_WIRES'] ?? amount(0, pairs))

async function sameOnWires(t: Test, [a, b]: readonly [readonly string[], readonly string[]], model: string): Promise<void> {
  const [one, other] = [await servedOnWires(t, physical(a), model), await servedOnWires(t, physical(b), model)]
  for (const heard of [overWire, overFlight]) {
    const [here, there] = [await heard(one, 'north', true), await heard(other, 'north', true)]
    t.ok(here.length > STATEMENTS.length + 8, `${here.length} answers`)
    t.strictSame(there, here)
  }
}

const machineOf = async ({ folder, listen }: Served): Promise<OnMachine> => ({ folder, address: await listen() })

/** A command over a file starts a server for each call, so that a part of the pairs is asked in that way. */
async function sameOnMachine(t: Test, shops: readonly [Served, Served], onFile: boolean): Promise<readonly Seen[]> {
  const [one, other] = [await machineOf(shops[0]), await machineOf(shops[1])]
  const commands = [await everyCommandSays(one, onFile), await everyCommandSays(other, onFile)] as const
  sameSeen(t, 'north', commands)
  const tools = [await everyToolOnStdio(one), await everyToolOnStdio(other)] as const
  sameSeen(t, 'north', tools)
  return [...commands[0], ...tools[0]]
}

t.test('each command and each tool over stdio answers somebody, and the same over rows that are removed', async (t) => {
  const shops = [await served(t, TABLES), await served(t, OTHER_TABLES)] as const
  const seen = await sameOnMachine(t, shops, true)
  for (const door of new Set(seen.map((each) => each.door))) {
    const answers = seen.filter((each) => each.door === door)
    if (REFUSED_ON_MACHINE.has(door))
      t.ok(
        answers.every(({ status }) => status >= 400),
        `${door} is refused`,
      )
    else
      t.ok(
        answers.some(({ status }) => status < 400),
        `somebody is answered by ${door}: ${answers[0]?.text.slice(0, 300)}`,
      )
  }
})

/** SQL is withheld, only administrators verify a model, and nobody loads one. */
const REFUSED_ON_MACHINE: ReadonlySet<string> = new Set([
  ...[
    'compile of a server',
    'compile of a file',
    'verify of a server',
    'verify of a file',
    'rollup of a server',
    'rollup of a file',
    'load_model',
    'remove_model',
  ],
])

const OF_DATA = /query|rows|values|batch|odata|mcp/
/** ACCESS_DOORS=every asks every route for each pair, and not only those that answer from data. */
const asked = process.env['ACCESS_DOORS'] === 'every' ? undefined : ({ url }: Door) => OF_DATA.test(url)

t.test(`${pairs} generated pairs of data (ACCESS_SEED=${seed})`, async (t) => {
  for (let i = firstPair; i < pairs; i++)
    await t.test(`pair ${i}`, async (t) => {
      const tables = ['a', 'b'].map((side) => generatedTables(`same ${i}`, `${side} ${i}`))
      const model = (i + PART) % 2 === 0 ? PHYSICAL : BY_TABLE
      const [one, other] = [await served(t, tables[0] ?? [], {}, model), await served(t, tables[1] ?? [], {}, model)]
      const seen = [await everyDoor(one, 'north', asked), await everyDoor(other, 'north', asked)] as const
      sameSeen(t, 'north', seen)
      if (i >= pairsOnWires) return
      await sameOnWires(t, [tables[0] ?? [], tables[1] ?? []], model)
      await sameOnMachine(t, [one, other], i % 10 === 0)
    })
})
