import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Turn } from './turn.js'

t.test('of the clients that wait, one continues in each turn of the event loop, in their order', async (t) => {
  const continued: (readonly [client: number, turn: number])[] = []
  let turn = 0
  let over = false
  const counting = (async () => {
    for (; !over; turn++) await nextTurn()
  })()
  await Promise.all(
    Array.from({ length: 4 }, async (_, client) => {
      const own = new Turn()
      for (let i = 0; i < 3; i++) {
        await own.pass()
        continued.push([client, turn])
      }
    }),
  )
  over = true
  await counting
  t.same(
    continued.map(([client]) => client),
    [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3],
  )
  t.equal(new Set(continued.map(([, at]) => at)).size, continued.length)
})

t.test('clients that work in the same turn of the event loop share its time', async (t) => {
  const busy = () => {
    for (const began = performance.now(); performance.now() - began < 4; );
  }
  await nextTurn()
  const turns = Array.from({ length: 10 }, () => new Turn())
  let worked = 0
  for (const turn of turns) {
    turn.begin()
    if (turn.isOver) continue
    busy()
    worked += 1
  }
  t.ok(worked <= 3, `${worked} of ten`)
  // A later turn has its own time.
  while (turns[0]!.isOver) await turns[0]!.pass()
})
