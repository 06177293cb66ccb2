import { readModelText } from '@grainline/language'
import t from 'tap'
import { parse } from 'yaml'
import { writeExample } from './write-example.js'

const query = {
  select: { dimensions: ['Order Day:month', 'Customer'], measures: ['Revenue'] },
  where: [{ field: 'Customer', op: 'in', value: ['no', "L'an: 1"] }],
  limit: 10,
}
function written(text: string, name = 'Revenue by Customer'): string {
  const { from, to, text: added } = writeExample(readModelText(text), { name, query })
  return text.slice(0, from) + added + text.slice(to)
}

t.test('a question is the first example, in the style of the model', async (t) => {
  const old = { name: 'old', query: { select: { measures: ['Revenue'] } } }
  const models = {
    'none yet': ['name: shop', []],
    'an empty list': ['examples: []\nname: shop\n', []],
    'one on each line': [
      'name: shop\nexamples:\n  # of ours\n  - name: old\n    query: { select: { measures: [Revenue] } }\n',
      [old],
    ],
    'without an indent': ['examples:\n- name: old\n  query: { select: { measures: [Revenue] } }\nname: shop\n', [old]],
    'in brackets': ['examples: [{ name: old, query: { select: { measures: [Revenue] } } }]\nname: shop', [old]],
  } as const
  for (const [says, [text, others]] of Object.entries(models)) {
    const model = parse(written(text)) as { name: string; examples: unknown }
    t.equal(model.name, 'shop', says)
    t.same(model.examples, [{ name: 'Revenue by Customer', query }, ...others], says)
  }
})

t.test('a name is given once', async (t) => {
  const { examples } = parse(written(written(written('')))) as { examples: readonly { name: string }[] }
  t.same(
    examples.map(({ name }) => name),
    ['Revenue by Customer (3)', 'Revenue by Customer (2)', 'Revenue by Customer'],
  )
})
