import t from 'tap'
import { type Seat, Seats } from './seats.js'

const seated = (seat: Seat | string): Seat => {
  if (typeof seat === 'string') throw new Error(seat)
  return seat
}

t.test('a client alone has every seat; when another one has come, it has its share', async (t) => {
  let now = 0
  const seats = new Seats({ most: 4, mostOfOne: 3, mostAlone: 4 }, () => now)
  const mine = Array.from({ length: 4 }, () => {
    const seat = seated(seats.take('192.0.2.1'))
    t.equal(seat.move('key:ann'), true)
    return seat
  })
  t.equal(seats.take('192.0.2.2'), 'full')
  mine[0]?.leave()
  t.equal(seated(seats.take('192.0.2.1')).move('key:ann'), false, 'the free seat is kept for the one that was refused')
  now = 6 * 60_000
  t.equal(seated(new Seats({ most: 1, mostOfOne: 1 }, () => now).take('192.0.2.1')).move('key:ann'), true)
})

t.test('connections that have not logged in take no more than a share, and are no other client', async (t) => {
  const seats = new Seats({ most: 8, mostOfOne: 2, mostAlone: 4 })
  const stranger = [seated(seats.take('192.0.2.9')), seated(seats.take('192.0.2.9'))]
  t.equal(seats.take('192.0.2.9'), 'share', 'though no other client has logged in')
  for (const seat of stranger) seat.leave()
  const lone = new Seats({ most: 8, mostOfOne: 2, mostAlone: 4 })
  seated(lone.take('192.0.2.9'))
  for (let i = 0; i < 4; i++) t.equal(seated(lone.take('192.0.2.1')).move('key:ann'), true, 'the stranger does not count')
})

t.test('without keys a connection moves to its own address', async (t) => {
  const seats = new Seats({ most: 8, mostOfOne: 2, mostAlone: 4 })
  for (let i = 0; i < 4; i++) t.equal(seated(seats.take('192.0.2.1')).move('192.0.2.1'), true)
  t.equal(seats.take('192.0.2.1'), 'share')
})
