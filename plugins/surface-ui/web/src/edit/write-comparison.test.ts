import { readModelText } from '@grainline/language'
import t from 'tap'
import { parse } from 'yaml'
import { writeComparison } from './write-comparison.js'

const written = (text: string, measure = 'Revenue', time = 'Day'): string =>
  writeComparison(readModelText(text), { measure, time }).reduce(
    (now, edit) => now.slice(0, edit.from) + edit.text + now.slice(edit.to),
    text,
  )
const before = {
  type: 'period_over_period',
  expression: '{[Revenue]}',
  periodOverPeriod: { timeDimension: 'Day', comparison: 'previousValue' },
}

t.test('both metrics are added to the model, in its own style', async (t) => {
  const mean = { expression: '{[Revenue]} / 2' }
  const models = {
    'none yet': ['name: shop', {}],
    'none yet, and a last line': ['name: shop\n', {}],
    'an empty section': ['metrics:\nname: shop\n', {}],
    'an empty section in braces': ['metrics: {}\nname: shop', {}],
    'a section': [
      "# of ours\nmetrics:\n    # half\n    Mean:\n      expression: '{[Revenue]} / 2'\nname: shop\n",
      { Mean: mean },
    ],
    'a section in braces': ["metrics: { Mean: { expression: '{[Revenue]} / 2' } }\nname: shop\n", { Mean: mean }],
  } as const
  for (const [says, [text, metrics]] of Object.entries(models)) {
    const model = parse(written(text)) as { name: string; metrics: Record<string, unknown> }
    t.equal(model.name, 'shop', says)
    t.match(
      model.metrics,
      { ...metrics, 'Revenue a Period Before': before, 'Revenue Growth': { type: 'period_over_period' } },
      says,
    )
  }
})

t.test('names keep their characters', async (t) => {
  const name = `L'an: "été" {1}`
  const { metrics } = parse(written('', name, 'true')) as { metrics: Record<string, typeof before> }
  t.same(metrics[`${name} a Period Before`]?.expression, `{[${name}]}`)
  t.equal(metrics[`${name} Growth`]?.periodOverPeriod.timeDimension, 'true')
})

t.test('an existing metric is not added twice', async (t) => t.equal(written(written('name: shop')), written('name: shop')))
