/** A measure over several facts in windows: each fact is summed over the rows of the window before they are joined. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { wordsOf } from '../../../test/support/relations.js'
import { said } from '../../../test/support/said.js'
import type { PeriodWindow } from '../resolve/resolved-query.js'
import { blockRequests } from './block-requests.js'
import type { BoundFact } from './bound-block.js'
import { bindInWindows } from './facts-in-windows.js'

const kept = { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' }
const facts = {
  columns: { 'Shop Id': { code: 'shop_id', abstractType: 'int' } },
  joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Day'] }), manyToOne('Shops', 'Shop Id')],
}
const soFar = (measure: string, timeDimension: string) => ({ type: 'cumulative', measure, timeDimension })
const model = shopWith({
  dataObjects: {
    Days: { code: 'days', columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true } } },
    Shops: {
      code: 'shops',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Name: { code: 'name', abstractType: 'string' },
      },
    },
    Customers: { columns: { Since: { code: 'since', abstractType: 'date' } } },
    Orders: facts,
    Returns: facts,
  },
  dimensions: {
    Date: { dataObject: 'Days', column: 'Day' },
    Since: { dataObject: 'Customers', column: 'Since' },
    Shop: { dataObject: 'Shops', column: 'Name' },
  },
  measures: { Kept: kept, 'Kept at End': { ...kept, semiAdditive: { timeDimension: 'Date', take: 'last' } } },
  metrics: {
    'Kept So Far': soFar('Kept', 'Date'),
    'Kept at End So Far': soFar('Kept at End', 'Date'),
    'Kept Since': soFar('Kept', 'Since'),
  },
})

function bind(
  measure: string,
  dimensions: readonly string[],
  change: (window: PeriodWindow) => Partial<PeriodWindow> = () => ({}),
) {
  const planned = blockRequests(aggregateQuery({ select: { dimensions, measures: [measure] } }, model))
  const { request, window } = planned.find((one) => one.window) ?? {}
  if (!request || !window) throw new Error('no window')
  return bindInWindows(request, { ...window, ...change(window) }, contextOf(model))
}
const names = (all: readonly { readonly name: string }[]): readonly string[] =>
  all.map(({ name }) => name.split('.').at(-1) ?? '')
const by = ({ block }: BoundFact): string => `${block.base} by ${names(block.groupBy).join(', ')}`

function told(...asked: Parameters<typeof bind>) {
  const { block, over } = bind(...asked)
  return {
    groups: names(block.groupBy),
    facts: over.facts?.facts.map(by),
    beside: over.facts?.facts.flatMap(({ beside }) => beside?.columns.map(({ expression }) => said(expression)) ?? []),
    own: over.facts?.own && by(over.facts.own),
    within: over.facts && names(over.facts.groupBy),
  }
}

t.test('facts are summed by the key of the object where they meet and by the time', async (t) => {
  t.same(told('Kept So Far', ['Date:month']), {
    groups: ['Date:month'],
    facts: ['Orders by Id, Date:month', 'Returns by Id, Date:month'],
    beside: [],
    own: 'Customers by Id',
    within: ['Id'],
  })
})

t.test('what only the object itself says stands beside the sums, so that the window knows its group', async (t) => {
  t.same(told('Kept So Far', ['Date:month', 'Region']), {
    groups: ['Date:month', 'Region'],
    facts: ['Orders by Id, Date:month', 'Returns by Id, Date:month'],
    beside: ['Regions.name', 'Regions.name'],
    own: 'Customers by Id, Region',
    within: ['Id'],
  })
  const [orders, returns] = bind('Kept So Far', ['Date:month', 'Region']).over.facts?.facts ?? []
  t.equal(wordsOf(orders?.beside?.alias ?? ''), 'orders_sums_rows in Orders')
  t.equal(wordsOf(returns?.beside?.alias ?? ''), 'returns_sums_rows in Returns')
  t.same(names(orders?.beside?.from.facts?.keys ?? []), ['Id', 'Date:month'])
})

t.test('if the facts say more than the time, their rows alone are groups', async (t) => {
  t.match(told('Kept So Far', ['Date:month', 'Shop']), {
    groups: ['Date:month', 'Shop'],
    facts: ['Orders by Id, Date:month, Shop', 'Returns by Id, Date:month, Shop'],
    beside: [],
    own: undefined,
    within: ['Id'],
  })
})

t.test('groups that are no part of the window are read within it', async (t) => {
  const apart = told('Kept So Far', ['Date:month', 'Shop'], () => ({ partition: [] }))
  t.same(apart.within, ['Shop', 'Id'])
  t.same(apart.groups, ['Date:month', 'Shop'])
})

t.test('a window has what its measure is grouped by', async (t) => {
  const [region] = aggregateQuery({ select: { dimensions: ['Region'], measures: ['Sales'] } }, model).dimensions
  const { window } = bind('Kept So Far', ['Date:month', 'Shop'], ({ partition }) => ({
    partition: [...partition, region!],
    groupBy: [...partition, region!],
  })).over
  t.same(names(window.partition), ['Shop'])
  t.same(names(window.groupBy), ['Shop'])
})

t.test('a balance is read at each time, and the block takes the last', async (t) => {
  const { block } = bind('Kept at End So Far', ['Date:month'])
  t.same(names(block.groupBy), ['Date:month', 'Date'])
  t.same(names(block.dimensions), ['Date:month'])
  t.match(block.semiAdditive, { take: 'last' })
  t.same(told('Kept at End So Far', ['Date:month']).within, ['Date', 'Id'])
})

t.test('a time of the object itself needs no sums in windows', async (t) => {
  const { block, over } = bind('Kept Since', ['Since:month'])
  t.equal(over.facts, undefined)
  t.same(
    block.from.facts?.legs.map(({ block: { base } }) => base),
    ['Customers', 'Orders', 'Returns'],
  )
  t.equal(bind('Running Sales', ['Day:month']).over.facts, undefined, 'a measure of one fact')
})
