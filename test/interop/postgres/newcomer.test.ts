/** A newcomer with a shop in PostgreSQL that declares no constraint: a first model, and ten questions. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { parse } from 'yaml'
import { commerce, joinsOf, type Model } from '../../support/commerce-case.js'
import { streamsThatKeep } from '../../support/streams-that-keep.js'
import { orSkip } from '../or-skip.js'
import { openClient } from './client.js'
import { startServer } from './server.js'

t.setTimeout(300_000)
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
    async function command(...args: string[]) {
      const { stdout, stderr, written } = streamsThatKeep()
      return { code: await main(args, { stdout, stderr, cwd: folder, env, defaultConfig }), ...written() }
    }

    t.test('init finds the joins, and no wrong one; the model answers', async (t) => {
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
  },
)
