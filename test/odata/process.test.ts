/** Feeds of a server that runs, as a client with a password sees them. */
import t from 'tap'
import { serveDemo } from '../mcp/served.js'
import { holds } from '../specification/holds.js'

const KEY = 'one-of-the-longer-keys-of-a-person'

t.test('a feed asks for a password, and accepts the key as one', async (t) => {
  holds(t, 'setting.ODATA_ENABLED')
  const server = await serveDemo(t, { ODATA_ENABLED: 'true', AUTH_MODE: 'api_key', API_KEYS: KEY })
  const url = `${server}/odata/flights/flights?$select=Origin_Code,Flight_Count`
  const refused = await fetch(url)
  t.equal(refused.status, 401)
  t.match(refused.headers.get('www-authenticate'), /Basic realm="grainline"/)
  t.notMatch(
    (await fetch(`${server}/v1/models`)).headers.get('www-authenticate'),
    /Basic/,
    'no other route asks browsers for one',
  )
  const authorization = `Basic ${Buffer.from(`anybody:${KEY}`).toString('base64')}`
  const answer = await fetch(url, { headers: { authorization } })
  t.same(((await answer.json()) as { readonly value: object }).value, [
    { Origin_Code: 'EWR', Flight_Count: 120835 },
    { Origin_Code: 'JFK', Flight_Count: 111279 },
    { Origin_Code: 'LGA', Flight_Count: 104662 },
  ])
  t.equal((await fetch(url, { headers: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` } })).status, 401)
})

t.test('without the setting there is no feed', async (t) => {
  const server = await serveDemo(t)
  t.equal((await fetch(`${server}/odata/flights/flights`)).status, 404)
})
