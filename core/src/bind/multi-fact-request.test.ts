/** Of a measure over several facts: what is read at the object where they are joined, and what inside each fact. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import type { Conjunct } from '../resolve/resolved-query.js'
import { multiFactRequest } from './multi-fact-request.js'

const equals = (field: string, value: string) => ({ field, op: 'equals', value })
const kept = { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' }
const model = shopWith({
  dataObjects: {
    Days: { code: 'days', columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true } } },
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Day'] })] },
    Returns: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Day'] })] },
  },
  dimensions: {
    Date: { dataObject: 'Days', column: 'Day' },
  },
  measures: {
    Kept: kept,
    'North Kept': { ...kept, filters: [equals('Regions.Name', 'north')] },
    'Paid Kept': { ...kept, filters: [equals('Orders.Status', 'paid')] },
    'Odd Kept': { ...kept, filters: [equals('Items.Product', 'apple')] },
  },
})

function read(
  measure: string,
  dimensions: readonly string[] = [],
  where: readonly object[] = [],
  change = (c: Conjunct): Conjunct => c,
) {
  const query = aggregateQuery({ select: { dimensions, measures: [measure] }, where }, model)
  const [aggregate] = query.aggregates
  const { conjuncts, bridgeFilters, multiFact, reach } = multiFactRequest(
    { ...aggregate!, conjuncts: aggregate!.conjuncts.map(change) },
    aggregate!.dimensions,
    query,
  )
  const told = (of: typeof multiFact.own) => ({
    base: of.base,
    sums: of.aggregates.length,
    by: of.dimensions.map(({ label }) => label),
    where: of.conjuncts.flatMap((c) => c.fields),
    filters: of.bridgeFilters.length,
  })
  return {
    here: conjuncts.flatMap((c) => c.fields),
    filters: bridgeFilters.length,
    inFacts: multiFact.dimensions.map(({ label }) => label),
    own: told(multiFact.own),
    facts: multiFact.facts.map(told),
    applied: reach.applied.flatMap((c) => c.fields),
    missed: reach.missed.map(({ warning }) => warning.message),
  }
}

t.test('each fact is summed by the key of the object where they are joined', async (t) => {
  const { own, facts, inFacts } = read('Kept', ['Region'])
  t.same(inFacts, [])
  t.match(own, { base: 'Customers', sums: 0, where: [] })
  t.match(facts, [
    { base: 'Orders', sums: 1, where: [], filters: 0 },
    { base: 'Returns', sums: 1, where: [], filters: 0 },
  ])
  t.same(
    facts.map(({ by }) => by.length),
    [1, 1],
  )
})

t.test('a dimension that the object does not reach is provided by all facts', async (t) => {
  const { inFacts, facts } = read('Kept', ['Region', 'Date'])
  t.same(inFacts, ['Date'])
  t.same(
    facts.map(({ by }) => by.slice(1)),
    [['Date'], ['Date']],
  )
  t.throws(() => read('Kept', ['Status']), {
    code: 'NO_JOIN_PATH',
    path: 'select.dimensions[0]',
    message: /at the rows of 'Customers', which does not reach 'Status', and neither does 'Returns'/,
  })
})

t.test('a condition is read at the object if it reaches it, and else in the facts that do', async (t) => {
  const both = read('Kept', ['Region'], [equals('Region', 'north'), { field: 'Date', op: 'gte', value: '2024-01-01' }])
  t.same(both.here, ['Region'])
  t.same(
    both.facts.map(({ where }) => where),
    [['Date'], ['Date']],
  )
  t.same(both.applied, ['Region', 'Date', 'Date'])
  t.same(both.missed, [])
  const one = read('Kept', ['Region'], [equals('Status', 'paid')])
  t.same(
    one.facts.map(({ where }) => where),
    [['Status'], []],
  )
  t.same(one.missed, ["the filter on 'Status' cannot be reached from 'Returns' in 'Kept' and was not applied to it"])
})

t.test('an exists is read where its subject is', async (t) => {
  const exists = (field: string) => ({ field, op: 'exists', subquery: { dataObject: 'Items' } })
  t.same(read('Kept', ['Region'], [exists('Region')]).here, ['Region'])
  t.same(
    read('Kept', ['Region'], [exists('Status')]).facts.map(({ where }) => where),
    [['Status'], []],
  )
  const mixed = { logic: 'or', filters: [equals('Region', 'north'), equals('Status', 'paid')] }
  t.same(read('Kept', ['Region'], [mixed]).here, [], 'all of a condition must be reached')
})

t.test('other times of a metric are missed only if no fact has them', async (t) => {
  const ofMeasure = (c: Conjunct): Conjunct => ({ ...c, ofMeasure: true })
  t.same(read('Kept', ['Region'], [equals('Status', 'paid')], ofMeasure).missed, [])
  t.throws(() => read('Kept', ['Region'], [equals('Product', 'apple')], ofMeasure), { code: 'NO_JOIN_PATH' })
})

t.test('a filter of the measure is read at the object, or in the facts that reach it', async (t) => {
  t.match(read('North Kept'), { filters: 1, facts: [{ filters: 0 }, { filters: 0 }] })
  t.match(read('Paid Kept'), { filters: 0, facts: [{ filters: 1 }, { filters: 0 }] })
  t.match(read('Kept'), { filters: 0, facts: [{ filters: 0 }, { filters: 0 }] })
  t.throws(() => read('Odd Kept'), {
    code: 'NO_JOIN_PATH',
    message: /none of the facts that 'Odd Kept' reads reaches its filter on 'Items.Product'/,
  })
})
