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
const isAdditive = (name: string) => name === 'Flights'

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
    t.equal(kindsFor(shapeOf(columns), rows, isAdditive)[0], kind, columns.map(({ name }) => name).join())
})

t.test('numbers whose parts do not add up are not stacked', async (t) => {
  const kinds = (columns: readonly Column[]) => kindsFor(shapeOf(columns), 48, isAdditive)
  t.ok(kinds([airline, year, flights]).includes('stacked'))
  for (const columns of [
    [airline, year, rate],
    [airline, month, rate],
    [airline, year, flights, rate],
  ]) {
    t.notOk(kinds(columns).includes('stacked'))
    t.ok(kinds(columns).includes('grouped'))
  }
})

t.test('small multiples need a second dimension', async (t) => {
  t.ok(kindsFor(shapeOf([airline, month, flights]), 200, isAdditive).includes('multiples'))
  t.ok(kindsFor(shapeOf([airline, year, flights]), 48, isAdditive).includes('multiples'))
  t.notOk(kindsFor(shapeOf([month, flights]), 12, isAdditive).includes('multiples'))
})

t.test('a scatter plot needs two numbers', async (t) => {
  t.notOk(kindsFor(shapeOf([airline, flights]), 500, isAdditive).includes('scatter'))
  t.ok(kindsFor(shapeOf([month, flights, rate]), 5, isAdditive).includes('scatter'))
})

t.test('a person chooses the axis and the numbers', async (t) => {
  const columns = [airline, month, flights, rate]
  t.match(shapeOf(columns, { x: 'Airline' }), { time: undefined, categories: [airline, month] })
  t.match(shapeOf(columns, { x: 'Month' }), { time: month, categories: [airline] })
  t.same(shapeOf(columns, { measures: ['Rate', 'Gone'] }).numbers, [rate])
  t.same(shapeOf(columns, { measures: ['Gone'] }).numbers, [flights, rate], 'a measure that is gone is not missed')
})
