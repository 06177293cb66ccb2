import t from 'tap'
import { INT, STRING } from '../model/data-type.js'
import type { RecordBatch } from '../result/record-batch.js'
import { valueAt } from '../result/value-at.js'
import { limitBatches } from './limit-batches.js'

const schema = [
  { name: 'n', type: INT, role: 'measure' },
  { name: 's', type: STRING, role: 'dimension' },
] as const

function batch(from: number, count: number): RecordBatch {
  const numbers = Array.from({ length: count }, (_, i) => from + i)
  const texts = numbers.map((n) => `r${n}`)
  const offsets = Int32Array.from([0, ...texts.map((_, i) => texts.slice(0, i + 1).join('').length)])
  const bytes = Buffer.from(texts.join(''))
  return {
    schema,
    rowCount: count,
    columns: [
      { kind: 'int64', length: count, validity: undefined, values: BigInt64Array.from(numbers.map(BigInt)) },
      { kind: 'utf8', length: count, validity: undefined, offsets, bytes },
    ],
  }
}

/** Counts how many batches were requested and whether the source was ended early. */
function source(batches: readonly RecordBatch[]) {
  const seen = { asked: 0, ended: false }
  async function* run() {
    try {
      for (const each of batches) {
        seen.asked += 1
        yield each
      }
    } finally {
      seen.ended = true
    }
  }
  return { batches: run(), seen }
}

async function rows(batches: AsyncIterable<RecordBatch>) {
  const found: unknown[] = []
  for await (const { columns, rowCount } of batches) {
    for (let row = 0; row < rowCount; row++) found.push(columns.map((column, i) => String(valueAt(column, row, schema[i]!.type))))
  }
  return found
}

t.test('rows beyond the limit are cut inside a batch, and the result says so', async (t) => {
  const tally = { rowCount: 0, truncated: false }
  const { batches, seen } = source([batch(0, 3), batch(3, 3), batch(6, 3)])
  t.same(await rows(limitBatches(batches, 4, tally)), [
    ['0', 'r0'],
    ['1', 'r1'],
    ['2', 'r2'],
    ['3', 'r3'],
  ])
  t.same(tally, { rowCount: 4, truncated: true })
  t.same(seen, { asked: 2, ended: true })
})

t.test('exactly as many rows as the limit are not truncated', async (t) => {
  const tally = { rowCount: 0, truncated: false }
  t.equal((await rows(limitBatches(source([batch(0, 2), batch(2, 2)]).batches, 4, tally))).length, 4)
  t.same(tally, { rowCount: 4, truncated: false })
})

t.test('a limit at the edge of a batch truncates only if more rows follow', async (t) => {
  const tally = { rowCount: 0, truncated: false }
  t.equal((await rows(limitBatches(source([batch(0, 2), batch(2, 2)]).batches, 2, tally))).length, 2)
  t.same(tally, { rowCount: 2, truncated: true })
})

t.test('without a limit everything passes', async (t) => {
  const tally = { rowCount: 0, truncated: false }
  t.equal((await rows(limitBatches(source([batch(0, 5)]).batches, undefined, tally))).length, 5)
  t.same(tally, { rowCount: 5, truncated: false })
})
