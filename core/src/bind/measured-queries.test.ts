/** Measures that are columns: each is one query by the key of its object, whatever reads it. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { compileFor, loadText } from '../../../test/support/compile.js'
import { PARCELS_AND_LABELS, shop, shopWith } from '../../../test/support/models.js'
import { entryOf } from '../invariant.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { measuredAt, measuredColumn, rootPath } from '../relation/relation.js'
import { columnOf } from '../resolve/resolved-query.js'
import { MeasuredQueries } from './measured-queries.js'

const columns = (made: object, more: object = {}) => shopWith({ dataObjects: { Customers: { columns: made } } }, more)
const firstDay = { measures: { 'First Day': { aggregation: 'min', columns: [{ dataObject: 'Orders', column: 'Day' }] } } }

function queries(model: SemanticModel) {
  const measured = new MeasuredQueries(contextOf(model))
  const read = (column: string) => measured.column('Customers', columnOf(model, { kind: 'column', object: 'Customers', column }))
  return { measured, read }
}

t.test('a column is bound once', async (t) => {
  const { measured, read } = queries(columns({ Spent: { measure: 'Sales' }, Made: { measure: 'Order Count' } }))
  const spent = read('Spent')
  t.equal(read('Spent'), spent)
  read('Made')
  t.same(
    measured.all.map(({ of }) => measuredColumn(of)),
    ['Customers.Spent', 'Customers.Made'],
  )
  t.match(spent, {
    of: measuredAt(rootPath('Customers'), 'Spent'),
    keys: [{ name: 'key_1', type: { kind: 'int' } }],
    value: { name: 'value' },
    isCount: false,
  })
  t.match(read('Made'), { isCount: true })
})

t.test('what is only checked is not bound, and what was bound before stays', async (t) => {
  const { measured, read } = queries(columns({ Spent: { measure: 'Sales' }, Made: { measure: 'Order Count' } }))
  const spent = read('Spent')
  measured.check(() => {
    read('Spent')
    read('Made')
    measured.closure('Customers', { dataObject: 'Customers', key: 'Id', parent: 'Id', maxDepth: 1 })
  })
  const bound = () => measured.all.map(({ of }) => measuredColumn(of))
  t.same(bound(), ['Customers.Spent'])
  t.same(measured.warnings, [])
  t.equal(read('Spent'), spent)
  read('Made')
  t.same(bound(), ['Customers.Spent', 'Customers.Made'])
})

t.test('the pairs of a tree that were bound before a check stay, and are bound once', async (t) => {
  const { measured } = queries(shop)
  const tree = { dataObject: 'Customers', key: 'Id', parent: 'Id', maxDepth: 1 }
  measured.closure('Customers', tree)
  measured.check(() => measured.closure('Regions', { ...tree, dataObject: 'Regions' }))
  t.equal(measured.all.length, 1)
  measured.closure('Customers', tree)
  t.equal(measured.all.length, 1)
  measured.closure('Regions', { ...tree, dataObject: 'Regions' })
  t.equal(measured.all.length, 2)
})

t.test('each comes after those that it reads', async (t) => {
  const { measured, read } = queries(
    columns(
      { Spent: { measure: 'Sales' }, 'Most of Region': { measure: 'Spent in All' } },
      {
        measures: { 'Spent in All': { aggregation: 'max', columns: [{ dataObject: 'Customers', column: 'Spent' }] } },
      },
    ),
  )
  read('Most of Region')
  t.same(
    measured.all.map(({ of }) => measuredColumn(of)),
    ['Customers.Spent', 'Customers.Most of Region'],
  )
})

t.test('with a grain, it is a period', async (t) => {
  const { read } = queries(
    columns({ First: { measure: 'First Day' }, 'First Month': { measure: 'First Day', grain: 'month' } }, firstDay),
  )
  for (const name of ['First', 'First Month']) t.match(read(name), { kind: 'measured', value: { type: { kind: 'date' } } })
})

t.test('a filter that closes a circle is refused, and not followed for ever', async (t) => {
  const spent = { kind: 'column', object: 'Customers', column: 'Spent' } as const
  const model = columns({ Spent: { measure: 'Sales' } })
  const condition = { kind: 'leaf', column: spent, operator: 'gt', values: [1], path: '' } as const
  // The analysis of a model refuses such a filter.
  const circular = { ...model, filters: [{ dataObject: 'Customers', condition }] }
  const measured = new MeasuredQueries(contextOf(circular))
  t.throws(() => measured.column('Customers', columnOf(circular, spent)), {
    code: 'CYCLIC_FILTER',
    message: /reads 'Customers.Spent'/,
  })
})

t.test('so is one on the rows of a tree that reads their pairs', async (t) => {
  const above = { kind: 'column', object: 'Nodes', column: 'Above Others' } as const
  const model = loadText(`
version: 1
dataObjects:
  Nodes:
    code: nodes
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Up: { code: up, abstractType: string }
      Above Others: { exists: Tree, pathName: ancestor, filters: [{ field: Depth, op: ">", value: 0 }] }
  Tree:
    closure: { dataObject: Nodes, key: Id, parent: Up }
dimensions:
  Upper: { dataObject: Tree, column: Ancestor }
`)
  const condition = { kind: 'leaf', column: above, operator: 'eq', values: [true], path: '' } as const
  const queries = () => new MeasuredQueries(contextOf({ ...model, filters: [{ dataObject: 'Nodes', condition }] }))
  t.throws(() => queries().column('Nodes', columnOf(model, above)), {
    code: 'CYCLIC_FILTER',
    message: /reads 'Nodes.Above Others'/,
  })
  const { closure } = entryOf(model.dataObjects, 'Tree')
  t.throws(() => queries().closure('Tree', closure!), { code: 'CYCLIC_FILTER', message: /reads 'Nodes.Above Others'/ })
})

t.test('a value of another type than the column has is refused', async (t) => {
  const { measured } = queries(columns({ Spent: { measure: 'Sales' } }, PARCELS_AND_LABELS))
  const column = columnOf(columns({ Spent: { measure: 'Sales' } }), { kind: 'column', object: 'Customers', column: 'Spent' })
  t.throws(() => measured.column('Customers', { ...column, type: { kind: 'float' } }), {
    code: 'INVALID_COLUMN',
    message: /'Sales' by the key of the object is decimal/,
  })
})

const dotted = loadText(`
version: 1
dataObjects:
  A:
    code: a
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      "B.C": { measure: Sold }
  "A.B":
    code: ab
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      A Id: { code: a_id, abstractType: int }
      C: { measure: Returned }
    joins: [{ joinType: many-to-one, joinTo: A, columnsFrom: [A Id], columnsTo: [Id] }]
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      AB Id: { code: ab_id, abstractType: int }
      Amount: { code: amount, abstractType: int }
      Back: { code: back, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: "A.B", columnsFrom: [AB Id], columnsTo: [Id] }]
dimensions:
  One: { dataObject: A, column: "B.C" }
  Other: { dataObject: "A.B", column: C }
measures:
  Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
  Returned: { aggregation: sum, columns: [{ dataObject: Sales, column: Back }] }
  Orders: { aggregation: count, columns: [{ dataObject: Sales, column: Id }] }
`)
t.test('names with dots do not make one query of two columns', async (t) => {
  const { sql } = compileFor({ select: { dimensions: ['One', 'Other'], measures: ['Orders'] } }, dotted)
  t.match(sql, /SUM\("sales"."amount"\)/)
  t.match(sql, /SUM\("sales"."back"\)/)
})

t.test('a column that two fields read is one query', async (t) => {
  const { sql } = compileFor(
    { select: { dimensions: ['One'], measures: ['Orders'] }, where: [{ field: 'One', op: '>', value: 1 }] },
    dotted,
  )
  t.equal(sql.match(/SUM\(/g)?.length, 1)
})
