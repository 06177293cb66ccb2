/** A first model of a PostgreSQL database validates, and so does one of its own catalogue's worth of keys. */
import { silentLogger } from '@grainline/core'
import { plansOf, postgresVendor } from '@grainline/vendor-postgres'
import t from 'tap'
import { firstModel } from '../../../core/src/cli/first-model.js'
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
  t.test('circles, second ways and odd names', async (t) => {
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
    const { model, errors } = parseModelSync({ json: firstModel('live', await connection.introspect!()) })
    t.same(errors, [])
    t.same([...model!.dataObjects.keys()].sort(), ['Größe', 'Old Team', 'Public Team', 'Staff'])
  })
}
