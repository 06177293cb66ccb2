import { readModelText } from '@grainline/language'
import t from 'tap'
import { parse } from 'yaml'
import { aggregateOf, type OwnMeasure, ratioOf } from '../query/own-measures.js'
import { writeMeasures } from './write-measures.js'

const written = (text: string, ...measures: readonly OwnMeasure[]): string =>
  writeMeasures(readModelText(text), measures).reduce(
    (now, edit) => now.slice(0, edit.from) + edit.text + now.slice(edit.to),
    text,
  )

const SHOP = 'name: shop\nmeasures:\n  Revenue: { columns: [{ dataObject: Orders, column: Amount }], aggregation: sum }\n'

t.test('an aggregate of a column is a measure, and a ratio of measures a metric', async (t) => {
  const mean = aggregateOf('avg', 'Orders', 'Unit: Price')
  const ratio = ratioOf('Revenue', mean.as)
  const text = written(SHOP, ratio, mean)
  t.same(parse(text), {
    name: 'shop',
    measures: {
      [mean.as]: { aggregation: 'avg', columns: [{ dataObject: 'Orders', column: 'Unit: Price' }] },
      Revenue: { columns: [{ dataObject: 'Orders', column: 'Amount' }], aggregation: 'sum' },
    },
    metrics: { [ratio.as]: { expression: `{[Revenue]} / {[${mean.as}]}` } },
  })
  t.equal(written(text, mean, ratio), text, 'once')
  t.same(parse(written('name: shop\nmetrics: {}\nmeasures: {}', ratio, mean)).metrics, parse(text).metrics, 'in empty sections')
  t.same(parse(written('', ratio, mean)).measures[mean.as], parse(text).measures[mean.as], 'without sections')
})

t.test('names and values that YAML would read as something else are quoted', async (t) => {
  const odd = { as: 'no', aggregation: 'count', columns: [{ dataObject: 'true', column: '1' }], distinct: true }
  t.same(parse(written('', odd)), {
    measures: { no: { aggregation: 'count', columns: [{ dataObject: 'true', column: '1' }], distinct: true } },
  })
})
