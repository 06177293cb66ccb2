import t from 'tap'
import { canonicalPlan } from '../../../../test/support/compile.js'
import { factsOf, nodesIn } from '../../../../test/support/plans.js'
import { asDeclared, type StoredAs } from '../../bind/bind-context.js'
import { bindQuery } from '../../bind/bind-query.js'
import { firstOf } from '../../invariant.js'
import { typeOf } from '../../model/expression/type-of.js'
import { builtInAggregates } from '../../model/functions/aggregates.js'
import { builtInFunctions } from '../../model/functions/catalogue.js'
import { parseModelSync } from '../../model/load-model.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { parseQuery } from '../../query/parse-query.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { resolveQuery } from '../../resolve/resolve-query.js'
import { inputsOf, mapPlans } from '../inputs.js'
import type { Aggregate, LogicalPlan, Union } from '../logical-plan.js'
import { planQuery } from '../plan-query.js'
import { NO_HINTS } from '../planner-hints.js'
import { applyRules } from './apply-rules.js'
import { groupingSets } from './grouping-sets.js'
import { planRules } from './plan-rules.js'

const MODEL = `
version: 1
dataObjects:
  Regions:
    code: regions
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region Id: { code: region_id, abstractType: int }
      Rank: { code: rank, abstractType: string }
    joins:
      - { joinTo: Regions, joinType: many-to-one, columnsFrom: [Region Id], columnsTo: [Id] }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Day: { code: day, abstractType: date }
      Amount: { code: amount, abstractType: int, numClass: additive }
      Kind: { expression: "'order'", abstractType: string }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
  Lines:
    code: lines
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Order Id: { code: order_id, abstractType: int }
      Product: { code: product, abstractType: string }
    joins:
      - { joinTo: Orders, joinType: many-to-one, columnsFrom: [Order Id], columnsTo: [Id] }
  Visits:
    code: visits
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Day: { code: day, abstractType: date }
      Kind: { expression: "'visit'", abstractType: string }
      Seconds: { code: seconds, abstractType: int, numClass: additive }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
dimensions:
  Region: { dataObject: Regions, column: Name }
  Rank: { dataObject: Customers, column: Rank }
  Product: { dataObject: Lines, column: Product }
  Order Day: { dataObject: Orders, column: Day }
  Visit Day: { dataObject: Visits, column: Day }
  Order Kind: { dataObject: Orders, column: Kind }
  Visit Kind: { dataObject: Visits, column: Kind }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Usual: { aggregation: median, columns: [{ dataObject: Orders, column: Amount }] }
  Revenue of All: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], total: true }
  Revenue of Region: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], grain: { mode: FIXED, keepOnly: [Region] } }
  Seen: { aggregation: count, columns: [{ dataObject: Visits, column: Id }] }
  Time: { aggregation: sum, columns: [{ dataObject: Visits, column: Seconds }] }
  Last Time: { aggregation: sum, columns: [{ dataObject: Visits, column: Seconds }], semiAdditive: { timeDimension: Visit Day, take: last } }
metrics:
  Revenue per Visit: { expression: '{[Revenue]} / {[Seen]}' }
  Share: { expression: '{[Revenue]} / {[Revenue of All]}' }
  Place: { type: window, measure: Revenue, windowFunction: rank }
  Before: { type: period_over_period, measure: Revenue, periodOverPeriod: { timeDimension: Order Day, offsetGrain: month } }
  So Far: { type: cumulative, measure: Revenue, timeDimension: Order Day }
`

const { model, errors } = parseModelSync({ text: MODEL })
t.same(errors, [])

const catalogues = { functions: builtInFunctions, aggregates: builtInAggregates }
interface On {
  readonly groupingSets?: boolean
  readonly groupedExpressions?: boolean
  readonly emptySets?: boolean
  readonly repeatedKeys?: boolean
  readonly storedAs?: StoredAs
}

const KIND = { coalesce: ['Order Kind', 'Visit Kind'], as: 'Kind' }

function planned(
  query: Readonly<Record<string, unknown>>,
  { groupingSets = true, groupedExpressions = true, emptySets = true, repeatedKeys = true, storedAs = asDeclared }: On = {},
): readonly LogicalPlan[] {
  const options = { ...catalogues, now: new Date(0), defaultLimit: undefined }
  const asked = parseQuery({ grouping: 'rollup', ...query })
  const hints = { ...NO_HINTS, groupingSets, groupedExpressions, emptySets, repeatedKeys }
  const bound = bindQuery(resolveQuery(asked, model!, options), { ...catalogues, storedAs })
  const facts = {
    hints,
    typeOf: (e: RowExpr) => typeOf<RelationColumn>(e, (leaf) => leaf.type, builtInFunctions),
  }
  const { plan, fault } = applyRules(planQuery(bound), facts, { without: OTHERS, isChecked: true })
  t.equal(fault, undefined)
  return nodesOf(plan)
}

const OTHERS: ReadonlySet<string> = new Set(planRules.map(({ name }) => name).filter((name) => name !== 'grouping-sets'))

const select = (dimensions: readonly unknown[], measures: readonly string[]) => ({ select: { dimensions, measures } })

/** A plan and all plans below it. */
const nodesOf = (plan: LogicalPlan): readonly LogicalPlan[] => [plan, ...inputsOf(plan).flatMap(nodesOf)]

const aggregations = (nodes: readonly LogicalPlan[]): readonly Aggregate[] => nodes.filter((n) => n.kind === 'aggregate')
const isUnited = (nodes: readonly LogicalPlan[]): boolean => nodes.some((n) => n.kind === 'union')

t.test('one fact is aggregated once for all levels', async (t) => {
  const nodes = planned(select(['Region', 'Rank'], ['Revenue']))
  t.notOk(isUnited(nodes))
  t.strictSame(
    aggregations(nodes).map((a) => a.sets),
    [[['Region', 'Rank'], ['Region'], []]],
  )
})

t.test('each of several facts is aggregated once, and they are joined by the groups and the level', async (t) => {
  const nodes = planned(select(['Region', 'Rank'], ['Revenue per Visit', 'Revenue', 'Time']))
  t.notOk(isUnited(nodes))
  const [first, second, ...more] = aggregations(nodes)
  t.strictSame(more, [])
  for (const one of [first, second]) {
    t.strictSame(one?.sets, [['Region', 'Rank'], ['Region'], []])
    t.strictSame(
      one?.aggregates.slice(-2).map(({ name, aggregate }) => [name, aggregate]),
      [
        ['Region (is total)', 'grouping'],
        ['Rank (is total)', 'grouping'],
      ],
    )
  }
  const [combined] = nodes.filter((n) => n.kind === 'combine')
  t.strictSame(
    combined?.keys.map((k) => k.name),
    ['Region', 'Rank', 'Region (is total)', 'Rank (is total)'],
  )
})

t.test('joins that only some levels need are in the one aggregation', async (t) => {
  const nodes = planned({
    ...select(['Region', 'Rank'], ['Revenue', 'Seen']),
    grouping: { sets: [['Region', 'Rank'], ['Rank'], []] },
  })
  t.notOk(isUnited(nodes))
  t.strictSame(nodes.flatMap((n) => (n.kind === 'join' ? [n.label.to] : [])).toSorted(), [
    'Customers',
    'Customers',
    'Regions',
    'Regions',
  ])
})

t.test(
  'a key that is not a column of a fact, and keys with equal expressions, are columns of a subquery below the aggregation',
  async (t) => {
    const facts = planned(select([KIND, 'Region'], ['Revenue', 'Seen']))
    t.notOk(isUnited(facts))
    const alike = planned(
      select(['Order Day:month', { coalesce: ['Order Day', 'Visit Day'], as: 'Month', grain: 'month' }], ['Revenue']),
    )
    t.notOk(isUnited(alike))
    for (const nodes of [facts, alike]) {
      for (const { input, keys } of aggregations(nodes)) {
        t.equal(input.kind, 'project')
        t.strictSame(
          keys.map(({ expression: e }) => e.kind === 'column' && e.name),
          keys.map((k) => k.name),
        )
      }
    }
    const [, below] = alike.filter((n) => n.kind === 'project' && n.stage)
    t.ok(below, 'what is computed of alike keys is computed where the aggregation is done')
  },
)

const LEVELS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'no level is all the others are part of': {
    ...select(['Region', 'Rank'], ['Revenue', 'Seen']),
    grouping: { sets: [['Region'], ['Rank']] },
  },
  'a rank among the rows of a level': select(['Region'], ['Place', 'Seen']),
  'a share of all': select(['Region', 'Rank'], ['Share', 'Seen']),
  'a grain of its own': select(['Region', 'Rank'], ['Revenue', 'Revenue of Region', 'Seen']),
  'another period': select(['Region', 'Order Day:month'], ['Before']),
  'running values': select(['Region', 'Order Day:month'], ['So Far']),
  'a way through lines, by which an order counts once in a group': select(['Product'], ['Revenue']),
  'the last time of each group': select(['Region'], ['Revenue', 'Last Time']),
  'periods that are filled in': { ...select(['Order Day:month', 'Region'], ['Revenue']), fill_gaps: true },
  'a median, which engines do not all take there': select(['Region'], ['Usual', 'Seen']),
}

for (const [why, query] of Object.entries(LEVELS)) {
  t.test(`every level is a separate query: ${why}`, async (t) => {
    const nodes = planned(query)
    t.ok(isUnited(nodes))
    t.ok(aggregations(nodes).every((a) => a.sets === undefined))
  })
}

t.test('on an engine without grouping sets, every level is a separate query', async (t) => {
  t.ok(isUnited(planned(select(['Region', 'Rank'], ['Revenue', 'Seen']), { groupingSets: false })))
})

t.test('on an engine whose grouping sets take columns alone, other keys are columns of a subquery', async (t) => {
  const inputOf = (dimensions: readonly string[], on: On): string | undefined =>
    aggregations(planned(select(dimensions, ['Revenue']), on))[0]?.input.kind
  const months = ['Region', 'Order Day:month']
  t.equal(inputOf(months, { groupedExpressions: true }), 'join')
  t.equal(inputOf(months, { groupedExpressions: false }), 'project')
  t.equal(inputOf(['Region', 'Rank'], { groupedExpressions: false }), 'join')
  const padded: StoredAs = (_, { name, type }) =>
    name === 'Rank' ? { name, declared: type, physical: { kind: 'padded', name: 'char(3)' }, collation: undefined } : undefined
  t.equal(inputOf(['Region', 'Rank'], { groupedExpressions: false, storedAs: padded }), 'project', 'a key that is converted')
})

t.test('on an engine that takes two keys of one column for one, such keys are grouped level by level', async (t) => {
  const month = { coalesce: ['Order Day', 'Visit Day'], as: 'Month', grain: 'month' }
  const hasSets = (dimensions: readonly unknown[], repeatedKeys: boolean): boolean =>
    aggregations(planned(select(dimensions, ['Revenue']), { repeatedKeys })).some((a) => a.sets)
  t.equal(hasSets(['Order Day:month', month], true), true)
  t.equal(hasSets(['Order Day:month', month], false), false)
  t.equal(hasSets(['Order Day:month', 'Region'], false), true)
})

t.test('on an engine whose set without keys may have no row, the grand total is a separate query', async (t) => {
  const setsOf = (query: Readonly<Record<string, unknown>>): readonly unknown[] =>
    aggregations(planned(query, { emptySets: false })).map((a) => a.sets)
  t.strictSame(setsOf(select(['Region', 'Rank'], ['Revenue'])), [[['Region', 'Rank'], ['Region']], undefined])
  t.strictSame(setsOf({ ...select(['Region', 'Rank'], ['Revenue']), grouping: { sets: [['Region', 'Rank'], ['Rank']] } }), [
    [['Region', 'Rank'], ['Rank']],
  ])
  t.strictSame(setsOf(select(['Region'], ['Revenue'])), [undefined, undefined], 'one level besides it needs no sets')
})

/** The levels of a query before any rule, and what the rule makes of them. */
const unionOf = (query: object, of: SemanticModel): Union =>
  firstOf(nodesIn(canonicalPlan({ grouping: 'rollup', ...query }, of), 'union'))
const rewritten = (union: Union): LogicalPlan | undefined =>
  groupingSets.rewrite(union, factsOf({ groupingSets: true, groupedExpressions: true, emptySets: true, repeatedKeys: true }))
const withLeftJoins = (plan: LogicalPlan): LogicalPlan => {
  const own = plan.kind === 'join' ? ({ ...plan, type: 'left' } as const) : plan
  return mapPlans(own, withLeftJoins)
}

t.test('a required join is in the aggregation if every level has it', async (t) => {
  const joined = 'joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id]'
  const required = parseModelSync({ text: MODEL.replaceAll(joined, `required: true, ${joined}`) }).model!
  const union = unionOf(select(['Region', 'Rank'], ['Revenue']), required)
  t.ok(nodesOf(union).some((n) => n.kind === 'join' && n.type === 'inner'))
  t.ok(rewritten(union))
  const [detail, ...others] = union.inputs
  t.notOk(rewritten({ ...union, inputs: [detail!, ...others.map(withLeftJoins)] }), 'rows that one level leaves out')
})

t.test('a stage passes the keys of its level on', async (t) => {
  // A metric that is too long to be written twice has a stage.
  const doubled = Array.from({ length: 7 }, (_, n) => `  Long ${n + 1}: { expression: '{[Long ${n}]} + {[Long ${n}]}' }\n`)
  const long = MODEL.replace('metrics:\n', `metrics:\n  Long 0: { expression: '{[Revenue]} + 1' }\n${doubled.join('')}`)
  const union = unionOf(select(['Region', 'Rank'], ['Long 7']), parseModelSync({ text: long }).model!)
  const stages = nodesOf(union).flatMap((n) => (n.kind === 'project' && n.stage ? [n.columns.map(({ name }) => name)] : []))
  t.strictSame(stages[0]?.slice(0, 2), ['Region', 'Rank'])
  t.strictSame(stages.at(-1)?.length, stages[0]!.length - 2)
  t.ok(rewritten(union))
})

t.test('a column that has another type in one level is not merged', async (t) => {
  const union = unionOf(select(['Region', 'Rank'], ['Revenue']), model!)
  const [detail, ...others] = union.inputs
  if (detail?.kind !== 'project') throw new Error(detail?.kind)
  const columns = detail.columns.map((column) =>
    column.name === 'Revenue' ? { ...column, type: { kind: 'float' } as const } : column,
  )
  t.ok(rewritten(union))
  t.notOk(rewritten({ ...union, inputs: [{ ...detail, columns }, ...others] }))
})
