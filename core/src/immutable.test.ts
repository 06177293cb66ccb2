import t from 'tap'
import { immutable, isImmutable, remembering } from './immutable.js'

t.test('a value is frozen deeply', async (t) => {
  const value = immutable({ list: [1, { deep: ['a'] }], none: null, text: 'b' })
  t.ok(isImmutable(value) && isImmutable(value.list) && isImmutable(value.list[1]))
  t.throws(() => (value.list as unknown[]).push(2), TypeError)
  t.throws(() => ((value.list[1] as { deep: unknown[] }).deep[0] = 'c'), TypeError)
  t.notOk(isImmutable(value.text) || isImmutable(null) || isImmutable(Object.freeze({})), 'a frozen value may hold others')
})

t.test('a function remembers its results for immutable values only', async (t) => {
  let calls = 0
  const size = remembering((value: readonly unknown[]) => {
    calls++
    if (value.length === 0) throw new RangeError('empty')
    return value.length
  })
  const changing = [1]
  t.equal(size(changing), 1)
  changing.push(2)
  t.equal(size(changing), 2)
  const fixed = immutable([1, 2, 3])
  t.same([size(fixed), size(fixed), calls], [3, 3, 3])
  const empty = immutable<unknown[]>([])
  for (const _ of [1, 2]) t.throws(() => size(empty), RangeError)
  t.equal(calls, 5, 'what is thrown is not remembered')
})
