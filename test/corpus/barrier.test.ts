/**
 * Every question of the corpus with a kind of node that no rule knows, above each table or below each aggregation: as a feature would add it that wants nothing to pass,
 * such as a barrier of access rules. No rule moves anything through it, and each answer is the same.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { firstOf } from '../../core/src/invariant.js'
import { inputsOf, mapPlans } from '../../core/src/plan/inputs.js'
import type { LogicalPlan } from '../../core/src/plan/logical-plan.js'
import { oneIn } from '../support/amount.js'
import { ask, difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { compileFor, dataSql, modelText, readQuestions } from './corpus.js'

const model = loadText(modelText())
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run("SET TimeZone = 'UTC'")
await connection.run(dataSql())
t.teardown(() => connection.closeSync())

/** What the exercise adds to the plans of core. */
interface Barrier {
  readonly kind: 'barrier'
  readonly input: LogicalPlan
}

const asPlan = (barrier: Barrier): LogicalPlan => barrier as unknown as LogicalPlan
const isBarrier = (plan: { readonly kind: string }): boolean => plan.kind === 'barrier'

const barrier = (input: LogicalPlan): LogicalPlan => asPlan({ kind: 'barrier', input })

const aboveTables = (plan: LogicalPlan): LogicalPlan => (plan.kind === 'scan' ? barrier(plan) : mapPlans(plan, aboveTables))

const belowAggregations = (plan: LogicalPlan): LogicalPlan => {
  const inner = mapPlans(plan, belowAggregations)
  return inner.kind === 'aggregate' ? { ...inner, input: barrier(inner.input) } : inner
}

const PLACES = { 'above each table': aboveTables, 'below each aggregation': belowAggregations }

function withoutBarriers(plan: LogicalPlan): LogicalPlan {
  const inner = mapPlans(plan, withoutBarriers)
  return isBarrier(inner) ? firstOf(inputsOf(inner)) : inner
}

/** The tables and aggregations of a plan, each with the barrier that is next to it. */
const fencedIn = (plan: LogicalPlan, above = ''): readonly string[] => [
  ...(plan.kind === 'scan' ? [`${isBarrier({ kind: above })} above ${plan.object}`] : []),
  ...(plan.kind === 'aggregate' ? [`${inputsOf(plan).some(isBarrier)} below ${plan.aggregates.map(({ name }) => name)}`] : []),
  ...inputsOf(plan).flatMap((input) => fencedIn(input, plan.kind)),
]

for (const [place, withBarriers] of Object.entries(PLACES))
  for (const { name, query, truth, ordered = false } of oneIn(4, readQuestions()))
    t.test(`${place}: ${name}`, async (t) => {
      const plans: LogicalPlan[] = []
      const compiled = compileFor(duckdb, query, model, (stage, value) => {
        if (stage !== 'plan') return value
        const plan = value as LogicalPlan
        plans.push(plan)
        const changed = plans.length === 1 ? withBarriers(plan) : plans.length === 2 ? withoutBarriers(plan) : plan
        return changed as typeof value
      })
      const [canonical, ruled] = plans
      if (place === 'above each table') t.same(unfenced(ruled!, 'above'), [], 'each table is below a barrier')
      const aggregated = new Set(fencedIn(withBarriers(canonical!)))
      t.same(
        unfenced(ruled!, 'below').filter(
          (one) => place === 'below each aggregation' && aggregated.has(one.replace('false', 'true')),
        ),
        [],
        'each aggregation is above a barrier',
      )
      const [found, wanted] = [await ask(connection, compiled.sql), await ask(connection, truth)]
      t.equal(difference(found, { ...wanted, columns: found.columns }, ordered), undefined, 'the answer is the same')
    })

function unfenced(plan: LogicalPlan, where: 'above' | 'below'): readonly string[] {
  return fencedIn(plan).filter((one) => one.startsWith(`false ${where}`))
}
