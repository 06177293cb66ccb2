import { once } from 'node:events'
import { createServer } from 'node:http'
import net from 'node:net'
import t, { type Test } from 'tap'
import { Connections } from './connections.js'

const MOST = 3
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n'

/** A server that reads each body and answers with it. `prepared` is called when Node prepares to read the requests of a connection. */
async function served(t: Test, prepared: () => void = () => undefined) {
  const connections = new Connections({
    incomplete: MOST,
    refuse: (_request, response) => void response.writeHead(429, { connection: 'close' }).end(),
  })
  const server = createServer(
    connections.handler((request, response) => {
      let body = ''
      request.on('data', (piece) => {
        body += piece
      })
      request.on('end', () => response.end(`<${body}>`))
      request.on('error', () => undefined)
    }),
  )
  server.on('connection', prepared)
  connections.watch(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    return connections.end(0, { error: () => undefined })
  })
  const { port } = server.address() as net.AddressInfo
  return (from = '127.0.0.1') => client(port, from)
}

async function client(port: number, localAddress: string) {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let heard = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    heard += piece
  })
  const closed = once(socket, 'close')
  return {
    socket,
    /** Sends this, and resolves to what was heard since, when it contains the text or the connection closes. */
    async ask(sent: string, awaited: string): Promise<string> {
      heard = ''
      socket.write(sent)
      while (!heard.includes(awaited) && !socket.destroyed) await Promise.race([once(socket, 'data'), closed])
      return heard
    },
  }
}

t.test('an address that has its maximum of connections without a complete request is refused, others are not', async (t) => {
  const connect = await served(t)
  const held = [await connect(), await connect(), await connect()]
  t.match(await (await connect()).ask(GET, '429'), /^HTTP\/1\.1 429 [\s\S]*connection: close/i)
  t.match(await (await connect('127.0.0.2')).ask(GET, '<>'), '200', 'another address')
  t.match(await held[0]!.ask(GET, '<>'), '200', 'one of those that wait')
  t.match(await (await connect()).ask(GET, '<>'), '200', 'its complete request has left room')
})

t.test('a connection whose request was complete counts again while the next one arrives', async (t) => {
  const connect = await served(t)
  const [first, second, third, fourth] = [await connect(), await connect(), await connect(), await connect('127.0.0.2')]
  for (const each of [first, second, third]) t.match(await each.ask(GET, '<>'), '200')
  // The body of the first request and the headers of the second arrive together.
  for (const each of [first, second, third]) t.match(await each.ask(`${POST}ab${POST}c`, '<ab>'), '200')
  const late = await connect()
  t.match(await late.ask(GET, '429'), '429')
  t.match(await fourth.ask(`${POST}ab`, '<ab>'), '200')
  t.match(await first.ask('d', '<cd>'), '<cd>')
  t.match(await (await connect()).ask(`${POST}ab`, '<ab>'), '200')
})

t.test('a connection that closes leaves room', async (t) => {
  const connect = await served(t)
  const held = [await connect(), await connect(), await connect()]
  for (const each of held) each.socket.write(`${POST}a`)
  t.match(await (await connect()).ask(GET, '429'), '429')
  held[0]!.socket.destroy()
  let heard = ''
  while (!heard.includes('200')) heard = await (await connect()).ask(GET, '<>')
  t.match(heard, '200')
})

t.test('connections that are refused and send nothing are closed', async (t) => {
  const connect = await served(t)
  for (let i = 0; i < MOST; i++) await connect()
  const refused = await Promise.all(Array.from({ length: 80 }, () => connect()))
  await Promise.all(refused.map(({ socket }) => socket.destroyed || once(socket, 'close')))
  t.ok(refused.every(({ socket }) => socket.destroyed))
})

t.test('a connection that is closed at once is not prepared for reading', async (t) => {
  let prepared = 0
  const connect = await served(t, () => {
    prepared++
  })
  for (let i = 0; i < MOST; i++) await connect()
  const clients = await Promise.all(Array.from({ length: 300 }, () => connect()))
  await Promise.all(clients.map(({ socket }) => socket.destroyed || once(socket, 'close')))
  // Those that may still send the request that is refused, however slow the machine is.
  t.ok(prepared < clients.length / 2, `${prepared} of ${clients.length}`)
})
