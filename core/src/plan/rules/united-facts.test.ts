/** The rows of three facts are united before they are joined, unless the plan has something that the law does not cover. The answers are compared in test/compile. */
import t from 'tap'
import { canonicalPlan, loadText } from '../../../../test/support/compile.js'
import { above, column, filter, joinTo, named, scan } from '../../../../test/support/plans.js'
import { at } from '../../../../test/support/relations.js'
import { FLOAT, INT } from '../../model/data-type.js'
import { binary, integer, isNotNull } from '../../resolve/expressions.js'
import { relationColumn } from '../../resolve/relation-column.js'
import { equal, holds } from '../../resolve/row-terms.js'
import { inputsOf } from '../inputs.js'
import type { Aggregate, Combine, Filter, Join, LogicalPlan, Scan } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { unitedFacts } from './united-facts.js'

const fact = (name: string): string => `
  ${name}:
    code: ${name.toLowerCase()}
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Item: { code: item_${name.toLowerCase()}, abstractType: int }
      Day: { code: day_${name.toLowerCase()}, abstractType: int }
      Pieces: { code: pieces, abstractType: int, numClass: additive }
    joins:
      - { joinType: many-to-one, joinTo: Items, columnsFrom: [Item], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [Day], columnsTo: [Id] }`
const FACTS = ['Shop', 'Web', 'Mail']
const model = loadText(`
version: 1
name: channels
dataObjects:
  Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Color: { code: color, abstractType: string } } }
  Days: { code: days, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Year: { code: year, abstractType: int } } }
${FACTS.map(fact).join('')}
dimensions:
  Color: { dataObject: Items, column: Color }
  Year: { dataObject: Days, column: Year }
measures:
${FACTS.map((name) => `  ${name} Pieces: { aggregation: sum, columns: [{ dataObject: ${name}, column: Pieces }] }`).join('\n')}
`)

const plan = canonicalPlan(
  {
    select: { dimensions: ['Color'], measures: FACTS.map((name) => `${name} Pieces`) },
    where: [{ field: 'Year', op: '=', value: 2024 }],
  },
  model,
)
const facts = combineIn(plan)
const typeOf = () => INT
const rewritten = (node: LogicalPlan, type = typeOf): LogicalPlan | undefined =>
  unitedFacts.rewrite(node, { hints: NO_HINTS, typeOf: type })

function combineIn(node: LogicalPlan): Combine {
  return node.kind === 'combine' ? node : combineIn(inputsOf(node)[0]!)
}

t.test('each table is read once, and each object is joined once', async (t) => {
  const node = rewritten(facts)
  const scans: string[] = []
  const visit = (one: LogicalPlan): void => (one.kind === 'scan' ? void scans.push(one.object) : inputsOf(one).forEach(visit))
  visit(node!)
  t.same(scans.sort(), ['Days', 'Items', 'Mail', 'Shop', 'Web'])
  t.ok(node?.kind === 'aggregate')
  if (node?.kind === 'aggregate') {
    t.same(
      node.aggregates.map(({ name, aggregate }) => `${aggregate} ${name}`),
      FACTS.map((name) => `sum ${name} Pieces`),
    )
    t.same(node.keys, (inputsOf(facts)[0] as Aggregate).keys)
  }
})

/** The facts with one of them changed. */
const withLeg = (change: (input: Aggregate) => Aggregate, at = 1): Combine => ({
  ...facts,
  legs: facts.legs.map((leg, i) => (i === at ? { ...leg, input: change(leg.input as Aggregate) } : leg)),
})
const everyLeg = (change: (input: Aggregate) => Aggregate): Combine => ({
  ...facts,
  legs: facts.legs.map((leg) => ({ ...leg, input: change(leg.input as Aggregate) })),
})
const onlyCall =
  (change: object) =>
  (node: Aggregate): Aggregate => ({
    ...node,
    aggregates: node.aggregates.map((call) => ({ ...call, ...change })),
  })
const own = (name: string) => relationColumn(at('Web'), name, INT)
const filtered =
  (condition: Filter['condition']) =>
  (node: Aggregate): Aggregate => ({
    ...node,
    input: { kind: 'filter', input: node.input, condition, reason: 'a test' },
  })

/** The first of the joins of a fact, changed. */
function withJoin(change: (join: Join) => Join) {
  const inJoins = (node: LogicalPlan): LogicalPlan => {
    if (node.kind === 'filter') return { ...node, input: inJoins(node.input) }
    return node.kind === 'join' ? change(node) : node
  }
  return (node: Aggregate): Aggregate => ({ ...node, input: inJoins(node.input) })
}

const withScan =
  (change: object) =>
  (node: Aggregate): Aggregate => {
    const inner = (one: LogicalPlan): LogicalPlan => {
      if (one.kind === 'filter') return { ...one, input: inner(one.input) }
      if (one.kind === 'join') return { ...one, left: inner(one.left) }
      return { ...one, ...change } as LogicalPlan
    }
    return { ...node, input: inner(node.input) }
  }
const scanOf = (node: LogicalPlan): Scan => (node.kind === 'scan' ? node : scanOf(inputsOf(node)[0]!))

function withoutFilters(node: LogicalPlan, instead: Filter['condition']): LogicalPlan {
  if (node.kind === 'filter') return withoutFilters(node.input, instead)
  return { kind: 'filter', input: node, condition: instead, reason: 'a test' }
}

/** Each fact with the first of its joins to rows that are joined themselves, which are explained by the name of the fact. */
const withRows = (size: (fact: string) => number): Combine =>
  everyLeg((node) => {
    const { object } = scanOf(node)
    return withJoin((join) => {
      const right = join.right as Scan
      const joined = joinTo(scan('Inner'), 'Sizes', column('Inner', 'size'), {
        label: { from: object, to: 'Sizes', columns: [], reason: object },
      })
      const input: LogicalPlan = { ...filter(joined, above(column('Sizes', 'n'), size(object))), reason: object }
      const columns = ['id', 'color'].map((name) => named(name, column('Inner', name)))
      return { ...join, right: { kind: 'distinct', input, alias: right.alias, columns, reason: object } }
    })(node)
  })

t.test('how the joined rows are explained does not matter', async (t) => {
  t.ok(rewritten(withRows(() => 3)))
  t.equal(rewritten(withRows((fact) => fact.length)), undefined, 'what they are does')
})

const ALONE: Readonly<Record<string, Combine>> = {
  'no key': { ...facts, keys: [] },
  'two facts': { ...facts, legs: facts.legs.slice(1) },
  'a fact that adds no row': { ...facts, legs: facts.legs.map((leg, i) => (i === 2 ? { ...leg, contributesRows: false } : leg)) },
  'a fact that is no aggregation': {
    ...facts,
    legs: facts.legs.map((leg, i) =>
      i === 1 ? { ...leg, input: { kind: 'limit', input: leg.input, limit: 1, offset: 0 } } : leg,
    ),
  },
  'a level of subtotals': withLeg((node) => ({ ...node, sets: [['Color'], []] })),
  'rows that are no rows of a table': withLeg((node) => ({
    ...node,
    input: { kind: 'limit', input: node.input, limit: 1, offset: 0 },
  })),
  'rows that a join repeats': withLeg(withJoin(({ findsOne: _, ...join }) => join)),
  'a join that is no equality': everyLeg(withJoin((join) => ({ ...join, on: [holds(binary('>', own('item'), integer(1)))] }))),
  'another type of join': withLeg(withJoin((join) => ({ ...join, type: 'inner' }))),
  'a join by another column of the object': withLeg(
    withJoin((join) => ({ ...join, on: join.on.map((term) => (term.kind === 'equal' ? equal(term.from, integer(1)) : term)) })),
  ),
  'one more condition': withLeg(filtered(binary('>', own('pieces'), integer(2)))),
  'a condition on the fact, in each': everyLeg((node) =>
    filtered(binary('>', relationColumn(scanOf(node).alias, 'pieces', INT), integer(2)))(node),
  ),
  'only conditions that a value exists': everyLeg((node) => ({
    ...node,
    input: withoutFilters(node.input, isNotNull(relationColumn(at(scanOf(node).object, 'Days'), 'id', INT))),
  })),
  'other groups': withLeg((node) => ({ ...node, keys: node.keys.map((key) => ({ ...key, expression: integer(1) })) })),
  'an aggregate that does not ignore NULL': withLeg(onlyCall({ aggregate: 'array_agg' })),
  'an aggregate of two arguments': withLeg(onlyCall({ args: [own('pieces'), own('id')] })),
  'an aggregate in an order': withLeg(onlyCall({ orderBy: [{ expression: own('id'), descending: false }] })),
  'a count of rows that exist': withLeg(onlyCall({ onlyWith: own('id') })),
  'a sum without an argument': withLeg(onlyCall({ args: [] })),
  'a value of an object': withLeg(onlyCall({ args: [relationColumn(at('Web', 'Items'), 'id', INT)] })),
  'three values of one fact': withLeg((node) => ({ ...node, aggregates: [1, 2, 3].flatMap(() => node.aggregates) })),
  'elements of an array': withLeg(withScan({ elements: { array: 'a', sqlType: undefined, key: [], fields: [] } })),
}

for (const [title, node] of Object.entries(ALONE))
  t.test(`${title}: left alone`, async (t) => {
    t.not(node, facts)
    t.equal(rewritten(node), undefined)
  })

t.test('values of which a NULL changes others: left alone', async (t) =>
  t.equal(
    rewritten(facts, () => FLOAT),
    undefined,
  ),
)

t.test('counts and filters are united, too', async (t) => {
  t.ok(rewritten(withLeg(onlyCall({ aggregate: 'count', args: [] }))), 'a count of rows')
  t.ok(rewritten(withLeg(onlyCall({ filter: binary('>', own('pieces'), integer(2)) }))), 'an aggregate with its own filter')
  t.ok(rewritten(withLeg((node) => ({ ...node, aggregates: [1, 2].flatMap(() => node.aggregates) }))), 'two values')
})
