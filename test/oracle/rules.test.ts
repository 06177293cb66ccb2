/**
 * The canonical plan, the plan of all rules, and the plans of all rules but one give the answer of the oracle, so that a rule can change no number. ORACLE_SEED and
 * ORACLE_CASES select other cases.
 */
import t from 'tap'
import { RULES } from '../../core/src/compile.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { caseNumbers } from '../support/amount.js'
import { rulesOf } from '../support/rules-of.js'
import { compareCase } from './compare.js'
import { compileQuery, NOW, parseModelJson, runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { type Case, generateCase } from './generate/case.js'
import { kindsNamed } from './generate/later.js'
import { physicalOf } from './storage.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20261127)
const cases = caseNumbers('ORACLE_CASES', 4, 60, 17_000)

for (const kinds of ['every kind of metric', 'several ways and bridge tables', 'facts of the same objects'] as const)
  t.test(
    `${cases.length} generated queries of ${kinds} have one answer with and without each rule (ORACLE_SEED=${seed})`,
    async (t) => {
      const engine = await openEngine()
      t.teardown(engine.close)
      const fired = new Map<string, number>()
      const failures: string[] = []
      const later = kindsNamed(kinds)
      let asked = 0
      for (const index of cases) {
        if (failures.length >= 3) break
        const { expected, ...one } = generateCase(seed, index, later)
        if ('refused' in expected) continue
        for (const without of variantsOf(one, fired)) {
          const mismatch = await compareCase(one, runOn(engine, without), expected)
          asked++
          if (mismatch)
            failures.push(`ORACLE_SEED=${seed} case ${index} without ${[...without].join(', ')}: ${JSON.stringify(mismatch)}`)
        }
      }
      for (const failure of failures) t.fail(failure)
      t.comment(`${asked} statements; rules that changed a statement: ${JSON.stringify(Object.fromEntries(fired))}`)
      t.ok(asked > cases.length / 2, 'most queries have an answer')
    },
  )

/** Without any rule, and without each of those that change the statement: the others change nothing. */
function variantsOf({ model: document, query }: Case, fired: Map<string, number>): readonly ReadonlySet<string>[] {
  const model = parseModelJson(document)
  const physical = physicalOf(document, duckdb)
  const { sql: whole, explain } = compileQuery(query, model, NOW, physical)
  const changing = rulesOf(explain()).filter((name) => compileQuery(query, model, NOW, physical, new Set([name])).sql !== whole)
  for (const name of changing) fired.set(name, (fired.get(name) ?? 0) + 1)
  return [new Set(RULES), ...(changing.length > 1 ? changing.map((name) => new Set([name])) : [])]
}
