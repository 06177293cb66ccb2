import t from 'tap'
import { GrainlineError } from '../errors.js'
import type { Cardinality, DataObject, Join, SemanticModel } from '../model/semantic-model.js'
import { JoinGraph, joinGraph, type Pin } from './join-graph.js'

/** `A>B` many-to-one, `A=B` one-to-one, `A*B` many-to-many; `:name` a path name, `?` secondary, `!` required. */
function modelOf(...edges: readonly string[]): SemanticModel {
  const joins = edges.map(joinOf)
  const names = [...new Set(joins.flatMap((j) => [j.from, j.to]))]
  const objects = names.map((name): [string, DataObject] => [
    name,
    { name, key: ['id'], joins: joins.filter((j) => j.from === name) } as unknown as DataObject,
  ])
  return { dataObjects: new Map(objects) } as unknown as SemanticModel
}

const CARDINALITY: Readonly<Record<string, Cardinality>> = { '>': 'many-to-one', '=': 'one-to-one', '*': 'many-to-many' }

function joinOf(edge: string): Join {
  const [, from = '', symbol = '', to = '', pathName, marks = ''] = /^(\w+)([>=*])(\w+)(?::(\w+))?([?!]*)$/.exec(edge) ?? []
  return {
    from,
    to,
    cardinality: CARDINALITY[symbol]!,
    on: [{ kind: 'equal', from: `${to}_id`, to: 'id' }],
    secondary: marks.includes('?'),
    required: marks.includes('!'),
    foreignKey: false,
    pathName,
  }
}

const pin = (source: string, target: string, pathName: string): Pin => ({ source, target, pathName, path: 'use_path_names[0]' })

/** `A-B-C`, or the reason why there is no path. */
function walked(graph: JoinGraph, from: string, to: string, via?: string): string {
  const path = graph.path(from, to, via)
  if (path.kind === 'ambiguous') return `${path.at}: ${path.through.join(' or ')}`
  if (path.kind === 'none') return 'none'
  return [from, ...path.edges.map((e) => (e.pathName ? `${e.to}(${e.pathName})` : e.to))].join('-')
}

const DIAMOND = ['Top>Left', 'Top>Right', 'Left>End', 'Right>End']

/** Customers have their own join, beside the path through `Through`; `Home` and `City` are behind them. */
const CUSTOMER = ['Sale>Customer', 'Sale>Through', 'Through>Customer', 'Customer>Home', 'Home>City']

const paths: readonly {
  readonly is: string
  readonly edges: readonly string[]
  readonly pins?: readonly Pin[]
  readonly ask: readonly (readonly [from: string, to: string, is: string, via?: string])[]
}[] = [
  {
    is: 'if all paths end with the same edge and the path to its start is decided, they are taken',
    edges: CUSTOMER,
    ask: [
      ['Sale', 'Home', 'Sale-Customer-Home'],
      ['Sale', 'City', 'Sale-Customer-Home-City'],
      ['Through', 'City', 'Through-Customer-Home-City'],
    ],
  },
  {
    is: 'if the path to the start of the common edge is not decided, none is taken',
    edges: [...DIAMOND, 'End>Home'],
    ask: [['Top', 'Home', 'Top: Left or Right']],
  },
  {
    is: 'companions are passed where every path begins with one',
    edges: ['Order=Invoice', 'Order=Parcel', 'Parcel>Invoice', 'Invoice>Customer'],
    ask: [['Order', 'Customer', 'Order-Invoice-Customer']],
  },
  {
    is: 'two edges from one object are two ends',
    edges: [...CUSTOMER, 'Customer>Home:other'],
    ask: [['Sale', 'Home', 'Sale: Customer or Through']],
  },
  {
    is: 'a companion of the object before the last edge changes nothing',
    edges: [...CUSTOMER, 'Extra=Customer', 'Extra>Home'],
    ask: [['Sale', 'Home', 'Sale-Customer-Home']],
  },
  {
    is: 'the only way is the way',
    edges: ['A>B', 'B>C'],
    ask: [
      ['A', 'C', 'A-B-C'],
      ['A', 'A', 'A'],
      ['C', 'A', 'none'],
    ],
  },
  {
    is: 'a diamond has no way of its own',
    edges: DIAMOND,
    ask: [
      ['Top', 'End', 'Top: Left or Right'],
      ['Left', 'End', 'Left-End'],
    ],
  },
  {
    is: 'a via settles a diamond',
    edges: DIAMOND,
    ask: [
      ['Top', 'End', 'Top-Left-End', 'Left'],
      ['Top', 'End', 'Top-Right-End', 'Right'],
      ['Left', 'End', 'Left-End', 'Left'],
      ['Left', 'End', 'none', 'Right'],
    ],
  },
  {
    is: 'the edge that an object declares itself wins',
    edges: [...DIAMOND, 'Top>End'],
    ask: [
      ['Top', 'End', 'Top-End'],
      ['Top', 'End', 'Top-Left-End', 'Left'],
    ],
  },
  {
    is: 'a way through an object is ambiguous before it, or after it',
    edges: ['Root>Top', ...DIAMOND, 'End>Home'],
    ask: [
      ['Top', 'Home', 'Top: Left or Right', 'End'],
      ['Root', 'End', 'Top: Left or Right', 'Top'],
    ],
  },
  {
    is: 'a diamond further out is ambiguous where it forks',
    edges: ['Root>Top', ...DIAMOND],
    ask: [['Root', 'End', 'Top: Left or Right']],
  },
  { is: 'two primary edges to one object are ambiguous', edges: ['A>B:x', 'A>B:y'], ask: [['A', 'B', 'A: x or y']] },
  {
    is: 'a pin chooses among primary edges',
    edges: ['A>B:x', 'A>B:y', 'B>C'],
    pins: [pin('A', 'B', 'y')],
    ask: [
      ['A', 'B', 'A-B(y)'],
      ['A', 'C', 'A-B(y)-C'],
    ],
  },
  {
    is: 'a secondary edge is no way',
    edges: ['A>B:x?', 'B>C'],
    ask: [
      ['A', 'B', 'none'],
      ['A', 'C', 'none'],
    ],
  },
  {
    is: 'a pinned secondary edge replaces the primary one',
    edges: ['A>B', 'A>B:x?', 'B>C'],
    pins: [pin('A', 'B', 'x')],
    ask: [
      ['A', 'B', 'A-B(x)'],
      ['A', 'C', 'A-B(x)-C'],
    ],
  },
  {
    is: 'a pin leaves the edges of other pairs alone',
    edges: ['A>B', 'A>B:x?', 'C>B', 'C>B:x?'],
    pins: [pin('A', 'B', 'x')],
    ask: [['C', 'B', 'C-B']],
  },
  {
    is: 'a one-to-one edge is walked both ways',
    edges: ['A=B', 'B>C', 'D>A'],
    ask: [
      ['A', 'C', 'A-B-C'],
      ['B', 'A', 'B-A'],
      ['D', 'C', 'D-A-B-C'],
    ],
  },
  {
    is: 'a way never visits an object twice',
    edges: ['A=B', 'B=C', 'C>D'],
    ask: [
      ['A', 'D', 'A-B-C-D'],
      ['B', 'D', 'B-C-D'],
      ['C', 'A', 'C-B-A'],
    ],
  },
  {
    is: 'a pair leads to both its sides and nothing leads to it',
    edges: ['A*B', 'B>C'],
    ask: [
      ['A ⋈ B', 'A', 'A ⋈ B-A'],
      ['A ⋈ B', 'C', 'A ⋈ B-B-C'],
      ['A', 'B', 'none'],
      ['A', 'A ⋈ B', 'none'],
    ],
  },
]

for (const { is, edges, pins = [], ask } of paths) {
  t.test(is, async (t) => {
    for (const order of [edges, edges.toReversed()]) {
      const graph = new JoinGraph(modelOf(...order), pins)
      for (const [from, to, way, via] of ask) {
        const found = walked(graph, from, to, via)
        const sorted = (text: string) =>
          text
            .split(/: | or /)
            .toSorted()
            .join(' ')
        t.equal(sorted(found), sorted(way), `${from} → ${to}${via ? ` via ${via}` : ''}`)
      }
    }
  })
}

t.test('an object reaches others by forward joins, and itself', async (t) => {
  const graph = new JoinGraph(modelOf('A>B', 'B=C', 'D>A', 'E*A'))
  t.same([...graph.reach('A')].toSorted(), ['A', 'B', 'C'])
  t.same([...graph.reach('C')].toSorted(), ['B', 'C'])
  t.same([...graph.reach('E ⋈ A')].toSorted(), ['A', 'B', 'C', 'E', 'E ⋈ A'])
  t.notOk(graph.reaches('B', 'A'))
  t.ok(graph.reaches('D', 'C', 'B'))
  t.ok(graph.reaches('B', 'C', 'D'), 'what lies on the way from there has only the rest of it to go')
  t.notOk(graph.reaches('C', 'B', 'A'), 'what does not lie on the way has none')
})

t.test('the bridge is the object that every other candidate reaches', async (t) => {
  const graph = new JoinGraph(modelOf('Lines>Orders', 'Lines>Products', 'Returns>Lines', 'Orders>Customers'))
  t.equal(graph.bridge('Products', 'Customers'), 'Lines')
  t.equal(graph.bridge('Orders', 'Products'), 'Lines')
  t.equal(graph.bridge('Customers', 'Orders'), 'Orders')
  t.equal(graph.bridge('Customers', 'Nowhere'), undefined)
  const twoWays = new JoinGraph(modelOf('Sales>Shop', 'Sales>Item', 'Stock>Shop', 'Stock>Item'))
  t.equal(twoWays.bridge('Shop', 'Item'), 'ambiguous')
  t.equal(new JoinGraph(modelOf('Pupil*Course', 'Course>Room')).bridge('Pupil', 'Room'), 'Pupil ⋈ Course')
})

t.test('of objects joined one-to-one, the declaring side represents all', async (t) => {
  for (const edges of [
    ['Order=Invoice', 'Order>Customer'],
    ['Order>Customer', 'Order=Invoice'],
  ]) {
    const graph = new JoinGraph(modelOf(...edges))
    t.equal(graph.lowest(['Invoice', 'Order'], ['Invoice', 'Order']), 'Order')
    t.same(graph.minimal(['Invoice', 'Order'], ['Order', 'Invoice']), ['Order'])
    t.same(graph.minimal(['Invoice', 'Order'], ['Invoice']), ['Invoice'], 'only the selected object is left')
  }
})

t.test(
  'if no object declares the joins to all others, the selected one that declares those to the selected ones represents them',
  async (t) => {
    const all = ['Order', 'Invoice', 'Parcel', 'Refund']
    const joined = ['Order=Invoice', 'Parcel>Order', 'Parcel=Invoice', 'Refund>Order', 'Refund=Invoice']
    t.same(new JoinGraph(modelOf(...joined)).minimal(all, ['Order', 'Invoice']), ['Order'])
    const apart = new JoinGraph(modelOf('Order=Invoice', 'Parcel=Invoice'))
    t.same(apart.minimal(['Order', 'Invoice', 'Parcel'], ['Order', 'Parcel']), ['Order', 'Invoice', 'Parcel'], 'or all')
  },
)

t.test('simple paths are all paths without a cycle', async (t) => {
  const graph = new JoinGraph(modelOf(...DIAMOND))
  t.same(
    graph
      .simplePaths('Top', 'End')
      .map((way) => way.map((e) => e.to).join('-'))
      .toSorted(),
    ['Left-End', 'Right-End'],
  )
  const layers = 12
  const wide = Array.from({ length: layers }, (_, i) => [
    `N${i}>L${i}`,
    `N${i}>R${i}`,
    `L${i}>N${i + 1}`,
    `R${i}>N${i + 1}`,
  ]).flat()
  t.equal(
    new JoinGraph(modelOf(...wide)).simplePaths('N0', `N${layers}`).length,
    64,
    'and a lattice of four thousand ways is cut off',
  )
})

t.test('pins that match no join are refused with the nearest name', async (t) => {
  const model = modelOf('Orders>Addresses:billing', 'Orders>Addresses:shipping?')
  const refused = (p: Pin) => {
    try {
      return joinGraph(model, [p])
    } catch (error) {
      return error instanceof GrainlineError && [error.code, error.path, error.details.suggestions]
    }
  }
  t.same(refused(pin('Orders', 'Addresses', 'shiping')), ['UNKNOWN_PATH_NAME', 'use_path_names[0]', ['shipping']])
  t.same(
    refused(pin('Addresses', 'Orders', 'shipping')),
    ['UNKNOWN_PATH_NAME', 'use_path_names[0]', []],
    'a many-to-one join is not walked backwards',
  )
  t.same(refused(pin('Order', 'Addresses', 'shipping')), ['UNKNOWN_DATA_OBJECT', 'use_path_names[0]', ['Orders']])
  t.equal(joinGraph(model, []), joinGraph(model, []), 'the graph without pins is shared')
})

t.test('what an object does not reach is not reached through it', async (t) => {
  const graph = new JoinGraph(modelOf(...DIAMOND, 'Top>Other'))
  t.notOk(graph.reaches('Top', 'End', 'Other'))
  t.ok(graph.reaches('Top', 'End', 'Left'))
})
