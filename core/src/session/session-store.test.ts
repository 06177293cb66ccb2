import t from 'tap'
import { NEVER, SessionStore } from './session-store.js'

const limits = { ttlSeconds: 100, maxAgeSeconds: 250, maxSessions: 2, perMinute: 3 }

/** A store with a clock that only `pass` moves. */
function storeAt(start: number, changes: Partial<typeof limits> = {}) {
  let now = start
  let ids = 0
  const released: string[] = []
  const ended = { times: 0 }
  const store = new SessionStore<string>(
    { ...limits, ...changes },
    () => new Date(now),
    () => `s${++ids}`,
    (held) => released.push(held),
    () => ended.times++,
  )
  return { store, released, ended, pass: (seconds: number) => (now += seconds * 1000) }
}

t.test('an access extends the idle deadline, but never beyond the absolute one', async (t) => {
  const { store, pass } = storeAt(0)
  const session = store.create({ team: 'a' }, 'ip')
  t.equal(session.expiresAt, 100_000)
  t.equal(session.maxExpiresAt, 250_000)
  pass(90)
  t.equal(store.access('s1').expiresAt, 190_000)
  t.equal(session.lastAccessedAt, 90_000)
  pass(90)
  t.equal(store.access('s1').expiresAt, 250_000)
  pass(69)
  t.equal(store.access('s1').expiresAt, 250_000)
  pass(1)
  t.throws(() => store.access('s1'), { code: 'SESSION_NOT_FOUND', status: 404 })
})

t.test('an idle session is gone at its deadline without any sweep, and its models are released', async (t) => {
  const { store, released, pass } = storeAt(0)
  store.create({}, 'ip').models.set('m', 'held')
  pass(100)
  t.same(store.list(), [])
  t.throws(() => store.access('s1'), { code: 'SESSION_NOT_FOUND' })
  t.same(released, ['held'])
})

t.test('listing extends no deadline', async (t) => {
  const { store, pass } = storeAt(0)
  store.create({}, 'ip')
  pass(60)
  t.equal(store.list()[0]?.expiresAt, 100_000)
  t.equal(store.list()[0]?.lastAccessedAt, 0)
})

t.test('a sweep removes what has expired and leaves the rest', async (t) => {
  const { store, released, pass } = storeAt(0)
  store.create({}, 'ip').models.set('m', 'first')
  pass(60)
  store.create({}, 'ip').models.set('m', 'second')
  pass(50)
  t.equal(store.sweep(), 1)
  t.same(released, ['first'])
  t.equal(store.list().length, 1)
})

t.test('a full store refuses until a session expires or is deleted, and says when the next one will', async (t) => {
  const { store, pass } = storeAt(0, { perMinute: 100 })
  store.create({}, 'ip')
  pass(40)
  store.create({}, 'ip')
  t.throws(() => store.create({}, 'ip'), { code: 'SESSION_LIMIT', status: 429, details: { context: { retry_after: 60 } } })
  pass(60)
  t.doesNotThrow(() => store.create({}, 'ip'))
  store.delete('s2')
  t.doesNotThrow(() => store.create({}, 'ip'))
})

t.test('each address can open so many sessions in any minute', async (t) => {
  const { store, pass } = storeAt(0, { maxSessions: 100 })
  for (let i = 0; i < 3; i++) store.create({}, 'a')
  pass(20)
  t.throws(() => store.create({}, 'a'), { code: 'RATE_LIMITED', details: { context: { retry_after: 40 } } })
  t.doesNotThrow(() => store.create({}, 'b'))
  pass(40)
  t.doesNotThrow(() => store.create({}, 'a'))
})

t.test('a protected session never expires, does not count, and cannot be deleted', async (t) => {
  const { store, pass } = storeAt(0)
  store.createProtected('flights')
  store.create({}, 'ip')
  store.create({}, 'ip')
  pass(1e9)
  const session = store.access('flights')
  t.equal(session.expiresAt, NEVER)
  t.equal(session.maxExpiresAt, NEVER)
  t.equal(new Date(NEVER).toISOString(), '9999-12-31T23:59:59.000Z')
  t.equal(store.access('Flights'), session, 'its name is found in any case')
  t.throws(() => store.delete('flights'), { code: 'SESSION_PROTECTED', status: 403 })
})

t.test('deleting a session releases its models, and a second time finds nothing', async (t) => {
  const { store, released } = storeAt(0)
  store.create({}, 'ip').models.set('m', 'held')
  store.delete('s1')
  t.same(released, ['held'])
  t.throws(() => store.delete('s1'), { code: 'SESSION_NOT_FOUND' })
})

t.test(
  'a session of another worker is found and listed, is not counted as one that ended here, and releases what it no longer holds',
  async (t) => {
    const { store, released, ended, pass } = storeAt(0)
    const facts = {
      id: 'v1',
      metadata: {},
      createdAt: 0,
      lastAccessedAt: 0,
      expiresAt: 100_000,
      maxExpiresAt: 250_000,
      modelCount: 2,
    }
    const models = (...ids: readonly string[]) => new Map(ids.map((id) => [id, `held ${id}`]))
    store.welcome(facts, models('a', 'b'))
    t.same([...store.access('v1').models.keys()], ['a', 'b'])
    t.equal(store.find('v1')?.visiting, true)
    store.welcome(facts, models('b', 'c'))
    t.same([...store.access('v1').models.keys()], ['b', 'c'])
    t.same(released, ['held a'])
    store.farewell('v1')
    store.farewell('v1')
    t.same(released, ['held a', 'held b', 'held c'])
    t.throws(() => store.access('v1'), { code: 'SESSION_NOT_FOUND' })
    store.welcome(facts, models('d'))
    pass(100)
    t.equal(store.sweep(), 1, 'it expires when its owner says so')
    t.equal(ended.times, 0)
    store.open({})
    store.farewell('s1')
    t.same(
      store.list().map(({ id }) => id),
      ['s1'],
      'who lives here takes no leave',
    )
    store.delete('s1')
    t.equal(ended.times, 1)
  },
)

t.test('the session that holds a model is found by the model, until the model or the session is gone', async (t) => {
  const { store, pass } = storeAt(0)
  const [first, second] = [store.create({}, 'ip'), store.create({}, 'ip')]
  second.models.set('m', 'model')
  for (const _ of ['looked for', 'known']) t.equal(store.holding('m'), second)
  t.equal(store.holding('n'), undefined)
  second.models.delete('m')
  t.equal(store.holding('m'), undefined, 'the model was removed')
  first.models.set('m', 'model')
  t.equal(store.holding('m'), first)
  pass(101)
  t.equal(store.holding('m'), undefined, 'the session has expired')
})
