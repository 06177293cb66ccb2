/** The definition of a table changes with its statement, and not with what the model calls and says about things. */
import t from 'tap'
import { context, flightsWithRollups } from '../../../../test/rollups/hit-rate.js'
import { amount, oneIn } from '../../../../test/support/amount.js'
import { loadText } from '../../../../test/support/compile.js'
import { SHOP } from '../../../../test/support/models.js'
import { compileRollup } from '../../compile/compile-rollup.js'
import { GrainlineError } from '../../errors.js'
import { parseModelSync } from '../../model/load-model.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { rollupDefinition } from './rollup-definition.js'

const ROLLUP = `
parameters:
  Least: { type: int, default: 10 }
segments:
  Large: { filters: [{ field: Amount, op: gte, value: { parameter: Least } }] }
filters:
  - { dataObject: Customers, column: Name, operator: notequals, value: test }
rollups:
  Weekly:
    dataObject: Orders
    dimensions: [{ field: Day, grain: week }, Status, Region]
    measures: [Sales, Paid Orders]
    where: [{ segment: Large }]
`
const text =
  SHOP.replace('dimensions:\n', 'dimensions:\n  Amount: { dataObject: Orders, column: Amount, description: So much }\n') + ROLLUP
const shop = loadText(text)

const definitionOf = (model: SemanticModel, asked = {}): string => {
  const [rollup] = model.rollups.values()
  return rollupDefinition(rollup!, model, context, asked)
}
const changed = (was: string | RegExp, is: string): string => {
  const other = text.replaceAll(was, is)
  if (other === text) throw new Error(`nothing is ${was}`)
  return definitionOf(loadText(other))
}

t.test('numbers with more digits than a double has are told apart', async (t) => {
  const of = (least: string) =>
    definitionOf(
      loadText(
        text.replace('{ field: Amount, op: gte, value: { parameter: Least } }', `{ expression: '{[Amount]} > ${least}' }`),
      ),
    )
  t.not(of('9007199254740993'), of('9007199254740995'))
})

const OTHERS: Readonly<Record<string, readonly [was: string, is: string]>> = {
  'a table': ['code: orders', 'code: all_orders'],
  'a column': ['code: amount, abstractType: int', 'code: total, abstractType: int'],
  'a type': ['code: name, abstractType: string', 'code: name, abstractType: json'],
  'a static filter': ['operator: notequals, value: test', 'operator: notequals, value: tests'],
  'a filter of a measure': ['op: equals, value: paid', 'op: equals, value: sent'],
  'the default of a parameter': ['default: 10', 'default: 11'],
  'a condition': ['where: [{ segment: Large }]', 'where: []'],
  'a grain': ['grain: week', 'grain: day'],
  'the start of weeks': ['version: 1\n', 'version: 1\nsettings: { weekStart: sunday }\n'],
  'a required join': [
    'columnsFrom: [Region Id], columnsTo: [Id] }',
    'columnsFrom: [Region Id], columnsTo: [Id], required: true }',
  ],
  'the column of a join': [
    'columnsFrom: [Customer Id], columnsTo: [Id] }\n      - { joinTo: Customers',
    'columnsFrom: [Payer Id], columnsTo: [Id] }\n      - { joinTo: Customers',
  ],
  'a measure more': ['measures: [Sales, Paid Orders]', 'measures: [Sales, Paid Orders, Buyers, Paid Sales]'],
}
for (const [title, [was, is]] of Object.entries(OTHERS))
  t.test(`${title} is part of it`, (t) => {
    t.not(changed(was, is), definitionOf(shop))
    t.end()
  })

const SAME: Readonly<Record<string, readonly [was: string | RegExp, is: string]>> = {
  'the name of the rollup': ['Weekly', 'Each Week'],
  'the name of a data object': [/\bCustomers\b/g, 'Clients'],
  'the name of a column': ['Region Id', 'Region Number'],
  'a description': ['description: So much', 'description: So very much'],
  'the order of declarations': [
    '  Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }\n',
    '  Another: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }\n  Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }\n',
  ],
}
for (const [title, [was, is]] of Object.entries(SAME))
  t.test(`${title} is no part of it`, (t) => {
    t.equal(changed(was, is), definitionOf(shop))
    t.end()
  })

const loaded = (json: unknown): SemanticModel | undefined => parseModelSync({ json }).model

const withInstants = ({ document }: SemanticModel): SemanticModel => {
  const rollups = {
    Hours: { dataObject: 'Flights', dimensions: [{ field: 'Scheduled At', grain: 'hour' }], measures: ['Flight Count'] },
  }
  return loaded({ ...document, rollups })!
}

t.test('a zone or a parameter is part of it where the build reads it', (t) => {
  t.equal(definitionOf(shop, { timezone: 'Asia/Tokyo' }), definitionOf(shop), 'dates have no zone')
  t.not(definitionOf(shop, { parameters: { Least: 20 } }), definitionOf(shop))
  const inExpression = loadText(
    text.replace('{ field: Amount, op: gte, value: { parameter: Least } }', `{ expression: '{[Amount]} > {@Least}' }`),
  )
  t.not(definitionOf(inExpression, { parameters: { Least: 20 } }), definitionOf(inExpression), 'also within an expression')
  const flights = flightsWithRollups()
  t.not(definitionOf(withInstants(flights), { timezone: 'Asia/Tokyo' }), definitionOf(withInstants(flights)), 'instants have one')
  t.end()
})

t.test('each value of a document that changes the statement changes the definition', (t) => {
  const { document } = shop
  const statement = (model: SemanticModel): string => compileRollup([...model.rollups.values()][0]!, model, context).sql
  const own = [statement(shop), definitionOf(shop)]
  let compared = 0
  for (const path of oneIn(3, leavesOf(document))) {
    const other = loaded(withLeaf(document, path))
    const found = other && unlessRefused(() => [statement(other), definitionOf(other)])
    if (!found || found[0] === own[0]) continue
    compared++
    t.not(found[1], own[1], path.join('.'))
  }
  t.ok(compared > amount(2, 10), `${compared} values change the statement`)
  t.end()
})

type Path = readonly (string | number)[]

function leavesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]))
}

/** The document with another value in one place: a text that differs, the next number, or the opposite. */
function withLeaf(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}x`
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? withLeaf(item, rest) : item))
  return { ...(value as object), [key]: withLeaf((value as Record<string, unknown>)[key], rest) }
}

function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
}
