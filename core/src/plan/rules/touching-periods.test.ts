/** The rows of an answer and the periods that they look up are read together where they touch. */

import t from 'tap'
import { canonicalPlan, compileFor, loadText } from '../../../../test/support/compile.js'
import { firstOf } from '../../invariant.js'
import { INT } from '../../model/data-type.js'
import { standard } from '../../sql/standard.js'
import { inputsOf, mapPlans } from '../inputs.js'
import type { LogicalPlan, Lookup } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { touchingPeriods } from './touching-periods.js'

const pop = (offset: number, grain: string, measure: string): string =>
  `{ type: period_over_period, measure: ${measure}, periodOverPeriod: { timeDimension: Day, offset: ${offset}, offsetGrain: ${grain}, comparison: previousValue } }`

const model = loadText(`
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: day, abstractType: date }
      At: { code: at, abstractType: timestamp }
      Status: { code: status, abstractType: string }
      Amount: { code: amount, abstractType: int, numClass: additive }
dimensions:
  Day: { dataObject: Orders, column: Day }
  Status: { dataObject: Orders, column: Status }
measures:
  Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Early Sales:
    aggregation: sum
    columns: [{ dataObject: Orders, column: Amount }]
    filters: [{ field: Orders.Day, op: lt, value: '2024-03-01' }]
metrics:
  Sales Last Quarter: ${pop(-1, 'quarter', 'Sales')}
  Sales Last Year: ${pop(-1, 'year', 'Sales')}
  Early Sales Last Quarter: ${pop(-1, 'quarter', 'Early Sales')}
  Change: { expression: '{[Sales]} - {[Sales Last Quarter]}' }
  Change Above: { type: window, windowFunction: lag, measure: Change }
`)

interface Asked {
  readonly grain?: string
  readonly since?: string
  readonly until?: readonly [op: string, value: string]
  readonly metric?: string
  readonly where?: readonly object[]
}

const sqlOf = (asked: Asked, dialect?: Parameters<typeof compileFor>[2]): string => compileFor(queryOf(asked), model, dialect).sql

function queryOf(asked: Asked) {
  const {
    grain = 'quarter',
    since = '2024-04-01',
    until = ['lt', '2024-07-01'],
    metric = 'Sales Last Quarter',
    where = [],
  } = asked
  const bounds = [
    { field: 'Day', op: 'gte', value: since },
    { field: 'Day', op: until[0], value: until[1] },
  ]
  const select = { dimensions: ['Status', `Day:${grain}`], measures: ['Sales', metric] }
  return { select, where: [...bounds, ...where] }
}

const scans = (sql: string): number => sql.split('FROM "orders"').length - 1

const TOGETHER: Readonly<Record<string, Asked>> = {
  'a quarter and the one before': {},
  'a day that ends a quarter': { until: ['lte', '2024-06-30'] },
  'months and those of the quarter before': { grain: 'month' },
  'days and those of the quarter before': { grain: 'day', since: '2024-04-03', until: ['lte', '2024-09-17'] },
  'conditions on other columns': { where: [{ field: 'Status', op: 'eq', value: 'paid' }] },
  years: { grain: 'year', since: '2023-01-01', until: ['lt', '2025-01-01'], metric: 'Sales Last Year' },
}

for (const [title, asked] of Object.entries(TOGETHER)) t.test(`${title}: read once`, async (t) => t.equal(scans(sqlOf(asked)), 1))

t.test('a window over a value of both periods is of the same rows', async (t) => {
  const { select, where } = queryOf({})
  t.equal(
    scans(compileFor({ select: { ...select, dimensions: ['Day:quarter'], measures: ['Change Above'] }, where }, model).sql),
    1,
  )
})

const APART: Readonly<Record<string, Asked>> = {
  'a range that begins within a quarter': { since: '2024-04-02' },
  'a range that ends within a quarter': { until: ['lte', '2024-06-29'] },
  'weeks, which begin on different days': { grain: 'week' },
  'a quarter and that of the year before: the rows between them are not read': { metric: 'Sales Last Year' },
  'values with a filter of their own on the time': { metric: 'Early Sales Last Quarter' },
}

for (const [title, asked] of Object.entries(APART)) t.test(`${title}: read apart`, async (t) => t.equal(scans(sqlOf(asked)), 2))

t.test('an engine that computes a table for each of its readers reads them apart', async (t) =>
  t.equal(scans(sqlOf({}, standard)), 2),
)

t.test('the answer has its own periods only', async (t) => {
  t.match(
    sqlOf({}),
    'WHERE "orders_periods"."Day:quarter" >= DATE \'2024-04-01\'\n    AND "orders_periods"."Day:quarter" < DATE \'2024-07-01\'',
  )
  t.match(sqlOf({}), '"orders"."day" >= DATE \'2024-01-01\'\n    AND "orders"."day" < DATE \'2024-07-01\'')
})

const looked = lookupIn(canonicalPlan(queryOf({}), model))

function lookupIn(node: LogicalPlan): Lookup {
  return node.kind === 'lookup' ? node : lookupIn(firstOf(inputsOf(node)))
}

/** The same with groups of rows that the rule does not know. */
const below = (node: LogicalPlan): LogicalPlan =>
  node.kind === 'aggregate'
    ? { ...node, input: { kind: 'limit', input: node.input, limit: 1, offset: undefined } }
    : mapPlans(node, below)
const { period: _, ...elsewhere } = looked

const NODES: readonly (readonly [title: string, node: LogicalPlan, fires: boolean])[] = [
  ['another period', looked, true],
  ['values that are looked up otherwise', elsewhere, false],
  ['groups of rows that it does not know', { ...looked, input: below(looked.input) }, false],
  ['periods of rows that it does not know', { ...looked, from: below(looked.from) }, false],
  ['no lookup', looked.input, false],
]

for (const [title, node, fires] of NODES)
  t.test(`the rule and ${title}`, async (t) => {
    const after = touchingPeriods.rewrite(node, { hints: NO_HINTS, typeOf: () => INT })
    t.equal(after !== undefined, fires)
  })
