/**
 * Clients that hold all connections of the database with answers that they do not read, on every surface of a served process: other clients
 * are served, small answers stay whole, and the end of a large one says what to do.
 */
import { connectFlightSql } from '@grainline/flight-sql'
import { tableFromIPC } from 'apache-arrow'
import t, { type Test } from 'tap'
import { startWatched, startWatchedCommand, WIRES, wireConfig } from '../load/server.js'
import { bind, connectRaw, errorOf, execute, message, parse, scram, startup, sync, typesOf } from '../pgwire/raw-client.js'
import { oneIn } from '../support/amount.js'

t.setTimeout(300_000)

const keyOf = (name: string) => `${name}_0123456789abcdef0123456789abcdef0123`
const [ANN, BOB, CAT, DAN] = ['ann', 'bob', 'cat', 'dan'].map(keyOf) as [string, string, string, string]
/** More than all buffers between the database and a client, and less than what is kept for a slow reader. */
const MANY = 1_000_000

const MODEL = JSON.stringify({
  version: 1,
  name: 'numbers',
  dataObjects: {
    Few: { code: 'few', columns: { N: { code: 'n', abstractType: 'int' } } },
    Many: { code: 'many', columns: { N: { code: 'n', abstractType: 'int' } } },
    Large: { code: 'large', columns: { N: { code: 'n', abstractType: 'int' } } },
  },
  dimensions: { Few: { dataObject: 'Few', column: 'N' } },
})
const INIT = [
  'CREATE VIEW few AS SELECT range AS n FROM range(3)',
  `CREATE VIEW many AS SELECT range AS n FROM range(${MANY})`,
  `CREATE VIEW large AS SELECT range AS n FROM range(${10 * MANY})`,
]

/** An answer that is begun, and is read only later. */
interface Begun {
  readonly who: string
  /** The number of its rows, or the error. */
  readonly rest: () => Promise<number | string>
  readonly leave: () => unknown
}

async function served(t: Test, connections: number) {
  const model = `${t.testdir({ 'numbers.yaml': MODEL })}/numbers.yaml`
  const server = await startWatched(
    {
      AUTH_MODE: 'api_key',
      API_KEYS: [ANN, BOB, CAT, DAN].join(','),
      ...WIRES,
      DB_POOL_SIZE: String(connections),
    },
    wireConfig('numbers', model, { init: INIT }),
  )
  t.teardown(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  const [wire, flight] = [await server.wire(), await server.flight()]

  const post = (key: string, sql: string, format: string, api = server.url) =>
    fetch(`${api}/v1/sessions/numbers/query/semantic-ql?format=${format}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-grainline-ui': '1' },
      body: JSON.stringify({ sql: `${sql} LIMIT 100000000` }),
    })

  const overHttp = async (key: string, sql: string, format: string, api?: string): Promise<Begun> => {
    const answer = await post(key, sql, format, api)
    if (answer.status !== 200) t.fail(await answer.text())
    const rest = async () => {
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (format === 'arrow') return tableFromIPC(bytes).numRows
      return bytes.toString('latin1').trimEnd().split('\n').length - (format === 'csv' ? 1 : 0)
    }
    return {
      who: format,
      rest: () => rest().catch((error: Error) => `${error.cause ?? error}`),
      leave: () => answer.body?.cancel().catch(() => {}),
    }
  }

  const overFlight = async (key: string, sql: string): Promise<Begun> => {
    const client = await connectFlightSql({ host: '127.0.0.1', port: flight, credentials: { token: key } })
    const answer = await client.query(sql)
    const rest = async () => {
      let rows = 0
      for await (const { numRows } of answer) rows += numRows
      return rows
    }
    return { who: 'flight', rest: () => rest().catch((error: Error) => error.message), leave: () => client.close() }
  }

  const overWire = async (key: string, sql: string): Promise<Begun> => {
    const client = await connectRaw(wire)
    client.send(startup({ user: 'x', database: 'numbers' }))
    await client.next()
    await scram(client, key)
    t.equal(typesOf(await client.until('Z')).at(-1), 'Z')
    client.send(parse(sql), bind(), execute(10), message('H'))
    const heard = await client.until('s')
    t.equal(typesOf(heard), '12DDDDDDDDDDs', 'a portal that has more rows')
    const rest = async () => {
      client.send(execute(0), sync())
      const heard = await client.until('Z')
      if (heard.some(({ type }) => type === 'E')) return Object.values(errorOf(heard)).join(' ')
      return 10 + heard.filter(({ type }) => type === 'D').length
    }
    return { who: 'wire', rest, leave: () => client.end() }
  }

  /** The web page alone passes an answer on as it is read. */
  const throughThePage = async (key: string, sql: string): Promise<Begun> => {
    const page = await startWatchedCommand(['ui', '--port', '0'], {
      env: { API_BASE_URL: server.url },
      listens: /listens? on (http[^,]+), TLS/,
    })
    t.teardown(async () => {
      page.kill('SIGKILL')
      await page.ended
    })
    return { ...(await overHttp(key, sql, 'ndjson', `${page.url}/ui/api`)), who: 'page' }
  }
  const ways: readonly ((key: string, sql: string) => Promise<Begun>)[] = [
    ...['ndjson', 'csv', 'arrow'].map((format) => (key: string, sql: string) => overHttp(key, sql, format)),
    overWire,
    overFlight,
    throughThePage,
  ]
  const few = async (key: string) => {
    const answer = await post(key, 'SELECT "Few" FROM numbers', 'json')
    return { status: answer.status, text: await answer.text() }
  }
  return { ways, few }
}

t.test('others are served beside answers that nobody reads, which are read to their end afterwards', async (t) => {
  // Of six ways a change tests three.
  const asked = oneIn(2, [0, 1, 2, 3, 4, 5])
  const { ways, few } = await served(t, asked.length)
  const begun: Begun[] = []
  // The last connection is only for a client that has none.
  for (const i of asked) begun.push(await ways[i]!(i === asked.at(-1) ? BOB : ANN, 'SELECT "Many"."N" FROM numbers'))
  const answers = await Promise.all([few(CAT), few(CAT), few(DAN)])
  for (const { status, text } of answers) t.equal(status, 200, text.slice(0, 300))
  for (const { who, rest } of begun) t.equal(await rest(), MANY, who)
})

t.test('an answer that is too large to be kept ends where another client waits, and says so', async (t) => {
  const { ways, few } = await served(t, 1)
  for (const way of oneIn(4, ways)) {
    const { who, rest, leave } = await way(ANN, 'SELECT "Large"."N" FROM numbers')
    const { status, text } = await few(CAT)
    t.equal(status, 200, text.slice(0, 300))
    t.match(String(await rest()), SAID[who as keyof typeof SAID], who)
    leave()
  }
  t.equal((await few(ANN)).status, 200, 'the places of the slow client are free as well')
})

t.test('with the greater DB_POOL_SIZE that the error names, both clients have all their rows', async (t) => {
  const { ways, few } = await served(t, 2)
  const [, , arrow] = ways
  const { rest } = await arrow!(ANN, 'SELECT "Large"."N" FROM numbers')
  const { status, text } = await few(CAT)
  t.equal(status, 200, text.slice(0, 300))
  t.equal(await rest(), 10 * MANY)
})

/** Over HTTP the answer has begun, so the connection is reset. */
const RESET = /closed|terminated|reset/i
const SAID = {
  ndjson: RESET,
  csv: RESET,
  arrow: RESET,
  page: RESET,
  flight: /READER_TOO_SLOW.*DB_POOL_SIZE/,
  wire: /57014 .*read too slowly.*DB_POOL_SIZE/,
} as const
