/**
 * What every surface must do, as a function that its own test calls with itself and with plugins that bring a dialect and a database:
 *
 *     surfaceConformance(t, { name: 'numbers', plugins: [myDialect, { use: myVendor, with: { … } }, numbers], ask })
 */
import { strict as assert } from 'node:assert'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import type { TestRunner } from '../execute/vendor-conformance.js'
import { grainline } from '../fastify.js'
import type { HostConfig } from '../host/config.js'
import { createHost } from '../host/host.js'
import { silentLogger } from '../logger.js'

/** A surface among the plugins of a host, and a client of its protocol. */
export interface SurfaceUnderTest {
  /** Its name at the extension point. */
  readonly name: string
  /** The surface, a dialect, a vendor with a table `orders` whose `amount`s are 1 and 41, and what else it needs. */
  readonly plugins: HostConfig['plugins']
  readonly settings?: HostConfig['settings']
  /** Asks for the total of a measure of the model `shop`, proving itself by an API key where one is given. */
  readonly ask: (request: SurfaceQuestion) => Promise<SurfaceAnswer>
}

/** What a client of the protocol asks. */
export interface SurfaceQuestion {
  /** `http://…` for routes, else the address that the listener gave. */
  readonly address: string
  readonly measure: string
  readonly key: string | undefined
}

/** The number, or the sentence of the refusal as a client of the protocol sees it. */
export type SurfaceAnswer = { readonly value: number } | { readonly refusal: string }

const KEY = 'a key of the suite that is long'
const MODEL = `
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Amount: { code: amount, abstractType: int }
measures:
  Revenue: { columns: [{ dataObject: Orders, column: Amount }], resultType: int, aggregation: sum }
`

/** Runs the tests that every surface passes: it gives the number, asks for a key, refuses in sentences, answers many requests at once, and closes. */
export function surfaceConformance(t: TestRunner, under: SurfaceUnderTest): void {
  const say = (name: string, body: (ask: (measure: string, key?: string | null) => Promise<SurfaceAnswer>) => Promise<void>) =>
    t.test(`${under.name}: ${name}`, async () => {
      const running = await start(under)
      try {
        await body((measure, key = KEY) => under.ask({ address: running.address, measure, key: key ?? undefined }))
      } finally {
        await running.close()
      }
    })

  say('a client with the key gets the number', async (ask) => assert.deepEqual(await ask('Revenue'), { value: 42 }))

  say('without a key, and with a wrong one, the request is refused and no key is revealed', async (ask) => {
    for (const key of [null, 'quite another key', `${KEY.slice(0, -1)}X`]) {
      const answer = await ask('Revenue', key)
      assert.ok('refusal' in answer && answer.refusal !== '', JSON.stringify(answer))
      assert.ok(!answer.refusal.includes(KEY))
    }
    assert.deepEqual(await ask('Revenue'), { value: 42 }, 'and it goes on')
  })

  say('an error has the message of the service, and the next query is answered', async (ask) => {
    const answer = await ask('Revenu')
    assert.ok('refusal' in answer, JSON.stringify(answer))
    assert.match(answer.refusal, /Revenu/)
    assert.deepEqual(await ask('Revenue'), { value: 42 })
  })

  say('concurrent clients get the same number', async (ask) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('Revenue')))
    for (const answer of answers) assert.deepEqual(answer, { value: 42 })
  })

  t.test(`${under.name}: a stopped surface does not listen any more, and can start again`, async () => {
    const first = await start(under)
    await first.close()
    const late = await under.ask({ address: first.address, measure: 'Revenue', key: KEY }).catch(() => 'gone')
    assert.ok(late === 'gone' || (typeof late === 'object' && 'refusal' in late), JSON.stringify(late))
    const second = await start(under)
    await second.close()
  })
}

/** A host with the surface at work, and the model published as `shop`. */
async function start({ name, plugins, settings }: SurfaceUnderTest) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-surface-'))
  await writeFile(path.join(folder, 'shop.yaml'), MODEL)
  const config: HostConfig = {
    plugins,
    settings: { QUERY_EXECUTE: true, AUTH_MODE: 'api_key', API_KEYS: [KEY], ...settings },
    preload: [{ session: 'shop', model: path.join(folder, 'shop.yaml') }],
    base: folder,
  }
  const environment = { process: {}, dotenv: {} }
  const host = await createHost(config, { environment, logger: silentLogger })
  const surface = host.surfaces.get(name)
  if (surface.kind === 'http') {
    await host.close()
    const app = Fastify()
    await app.register(grainline, { config, environment, standalone: true })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const close = async () => {
      app.server.closeAllConnections()
      await app.close()
      await rm(folder, { recursive: true })
    }
    return { address, close }
  }
  // `host.start()` would start the listener itself and keep its address.
  await host.service.start([{ session: 'shop', source: MODEL, file: path.join(folder, 'shop.yaml') }])
  const running = await surface.start(host.contextFor(surface))
  return {
    address: running.address,
    close: async () => {
      await running.stop()
      await host.close()
      await rm(folder, { recursive: true })
    },
  }
}
