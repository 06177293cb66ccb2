import t from 'tap'
import { PlacesOfClients } from './places-of-clients.js'

const ann = { principal: { id: 'ann' }, surface: 'rest' }
const bob = { principal: { id: 'bob' }, surface: 'rest' }
const from = (address: string) => ({ principal: { id: 'anonymous' }, surface: 'pgwire', address })

t.test('a client waits for its own statements, and other clients do not', async (t) => {
  const places = new PlacesOfClients({ most: 2, waitMs: 10_000 })
  const leave = await places.enter(ann, undefined)
  await places.enter(ann, undefined)
  const order: string[] = []
  const waiting = (name: string) =>
    places.enter(ann, undefined).then((left) => {
      order.push(name)
      return left
    })
  const [third, fourth] = [waiting('third'), waiting('fourth')]
  await places.enter(bob, undefined)
  t.same(order, [], 'bob is let in meanwhile')
  leave()
  leave()
  const leaveThird = await third
  t.same(order, ['third'], 'leaving twice gives one place')
  leaveThird()
  await fourth
  await t.rejects(places.enter(ann, AbortSignal.abort(new Error('gone'))), { message: 'gone' })
})

t.test('a client that waits too long is refused with the name of the setting; one that disconnects stops waiting', async (t) => {
  const places = new PlacesOfClients({ most: 1, waitMs: 5 })
  const leave = await places.enter(ann, undefined)
  const waiting = setInterval(() => {}, 1000)
  await t.rejects(places.enter(ann, undefined), { code: 'TOO_MANY_STATEMENTS', details: { hint: /CLIENT_MAX_STATEMENTS/ } })
  clearInterval(waiting)
  const patient = new PlacesOfClients({ most: 1, waitMs: 60_000 })
  await patient.enter(bob, undefined)
  const gone = new AbortController()
  const refused = t.rejects(patient.enter(bob, gone.signal), { message: 'gone' })
  gone.abort(new Error('gone'))
  await refused
  leave()
  await t.resolves(places.enter(ann, undefined), 'when one has ended')
  const wider = new PlacesOfClients({ most: 2, waitMs: 5 })
  await wider.enter(ann, undefined)
  await t.resolves(wider.enter(ann, undefined), 'where the operator has raised it')
})

t.test('a client has all places while no other one asks, and leaves one to the others when one comes', async (t) => {
  let now = 0
  const places = new PlacesOfClients({ most: 1, mostAlone: 2, waitMs: 60_000 }, () => now)
  const [first, second] = [await places.enter(ann, undefined), await places.enter(ann, undefined)]
  const leaveBob = await places.enter(bob, undefined)
  let entered = false
  const third = places.enter(ann, undefined).then((leave) => {
    entered = true
    return leave
  })
  first()
  await Promise.resolve()
  t.notOk(entered, 'the second place is kept for others')
  second()
  const leaveThird = await third
  leaveThird()
  leaveBob()
  now = 10 * 60_000
  await places.enter(ann, undefined)
  await t.resolves(places.enter(ann, undefined), 'alone again')
})

t.test('without keys an address is a client', async (t) => {
  const places = new PlacesOfClients({ most: 1, waitMs: 5 })
  await places.enter(from('203.0.113.9'), undefined)
  await places.enter(from('203.0.113.10'), undefined)
  await places.enter(undefined, undefined)
  await t.rejects(places.enter(from('::ffff:203.0.113.9'), undefined), { code: 'TOO_MANY_STATEMENTS' })
})
