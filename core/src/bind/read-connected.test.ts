/** Where a field is read: from the base, from a bridge, or from the facts that provide it. */
import t from 'tap'
import { aggregateQuery, bound, contextOf, legsOf } from '../../../test/support/bound.js'
import { PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { connectedRows } from './connected-rows.js'
import { readDimension, readReached, readWhere } from './read-connected.js'

const model = shopWith(PARCELS_AND_LABELS, {
  measures: { Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' } },
})
const context = contextOf(model)
const rows = (base: string, bridges: readonly string[] = [], separate: readonly string[] = []) =>
  connectedRows(context, { base, bridges: new Set(bridges), separate: new Set(separate) })

function where(condition: object, ...of: Parameters<typeof rows>): string {
  const { where } = aggregateQuery({ select: { dimensions: ['Region'], measures: ['Sales'] }, where: [condition] }, model)
  return said(readWhere(rows(...of), where[0]!.expression, 'where[0]'))
}

t.test('a field is read from the base, or from the rows of its bridge', async (t) => {
  const apples = { field: 'Product', op: 'equals', value: 'apple' }
  t.equal(where({ field: 'Region', op: 'equals', value: 'north' }, 'Orders'), "(Regions.name = 'north')")
  t.equal(where(apples, 'Orders', ['Items']), "(Items.product = 'apple')")
  t.equal(where(apples, 'Orders', ['Items'], ['Items']), "(Items[Items.product] = 'apple')", 'a separate relation')
  t.equal(where(apples, 'Orders', ['Parcels', 'Items'], ['Items']), "(Items[Items.product] = 'apple')", 'beside another')
  const column = { kind: 'column', object: 'Items', column: 'Product' } as const
  t.equal(said(readReached(rows('Orders', ['Items'], ['Items']), column, '')), 'Items[Items.product]')
})

t.test('an exists is tested on the base, or on the rows of a bridge', async (t) => {
  const returned = (field: string) => ({ field, op: 'exists', subquery: { dataObject: 'Returns' } })
  t.equal(where(returned('Region'), 'Orders'), 'found(Returns) is not null')
  t.equal(where(returned('Status'), 'Customers', ['Orders'], ['Orders']), 'Orders[found(Returns)] is not null')
})

function group(dimension: unknown, ...of: Parameters<typeof rows>) {
  const { dimensions } = aggregateQuery({ select: { dimensions: [dimension], measures: ['Sales'] } }, model)
  return readDimension(rows(...of), dimensions[0]!)
}

t.test('a dimension is a value, or its period', async (t) => {
  t.equal(said(group('Region', 'Orders').key.expression), 'Regions.name')
  t.equal(said(group('Day:month', 'Orders').key.expression), "date_trunc('month', Orders.day)")
  t.equal(group('Region', 'Orders').top, undefined)
})

t.test('of the top values, each is a group, and the others are one or none', async (t) => {
  const top = (others?: string) => {
    const query = {
      select: { dimensions: ['Region'], measures: ['Sales'] },
      top: { dimension: 'Region', n: 3, by: 'Sales', ...(others !== undefined && { others }) },
    }
    return legsOf(bound(query, model))[0]?.from.top
  }
  t.match(top(), { type: 'inner', label: { to: 'Region', reason: 'only rows of the top values' } })
  t.match(top('Other'), { type: 'left', label: { to: 'Region', reason: 'rows of all other values are one group' } })
})

t.test('a dimension that facts provide is read from them', async (t) => {
  const { multiFact, dimensions } = aggregateQuery({ select: { dimensions: ['Region'], measures: ['Kept'] } }, model)
    .aggregates[0]!
  const facts = (provided: typeof dimensions) => ({
    alias: rows('Orders').base.root.alias,
    keys: multiFact!.keys,
    dimensions: provided,
    legs: [],
  })
  const read = (provided: typeof dimensions) =>
    said(
      readDimension(
        connectedRows(context, { base: 'Customers', bridges: new Set(), separate: new Set(), facts: facts(provided) }),
        dimensions[0]!,
      ).key.expression,
    )
  t.equal(read([]), 'Regions.name')
  t.equal(read(dimensions), 'Orders.Region')
})
