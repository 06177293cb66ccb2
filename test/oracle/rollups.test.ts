/**
 * Replacement: the answer of a generated question whose blocks read the build statements of rollup tables as sub-queries is that of the facts, to the last digit. ORACLE_SEED and
 * ORACLE_CASES select other cases; `rollups-triage.ts` runs many.
 */
import t from 'tap'
import { amount, caseNumbers } from '../support/amount.js'
import { openEngine } from './duckdb.js'
import { generateCase } from './generate/case.js'
import { kindsNamed } from './generate/later.js'
import { difference, replaced } from './rollups.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20261128)
const cases = caseNumbers('ORACLE_CASES', 16, 200, 6000)

/** Few questions of some kinds can read a table; so more are asked until this many have. */
const LEAST = amount(3, 5)
const last = cases.at(-1) ?? 0
const further = Array.from({ length: 400 }, (_, i) => last + 1 + i)

for (const kinds of ['the basic language', 'every kind of metric'] as const)
  t.test(
    `${cases.length} questions of ${kinds}, or more, have one answer from facts and from rollup tables (ORACLE_SEED=${seed})`,
    async (t) => {
      const engine = await openEngine()
      t.teardown(engine.close)
      const later = kindsNamed(kinds)
      let [asked, read] = [0, 0]
      for (const index of [...cases, ...further]) {
        if (asked >= cases.length && read >= LEAST) break
        asked++
        const { expected, ...one } = generateCase(seed, index, later)
        const found = 'refused' in expected ? undefined : replaced(one, `${seed} ${index}`)
        if (!found?.tables) continue
        read++
        await engine.load(one.model, one.data)
        const differs = await difference(found, engine)
        if (differs !== undefined) t.fail(`ORACLE_SEED=${seed} case ${index}: ${differs}`)
      }
      t.ok(read >= LEAST, `${read} of ${asked} questions read tables`)
    },
  )
