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
  return { ask, begun, end, all, line }
}

t.test('one who sends a little is not behind all that another has sent', async (t) => {
  const { ask, begun, end, all } = working()
  for (let i = 0; i < 5; i++) ask('much')
  ask('little')
  for (let i = 0; i < 6; i++) await end()
  await Promise.all(all)
  t.same(begun, ['much', 'little', 'much', 'much', 'much', 'much'])
})

t.test('what fails leaves its place, and work that is not waited for begins at once', async (t) => {
  const line = new FairLine(2)
  await t.rejects(
    line.run('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  )
  const both = await Promise.all(['a', 'b'].map((client) => line.run(client, async () => client)))
  t.same(both, ['a', 'b'])
})
