/** A first model of a PostgreSQL database is valid, also of one with many kinds of keys. */
import { silentLogger } from '@grainline/core'
import { postgres } from '@grainline/dialect-postgres'
import { plansOf, postgresVendor } from '@grainline/vendor-postgres'
import t from 'tap'
import { databaseProbe, noProbe } from '../../../core/src/cli/first-model/database-probe.js'
import { firstModel } from '../../../core/src/cli/first-model/first-model.js'
import { builtInAggregates } from '../../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../../core/src/model/functions/catalogue.js'
import { comparedOf } from '../../../core/src/model/join-term.js'
import { parseModelSync } from '../../../core/src/model/load-model.js'
import { openClient } from './client.js'
import { startServer } from './server.js'

t.setTimeout(120_000)
const server = await startServer()
if (typeof server === 'string') t.plan(0, server)
else {
  t.teardown(() => server.stop())
  const client = await openClient(server.socket)
  if (typeof client === 'string') throw new Error(client)
  t.teardown(() => client.end())
  t.test('cyclic references, several paths and unusual names', async (t) => {
    await client.query(`CREATE TABLE "Größe" (id UUID PRIMARY KEY, "a.b" TEXT, at TIMESTAMPTZ, tags TEXT[]);
      CREATE TABLE staff (id INT PRIMARY KEY, boss INT REFERENCES staff, size UUID REFERENCES "Größe");
      CREATE TABLE team (id INT PRIMARY KEY, lead INT REFERENCES staff, deputy INT REFERENCES staff);
      ALTER TABLE staff ADD team INT REFERENCES team; CREATE SCHEMA old; CREATE TABLE old.team (id INT, note VARCHAR(3))`)
    const [plan] = plansOf(
      { host: server.socket, user: 'postgres', database: 'postgres' },
      { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined },
    )
    const connection = await postgresVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
    t.teardown(() => connection.close())
    const { model, errors } = parseModelSync({
      json: (await firstModel('live', await connection.introspect!(), noProbe)).document,
    })
    t.same(errors, [])
    const joins = [...model!.dataObjects.values()]
      .flatMap((object) => object.joins)
      .map(({ from, on, to, pathName }) => {
        const way = pathName === undefined ? '' : ` by ${pathName}`
        return `${from}.${comparedOf(on, 'from').join()} → ${to}${way}`
      })
    // The keys that would close the cycle of team and staff lead to roles that end there.
    t.same(joins.sort(), [
      'Public Team.Deputy → Deputy Staff',
      'Public Team.Lead → Lead Staff',
      'Staff.Boss → Boss Staff',
      'Staff.Size → Größe',
      'Staff.Team → Public Team',
    ])
    t.same([...model!.dataObjects.keys()].sort(), [
      'Boss Staff',
      'Deputy Staff',
      'Größe',
      'Lead Staff',
      'Old Team',
      'Public Team',
      'Staff',
    ])
  })
  t.test('domains have the type under them; bits and money are texts', async (t) => {
    await client.query(`CREATE SCHEMA odd; CREATE DOMAIN odd.positive AS INT CHECK (VALUE > 0); CREATE DOMAIN odd.few AS odd.positive;
      CREATE DOMAIN odd.price AS NUMERIC(10,2); CREATE TABLE odd.things (a odd.few, b odd.price, c BIT(3), d MONEY, e BIT, f NUMERIC);
      INSERT INTO odd.things VALUES (1, 1.25, B'101', 2.5, B'1', 0.5); CREATE VIEW odd.seen AS SELECT a FROM odd.things`)
    const [plan] = plansOf(
      { host: server.socket, user: 'postgres', database: 'postgres' },
      { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined },
    )
    const connection = await postgresVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
    t.teardown(() => connection.close())
    const [seen, things] = (await connection.introspect!()).filter(({ schema }) => schema === 'odd')
    t.same([seen?.isView, things?.isView], [true, undefined])
    t.same(
      things?.columns.map(({ sqlType, isText }) => [sqlType, isText === true]),
      [
        ['integer', false],
        ['numeric(10,2)', false],
        ['bit(3)', true],
        ['money', true],
        ['bit(1)', true],
        ['numeric', false],
      ],
    )
  })
  t.test('uuid keys, enumerations, citext and small integers, without any constraint', async (t) => {
    await client.query(`CREATE SCHEMA desk; SET search_path = desk, public; CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
      CREATE TYPE desk.mood AS ENUM ('calm', 'cross');
      CREATE TABLE desk.users (id UUID, email CITEXT, mood desk.mood, age SMALLINT);
      CREATE TABLE desk.tickets (id UUID, author UUID, assignee_id UUID, urgency SMALLINT, minutes INT, opened_at TIMESTAMPTZ);
      INSERT INTO desk.users SELECT gen_random_uuid(), 'u' || i || '@example.org', CASE WHEN i % 2 = 0 THEN 'calm' ELSE 'cross' END::desk.mood, i + 20 FROM generate_series(1, 9) i;
      INSERT INTO desk.tickets SELECT gen_random_uuid(), a.id, b.id, 1, 10, now() FROM desk.users a, desk.users b`)
    const [plan] = plansOf(
      { host: server.socket, user: 'postgres', database: 'postgres' },
      { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined },
    )
    const connection = await postgresVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
    t.teardown(() => connection.close())
    const tables = (await connection.introspect!()).filter(({ schema }) => schema === 'desk')
    const catalogue = { functions: builtInFunctions, aggregates: builtInAggregates }
    const probe = databaseProbe({ connection, dialect: postgres, catalogue, now: new Date() })
    const { document, notes } = await firstModel('desk', tables, probe)
    const { model, errors } = parseModelSync({ json: document })
    t.same(errors, [])
    t.same([...model!.dataObjects.keys()].sort(), ['Assignee Users', 'Author Users', 'Tickets'])
    t.same(
      notes.flatMap(({ path, text }) => (path.includes('joins') ? [text] : [])),
      ['guessed by its values; each of 81 rows finds its user', 'guessed by name; each of 81 rows finds its user'],
    )
    t.ok(model!.dimensions.has('Author User Mood') && model!.dimensions.has('Assignee User Email'))
    t.same(
      [...model!.measures.values()].filter(({ aggregation }) => aggregation === 'sum').map(({ name }) => name),
      ['Minutes'],
    )
  })
}
