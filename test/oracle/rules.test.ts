/**
 * The canonical plan, the plan of all rules, and the plans of all rules but one give the answer of the oracle, so that a rule can change no number. ORACLE_SEED and
 * ORACLE_CASES select other cases.
 */
import t from 'tap'
import { caseNumbers } from '../support/amount.js'
import { compareCase } from './compare.js'
import { runsOn, variantsOf } from './compiled.js'
import { openEngine } from './duckdb.js'
import { generateCase } from './generate/case.js'
import { kindsNamed } from './generate/later.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20261127)
const cases = caseNumbers('ORACLE_CASES', 8, 64, 17_000)

for (const kinds of ['every kind of metric', 'several ways and bridge tables', 'facts of the same objects'] as const)
  t.test(
    `${cases.length} generated queries of ${kinds} have one answer with and without each rule (ORACLE_SEED=${seed})`,
    async (t) => {
      const engine = await openEngine()
      t.teardown(engine.close)
      const runWithout = runsOn(engine)
      const fired = new Map<string, number>()
      const failures: string[] = []
      const later = kindsNamed(kinds)
      let asked = 0
      for (const index of cases) {
        if (failures.length >= 3) break
        const { expected, ...one } = generateCase(seed, index, later)
        if ('refused' in expected) continue
        const { model, query } = one
        for (const { without, compiled } of variantsOf(model, query)) {
          const mismatch = await compareCase(one, runWithout(without, { query, compiled }), expected)
          asked++
          const [rule = '', ...more] = without
          if (more.length === 0) fired.set(rule, (fired.get(rule) ?? 0) + 1)
          if (mismatch)
            failures.push(`ORACLE_SEED=${seed} case ${index} without ${[...without].join(', ')}: ${JSON.stringify(mismatch)}`)
        }
      }
      for (const failure of failures) t.fail(failure)
      t.comment(`${asked} statements; rules that changed a statement: ${JSON.stringify(Object.fromEntries(fired))}`)
      t.ok(asked > cases.length / 2, 'most queries have an answer')
    },
  )
