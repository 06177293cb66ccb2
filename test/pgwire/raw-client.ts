/** A client that sends exactly what a test specifies. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import net from 'node:net'
import tls from 'node:tls'

export interface Message {
  /** The letter of its type. */
  readonly type: string
  readonly body: Buffer
}

export interface RawClient {
  send(...bytes: readonly (Buffer | string)[]): void
  /** The next message; `undefined` once the connection is closed. */
  next(): Promise<Message | undefined>
  /** Messages up to and including one of this type; all of them where the connection closes before. */
  until(type: string): Promise<readonly Message[]>
  /** Exactly so many bytes, outside of any message. */
  bytes(count: number): Promise<Buffer>
  /** Starts TLS on the connection. */
  encrypt(options?: tls.ConnectionOptions): Promise<void>
  /** Resolves when the server has closed the connection, to the milliseconds since the client connected. */
  closed(): Promise<number>
  readonly socket: net.Socket
  end(): void
}

/** `from` is the local address of the connection. */
export async function connectRaw(port: number, from = '127.0.0.1'): Promise<RawClient> {
  let socket = net.connect({ port, host: '127.0.0.1', localAddress: from })
  const began = performance.now()
  let received = Buffer.alloc(0)
  let over = false
  let wake = () => {}
  const listen = () => {
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      over = true
      wake()
    })
  }
  listen()
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const bytes = async (count: number): Promise<Buffer> => {
    while (received.length < count && !over) await more()
    const taken = received.subarray(0, count)
    received = received.subarray(taken.length)
    return taken
  }
  const next = async (): Promise<Message | undefined> => {
    const head = await bytes(5)
    if (head.length < 5) return undefined
    return { type: String.fromCharCode(head[0]!), body: await bytes(head.readInt32BE(1) - 4) }
  }
  return {
    get socket() {
      return socket
    },
    send: (...parts) => void socket.write(Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)))),
    next,
    async until(type) {
      const found: Message[] = []
      for (let message = await next(); message !== undefined; message = await next()) {
        found.push(message)
        if (message.type === type) break
      }
      return found
    },
    bytes,
    async encrypt(options = {}) {
      socket.removeAllListeners('data').removeAllListeners('close')
      const secured = tls.connect({ socket, rejectUnauthorized: false, ...options })
      socket = secured
      listen()
      await new Promise<void>((resolve, reject) => {
        secured.once('secureConnect', resolve)
        secured.once('error', reject)
        secured.once('close', () => reject(new Error('closed')))
      })
    },
    async closed() {
      while (!over) await more()
      return performance.now() - began
    },
    end: () => socket.destroy(),
  }
}

export const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
export const cstring = (text: string): Buffer => Buffer.from(`${text}\0`)

export function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

export function packet(code: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([int32(body.length + 8), int32(code), body])
}

export const SSL_REQUEST = packet(80877103)
export const GSS_REQUEST = packet(80877104)

export function startup(parameters: Readonly<Record<string, string>>, version = 196_608): Buffer {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [cstring(name), cstring(value)])
  return packet(version, ...pairs, Buffer.from([0]))
}

export const query = (text: string): Buffer => message('Q', cstring(text))
export const sync = (): Buffer => message('S')
export const parse = (text: string, { name = '', types = [] as number[] } = {}): Buffer =>
  message('P', cstring(name), cstring(text), int16(types.length), ...types.map(int32))
export const describe = (what: 'S' | 'P', name = ''): Buffer => message('D', Buffer.from(what), cstring(name))
export const execute = (most = 0, portal = ''): Buffer => message('E', cstring(portal), int32(most))

export interface BindOptions {
  readonly portal?: string
  readonly name?: string
  readonly values?: readonly (Buffer | string | null)[]
  readonly valueFormats?: readonly number[]
  readonly formats?: readonly number[]
}
export function bind({ portal = '', name = '', values = [], valueFormats = [], formats = [] }: BindOptions = {}): Buffer {
  return message(
    'B',
    cstring(portal),
    cstring(name),
    int16(valueFormats.length),
    ...valueFormats.map(int16),
    int16(values.length),
    ...values.flatMap((value) => {
      if (value === null) return [int32(-1)]
      const bytes = Buffer.from(value as Buffer)
      return [int32(bytes.length), bytes]
    }),
    int16(formats.length),
    ...formats.map(int16),
  )
}

/** The fields of an error or a notice by their letters. */
export function fieldsOf({ body }: Message): Readonly<Record<string, string>> {
  const parts = body
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '')
  return Object.fromEntries(parts.map((part) => [part[0], part.slice(1)]))
}

/** The error among messages; throws if there is none. */
export function errorOf(messages: readonly Message[]): Readonly<Record<string, string>> {
  const found = messages.find(({ type }) => type === 'E')
  if (found === undefined) throw new Error(`no error among ${messages.map(({ type }) => type).join('')}`)
  return fieldsOf(found)
}

export const typesOf = (messages: readonly Message[]): string => messages.map(({ type }) => type).join('')

/** The values of a DataRow as received. */
export function bytesOf({ body }: Message): (Buffer | null)[] {
  let at = 2
  return Array.from({ length: body.readInt16BE(0) }, () => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return body.subarray(at - length, at)
  })
}

/** The values of a DataRow as text. */
export const rowOf = (message: Message): (string | null)[] => bytesOf(message).map((bytes) => bytes?.toString('utf8') ?? null)

/** Object ids of the types of a RowDescription. */
export function typesOfColumns({ body }: Message): number[] {
  let at = 2
  return Array.from({ length: body.readInt16BE(0) }, () => {
    at = body.indexOf(0, at) + 1
    const type = body.readInt32BE(at + 6)
    at += 18
    return type
  })
}

export const rowsOf = (messages: readonly Message[]): (string | null)[][] =>
  messages.filter(({ type }) => type === 'D').map(rowOf)

export const tagsOf = (messages: readonly Message[]): string[] =>
  messages.filter(({ type }) => type === 'C').map(({ body }) => body.toString('utf8', 0, body.length - 1))

/** Connects without a password and waits until the server is ready for queries. */
export async function connectReady(
  port: number,
  parameters: Readonly<Record<string, string>> = {},
  from?: string,
): Promise<RawClient> {
  const client = await connectRaw(port, from)
  client.send(startup({ user: 'tester', ...parameters }))
  const messages = await client.until('Z')
  if (messages.at(-1)?.type !== 'Z')
    throw new Error(`not let in: ${JSON.stringify(messages.filter((m) => m.type === 'E').map(fieldsOf))}`)
  return client
}

/** Sends one simple query. */
export async function ask(client: RawClient, text: string): Promise<readonly Message[]> {
  client.send(query(text))
  return client.until('Z')
}

export interface ScramOptions {
  readonly mechanism?: string
  /** The gs2 header, `n,,` without channel binding. */
  readonly header?: string
  /** The data of the channel binding. */
  readonly binding?: Buffer
}

/** The client's side of SCRAM (RFC 5802), from the server's offer to its verdict; returns the last message of the server. */
export async function scram(client: RawClient, password: string, options: ScramOptions = {}): Promise<Message | undefined> {
  const { mechanism = 'SCRAM-SHA-256', header = 'n,,', binding = Buffer.alloc(0) } = options
  const bare = `n=,r=${randomBytes(18).toString('base64')}`
  const first = Buffer.from(header + bare)
  client.send(message('p', cstring(mechanism), int32(first.length), first))
  const reply = await client.next()
  if (reply?.type !== 'R' || reply.body.readInt32BE(0) !== 11) return reply
  const serverFirst = reply.body.toString('utf8', 4)
  const [, nonce, salt, iterations] = /^r=([^,]+),s=([^,]+),i=(\d+)$/.exec(serverFirst)!
  const salted = pbkdf2Sync(password, Buffer.from(salt!, 'base64'), Number(iterations), 32, 'sha256')
  const clientKey = hmac(salted, 'Client Key')
  const withoutProof = `c=${Buffer.concat([Buffer.from(header), binding]).toString('base64')},r=${nonce}`
  const authMessage = `${bare},${serverFirst},${withoutProof}`
  const signature = hmac(createHash('sha256').update(clientKey).digest(), authMessage)
  const proof = Buffer.from(clientKey.map((byte, i) => byte ^ signature[i]!)).toString('base64')
  client.send(message('p', Buffer.from(`${withoutProof},p=${proof}`)))
  const verdict = await client.next()
  if (verdict?.type !== 'R') return verdict
  const expected = `v=${hmac(hmac(salted, 'Server Key'), authMessage).toString('base64')}`
  if (verdict.body.toString('utf8', 4) !== expected) throw new Error('the server did not prove that it knows the key')
  return client.next()
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
