/** Questions to views. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { GrainlineError } from '../errors.js'
import { parseQuery } from '../query/parse-query.js'
import { filtersOf, named, namedError, queryOfView, viewNamed } from './views.js'

const model = shopWith({
  views: {
    Paid: { fields: ['Sales', { field: 'Region', as: 'Place' }], where: [{ field: 'Status', op: 'equals', value: 'paid' }] },
  },
})
const ask = (view: string, select: object = { measures: ['Sales'] }) => queryOfView(parseQuery({ view, select }), model)

t.test('a view adds its conditions and has names for its fields', async (t) => {
  const { query, model: own, others } = ask('paid')
  t.equal(query.where.length, 1)
  t.ok(own.dimensions.has('Place'))
  t.ok(others!.size > 0, 'fields that are not in it keep their names for messages')
  t.equal(queryOfView(parseQuery({ select: { measures: ['Sales'] } }), model).model, model)
})

t.test('what a view does not have is refused', async (t) => {
  t.throws(() => ask('Pad'), { code: 'UNKNOWN_VIEW', details: { suggestions: ['Paid'] } })
  t.throws(() => ask('Paid', { fields: ['Orders.Id'] }), { code: 'INVALID_QUERY', path: 'select.fields' })
  t.throws(() => filtersOf('view', 'Paid', [{ field: 1 }]), /view 'Paid' cannot be used/)
  t.equal(viewNamed('PAID', model).name, 'Paid')
})

t.test('data and errors have the names of the model', async (t) => {
  const others = new Map([
    [`hidden_${'0'.repeat(32)}`, 'Status'],
    ['"Name" of Region', 'Region'],
  ]) as never
  t.same(named({ says: `hidden_${'0'.repeat(32)} and "Name" of Region` }, others), { says: 'Status and Region' })
  const error = namedError(
    new GrainlineError('INVALID_QUERY', '"Name" of Region is wrong', { path: 'p', hint: 'see "Name" of Region' }),
    others,
  )
  t.match(error, { message: 'Region is wrong', path: 'p', details: { hint: 'see Region' } })
  const cause = new Error('of the parser')
  t.match(namedError(new GrainlineError('INVALID_QUERY', 'no text', { cause }), others), { cause })
  const other = new Error('any')
  t.equal(namedError(other, others), other)
})
