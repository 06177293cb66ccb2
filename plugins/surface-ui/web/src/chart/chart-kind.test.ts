import t from 'tap'
import type { Column } from '../api/read-arrow.js'
import { kindsFor, shapeOf } from './chart-kind.js'

const column = (name: string, role: Column['role'], type: string): Column => ({ name, role, type, at: () => null })
const month = column('Month', 'dimension', 'date')
const airline = column('Airline', 'dimension', 'string')
const year = column('Year', 'dimension', 'int')
const flights = column('Flights', 'measure', 'int')
const rate = column('Rate', 'metric', 'float')
const first = column('First', 'measure', 'string')

t.test('the shape of an answer determines its chart', async (t) => {
  const cases = [
    [[flights], 1, 'number'],
    [[month, flights], 12, 'line'],
    [[airline, month, flights], 200, 'line'],
    [[airline, flights], 16, 'bar'],
    [[year, flights], 3, 'bar'],
    [[airline, year, flights], 48, 'stacked'],
    [[airline, flights, rate], 16, 'bar'],
    [[airline, flights, rate], 500, 'scatter'],
    [[airline, first], 16, undefined],
    [[airline, flights], 0, undefined],
  ] as const
  for (const [columns, rows, kind] of cases)
    t.equal(kindsFor(shapeOf(columns), rows)[0], kind, columns.map(({ name }) => name).join())
})

t.test('small multiples need a second dimension', async (t) => {
  t.ok(kindsFor(shapeOf([airline, month, flights]), 200).includes('multiples'))
  t.ok(kindsFor(shapeOf([airline, year, flights]), 48).includes('multiples'))
  t.notOk(kindsFor(shapeOf([month, flights]), 12).includes('multiples'))
})

t.test('a scatter plot needs two numbers', async (t) => {
  t.notOk(kindsFor(shapeOf([airline, flights]), 500).includes('scatter'))
  t.ok(kindsFor(shapeOf([month, flights, rate]), 5).includes('scatter'))
})
