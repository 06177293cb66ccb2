/** The values of parameters, in queries and models. */
import t from 'tap'
import { shop, shopWith } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { givenParameters, sampleParameters, settledValues, withValues, writtenValues } from './given-parameters.js'

const paid = (value: unknown, op = 'equals') => ({ field: 'Orders.Status', op, value })
const model = shopWith({
  parameters: {
    State: { type: 'string', default: 'paid' },
    Many: { type: 'int', list: true },
    Since: { type: 'date' },
    Share: { type: 'float', min: 2 },
  },
  measures: {
    Some: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }], filters: [paid({ parameter: 'State' })] },
  },
  segments: { Open: { filters: [{ field: 'Status', op: 'in', value: [{ parameter: 'State' }, 'open'] }] } },
  filters: [{ dataObject: 'Orders', column: 'Payer Id', operator: 'in', values: [{ parameter: 'Many' }] }],
})
const given = (parameters: Readonly<Record<string, unknown>>) =>
  givenParameters({ parameters } as Parameters<typeof givenParameters>[0], model)

t.test('what a query gives, and the defaults of the others', async (t) => {
  t.same(
    [...given({ many: [1, 2] }).values],
    [
      ['Many', [1, 2]],
      ['State', 'paid'],
    ],
  )
  t.same([...given({}).defaults], ['State'])
  t.throws(() => given({ Sate: 'x' }), { code: 'UNKNOWN_PARAMETER', path: 'parameters.Sate' })
  t.throws(() => given({ Many: ['x'] }), { code: 'INVALID_PARAMETER_VALUE' })
  t.throws(() => given({ State: 'x', state: 'y' }), { code: 'INVALID_QUERY' })
  t.same(
    [...sampleParameters(model).values],
    [
      ['State', 'paid'],
      ['Many', [0]],
      ['Since', '2024-01-01'],
      ['Share', 2],
    ],
  )
  t.equal(writtenValues(model, given({})).get('Since'), null)
})

t.test('references in filters become values; without one, no row is equal', async (t) => {
  const query = parseQuery({
    select: { measures: ['Sales'] },
    where: [
      { logic: 'or', filters: [paid({ parameter: 'State' }), { field: 'Day', op: '>', value: { parameter: 'Since' } }] },
      { field: 'Orders.Payer Id', op: 'in', value: { parameter: 'Many' } },
    ],
  })
  const settled = withValues({ query, model }, given({ Many: [1, 2] }))
  t.match(settled.query.where, [{ filters: [{ value: 'paid' }, { op: 'in', value: [] }] }, { value: [1, 2] }])
  t.match(settled.model.measures.get('Some')?.filters, [{ values: ['paid'] }])
  t.match(settled.model.filters, [{ condition: { values: [1, 2] } }])
  t.match(settled.model.segments.get('Open')?.filters, [{ value: ['paid', 'open'] }])
  t.match(withValues({ query, model }, given({})).model.filters, [{ condition: { operator: 'in', values: [] } }])
  const unknown = parseQuery({ select: { measures: ['Sales'] }, where: [paid({ parameter: 'Sate' })] })
  t.throws(() => withValues({ query: unknown, model }, given({})), { code: 'UNKNOWN_PARAMETER' })
})

t.test('the same values have the same model', async (t) => {
  const query = parseQuery({ select: { measures: ['Sales'] } })
  const of = (many: readonly number[]) => withValues({ query, model }, given({ Many: many })).model
  t.equal(of([1]), of([1]))
  t.not(of([1]), of([2]))
  t.same(withValues({ query, model: shop }, { values: new Map(), defaults: new Set() }), { query, model: shop })
  for (let i = 0; i < 9; i++) of([i])
  t.ok(of([1]), 'also if it was forgotten')
  t.throws(() => settledValues([{ parameter: 'State' }]), { code: 'INTERNAL_ERROR' })
})
