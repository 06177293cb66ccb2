/** Which of several facts contain every row that is kept, so that the others are joined to their rows. */
import t from 'tap'
import { INT } from '../../model/data-type.js'
import { binary, coalesce, integer, isNull } from '../../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import type { MetricStep } from '../../resolve/resolved-query.js'
import { combine } from '../combine.js'
import { inputsOf, mapPlans } from '../inputs.js'
import { type Combine, type LogicalPlan, type PlannedLeg, plainAggregate } from '../logical-plan.js'
import { withSteps } from '../metric-steps.js'
import { NO_HINTS } from '../planner-hints.js'
import { joinedFacts } from './joined-facts.js'

const leg = (base: string, contributesRows = true, emptyIsZero = false): PlannedLeg => ({
  input: { kind: 'numbers', alias: base, names: [], places: [] },
  name: `${base}_facts`,
  contributesRows,
  values: [{ name: base, type: INT, emptyIsZero }],
  base,
})
const of = (name: string): RowExpr => relationColumn('', name, INT)
const above = (value: RowExpr, least: number): RowExpr => binary('>', value, integer(least))
const step = (name: string, expression: RowExpr): MetricStep => ({ kind: 'expression', name, type: INT, expression, path: '' })
const sum = binary('+', coalesce<RelationColumn>(of('a'), integer(0)), coalesce<RelationColumn>(of('b'), integer(0)))
const both = [leg('a'), leg('b')]
const key = [{ name: 'k', type: INT }]

for (const [title, legs, kept, making] of [
  ['of two facts that make rows neither leads, and they meet', both, undefined, [0, 1]],
  ['the only one that makes rows leads', [leg('a', false), leg('b')], undefined, [1]],
  ['three are united, unless one leads', [...both, leg('c')], undefined, undefined],
  ['the one that a condition needs leads', both, keptBy(above(of('b'), 1)), [1]],
  ['the first of several that it needs', both, keptBy(binary('>', of('b'), of('a'))), [0]],
  ['not one that makes no rows', [...both, leg('c', false)], keptBy(above(of('c'), 1)), [0, 1]],
  ['of a condition that either meets none leads', both, keptBy(binary('or', above(of('a'), 1), above(of('b'), 1))), [0, 1]],
  ['an absent value may meet a condition', both, keptBy(isNull(of('a'))), [0, 1]],
  ['a count without rows is 0, which may meet a condition', [leg('a', true, true), leg('b')], keptBy(above(of('a'), -1)), [0, 1]],
  ['or may not', [leg('a', true, true), leg('b')], keptBy(above(of('a'), 0)), [0]],
  [
    'a metric needs what its expression needs',
    both,
    keptBy(above(of('m'), 0), [step('m', binary('*', of('b'), integer(2)))]),
    [1],
  ],
  ['one of two that may be absent needs neither', both, keptBy(above(of('m'), 0), [step('m', sum)]), [0, 1]],
  [
    'a ratio of counts is NULL without rows, which may meet a condition',
    [leg('a', true, true), leg('b')],
    keptBy(isNull(of('m')), [step('m', binary('/', of('a'), of('a')))]),
    [0, 1],
  ],
  [
    'half of a count is 0 without rows',
    [leg('a', true, true), leg('b')],
    keptBy(isNull(of('m')), [step('m', binary('/', of('a'), integer(2)))]),
    [0],
  ],
  ['a metric of a metric', both, keptBy(above(of('n'), 0), [step('m', of('b')), step('n', binary('/', of('a'), of('m')))]), [0]],
] as const)
  t.test(title, async (t) => {
    t.same(makingOf(kept ? kept(combine(key, legs)) : combine(key, legs)), making)
  })

/** The rows that meet a condition over metrics. */
function keptBy(having: RowExpr, steps: readonly MetricStep[] = []): (rows: LogicalPlan) => LogicalPlan {
  return (rows) => {
    const { plan, read } = withSteps(rows, { steps, outputs: [], order: [], having })
    return { kind: 'filter', input: plan, condition: read(having), reason: 'having' }
  }
}

const sorted = (input: LogicalPlan): LogicalPlan => ({ kind: 'sort', input, keys: [] })
const shown = (input: LogicalPlan, expression: RowExpr): LogicalPlan => ({
  kind: 'project',
  input,
  alias: 'shown',
  columns: [{ name: 'shown', type: INT, expression }],
})
const total = (input: LogicalPlan, more: object = {}): LogicalPlan => ({
  kind: 'aggregate',
  input,
  alias: 'all',
  keys: [],
  aggregates: [{ ...plainAggregate('n', 'sum', [of('shown')], INT), ...more }],
  reason: '',
})
const looked = (input: LogicalPlan): LogicalPlan => ({
  kind: 'lookup',
  alias: 'rows',
  input,
  from: leg('c').input,
  keys: [],
  values: [{ name: 'c', type: INT, emptyIsZero: false }],
  reason: '',
})
const windowed = (input: LogicalPlan): LogicalPlan => ({ kind: 'window', alias: 'rows', input, columns: [], calls: [] })
const limited = (input: LogicalPlan): LogicalPlan => ({ kind: 'limit', input, limit: 1, offset: undefined })
const needsA = keptBy(above(of('a'), 1))
const facts = combine(key, both)

for (const [title, plan, making] of [
  ['a computed value that the condition reads', keptBy(above(of('shown'), 1))(shown(facts, of('b'))), [1]],
  ['another column of the projection does not count', keptBy(above(of('b'), 1))(shown(facts, of('b'))), [0, 1]],
  ['a value that is looked up has nothing to do with the facts', keptBy(above(of('c'), 1))(looked(facts)), [0, 1]],
  ['what is looked up for the rows that are kept', needsA(looked(facts)), [0]],
  ['an order of rows', needsA(sorted(facts)), [0]],
  ['two conditions', needsA(keptBy(above(of('b'), 1))(facts)), [0]],
  ['the first fact that either of two conditions needs', keptBy(above(of('b'), 1))(needsA(facts)), [0]],
  ['a window reads the rows that are not kept', needsA(windowed(facts)), [0, 1]],
  ['a limit counts them', needsA(limited(facts)), [0, 1]],
  ['a total of all rows ignores those without its value', total(shown(facts, of('b'))), [1]],
  ['if it only has them', total(shown(facts, of('b')), { onlyWith: above(of('shown'), 0) }), [0, 1]],
  ['a count of rows counts all of them', total(shown(facts, of('b')), { aggregate: 'count', args: [] }), [0, 1]],
] as const)
  t.test(title, async (t) => {
    t.same(makingOf(plan), making)
  })

/** The facts that make the rows, after the rule that joins facts. */
function makingOf(plan: LogicalPlan): unknown {
  const all: LogicalPlan = { kind: 'limit', input: plan, limit: undefined, offset: undefined }
  return combined(everywhere(all))?.making
}

function everywhere(plan: LogicalPlan): LogicalPlan {
  return mapPlans(joinedFacts.rewrite(plan, { hints: NO_HINTS, typeOf: () => INT }) ?? plan, everywhere)
}

function combined(plan: LogicalPlan): Combine | undefined {
  return plan.kind === 'combine' ? plan : inputsOf(plan).flatMap((input) => combined(input) ?? [])[0]
}
