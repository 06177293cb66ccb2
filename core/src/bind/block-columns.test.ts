/** Names are given at the end, to values: the order of reading decides numbers, and never what is one value. */
import t from 'tap'
import { INT } from '../model/data-type.js'
import { madeOf } from '../relation/relation.js'
import { binary, isNotNull } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { equal } from '../resolve/row-terms.js'
import { blockColumns } from './block-columns.js'
import { type BridgeColumn, type FoundColumn, foundColumn, type ReadExpr } from './read-column.js'

const BRIDGES = [
  { node: 'Items', alias: 'items_rows' },
  { node: 'Tags', alias: 'tags_rows' },
]

const column = (table: string, name: string): RelationColumn => relationColumn(table, name, INT)
const ofBridge = (node: string, value: BridgeColumn['value']): BridgeColumn => ({ kind: 'of-bridge', node, value, type: INT })
const price = (): BridgeColumn => ofBridge('Items', column('Items', 'price'))
const tag = (): BridgeColumn => ofBridge('Tags', column('Tags', 'tag'))

const found = (target: string): FoundColumn =>
  foundColumn({
    node: 'Orders',
    found: {
      rows: {
        start: {
          kind: 'scan',
          object: target,
          source: { kind: 'table', name: target, schema: undefined, database: undefined },
          alias: target,
        },
        joins: [],
      },
      where: [],
      links: [{ name: 'link_1', expression: column(target, 'order_id'), type: INT }],
    },
    linkedTo: [column('Orders', 'id')],
    label: { from: 'Orders', to: target, columns: ['id'], reason: 'exists' },
  })

const named = (reads: readonly ReadExpr[]): readonly RowExpr[] => reads.map(blockColumns(reads, BRIDGES).named)
const nameOf = (expression: RowExpr | undefined): string =>
  expression?.kind === 'column' ? `${expression.table}.${expression.name}` : `${expression?.kind}`

t.test('the columns of each bridge are numbered in the order of first reading; equal values are one column', async (t) => {
  const cases: readonly (readonly [readonly ReadExpr[], readonly string[]])[] = [
    [[column('Orders', 'id')], ['Orders.id']],
    [
      [price(), tag(), price()],
      ['items_rows.c1', 'tags_rows.c1', 'items_rows.c1'],
    ],
    [
      [ofBridge('Items', column('Items', 'id')), price()],
      ['items_rows.c1', 'items_rows.c2'],
    ],
    [
      [price(), ofBridge('Items', column('Items', 'id'))],
      ['items_rows.c1', 'items_rows.c2'],
    ],
  ]
  for (const [reads, names] of cases) t.same(named(reads).map(nameOf), names)
})

t.test('a bridge lists the expressions of its columns', async (t) => {
  const { ofBridge: columnsOf } = blockColumns([binary('+', price(), tag())], BRIDGES)
  t.same(columnsOf('Items'), [{ name: 'c1', type: INT, expression: column('Items', 'price') }])
  t.same(columnsOf('Tags'), [{ name: 'c1', type: INT, expression: column('Tags', 'tag') }])
})

t.test('the rows of an exists filter are joined once for all that read them, also within a bridge', async (t) => {
  const reads = [isNotNull<FoundColumn>(found('Visits')), found('Returns'), found('Visits'), ofBridge('Items', found('Visits'))]
  const columns = blockColumns(reads, BRIDGES)
  const [visits, returns] = [madeOf('Visits', '_found', ['Orders', '0']), madeOf('Returns', '_found', ['Orders', '1'])]
  t.same(
    columns.found.map(({ right }) => right.alias),
    [visits, returns],
  )
  t.same(columns.found[0]?.on, [equal<RelationColumn>(column('Orders', 'id'), column(visits, 'link_1'))])
  t.same(columns.ofBridge('Items')[0]?.expression, column(visits, 'hit'))
  t.same([...columns.tables], [visits, returns, 'items_rows'])
})

t.test('another order of reading changes only the numbers', async (t) => {
  const reads = [price(), found('Visits'), tag(), found('Returns')]
  const [one, other] = [blockColumns(reads, BRIDGES), blockColumns(reads.toReversed(), BRIDGES)]
  const targets = ({ found: all }: typeof one) => all.map(({ label }) => label.to).sort()
  t.same(targets(other), targets(one))
  for (const { node } of BRIDGES) t.same(other.ofBridge(node), one.ofBridge(node))
})
