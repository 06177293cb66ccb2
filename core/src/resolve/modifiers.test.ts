/** The grain of a measure, and the conditions that it sees. */
import t from 'tap'
import { aggregateQuery, dimensionOf } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { conjunctsOf, conjunctsOn, grainOf } from './modifiers.js'

const sum = (more: object) => ({ aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }], ...more })
const model = shopWith({
  measures: {
    'Not Status': sum({ grain: { mode: 'RELATIVE', exclude: ['Status'] } }),
    'Only Region': sum({ grain: { mode: 'RELATIVE', keepOnly: ['Region'] } }),
    'Blind to Status': sum({ filterContext: { mode: 'RELATIVE', exclude: ['Status'] } }),
    'Sees Region': sum({ filterContext: { mode: 'RELATIVE', keepOnly: ['Region'] } }),
    'Fixed to Status': sum({ filterContext: { mode: 'FIXED', include: ['Status'] } }),
  },
})
const measure = (name: string) => model.measures.get(name)!
const level = ['Region', 'Status', 'Day:month'].map((name) => dimensionOf(name, shop))
const labels = (of: readonly { readonly label: string }[]) => of.map(({ label }) => label)

t.test('the dimensions by which a measure is grouped', async (t) => {
  const grain = (name: string, selected = level) => labels(grainOf(measure(name), selected, selected, 'p'))
  t.same(grain('Sales').length, 3)
  t.same(grain('Sales of All'), [])
  t.same(grain('Sales of Region'), ['Region'])
  t.same(grain('Not Status'), ['Region', 'Day:month'])
  t.same(grain('Only Region'), ['Region'])
  t.same(grain('Only Region', level.slice(1)), [], 'what is kept need not be there')
  t.throws(() => grain('Sales of Region', level.slice(1)), { code: 'GRAIN_NOT_SUBSET', path: 'p' })
})

const leaf = (field: string) => ({ field, op: 'set' })
const { where } = aggregateQuery(
  {
    select: { measures: ['Sales'] },
    where: [
      leaf('Region'),
      leaf('Status'),
      { logic: 'or', filters: [leaf('Region'), leaf('Status')] },
      { field: 'Customers', op: 'exists', subquery: { dataObject: 'Returns' } },
    ],
  },
  model,
)
const fields = (of: typeof where) => of.map((one) => one.fields.join('|'))

t.test('the conditions that a measure sees', async (t) => {
  t.equal(conjunctsOf(measure('Sales'), where), where)
  t.same(fields(conjunctsOf(measure('Blind to Status'), where)), ['Region', 'Customers'])
  t.same(fields(conjunctsOf(measure('Sees Region'), where)), ['Region'])
  t.same(fields(conjunctsOf(measure('Fixed to Status'), where)), ['Status'])
})

t.test('the conditions that values of dimensions decide', async (t) => {
  t.same(fields(conjunctsOn(level.slice(0, 1), where, model)), ['Region'])
  t.same(fields(conjunctsOn(level, where, model)), ['Region', 'Status', 'Region|Status'])
  t.same(fields(conjunctsOn([{ ...level[0]!, top: { others: undefined } }], where, model)), [], 'the others are one group')
  t.same(fields(conjunctsOn([{ ...level[0]!, grain: 'month' }], where, model)), [], 'at another grain')
  const [region, status] = [level[0]!.members[0], level[1]!.members[0]]
  t.same(fields(conjunctsOn([{ ...level[0]!, members: [region, status] }], where, model)), ['Region'], 'of several columns')
})
