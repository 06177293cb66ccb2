import t from 'tap'
import { INT, STRING } from '../model/data-type.js'
import { batchFromRows } from './column-builder.js'
import { type Slice, slices } from './slices.js'

async function cut(rows: readonly (readonly unknown[])[]): Promise<Slice[]> {
  const schema = rows[0]!.map((value, i) => ({
    name: `c${i}`,
    type: typeof value === 'string' ? STRING : INT,
    role: 'field' as const,
  }))
  const parts: Slice[] = []
  for await (const slice of slices([batchFromRows(schema, rows)])) parts.push(slice)
  return parts
}

const sizes = (parts: readonly Slice[]): number[] => parts.map(({ from, to }) => to - from)

t.test('a batch is split by rows, and every row is in one part', async (t) => {
  t.same(sizes(await cut(Array.from({ length: 10_000 }, (_, i) => [i]))), [4096, 4096, 1808])
})

t.test('a batch with many columns has parts with fewer rows', async (t) => {
  const wide = Array.from({ length: 200 }, (_, i) => i)
  t.same(sizes(await cut(Array.from({ length: 1000 }, () => wide))), [328, 328, 328, 16])
})

t.test('a batch with long texts has parts with fewer rows, and a text longer than a part is one part', async (t) => {
  const parts = await cut([...Array.from({ length: 100 }, () => ['x'.repeat(100_000)]), ['y'.repeat(3_000_000)], ['z']])
  t.ok(parts.every(({ from, to, textBytes }) => textBytes <= 2 * 1024 * 1024 || to - from === 1))
  t.equal(parts.at(-1)!.to, 102)
  t.equal(
    parts.reduce((sum, { textBytes }) => sum + textBytes, 0),
    13_000_001,
  )
})
