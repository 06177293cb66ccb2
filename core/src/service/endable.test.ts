import t from 'tap'
import { endable } from './endable.js'

t.test('the resources of a stream are released, whenever it ends', async (t) => {
  for (const reads of [0, 1, 2]) {
    let open = true
    async function* held() {
      try {
        yield 1
        yield 2
        yield 3
      } finally {
        open = false
      }
    }
    async function* passed() {
      yield* held()
    }
    const iterator = endable(passed())[Symbol.asyncIterator]()
    for (let i = 0; i < reads; i++) await iterator.next()
    await iterator.return?.()
    t.equal(open, false, `after ${reads} reads`)
    t.same(await iterator.next(), { done: true, value: undefined })
  }
})

t.test('a stream that fails while it is closed unread is closed all the same', async (t) => {
  async function* failing(): AsyncGenerator<number> {
    yield await Promise.reject(new Error('gone'))
  }
  await t.resolves(Promise.resolve(endable(failing())[Symbol.asyncIterator]().return?.()))
})
