import t from 'tap'
import { LatelyAsked } from './lately-asked.js'

t.test('a client is alone until another one asks, and again when the other one has not asked for five minutes', async (t) => {
  let now = 0
  const lately = new LatelyAsked(() => now)
  t.ok(lately.isAlone('ann'), 'no client has asked')
  lately.ask('ann')
  t.ok(lately.isAlone('ann'))
  t.notOk(lately.isAlone('bob'), 'ann has asked')
  lately.ask('bob')
  for (let i = 0; i < 3; i++) lately.ask('ann')
  t.notOk(lately.isAlone('ann'), 'however often ann asks since')
  now = 5 * 60_000 + 1
  lately.ask('ann')
  t.ok(lately.isAlone('ann'))
  lately.ask('eve')
  t.notOk(lately.isAlone('ann'))
})
