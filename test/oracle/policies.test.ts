/**
 * The answer under row policies is that of the model without them over the tables from which the rows that they remove are gone: generated policies on
 * generated queries of every kind. ORACLE_SEED and ORACLE_CASES select other cases.
 */
import t from 'tap'
import { compile } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { restrictedModel } from '../../core/src/model/access.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { caseNumbers, oneIn } from '../support/amount.js'
import { compareCase, type Ran, type Refused } from './compare.js'
import { NOW, parseModelJson } from './compiled.js'
import { type Engine, openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import { type Case, generateCase } from './generate/case.js'
import { kindsNamed, namesOfKinds } from './generate/later.js'
import { type Policies, policiesFor } from './generate/policies-for.js'
import { report } from './report.js'
import { physicalOf } from './storage.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
// Eleven parts of the cases beside four of the kinds: over time each kind is asked each case.
const all = caseNumbers('ORACLE_CASES', 11, 120, 4000)
const half = all.slice(0, Math.ceil(all.length / 2))

/** The compiled query of a principal whom these policies bind, run on DuckDB. */
async function run(engine: Engine, one: Case, { rules }: Policies): Promise<Ran | Refused> {
  const rows = rules.map((rule) => ({ ...rule, label: '' }))
  const model = restrictedModel(parseModelJson(one.model), { rows, missing: [], withholdsSql: true })
  try {
    const { sql, columns } = compile(parseQuery(one.query), model, {
      dialect: duckdb,
      functions: builtInFunctions,
      aggregates: builtInAggregates,
      now: NOW,
      storedTypes: physicalOf(one.model, duckdb) ?? 'declared',
      checksRules: true,
    })
    await engine.load(one.model, one.data)
    try {
      return { columns: columns.map(({ name }) => name), rows: (await engine.query(sql)).rows, sql }
    } catch (error) {
      throw Object.assign(error instanceof Error ? error : new Error(String(error)), { sql })
    }
  } catch (error) {
    if (error instanceof GrainlineError) return { refused: error.code, why: error.message }
    throw error
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** Every named run, so that none can be forgotten, and for a change every fourth one; the two general ones with all cases. */
const named = namesOfKinds().map((kinds, at) => ({ kinds, cases: at < 2 ? all : half }))
const asked = process.env['ORACLE_CASES'] === undefined ? [...named.slice(0, 2), ...oneIn(4, named.slice(2))] : named
/** Policies may change none of fewer answers of a kind. */
const ENOUGH = 60
const seen = { narrowed: 0, failures: 0 }
for (const { kinds, cases } of asked) {
  t.test(`${cases.length} generated queries of ${kinds} under generated policies (ORACLE_SEED=${seed})`, async (t) => {
    const engine = await openEngine()
    t.teardown(engine.close)
    const later = kindsNamed(kinds)
    let [answered, narrowed, failures] = [0, 0, 0]
    for (const index of cases) {
      if (failures >= 3) break
      const one = generateCase(seed, index, later)
      const policies = policiesFor(seed, one, index)
      const expected = evaluate(one.model, one.data, one.query, NOW, policies.all)
      // Whether a query is refused is decided by the model and never by rows, so nothing is skipped here.
      const isDecidedByRows = 'refused' in expected !== 'refused' in one.expected
      if (isDecidedByRows) {
        failures++
        t.fail(
          `case ${index}: refused only ${'refused' in expected ? 'with' : 'without'} policies ${JSON.stringify(policies.all)}`,
        )
        continue
      }
      const mismatch = await compareCase(one, () => run(engine, one, policies), expected)
      if (!('refused' in expected)) answered++
      if (!('refused' in expected) && textOf(expected) !== textOf(one.expected)) narrowed++
      if (!mismatch) continue
      failures++
      t.fail(`${JSON.stringify(policies.all)}\n${report(`ORACLE_SEED=${seed} case ${index}`, one, mismatch)}`)
    }
    t.comment(`${answered} answered, ${narrowed} otherwise than without policies`)
    seen.narrowed += narrowed
    seen.failures += failures
    if (cases.length >= ENOUGH) t.ok(failures > 0 || narrowed > 0, 'some answers are others than without policies')
  })
}

t.test('whether rows are found is judged on whole tables, also for the pairs of a closure', async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const one = generateCase(20261202, 25, kindsNamed('parent and child'))
  const policies = policiesFor(20261202, one, 25)
  const expected = evaluate(one.model, one.data, one.query, NOW, policies.all)
  t.equal(await compareCase(one, () => run(engine, one, policies), expected), undefined)
})

t.test('some answers are others than without policies', async (t) => {
  t.ok(seen.failures > 0 || seen.narrowed > 0, `${seen.narrowed} are`)
})
