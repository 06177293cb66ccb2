import t from 'tap'
import { FairShares } from './fair-shares.js'

const MINUTE = 60_000

function sharing() {
  let time = 0
  const shares = new FairShares(() => time)
  return {
    shares,
    pass: (ms: number) => {
      time += ms
    },
    first: (...clients: string[]) => shares.next(clients.map((client) => ({ client })))?.client,
  }
}

t.test('time counts while a place is held, and its weight halves with age', async (t) => {
  const { shares, pass, first } = sharing()
  shares.take('slow')
  pass(4000)
  shares.leave('slow')
  t.equal(shares.isLight('slow'), false)
  t.equal(first('slow', 'other'), 'other')
  pass(5 * MINUTE)
  t.equal(shares.isLight('slow'), false, 'two of four seconds are left')
  pass(5 * MINUTE + 1)
  t.equal(shares.isLight('slow'), true)
  t.equal(first('slow', 'other'), 'slow', 'less than a second counts as nothing')
})

t.test('a held place counts from its start; among equals the first one comes first', async (t) => {
  const { shares, first } = sharing()
  shares.take('holder')
  t.equal(shares.isLight('holder'), false)
  t.equal(first('holder', 'b', 'a'), 'b')
  shares.leave('holder')
  t.equal(shares.isLight('holder'), true)
  t.equal(first('holder', 'a'), 'holder')
  t.equal(first(), undefined)
})

t.test('a client that used less than half of the others is preferred', async (t) => {
  const { shares, pass } = sharing()
  for (const [client, seconds] of [
    ['little', 5],
    ['half', 11],
    ['much', 20],
  ] as const) {
    shares.take(client)
    pass(seconds * 1000)
    shares.leave(client)
  }
  t.equal(shares.isLight('little'), false, 'where no other has a place, there is nothing to compare with')
  shares.take('much')
  t.equal(shares.isLight('little'), true)
  t.equal(shares.isLight('half'), false)
  t.equal(shares.isLight('much'), false)
})
