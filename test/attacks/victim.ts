/** A client that behaves: it repeats the same queries on every surface, one after the other, while others attack. */
import { connectFlightSql } from '@grainline/flight-sql'
import { rowsOf as flightRows } from '../flight/rows-of.js'
import { Client } from '../load/client.js'
import { ask, connectReady } from '../pgwire/raw-client.js'

export type Look = () => Promise<string>

export interface Victim {
  /** Resolves when each query was sent and answered once more after this call. */
  round(): Promise<void>
  /** The number of answers that equal the first ones. */
  readonly right: () => number
  /** The number of queries that reached the time limit, as they do on a machine that is busy. They are sent again. */
  readonly late: () => number
  /** The answers that differ, if there are any. */
  readonly wrong: () => readonly string[]
  stop(): Promise<void>
}

/** Starts the queries. The first answers are the expected ones, byte for byte. */
export async function startVictim(looks: Readonly<Record<string, Look>>): Promise<Victim> {
  const known = new Map<string, string>()
  for (const [name, look] of Object.entries(looks)) known.set(name, await look())
  const wrong: string[] = []
  let [right, late, rounds, over] = [0, 0, 0, false]
  let wake = () => {}
  const asking = (async () => {
    for (; !over; rounds++) {
      for (const [name, look] of Object.entries(looks)) {
        let answer = await look().catch(String)
        for (; isLate(answer) && !over; late++) answer = await look().catch(String)
        if (answer === known.get(name)) right++
        else wrong.push(`${name}: ${answer.slice(0, 500)}`)
      }
      wake()
    }
  })()
  return {
    async round() {
      // The current round began before this call.
      const enough = rounds + 2
      while (rounds < enough) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    right: () => right,
    late: () => late,
    wrong: () => wrong,
    async stop() {
      over = true
      await asking
    },
  }
}

const isLate = (answer: string): boolean => answer.includes('QUERY_TIMEOUT')

const BY_ORIGIN = 'SELECT "Origin Code", "Flight Count", "Late Flights" FROM flights ORDER BY 1'
const LATEST = `SELECT max(n) AS most FROM (SELECT "Airline", "Flight Count" AS n FROM flights) AS t`
const QUESTION = {
  select: { dimensions: ['Airline', 'Status'], measures: ['Flight Count', 'Distance Flown'] },
  where: [{ field: 'Month', op: '<', value: '2013-03-01' }],
  order_by: [{ field: 'Airline' }, { field: 'Status' }],
}

interface Ports {
  readonly url: string
  readonly wire: number
  readonly flight: number
}

/** Queries on the published flights, and a function that closes their connections. */
export async function looksAtFlights({ url, wire, flight }: Ports) {
  const http = new Client(url, 1)
  const client = await connectReady(wire, { database: 'flights' })
  const arrow = await connectFlightSql({ host: '127.0.0.1', port: flight })
  const heard = async (asking: ReturnType<Client['send']>): Promise<string> => {
    const { status, text } = await asking
    if (status !== 200) throw new Error(`${status} ${text}`)
    return text
  }
  const post = (path: string, body: object) =>
    heard(http.send('POST', `/v1${path}`, JSON.stringify({ session_id: 'flights', ...body }), { accept: 'text/csv' }))
  const looks: Readonly<Record<string, Look>> = {
    question: () => post('/query/execute', { query: QUESTION }),
    statement: () => post('/query/semantic-ql', { sql: BY_ORIGIN }),
    'statement around the model': () => post('/query/semantic-ql', { sql: LATEST }),
    fields: () => heard(http.send('GET', '/v1/dimensions?model=flights')),
    wire: async () => (await ask(client, BY_ORIGIN)).map(({ type, body }) => `${type}${body.toString('latin1')}`).join('\n'),
    'statement around the model on the wire': async () =>
      (await ask(client, LATEST)).map(({ type, body }) => `${type}${body.toString('latin1')}`).join('\n'),
    flight: async () =>
      JSON.stringify(await flightRows(await arrow.query(BY_ORIGIN)), (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
  }
  return {
    looks,
    close() {
      http.close()
      client.end()
      arrow.close()
    },
  }
}
