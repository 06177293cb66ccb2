import { mock } from 'node:test'
import t from 'tap'
import { withinTime } from './within-time.js'

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** A source that works for so long before each of its items, unless it is stopped. */
function working(...pauses: readonly number[]) {
  const controller = new AbortController()
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
  })
  async function* source(): AsyncGenerator<number> {
    for (const ms of pauses) {
      await Promise.race([wait(ms), stopped])
      yield ms
    }
  }
  return { source: source(), stop: (reason: unknown) => controller.abort(reason) }
}

t.test('work beyond the limit is stopped, and the error names the setting', async (t) => {
  const { source, stop } = working(1, 100_000)
  const limit = { timeoutMs: 40, timeoutSetting: 'SOME_TIMEOUT_SECONDS' }
  const reading = async () => {
    for await (const _ of withinTime(source, limit, stop));
  }
  await t.rejects(reading(), { code: 'QUERY_TIMEOUT', message: /0\.04 s/, details: { hint: /SOME_TIMEOUT_SECONDS/ } })
})

t.test('the time of a slow reader does not count', async (t) => {
  const { source, stop } = working(1, 1, 1)
  let clock = 0
  Object.defineProperty(performance, 'now', { value: () => clock, configurable: true })
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  const read: number[] = []
  for await (const item of withinTime(source, { timeoutMs: 60_000 }, stop)) {
    read.push(item)
    clock += 50_000
  }
  t.same(read, [1, 1, 1])
})

t.test('the limit applies to all items together', async (t) => {
  const { source, stop } = working(30, 30, 30, 100_000)
  const reading = async () => {
    for await (const _ of withinTime(source, { timeoutMs: 300 }, stop));
  }
  await t.rejects(reading(), { code: 'QUERY_TIMEOUT' })
})

t.test('the wait for a connection does not count, if it is known', async (t) => {
  const { source, stop } = working(1, 1)
  let clock = 0
  Object.defineProperty(performance, 'now', { value: () => clock, configurable: true })
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  async function* waiting(started: () => void) {
    clock += 9000
    started()
    yield* source
  }
  const read: number[] = []
  for await (const item of withinTime(waiting, { timeoutMs: 5000 }, stop)) read.push(item)
  t.same(read, [1, 1])
  const endless = working(100_000)
  async function* begun(started: () => void) {
    started()
    yield* endless.source
  }
  const reading = async () => {
    for await (const _ of withinTime(begun, { timeoutMs: 40 }, endless.stop));
  }
  await t.rejects(reading(), { code: 'QUERY_TIMEOUT' })
})

t.test('after the wait for a connection, the full time limit applies', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  let begin = () => {}
  let stopped = false
  async function* endless(started: () => void): AsyncGenerator<number> {
    begin = started
    yield await new Promise<number>(() => {})
  }
  const answer = withinTime(endless, { timeoutMs: 5000 }, () => {
    stopped = true
  })
  void answer.next()
  await new Promise(setImmediate)
  mock.timers.tick(9000)
  t.notOk(stopped, 'the wait is not counted')
  begin()
  mock.timers.tick(4999)
  t.notOk(stopped)
  mock.timers.tick(1)
  t.ok(stopped)
})

t.test('after a pause that is longer than the limit, the time that was left applies', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let clock = 0
  Object.defineProperty(performance, 'now', { value: () => clock, configurable: true })
  t.teardown(() => {
    mock.timers.reset()
    Reflect.deleteProperty(performance, 'now')
  })
  const pass = (ms: number) => {
    clock += ms
    mock.timers.tick(ms)
  }
  let stopped = false
  async function* one(): AsyncGenerator<number> {
    yield 1
    await new Promise(() => {})
  }
  const answer = withinTime(one(), { timeoutMs: 5000 }, () => {
    stopped = true
  })
  await answer.next()
  pass(5000)
  pass(3000)
  void answer.next()
  pass(4999)
  t.notOk(stopped)
  pass(1)
  t.ok(stopped)
})

t.test('the items of a stream share one timer', async (t) => {
  const set = t.capture(globalThis, 'setTimeout', globalThis.setTimeout)
  async function* many() {
    yield* [1, 2, 3, 4, 5]
  }
  for await (const _ of withinTime(many(), { timeoutMs: 60_000 }, () => {}));
  t.same(
    set().map(({ args }) => args[1]),
    [60_000],
  )
})
