/** The unit of an aggregate in each row. */
import t from 'tap'
import { aggregateQuery, resolved } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { money } from '../../../test/units/model.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { answerUnits } from './answer-units.js'
import type { MixedWhat } from './mixed-units.js'
import { AggregateUnits } from './unit-of-rows.js'

function unit(measure: string, dimensions: readonly string[] = [], where: readonly object[] = []) {
  const query = aggregateQuery({ select: { dimensions, measures: [measure] }, where }, money)
  const mixed: MixedWhat[] = []
  const context = {
    model: query.model,
    graph: query.graph,
    time: query.time,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    values: new Map([['Currency', 'USD']]),
  }
  const units = new AggregateUnits(
    context,
    (what) => mixed.push(what),
    () => undefined,
  )
  const found = units.of(query.aggregates[0]!)
  if (mixed[0]) return `${mixed[0].does} ${mixed[0].column?.column}`
  return found
    ?.map(
      ({ of, power }) =>
        `${of.kind === 'named' ? of.name : of.kind === 'dimension' ? `{${of.label}}` : of.kind}${power === 1 ? '' : power}`,
    )
    .join()
}

t.test('a unit with a name', async (t) => {
  t.equal(unit('Freight'), 'EUR')
  t.equal(unit('Kilometres'), 'km')
  t.equal(unit('Pieces'), undefined)
  t.equal(unit('Orders Made'), undefined)
  t.ok(resolved({ select: { measures: ['Freight'] } }, money))
})

t.test('a unit that a column names: by a dimension, by a condition, or several', async (t) => {
  t.equal(unit('Revenue', ['Order Currency']), '{Order Currency}')
  t.equal(unit('Revenue', [], [{ field: 'Order Currency', op: 'eq', value: 'EUR' }]), 'EUR')
  t.equal(unit('Revenue', ['Order']), 'fixed', 'an order has one')
  t.equal(unit('Revenue'), 'adds Currency')
})

/** Two facts that meet at what names their units; `Code` is computed from it, and `Zone` is of the row of the fact. */
const sums = loadText(`
version: 1
name: sums
dataObjects:
  Currencies:
    code: currencies
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Paid Ever: { measure: Paid }
      Coded Ever: { measure: Coded }
  Payments:
    code: payments
    columns:
      Currency: { code: currency, abstractType: string }
      Zone: { code: zone, abstractType: string }
      Code: { expression: 'upper({Currency})', abstractType: string }
      Paid: { code: paid, abstractType: float, unit: { column: Currency } }
      Coded: { code: coded, abstractType: float, unit: { column: Code } }
      Zoned: { code: zoned, abstractType: float, unit: { column: Zone } }
    joins: [{ joinType: many-to-one, joinTo: Currencies, columnsFrom: [Currency], columnsTo: [Id], foreignKey: true }]
  Invoices:
    code: invoices
    columns:
      Currency: { code: currency, abstractType: string }
      Billed: { code: billed, abstractType: float, unit: { column: Currency } }
    joins: [{ joinType: many-to-one, joinTo: Currencies, columnsFrom: [Currency], columnsTo: [Id], foreignKey: true }]
dimensions:
  Currency: { dataObject: Currencies, column: Id }
measures:
  Paid: { aggregation: sum, columns: [{ dataObject: Payments, column: Paid }] }
  Coded: { aggregation: sum, columns: [{ dataObject: Payments, column: Coded }] }
  Paid by Currencies: { aggregation: sum, columns: [{ dataObject: Currencies, column: Paid Ever }] }
  Coded by Currencies: { aggregation: sum, columns: [{ dataObject: Currencies, column: Coded Ever }] }
  Paid and Billed: { aggregation: sum, expression: '{[Payments].[Paid]} * {[Invoices].[Billed]}', anchor: Currencies }
  Coded and Billed: { aggregation: sum, expression: '{[Payments].[Coded]} * {[Invoices].[Billed]}', anchor: Currencies }
  Zoned and Billed:
    aggregation: sum
    expression: '{[Payments].[Zoned]} * {[Invoices].[Billed]}'
    anchor: Currencies
    filters: [{ field: Payments.Zone, op: eq, value: EUR }]
`)
const unitIn = (measure: string, ...dimensions: readonly string[]) => {
  const catalogue = { functions: builtInFunctions, aggregates: builtInAggregates, values: new Map() }
  const { units, warnings } = answerUnits(resolved({ select: { dimensions, measures: [measure] } }, sums), catalogue)
  return warnings.length > 0 ? warnings.map(({ code }) => code).join() : units.get(measure)
}

t.test('a measure for each row of an object has the unit that the key of the row names', async (t) => {
  t.equal(unitIn('Paid by Currencies', 'Currency'), '{Currency}')
  t.equal(unitIn('Paid by Currencies'), 'MIXED_UNITS')
  t.equal(unitIn('Coded by Currencies', 'Currency'), 'MIXED_UNITS', 'no row of the object reads the column of the fact')
})

t.test('the key at which facts meet names a unit only where the answer shows it', async (t) => {
  t.equal(unitIn('Paid and Billed', 'Currency'), '{Currency}^2')
  t.equal(unitIn('Paid and Billed'), 'MIXED_UNITS')
  t.equal(unitIn('Coded and Billed', 'Currency'), undefined, 'one in each row, which the answer does not name')
  t.equal(unitIn('Coded and Billed'), 'MIXED_UNITS', 'nor what is computed from the key')
})

t.test('a condition of a measure on one of its facts says nothing of the other', async (t) => {
  t.equal(unitIn('Zoned and Billed', 'Currency'), 'EUR·{Currency}')
})
