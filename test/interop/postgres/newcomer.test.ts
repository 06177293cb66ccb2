/** The first steps with a shop in PostgreSQL without constraints: a first model, and ten queries. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HostConfig } from '@grainline/core'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { parse } from 'yaml'
import { startPgwire } from '../../pgwire/server.js'
import { startRest } from '../../rest/server.js'
import { commerce, joinsOf, type Model } from '../../support/commerce-case.js'
import { streamsThatKeep } from '../../support/streams-that-keep.js'
import { orSkip } from '../or-skip.js'
import { openClient } from './client.js'
import { startServer } from './server.js'

t.setTimeout(300_000)

/** Keys and columns with types of PostgreSQL, and texts that differ only by case. */
const CLINIC = `CREATE EXTENSION citext; CREATE SCHEMA clinic;
  CREATE TYPE clinic.state AS ENUM ('open', 'closed', 'cancelled');
  CREATE TABLE clinic.patients (id UUID PRIMARY KEY, email CITEXT, born DATE, ward SMALLINT);
  CREATE TABLE clinic.visits (id UUID PRIMARY KEY, patient_id UUID, state clinic.state, minutes SMALLINT, fee NUMERIC(10,2), began TIMESTAMPTZ);
  INSERT INTO clinic.patients SELECT md5('p' || n)::UUID, CASE WHEN n % 2 = 0 THEN 'Ann' ELSE 'aNN' END || n / 2 || '@x.org', DATE '1990-01-01' + n, n % 3
    FROM generate_series(1, 20) n;
  INSERT INTO clinic.visits SELECT md5('v' || n)::UUID, md5('p' || 1 + n % 20)::UUID, ('{open,closed,cancelled}'::clinic.state[])[1 + n % 3],
    (n % 50)::SMALLINT, n * 1.25, TIMESTAMPTZ '2026-03-28 22:00Z' + n * INTERVAL '1 hour' FROM generate_series(1, 100) n`
const PARCELS = `version: 1
name: parcels
dataObjects:
  Parcels:
    code: parcels
    schema: depot
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Grams: { code: grams, abstractType: int } }
measures:
  Grams: { aggregation: sum, columns: [{ dataObject: Parcels, column: Grams }] }
`
const folder = mkdtempSync('/tmp/grainline-newcomer-')
t.teardown(() => rmSync(folder, { recursive: true }))
const defaultConfig = path.resolve(import.meta.dirname, '../../../config/default.yaml')

await orSkip(
  t,
  () => startServer(),
  (server) => server.stop(),
  async (server) => {
    const client = await openClient(server.socket)
    if (typeof client === 'string') throw new Error(client)
    await client.query(commerce.sql)
    await client.end()

    const env = {
      DB_VENDOR: 'postgres',
      PGHOST: server.socket,
      PGUSER: 'postgres',
      PGDATABASE: 'postgres',
      POSTGRES_URL: `postgres://postgres@localhost/postgres?host=${server.socket}`,
    }
    const command = (...args: string[]) => commandAs('postgres', ...args)
    async function commandAs(role: string, ...args: string[]) {
      const { stdout, stderr, written } = streamsThatKeep()
      const as = { ...env, PGUSER: role, POSTGRES_URL: env.POSTGRES_URL.replace('postgres@', `${role}@`) }
      return { code: await main(args, { stdout, stderr, cwd: folder, env: as, defaultConfig }), ...written() }
    }

    t.test('a table that the connection may not read is not found, and is answered when it may', async (t) => {
      const owner = await openClient(server.socket)
      if (typeof owner === 'string') throw new Error(owner)
      await owner.query(
        'CREATE ROLE clerk LOGIN; CREATE SCHEMA depot; CREATE TABLE depot.parcels AS SELECT * FROM (VALUES (1, 5), (2, 7)) t (id, grams)',
      )
      await owner.query('GRANT USAGE ON SCHEMA depot TO clerk')
      writeFileSync(path.join(folder, 'parcels.yaml'), PARCELS)
      const checked = await commandAs('clerk', 'validate', 'parcels.yaml', '--against-database')
      t.match(checked, { code: 1, out: /TABLE_NOT_FOUND .*"depot"."parcels" cannot be read/ }, checked.err)
      await owner.query('GRANT SELECT ON depot.parcels TO clerk')
      await owner.end()
      t.match(await commandAs('clerk', 'validate', 'parcels.yaml', '--against-database'), { code: 0 })
      const query = JSON.stringify({ select: { measures: ['Grams'] } })
      const answer = await commandAs('clerk', 'execute', 'parcels.yaml', '--query', query, '--format', 'json')
      t.match(JSON.parse(answer.out), { rows: [[12]] }, answer.err)
    })

    t.test('init finds the joins, and no wrong ones; the model answers queries', async (t) => {
      const began = performance.now()
      const made = await command('init', '--schema', 'public', '--output', 'shop.yaml')
      t.equal(made.code, 0, made.err)
      const found = joinsOf(parse(readFileSync(path.join(folder, 'shop.yaml'), 'utf8')) as Model)
      t.same(
        found.filter((join) => !commerce.joins.includes(join)),
        [],
        'no join is wrong',
      )
      const right = found.filter((join) => commerce.joins.includes(join)).length
      t.ok(right >= commerce.joins.length * 0.8, `${right} of ${commerce.joins.length} joins`)
      t.match(await command('validate', 'shop.yaml'), { code: 0 })
      for (const select of commerce.questions) {
        const { code, out, err } = await command(
          'execute',
          'shop.yaml',
          '--query',
          JSON.stringify({ select }),
          '--format',
          'json',
        )
        t.equal(code, 0, `${JSON.stringify(select)} ${err}`)
        if (code === 0) t.ok(JSON.parse(out).row_count > 0)
      }
      t.comment(`a first model and ten questions in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    })

    t.test(
      'uuid keys, enumerations, citext and smallints: every field can be queried over REST and the Postgres wire',
      async (t) => {
        const own = await openClient(server.socket)
        if (typeof own === 'string') throw new Error(own)
        await own.query(CLINIC)
        await own.end()
        t.match(await command('init', '--name', 'clinic', '--schema', 'clinic', '--output', 'clinic.yaml'), { code: 0, err: '' })
        const file = path.join(folder, 'clinic.yaml')
        const model = parse(readFileSync(file, 'utf8')) as Record<'dimensions' | 'measures', object>
        const [dimensions, measures] = [Object.keys(model.dimensions), Object.keys(model.measures)]
        for (const field of ['Email', 'State', 'Ward', 'Minutes'])
          t.ok(
            [...dimensions, ...measures].some((name) => name.endsWith(field)),
            field,
          )

        const vendor = { host: server.socket, user: 'postgres', database: 'postgres' }
        const plugins: HostConfig['plugins'] = [{ use: '@grainline/vendor-postgres', with: vendor }]
        const served = {
          plugins,
          preload: [{ session: 'clinic', model: file }],
          settings: { QUERY_EXECUTE: true, DB_VENDOR: 'postgres' },
        }
        const rest = await startRest({ ...served, plugins: ['@grainline/dialect-postgres', ...plugins] })
        t.teardown(() => rest.close())
        const wire = await startPgwire(served)
        t.teardown(() => wire.close())
        const asked = await openClient('127.0.0.1', { port: wire.port, database: 'clinic' })
        if (typeof asked === 'string') throw new Error(asked)
        t.teardown(() => asked.end())
        const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
        for (const dimension of dimensions) {
          const query = { select: { dimensions: [dimension], measures }, order_by: [{ field: 1 }] }
          const answer = await rest.post('/v1/query/execute', { query })
          t.match(answer, { status: 200 }, `${dimension}: ${answer.text.slice(0, 300)}`)
          const text = `SELECT ${[dimension, ...measures].map(quoted).join(', ')} FROM clinic ORDER BY 1`
          const { rows } = await asked.query({ text, rowMode: 'array' })
          t.equal(rows.length, answer.body.row_count, text)
          const [value] = answer.body.rows.at(0) as [unknown]
          const where = [{ field: dimension, op: value === null ? 'is_null' : 'eq', ...(value !== null && { value }) }]
          const kept = await rest.post('/v1/query/execute', { query: { ...query, where } })
          t.match(
            kept,
            { status: 200, body: { rows: [answer.body.rows[0]] } },
            `${dimension} = ${value}: ${kept.text.slice(0, 300)}`,
          )
        }
      },
    )
  },
)
