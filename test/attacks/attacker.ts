/** A client that misbehaves, with its own address. All results are text: the status and the body, or how the connection ended. */
import http from 'node:http'
import { Client } from '../load/client.js'
import { ask, connectReady, fieldsOf } from '../pgwire/raw-client.js'

export interface Attacker {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<string>
  get(path: string, headers?: Record<string, string>): Promise<string>
  /** A request whose every header is set by the attack, including `host` and `sec-fetch-site`. */
  forged(method: string, path: string, headers: Record<string, string>): Promise<string>
  wire(sql: string): Promise<string>
  /** A session, with a model if one is given, that is closed after the work. */
  inSession<T>(work: (session: string) => Promise<T>, model?: object): Promise<T>
  close(): void
}

const MOST_HEARD = 3000

export function attackerOf(server: { readonly url: string; readonly wire?: number }, key?: string, from = '127.0.0.2'): Attacker {
  const client = new Client(server.url, 64, from)
  const known = key === undefined ? {} : { 'x-api-key': key }
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<string> => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    try {
      const reply = await client.send(method, path, text, { ...known, ...headers })
      return reply.complete ? `${reply.status} ${reply.text.slice(0, MOST_HEARD)}` : 'reset'
    } catch (error) {
      // A request that is refused before it was read completely may be reset while it is still being sent.
      if (['ECONNRESET', 'EPIPE'].includes(String((error as { readonly code?: unknown }).code))) return 'reset'
      throw error
    }
  }
  return {
    post: (path, body, headers) => send('POST', path, body, headers),
    get: (path, headers) => send('GET', path, undefined, headers),
    forged: (method, path, headers) =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(server.url)
        const options = { host: hostname, port, method, path, headers, setHost: headers.host === undefined, localAddress: from }
        const request = http.request(options, (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (piece: string) => {
            text += piece
          })
          answer.on('end', () => resolve(`${answer.statusCode} ${text}`))
        })
        request.on('error', reject).end()
      }),
    async wire(sql) {
      const connection = await connectReady(server.wire ?? 0, { database: 'flights' }, from)
      const messages = await ask(connection, sql)
      connection.end()
      const refused = messages.find(({ type }) => type === 'E')
      return refused === undefined ? 'answered' : JSON.stringify(fieldsOf(refused))
    },
    async inSession(work, model) {
      const opened = await send('POST', '/v1/sessions', {})
      const session = /"session_id":"([^"]+)"/.exec(opened)?.[1]
      if (session === undefined) throw new Error(`no session: ${opened}`)
      if (model !== undefined) {
        const loaded = await send('POST', `/v1/sessions/${session}/models`, { model_json: model })
        if (!loaded.startsWith('201')) throw new Error(`no model: ${loaded}`)
      }
      try {
        return await work(session)
      } finally {
        await send('DELETE', `/v1/sessions/${session}`)
      }
    },
    close: () => client.close(),
  }
}
