import t from 'tap'
import { FairLine } from './fair-line.js'

/** Work that ends a second after the signal to end. */
function working() {
  let now = 0
  const line = new FairLine(1, () => now)
  const ends: (() => void)[] = []
  const begun: string[] = []
  const all: Promise<void>[] = []
  const ask = (client: string) => {
    const work = () => {
      begun.push(client)
      return new Promise<void>((resolve) => ends.push(resolve))
    }
    all.push(line.run(client, work))
  }
  const end = async () => {
    now += 1000
    ends.shift()!()
    await new Promise(setImmediate)
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { ask, begun, end, pass, all, line }
}

t.test('a client with little work does not wait for all work of another client', async (t) => {
  const { ask, begun, end, all } = working()
  for (let i = 0; i < 5; i++) ask('much')
  ask('little')
  for (let i = 0; i < 6; i++) await end()
  await Promise.all(all)
  t.same(begun, ['much', 'little', 'much', 'much', 'much', 'much'])
})

t.test('waiting time does not count as use', async (t) => {
  const { ask, begun, end, pass, all } = working()
  for (let i = 0; i < 4; i++) ask('some')
  for (let i = 0; i < 4; i++) await end()
  ask('other')
  ask('patient')
  pass(10_000)
  for (let i = 0; i < 2; i++) await end()
  ask('other')
  ask('some')
  ask('patient')
  for (let i = 0; i < 3; i++) await end()
  await Promise.all(all)
  t.same(begun.slice(-3), ['other', 'patient', 'some'])
})

t.test('work that fails frees its place, and queued work starts at once', async (t) => {
  const line = new FairLine(2)
  await t.rejects(
    line.run('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  )
  const both = await Promise.all(['a', 'b'].map((client) => line.run(client, async () => client)))
  t.same(both, ['a', 'b'])
})
