import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { GrainlineError } from '../../errors.js'
import { silentLogger } from '../../logger.js'
import { topic, WorkerGone, type Workers } from '../../workers/workers.js'
import { workersOver } from './line.js'
import type { FromWorker, ToWorker } from './messages.js'
import { Switchboard } from './switchboard.js'

const DOUBLE = topic<number, number>('double')
const BROKEN = topic<null, void>('broken')
const SILENT = topic<null, void>('silent')

/** Workers in one process. What passes between them is cloned, as between processes. */
function crew({ count = 3, limits = { MAX_SESSIONS: 3, SESSION_RATE_LIMIT: 100 } } = {}) {
  const board = new Switchboard(limits)
  const members = new Map<number, Workers>()
  for (let number = 1; number <= count; number++) {
    const send = (message: FromWorker) => board.heard(number, structuredClone(message))
    const line = workersOver({ kind: 'welcome', number, count, secret: new Uint8Array(32) }, send)
    board.connect(number, (message: ToWorker) => line.heard(structuredClone(message), silentLogger))
    line.workers.answer(DOUBLE, (n) => n * 2 + number * 1000)
    line.workers.answer(BROKEN, () => {
      throw new GrainlineError('SESSION_NOT_FOUND', 'not here', { hint: 'look elsewhere', cause: () => 'no value' })
    })
    line.workers.answer(SILENT, () => new Promise<void>(() => {}))
    members.set(number, line.workers)
  }
  return { board, of: (number: number) => members.get(number)! }
}

t.test('a worker sends a request to one worker, or to all others', async (t) => {
  const { of } = crew()
  t.equal(await of(1).ask(3, DOUBLE, 4), 3008)
  t.same([...(await of(2).askOthers(DOUBLE, 1))].sort(), [1002, 3002])
  t.equal(await of(2).ask(2, DOUBLE, 1), 2002, 'or itself')
})

t.test('an error arrives unchanged, without its cause', async (t) => {
  const { of } = crew()
  const refused = await of(1)
    .ask(2, BROKEN, null)
    .catch((error: unknown) => error)
  t.ok(refused instanceof GrainlineError)
  t.match(refused, { code: 'SESSION_NOT_FOUND', message: 'not here', details: { hint: 'look elsewhere' } })
  t.notOk((refused as GrainlineError).cause)
  await t.rejects(of(1).askOthers(BROKEN, null), { code: 'SESSION_NOT_FOUND' })
})

t.test('a value that cannot be cloned is an error at the sender', async (t) => {
  const { of } = crew()
  await t.rejects(
    of(1).ask(2, topic<unknown, void>('anything'), () => {}),
    { name: 'DataCloneError' },
  )
})

t.test('a member that leaves is announced, also to members that wait for it', async (t) => {
  const { board, of } = crew()
  const waiting = of(1).ask(2, SILENT, null)
  const all = of(1).askOthers(SILENT, null)
  board.disconnect(2)
  board.disconnect(3)
  await t.rejects(waiting, new WorkerGone(2, true))
  t.same(await all, [])
  await t.rejects(of(1).ask(2, DOUBLE, 1), { name: 'WorkerGone', served: true })
  await t.rejects(of(1).ask(9, DOUBLE, 1), { name: 'WorkerGone', served: false })
  t.same(await of(1).askOthers(DOUBLE, 1), [])
})

t.test('sessions are counted for all workers, and those of an ended worker are not', async (t) => {
  const { board, of } = crew()
  const admitted = async (number: number, client: string | undefined = 'a') => (await of(number).admitSession(client)).kind
  t.same([await admitted(1), await admitted(2), await admitted(2)], ['admitted', 'admitted', 'admitted'])
  t.same(await of(3).admitSession('a'), { kind: 'full', held: 3 })
  of(2).sessionEnded()
  await nextTurn()
  t.equal(await admitted(3), 'admitted')
  t.equal(await admitted(1), 'full')
  board.disconnect(2)
  t.equal(await admitted(1), 'admitted')
})

t.test('a client opens so many sessions per minute, over all workers', async (t) => {
  const { of } = crew({ limits: { MAX_SESSIONS: 100, SESSION_RATE_LIMIT: 2 } })
  const kinds = []
  for (const worker of [1, 2, 3]) kinds.push((await of(worker).admitSession('10.0.0.1')).kind)
  t.same(kinds, ['admitted', 'admitted', 'too-fast'])
  t.match(await of(1).admitSession('10.0.0.1'), { kind: 'too-fast', waitMs: Number })
  t.equal((await of(3).admitSession('10.0.0.2')).kind, 'admitted')
})

t.test('seats are counted for all workers, and those of an ended worker are free', async (t) => {
  const { board, of } = crew()
  const options = { most: 3, mostOfOne: 2 }
  const take = (number: number, client: string) => of(number).seats('house', options).take(client)
  const first = await take(1, 'a')
  if (typeof first === 'string') throw new Error(first)
  await take(2, 'a')
  t.equal(await take(3, 'a'), 'share')
  t.equal(await first.move('b'), true)
  t.ok(typeof (await take(3, 'a')) === 'object')
  t.equal(await take(3, 'c'), 'full')
  t.equal(typeof (await of(3).seats('other house', options).take('c')), 'object', 'houses are apart')
  first.leave()
  first.leave()
  t.equal(typeof (await take(1, 'b')), 'object')
  t.equal(await take(1, 'b'), 'full')
  board.disconnect(3)
  t.equal(typeof (await take(1, 'b')), 'object')
})
