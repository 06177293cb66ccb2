/**
 * A short form of the hostile hour: all attacks at once on every surface, while other clients get correct answers. `npm run load --
 * hostile-hour` is the long form.
 */
import t from 'tap'
import { startEverySurface } from './every-surface.js'
import { hostileMix } from './load/hostile-mix.js'

t.setTimeout(300_000)

const SEED = 20261122
/** Checks for the end, once for each request, statement and answer. */
const LOOKS = 100

t.test(`queries of normal clients are answered correctly during all hostile loads (seed ${SEED})`, async (t) => {
  const server = await startEverySurface({
    REST_QUERY_TIMEOUT_SECONDS: 5,
    PGWIRE_AUTH_TIMEOUT_SECONDS: 10,
    PGWIRE_QUERY_TIMEOUT_SECONDS: 5,
    FLIGHT_QUERY_TIMEOUT_SECONDS: 5,
  })
  t.teardown(() => server.close())
  let looks = 0
  const plan = {
    seed: SEED,
    clients: 1,
    slice: 100,
    pauseMs: 50,
    attackFrom: ['127.0.0.2', '127.0.0.3'],
    over: () => ++looks > LOOKS,
  }
  // Rejects on a 500 and on a wrong answer.
  const { statuses, messages, checked } = await hostileMix(server, plan)
  t.ok(checked > 0, `${checked} answers of others were right`)
  t.ok(messages > 100, `${messages} spoiled messages`)
  t.ok(
    [...statuses.keys()].some((status) => status >= 400 && status < 500),
    'and what was hostile was refused',
  )
})
