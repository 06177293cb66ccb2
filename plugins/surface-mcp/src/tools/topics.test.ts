/** The views of a model are topics for an agent: it finds their fields by the names of their readers, and is told how to ask them. */
import t from 'tap'
import { apiOver } from '../api/api.js'
import { describeFields } from './describe-fields.js'
import { searchFields } from './search-fields.js'

const field = { synonyms: [], result_type: 'string', data_object: 'Orders', column: 'C', time_grain: null }
const schema = {
  name: 'shop',
  dimensions: [
    { ...field, name: 'Customer Country' },
    { ...field, name: 'Status' },
  ],
  measures: [{ ...field, name: 'Revenue', aggregation: 'sum', columns: [], distinct: false, total: false }],
  metrics: [],
  filters: [],
  parameters: [],
  views: [
    {
      name: 'Sales Overview',
      description: 'Paid orders.',
      fields: [
        { name: 'Revenue', field: 'Revenue' },
        { name: 'Country', field: 'Customer Country' },
      ],
    },
  ],
}
const answers: Readonly<Record<string, unknown>> = {
  schema,
  find: { results: [{ name: 'Status' }, { name: 'Customer Country' }] },
  composables: { dimensions: ['Customer Country', 'Status'], measures: [], metrics: [] },
  values: { values: [], truncated: false },
  models: { models: [{ name: 'shop' }] },
}
const api = apiOver(async ({ path }) => {
  const [named = ''] = Object.keys(answers).filter((name) => path.includes(name))
  return { status: 200, text: JSON.stringify(answers[named]) }
}, {})
const world = { api, limits: { rows: 1, characters: 200 } }
const call = { progress: () => undefined }
const search = async (given: object) => (await searchFields.run(given, world, call)).text

t.test('a topic shows its fields by its own names, and says how it is asked', async (t) => {
  const all = await search({ topic: 'sales overview' })
  t.match(all, /^name.*\nRevenue\tmeasure.*\nCountry\tdimension.*\nquery with more.view "Sales Overview"$/s)
  t.notMatch(all, 'Status')
  t.match(
    await search({ topic: 'Sales Overview', text: 'where' }),
    /^dimensions: Country\n/,
    'what is found by words of the model',
  )
  t.match(await search({ topic: 'Sales Overview', with: ['Revenue'] }), /\nCountry\t/, 'what combines')
})

t.test('the topics are named beside the fields of the model, and one that is none is', async (t) => {
  t.match(await search({}), /topics: Sales Overview \(Paid orders\.\)$/)
  t.equal(await search({ topic: 'Sale' }), "No topic 'Sale'; topics: Sales Overview")
})

t.test('a field is described by its name in a topic, too', async (t) => {
  const { text } = await describeFields.run({ names: ['Country'], samples: 0 }, world, call)
  t.match(text, /^Country: dimension string = Orders\.C/)
})
