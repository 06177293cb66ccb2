import t from 'tap'
import { changeOf } from './change.js'
import { fewAtOnce } from './few-at-once.js'

const change = (now: unknown, before: unknown, format?: string) => changeOf({ now, before, format, locale: 'en-US' })

t.test('a number changes by percent, a percentage by points', async (t) => {
  t.same(change(110, 100), { direction: 'up', text: '+10%' })
  t.same(change(-110, -100), { direction: 'down', text: '-10%' })
  t.same(change(5, 5), { direction: 'same', text: '0%' })
  t.same(change(0.25, 0.2, '0.0%'), { direction: 'up', text: '+5 points' })
  t.same(change('12345678901234567890.5', '6172839450617283945.25'), { direction: 'up', text: '+100%' })
})

t.test('what cannot be compared has no change', async (t) => {
  for (const [now, before] of [
    [null, 1],
    [1, undefined],
    [1, 0],
    ['a', 1],
  ])
    t.equal(change(now, before), undefined)
})

t.test('only a few pieces of work run at once, and a failing one makes room', async (t) => {
  const inTurn = fewAtOnce(2)
  let [running, most] = [0, 0]
  const work = async (fails: boolean) => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    if (fails) throw new Error('no')
    return 'done'
  }
  const all = await Promise.allSettled([true, false, true, false, false].map((fails) => inTurn(() => work(fails))))
  t.equal(most, 2)
  t.same(
    all.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})
