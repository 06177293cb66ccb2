import { once } from 'node:events'
import { createServer } from 'node:http'
import net from 'node:net'
import t from 'tap'
import { endInTurn } from './end-in-turn.js'
import { Turn } from './turn.js'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

t.test('the requests of a connection that closes fail without a stack, and later errors have one', async (t) => {
  const failed: Error[] = []
  const server = createServer((request) => void request.on('error', (error) => failed.push(error)))
  server.on('connection', (socket) => endInTurn(socket, new Turn()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1', () => client.write(REQUEST.repeat(20)))
  const [served] = (await once(server, 'connection')) as [net.Socket]
  await once(server, 'request')
  client.destroy()
  await once(served, 'close')
  await new Promise(setImmediate)
  t.equal(failed.length, 20)
  for (const error of failed) t.match(error, { code: 'ECONNRESET', stack: /^[^\n]*$/ })
  t.match(new Error('later').stack, /\n +at /)
  server.close()
})

t.test('the events of the end wait while the turn is over, and stay in their order; others do not wait', async (t) => {
  const socket = new net.Socket()
  const heard: string[] = []
  for (const event of ['drain', 'end', 'error', 'close'])
    socket.on(event, (why?: unknown) => {
      heard.push(why === undefined ? event : `${event} ${why}`)
      if (event === 'end') socket.emit('close')
    })
  let over = true
  const turn = new (class extends Turn {
    override isOver = () => over
  })()
  endInTurn(socket, turn)
  socket.emit('end')
  socket.emit('error', 'late')
  socket.emit('drain')
  t.same(heard, ['drain'])
  await new Promise(setImmediate)
  t.same(heard, ['drain'], 'the next turn is over, too')
  over = false
  await new Promise(setImmediate)
  t.same(heard, ['drain', 'end', 'error late', 'close'])
  socket.emit('end')
  t.same(heard.slice(4), ['end', 'close'], 'nothing waits any more')
})

t.test('an event that fails loses none of those that follow', async (t) => {
  const socket = new net.Socket()
  const heard: string[] = []
  socket.on('error', () => {
    socket.emit('close')
    throw new Error('a listener fails')
  })
  socket.on('close', () => heard.push('close'))
  endInTurn(socket, new Turn())
  t.throws(() => socket.emit('error'), { message: 'a listener fails' })
  await new Promise(setImmediate)
  t.same(heard, ['close'])
})
