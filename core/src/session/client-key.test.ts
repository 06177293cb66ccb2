import t from 'tap'
import { clientKey } from './client-key.js'

t.test('an IPv4 address is one client, however it is written', async (t) => {
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:203.0.113.9', '203.0.113.9:4711', ' 203.0.113.9'])
    t.equal(clientKey(address), '203.0.113.9', address)
})

t.test('all addresses of a /64 are one client', async (t) => {
  const same = [
    '2001:db8:1:2::1',
    '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff',
    '[2001:db8:1:2::3]:4711',
    '2001:db8:1:2::4%eth0',
    '2001:db8:1:2::192.0.2.1',
  ]
  for (const address of same) t.equal(clientKey(address), '2001:db8:1:2::/64', address)
  t.equal(clientKey('2001:db8:1:3::1'), '2001:db8:1:3::/64')
  t.equal(clientKey('2001:db8::1'), '2001:db8:0:0::/64')
  t.equal(clientKey('::1'), '0:0:0:0::/64')
})

t.test('a text that is not an address is its own client, and is kept short', async (t) => {
  t.equal(clientKey('unknown'), 'unknown')
  t.equal(clientKey('1:2:3'), '1:2:3')
  t.equal(clientKey('x'.repeat(10_000)).length, 100)
})
