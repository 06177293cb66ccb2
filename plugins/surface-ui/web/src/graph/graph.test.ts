import t from 'tap'
import type { Compiled, Schema } from '../api/types.js'
import { type Drawn, drawnOf, nextIn } from './drawn.js'
import { layersOf } from './layers.js'
import { modelGraph, neighbours, partOf } from './model-graph.js'
import type { JoinEdge } from './read-graph.js'

const edge = (from_object: string, to_object: string, more: Partial<JoinEdge> = {}): JoinEdge => ({
  from_object,
  to_object,
  cardinality: 'many-to-one',
  columns_from: [`${to_object} Id`],
  columns_to: ['Id'],
  secondary: false,
  ...more,
})

const object = (name: string) => ({ name, code: name.toLowerCase(), columns: [], join_targets: [], synonyms: [] })
const dimension = (data_object: string) => ({
  name: `${data_object} Name`,
  data_object,
  result_type: 'string',
  time_grain: null,
  synonyms: [],
})
const measure = (name: string, data_object: string) => ({
  name,
  result_type: 'int',
  aggregation: 'sum',
  columns: [{ data_object, column: 'Amount' }],
  synonyms: [],
})

/** Every object has one, which makes no fact of it. */
const ROW_COUNT = { ...measure('Customers Count', 'Customers'), aggregation: 'count', columns: [], anchor: 'Customers' }

const names = ['Sales', 'Returns', 'Customers', 'Countries', 'Tags', 'Notes', 'Lines']
const schema: Schema = {
  model_id: 'm',
  data_objects: names.map(object),
  dimensions: ['Customers', 'Countries', 'Tags'].map(dimension),
  measures: [measure('Revenue', 'Sales'), measure('Refunds', 'Returns'), ROW_COUNT],
  metrics: [],
  segments: [],
}
const graph = {
  nodes: names,
  bridges: [{ data_object: 'Tags' }],
  edges: [
    edge('Sales', 'Customers'),
    edge('Sales', 'Customers', { columns_from: ['Payer Id'], secondary: true, path_name: 'payer' }),
    edge('Returns', 'Customers'),
    edge('Customers', 'Countries'),
    edge('Tags', 'Customers'),
    edge('Lines', 'Sales', { columns_from: ['Sales Id'], nested_in: 'Items' }),
  ],
}
const explain = {
  planner: 'single',
  planner_reason: '',
  base_object: 'Sales',
  base_object_reason: '',
  joins: [{ from_object: 'Sales', to_object: 'Customers', join_columns: ['Payer Id'], reason: '' }],
  cfl_legs: [
    {
      measure_source: 'Returns',
      reason: '',
      joins: [{ from_object: 'Countries', to_object: 'Customers', join_columns: ['Id'], reason: '' }],
    },
  ],
  plan: { op: '', detail: '', children: [] },
} satisfies Compiled['explain']
const model = modelGraph({ schema, graph, orphans: ['Notes'], explain })

t.test('objects and joins are those of the model, with the path of the query', async (t) => {
  t.same(
    model.objects.map(({ name, kind, measures, dimensions, isLit }) => [name, kind, measures, dimensions, isLit]),
    [
      ['Sales', 'fact', 1, 0, true],
      ['Returns', 'fact', 1, 0, true],
      ['Customers', 'dimension', 0, 1, true],
      ['Countries', 'dimension', 0, 1, true],
      ['Tags', 'bridge', 0, 1, false],
      ['Notes', 'orphan', 0, 0, false],
      ['Lines', 'fact', 0, 0, false],
    ],
  )
  t.same(
    model.joins.map(({ isLit }) => isLit),
    [false, true, false, true, false, false],
    'of two joins of the same objects the one by these columns; a join is met in either direction',
  )
  t.equal(model.joins.at(-1)?.columns, 'elements of Items', 'a nested object has a line to the object that holds it')
  t.match(model.joins[1], { columns: 'Payer Id = Id', pathName: 'payer', isSecondary: true })
})

t.test('a part can be drawn: the objects of the query, or an object with its neighbours', async (t) => {
  const inPart = (...of: Parameters<typeof partOf>) => partOf(...of).objects.map(({ name }) => name)
  t.same(inPart(model, 'question', undefined), ['Sales', 'Returns', 'Customers', 'Countries'])
  t.same(inPart(model, 'near', 'Countries'), ['Customers', 'Countries'])
  t.same(inPart(model, 'near', 'Notes'), ['Notes'])
  t.same(inPart(model, 'near', undefined), ['Sales', 'Returns', 'Customers', 'Countries', 'Tags'], 'the one with the most joins')
  t.same([...neighbours(model, 'Sales')], ['Sales', 'Customers', 'Lines'])
})

t.test('joins lead from left to right, boxes do not overlap, and the keyboard follows them', async (t) => {
  const drawn = drawnOf(model)
  const x = (name: string) => drawn.places.get(name)!.x
  for (const { from, to } of model.joins) t.ok(x(from) < x(to), `${from} is left of ${to}`)
  apart(t.ok.bind(t), drawn)
  t.equal(nextIn(drawn.places, 'Customers', 'right'), 'Countries')
  t.equal(nextIn(drawn.places, 'Countries', 'left'), 'Customers')
  t.equal(nextIn(drawn.places, 'Countries', 'right'), undefined)
  const [first, second] = [drawn.routes.get('j0')!, drawn.routes.get('j1')!]
  t.not(first.start.y, second.start.y, 'two joins of the same objects are two lines')
  t.equal(drawn.routes.size, model.joins.length)
})

t.test('cycles, self-joins, and a link to a missing object', async (t) => {
  const boxes = ['a', 'b', 'c'].map((id) => ({ id, width: 100, height: 40 }))
  const links = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
    ['b', 'b'],
    ['a', 'z'],
  ].map(([from, to], n) => ({ id: `${n}`, from: from!, to: to! }))
  const { places, bends } = layersOf(boxes, links)
  t.equal(places.size, 3)
  t.equal(bends.get('2')?.length, 1, 'the link back passes the layer between')
  t.same(layersOf([], []).places.size, 0)
})

t.test('two hundred objects are drawn in columns, always in the same way', async (t) => {
  const many = Array.from({ length: 200 }, (_, n) => `Object ${n}`)
  const large = {
    objects: many.map((name) => ({ ...model.objects[0]!, name })),
    joins: many.slice(1, 190).map((from, n) => ({ ...model.joins[0]!, id: `${n}`, from, to: many[Math.floor(n / 3)]! })),
  }
  const drawn = drawnOf(large)
  t.equal(drawn.places.size, 200)
  t.ok(drawn.isCompact)
  apart(t.ok.bind(t), drawn)
  t.ok(drawn.bounds.height < 4000, `${drawn.bounds.height} high`)
  t.same([...drawnOf(large).places], [...drawn.places])
})

function apart(ok: (holds: boolean, says: string) => unknown, { places }: Drawn): void {
  const all = [...places.values()]
  const clash = all.flatMap((a, n) =>
    all.slice(n + 1).flatMap((b) => {
      const isClear = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y + 0.01 || b.y + b.height <= a.y + 0.01
      return isClear ? [] : [`${a.id} and ${b.id}`]
    }),
  )
  ok(clash.length === 0, `no boxes overlap: ${clash.slice(0, 3).join(', ')}`)
}
