import { once } from 'node:events'
import { createServer } from 'node:http'
import net from 'node:net'
import t from 'tap'
import { abortBriefly } from './brief-aborts.js'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

t.test('the requests of a connection that closes fail without a stack, and later errors have one', async (t) => {
  const failed: Error[] = []
  const server = createServer((request) => void request.on('error', (error) => failed.push(error)))
  server.on('connection', abortBriefly)
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
