/** Which of several facts contain every row that is kept, so that the others are joined to their rows. */
import t from 'tap'
import { INT } from '../model/data-type.js'
import { binary, coalesce, integer, isNull } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { MetricStep } from '../resolve/resolved-query.js'
import { combine, type Kept } from './combine.js'
import type { LogicalPlan, PlannedLeg } from './logical-plan.js'
import { NO_HINTS } from './planner-hints.js'
import { joinedFacts } from './rules/joined-facts.js'

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
    t.same(makingOf(combine(key, legs, kept)), making)
  })

function keptBy(having: RowExpr, steps: readonly MetricStep[] = []): Kept {
  return { having, steps }
}

/** The facts that make the rows, after the rule that joins facts. */
function makingOf(input: LogicalPlan): unknown {
  const all: LogicalPlan = { kind: 'limit', input, limit: undefined, offset: undefined }
  const node = joinedFacts.rewrite(all, { hints: NO_HINTS, typeOf: () => INT }) ?? all
  return node.kind === 'limit' && node.input.kind === 'combine' ? node.input.making : node.kind
}

t.test('the fact that a condition needs leads, and is joined only by the rule', async (t) => {
  t.match(combine(key, both, keptBy(above(of('b'), 1))), { kind: 'combine', leading: 1, making: undefined })
  t.match(combine(key, both), { kind: 'combine', leading: undefined, making: undefined })
})

t.test('facts that other rows are joined to have one name, so they are united', async (t) => {
  const left = combine(key, both)
  const label = { from: '', to: '', columns: [], reason: '' }
  const join: LogicalPlan = { kind: 'join', type: 'left', left, right: leg('c').input, on: [], label }
  t.equal(makingOf(join), 'limit')
  t.equal(joinedFacts.rewrite(join, { hints: NO_HINTS, typeOf: () => INT }), undefined)
})
