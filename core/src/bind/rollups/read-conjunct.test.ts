/** The conditions of a question over the columns of a table. */
import t from 'tap'
import { shopWith } from '../../../../test/support/models.js'
import { asked, shownCondition, shownUnread, TABLES, tables } from '../../../../test/support/rollups.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { membersOf, readConjuncts, readFieldLeaf } from './read-conjunct.js'
import { isUnread } from './unread.js'

const on = (field: string, op: string, value?: unknown) => ({ field, op, value })
const exists = (field: string, dataObject: string) => ({ field, op: 'exists', subquery: { dataObject } })

function ask(where: readonly object[], rollup = 'Daily', model: SemanticModel = tables) {
  const { request, reading } = asked({}, rollup, { where }, model)
  const read = readConjuncts(request.conjuncts, reading)
  return isUnread(read) ? shownUnread(read) : read.map(({ expression }) => shownCondition(expression))
}

t.test('on columns of the table, and on those of rows that it reaches', async (t) => {
  t.same(ask([on('Status', 'eq', 'paid'), on('Region', 'eq', 'North')]), ["(#status = 'paid')", "(Name = 'North')"])
  t.same(ask([on('Amount', 'gt', 3)]), 'DIMENSION_MISSING Amount')
  t.same(ask([on('Status', 'eq', 'paid'), on('Amount', 'gt', 3)]), 'DIMENSION_MISSING Amount', 'all of them')
})

t.test('one that the table has is met by its rows', async (t) => {
  t.same(ask([on('Status', 'eq', 'paid')], 'Paid'), [])
  t.same(ask([on('Status', 'eq', 'sent')], 'Paid'), 'DIMENSION_MISSING Status')
})

t.test('a bound for speed is left out', async (t) => {
  const { request, reading } = asked({}, 'Daily', { where: [on('Amount', 'gt', 3)] })
  t.same(
    readConjuncts(
      request.conjuncts.map((one) => ({ ...one, isNear: true })),
      reading,
    ),
    [],
  )
})

t.test('on times, whole periods of those that the table holds', async (t) => {
  t.same(ask([on('Day', 'gte', '2024-01-01')], 'Weekly'), ["(#day_week >= '2024-01-01')"])
  t.same(ask([on('Day', 'gte', '2024-01-03')], 'Weekly'), 'RANGE_NOT_ALIGNED Day')
  const both = shopWith(TABLES, {
    rollups: {
      Weekly: {
        dimensions: [
          { field: 'Day', grain: 'month' },
          { field: 'Day', grain: 'week' },
        ],
      },
    },
  })
  t.same(ask([on('Day', 'gte', '2024-01-08')], 'Weekly', both), ["(#day_week >= '2024-01-08')"], 'of any that it holds')
  t.same(ask([{ expression: "{[Day]} = date '2024-01-01' or {[Status]} = 'paid'" }], 'Weekly'), 'GRAIN_TOO_COARSE Day')
})

t.test('what is said of times is said of the field, and not of its periods', async (t) => {
  const { request, reading } = asked({}, 'Weekly', { where: [on('Day', 'gte', '2024-01-01')] })
  t.ok(request.conjuncts[0]?.times)
  const read = readConjuncts(request.conjuncts, reading)
  t.notOk(!isUnread(read) && 'times' in read[0]!)
})

t.test('rows of another object, if the table has the key of the row that is tested', async (t) => {
  t.same(ask([exists('Customers', 'Returns')]), ['where-exists'])
  t.same(ask([exists('Customers', 'Returns')], 'Weekly'), 'DIMENSION_MISSING Customers')
  t.same(ask([exists('Orders', 'Items')]), 'DIMENSION_MISSING Orders', 'a group is no order')
  t.same(ask([exists('Customers', 'Orders')]), 'NEEDS_ROWS Orders', 'the rows that the table replaces')
  t.same(ask([exists('Customers', 'Items')]), 'NEEDS_ROWS Items', 'on the way to those')
})

t.test('a leaf of which each field is read', async (t) => {
  const { request, reading } = asked({}, 'Daily', { where: [on('Status', 'eq', 'paid')] })
  const [leaf] = request.conjuncts[0]!.leaves
  if (leaf?.kind !== 'where-field') throw new Error('no field')
  t.equal(membersOf(leaf, '', reading).length, 1)
  t.match(readFieldLeaf(leaf, '', reading), { name: 'Status', members: [{ expression: { column: '\u0000status' } }] })
})
