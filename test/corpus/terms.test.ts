/**
 * Every question of the corpus over joins that compare more than equal columns. The added term, that a value lies between the equal column and itself, is implied
 * by equality, so that each answer is the same. No rule for speed knows such a join, so none changes it.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { inputsOf } from '../../core/src/plan/inputs.js'
import { joinedRowsOf } from '../../core/src/plan/joined-rows.js'
import type { Join, LogicalPlan } from '../../core/src/plan/logical-plan.js'
import { planRules } from '../../core/src/plan/rules/plan-rules.js'
import { oneIn } from '../support/amount.js'
import { ask, difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { impliedBy, withTerms } from '../support/other-terms.js'
import { compileFor, dataSql, modelText, readQuestions } from './corpus.js'

const model = loadText(modelText())
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run("SET TimeZone = 'UTC'")
await connection.run(dataSql())
t.teardown(() => connection.closeSync())

const MODELS: Readonly<Record<string, Parameters<typeof withTerms>[1]>> = {
  'an interval there besides the equality': (on) => [...on, ...impliedBy(on, 'to')],
  'an interval here, and no equality': (on) => [...impliedBy(on, 'from'), ...on.filter(({ kind }) => kind !== 'equal')],
}

const PLAN_RULES: ReadonlySet<string> = new Set(planRules.map(({ name }) => name))
/** Rules of conditions and of facts, and rules of joins: these may change other rows of the same query, such as those that are found by a key. */
const ELSEWHERE: ReadonlySet<string> = new Set(['joined-ranges', 'joined-facts', 'inner-joins', 'certain-joins'])

for (const [title, terms] of Object.entries(MODELS)) {
  const changed = withTerms(model, terms)
  for (const { name, query, truth, ordered = false } of oneIn(4, readQuestions())) {
    t.test(`${title}: ${name}`, async (t) => {
      const plans: LogicalPlan[] = []
      const compiled = compileFor(duckdb, query, changed, (stage, value) => {
        if (stage === 'plan') plans.push(value as LogicalPlan)
        return value
      })
      const [canonical, ruled] = plans
      const kept = rowsWithOtherTerms(canonical!)
      t.same(rowsWithOtherTerms(ruled!), kept, 'no rows with such a join are changed')
      const fired = compiled.explain().rules.filter((rule) => PLAN_RULES.has(rule) && !ELSEWHERE.has(rule))
      t.same(kept.length > 0 ? fired : [], [], 'no rule')
      const [found, wanted] = [await ask(connection, compiled.sql), await ask(connection, truth)]
      t.equal(difference(found, { ...wanted, columns: found.columns }, ordered), undefined, 'the answer is the same')
    })
  }
}

/** No question of the corpus needs them, or not on DuckDB: test/compile or the rule's own test has them. */
const OTHERS: ReadonlySet<string> = new Set([
  'united-facts',
  'counted-groups',
  'referring-facts',
  'touching-periods',
  'one-pass',
  'sums-of-pairs',
  'leading-rows',
  'orphans-apart',
  'unread-lookups',
  'shown-groups',
])

t.test('each rule of joins changes one of these questions if joins are equalities', async (t) => {
  const fired = new Set(readQuestions().flatMap(({ query }) => compileFor(duckdb, query, model).explain().rules))
  t.same(
    planRules.filter(({ name }) => !fired.has(name) && !OTHERS.has(name)).map(({ name }) => name),
    [],
  )
})

/** How facts meet inside of what is joined is a choice of `joined-facts`, and says nothing about the join. */
function uncombined(right: LogicalPlan): LogicalPlan {
  return JSON.parse(
    JSON.stringify(right, (_, value) => (value?.kind === 'combine' ? { ...value, reason: '', making: undefined } : value)),
  )
}

/** Joined rows with such a join: each of their joins, without the rows before it. */
function rowsWithOtherTerms(plan: LogicalPlan, isPart = false): readonly (readonly Omit<Join, 'left'>[])[] {
  const joins = plan.kind === 'join' && !isPart ? joinedRowsOf(plan).joins : []
  const own = joins.some(({ on }) => on.some(({ kind }) => kind === 'within'))
    ? [joins.map(({ left: _, right, ...join }) => ({ ...join, right: uncombined(right) }))]
    : []
  return [...own, ...inputsOf(plan).flatMap((input, at) => rowsWithOtherTerms(input, plan.kind === 'join' && at === 0))]
}
