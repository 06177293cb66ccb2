/** Texts of statements that some engines took minutes to read. */
import type { Dialect } from '@grainline/core/dialect'
import t from 'tap'
import { compileFor, DIALECTS, FURTHER_DIALECTS } from '../corpus/corpus.js'
import { oneIn } from '../support/amount.js'
import { modelOf } from '../time/laws-world.js'

const LONGEST = 60_000
const dialects: readonly Dialect[] = [...DIALECTS, ...FURTHER_DIALECTS]
const changes = ['month', 'quarter', 'year'].flatMap((grain) => [`Before retail_${grain}`, `Change retail_${grain}`])
const query = {
  select: { dimensions: ['Sold:retail_quarter'], measures: ['Thirty Days', 'Best Day of Ten', 'Revenue', ...changes] },
  where: [
    { field: 'Sold', op: '>=', value: '2024-11-03' },
    { field: 'Sold', op: '<', value: '2025-02-02' },
  ],
  fill_gaps: 'range',
}

for (const times of ['dates', 'times of a zone'] as const) {
  const model = modelOf('generated', times)
  for (const dialect of oneIn(4, dialects))
    t.test(`retail quarters beside moved retail months, by ${times}, in ${dialect.name}`, async (t) => {
      let lengths: readonly number[]
      try {
        lengths = [new Set<string>(), new Set(['named-values'])].map(
          (without) => compileFor(dialect, query, model, undefined, without).sql.length,
        )
      } catch {
        return void t.pass('the dialect refuses it by name', { skip: 'it has no such time' })
      }
      const [named = 0, whole = 0] = lengths
      t.ok(named < LONGEST, `${named} characters`)
      t.ok(named < whole * 0.7, `in place of ${whole}`)
    })
}
