/** The part of `node:http` that a server without sockets needs: requests come from `inject`, which brings its own request and response. */
import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'

export const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']
export const STATUS_CODES: Readonly<Record<number, string>> = {}
export const maxHeaderSize = 16_384

interface Response extends Writable {
  statusCode: number
  statusMessage: string
  headersSent: boolean
  sendDate: boolean
  headers: Map<string, Header>
  connection: Writable | null
  socket: Writable | null
}

interface Header {
  readonly name: string
  readonly value: number | string | readonly string[]
}

/** A function and not a class, because `inject` calls it on objects of its own. */
export function ServerResponse(this: Response, request: { readonly method?: string }): void {
  Writable.call(this as never, { write: (_chunk: unknown, _encoding: unknown, done: () => void) => done() } as never)
  Object.assign(this, {
    req: request,
    statusCode: 200,
    statusMessage: '',
    headersSent: false,
    sendDate: true,
    headers: new Map(),
  })
  Object.assign(this, { connection: null, socket: null })
}

Object.setPrototypeOf(ServerResponse.prototype, Writable.prototype)
Object.assign(ServerResponse.prototype, {
  assignSocket(this: Response, socket: Writable) {
    this.connection = socket
    this.socket = socket
  },
  setHeader(this: Response, name: string, value: Header['value']) {
    this.headers.set(name.toLowerCase(), { name, value })
    return this
  },
  getHeader(this: Response, name: string) {
    return this.headers.get(name.toLowerCase())?.value
  },
  hasHeader(this: Response, name: string) {
    return this.headers.has(name.toLowerCase())
  },
  removeHeader(this: Response, name: string) {
    this.headers.delete(name.toLowerCase())
  },
  getHeaders(this: Response) {
    return Object.fromEntries([...this.headers].map(([name, { value }]) => [name, value]))
  },
  getHeaderNames(this: Response) {
    return [...this.headers.keys()]
  },
  flushHeaders(this: Response & { writeHead(status: number): void }) {
    if (!this.headersSent) this.writeHead(this.statusCode)
  },
  writeHead(this: Response & { setHeader(name: string, value: unknown): void }, status: number, ...rest: readonly unknown[]) {
    const headers = rest.find((each) => typeof each === 'object' && each !== null) ?? {}
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    this.statusCode = status
    this.headersSent = true
    return this
  },
  write(this: Response & { writeHead(status: number): void }, _data: unknown, encoding: unknown, done?: unknown) {
    if (!this.headersSent) this.writeHead(this.statusCode)
    const called = typeof encoding === 'function' ? encoding : done
    if (typeof called === 'function') queueMicrotask(() => called())
    return true
  },
  end(this: Response & { writeHead(status: number): void; writableFinished: boolean }, done?: unknown) {
    if (!this.headersSent) this.writeHead(this.statusCode)
    Object.defineProperties(this, {
      writableEnded: { value: true },
      writableFinished: { value: true },
      finished: { value: true },
    })
    if (typeof done === 'function') queueMicrotask(() => done())
    return this
  },
})

export class Server extends EventEmitter {
  listening = false
  setTimeout(): this {
    return this
  }
  listen(): never {
    throw new Error('A tab of a browser cannot listen')
  }
  close(done?: () => void): void {
    done?.()
  }
  closeIdleConnections(): void {}
  closeAllConnections(): void {}
  address(): null {
    return null
  }
}

export const createServer = (): Server => new Server()
export class IncomingMessage {}
export class OutgoingMessage {}
export class Agent {}
export default {
  METHODS,
  STATUS_CODES,
  maxHeaderSize,
  ServerResponse,
  Server,
  createServer,
  IncomingMessage,
  OutgoingMessage,
  Agent,
}
