/** Filters that no query can remove, and the ranges with which metrics compare. */
import t from 'tap'
import { alongOf, dimensionOf, metricOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { BOOLEAN, DATE, STRING } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { ModelCondition, SemanticModel } from '../model/semantic-model.js'
import { binary, literal } from './expressions.js'
import { restrictedRange } from './restricted-ranges.js'
import { parseTime } from './time.js'

const filter = (operator: string, ...values: readonly string[]) => ({
  dataObject: 'Orders',
  column: 'Day',
  operator,
  ...(values.length === 1 ? { value: values[0] } : { values }),
})
const restricted = (filters: readonly object[], from?: string, to?: string) => restrictedIn(shopWith({ filters }), from, to)

/** Under an access rule. */
function ruled(condition: ModelCondition) {
  const rows = [{ dataObject: 'Orders', condition, label: 'recent' }]
  return restrictedIn({
    ...shopWith(),
    restriction: { missing: [], rows, removesFrom: new Set(['Orders']), withholdsSql: false },
  })
}

function restrictedIn(model: SemanticModel, from = '2025-03-01', to = '2025-04-01') {
  const { graph, clocks } = alongOf({ select: { measures: ['Sales'] } }, model)
  const left = [{ from: parseTime(from)!.micros, to: to === '' ? undefined : parseTime(to)!.micros }] as const
  return restrictedRange(metricOf('period_over_period', 'Sales Last Month', model), {
    time: dimensionOf('Day', model),
    isShown: false,
    left: left as never,
    graph,
    clocks,
  })
}

t.test('a filter that leaves a part of the compared range', async (t) => {
  t.same(restricted([filter('gte', '2025-02-10')]), { by: 'a filter of the model', range: '2025-02-01 to 2025-02-28' })
  t.equal(restricted([filter('gte', '2025-01-10')]), undefined, 'it leaves all of it')
  t.equal(restricted([filter('gte', '2025-02-10')], '2025-03-01', ''), undefined, 'a range without an end')
  t.equal(
    restricted([{ dataObject: 'Orders', column: 'Status', operator: 'equals', value: 'paid' }]),
    undefined,
    'a filter on something else',
  )
})

t.test('an access rule with several conditions', async (t) => {
  const known = shopWith({ filters: [filter('gte', '2025-02-10'), filter('lt', '2025-02-20')] }).filters
  const [since, until] = known.map(({ condition }) => condition) as [ModelCondition, ModelCondition]
  const paid = shopWith().measures.get('Paid Sales')!.filters[0]!
  const by = (logic: 'and' | 'or', negated: boolean, ...filters: readonly ModelCondition[]) =>
    ruled({ kind: 'group', logic, negated, filters })?.by
  const rule = "the access rule 'recent'"
  t.equal(by('and', false, since, until), rule)
  t.equal(by('or', false, since, until), undefined, 'one of them holds on every day')
  t.equal(by('or', true, since, until), rule, 'none of them holds on any')
  t.equal(by('and', false, since, paid), rule, 'the other one can only leave fewer rows')
  t.equal(by('or', false, since, paid), undefined)
  t.equal(by('and', true, since, paid), undefined)
  t.equal(by('and', false, paid), undefined)
})

t.test('an access rule that is an expression', async (t) => {
  const day = { kind: 'column', object: 'Orders', column: 'Day' } as const
  const late = binary<ColumnRef>('>=', day, literal('2025-02-10', DATE))
  const of = (expression: Expr<ColumnRef>) => ruled({ kind: 'expression', expression })?.by
  t.equal(of(late), "the access rule 'recent'")
  t.equal(of(binary('or', late, binary('=', { ...day, column: 'Status' }, literal('paid', STRING)))), undefined)
  t.equal(of(literal(false, BOOLEAN)), undefined, 'it names no time')
})
