import t from 'tap'
import { MemoryWatch, mostGrowth } from './memory-watch.js'

function watched() {
  const state = { memory: 1000, now: 0 }
  const watch = new MemoryWatch({ most: 80, memory: () => state.memory, now: () => state.now })
  const ended: string[] = []
  const enter = (name: string) => watch.enter(() => ended.push(name))
  /** What the watch ends at this memory. */
  const at = (memory: number) => {
    state.memory = memory
    watch.look()
    return ended.join(' ')
  }
  return { state, enter, at }
}

t.test('the statement that has computed longest is ended first, and the next one only if the memory grows further', async (t) => {
  const { enter, at } = watched()
  const [leaveA, leaveB, leaveC] = [enter('a'), enter('b'), enter('c')]
  t.equal(at(1079), '')
  t.equal(at(1080), 'a')
  t.equal(at(2000), 'a', 'it has not stopped yet')
  at(1085)
  leaveA()
  t.equal(at(1090), 'a', 'the allocator may keep what was freed')
  t.equal(at(1095), 'a b')
  leaveB()
  leaveC()
})

t.test('what other parts of the process take does not count, but what statements leave never adds up', async (t) => {
  const { state, enter, at } = watched()
  for (const [memory, most] of [
    [1060, 1140],
    [1120, 1160],
    [5000, 1160],
  ] as const) {
    Object.assign(state, { memory, now: state.now + 1000 })
    const leave = enter(`${memory}`)
    t.notMatch(at(most - 1), String(memory))
    t.match(at(most), new RegExp(`${memory}$`))
    leave()
  }
})

t.test('the limit is twice that of the engine, and leaves half of the rest of the machine', async (t) => {
  t.equal(mostGrowth(256, 1024), 512)
  t.equal(mostGrowth(800, 1000), 900)
  t.equal(mostGrowth(2000, 1000), 2000)
})
