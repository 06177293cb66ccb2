/** Segments of a query are replaced by their filters. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { withoutSegments } from './segments.js'

const paid = { field: 'Status', op: 'equals', value: 'paid' }
const exists = { field: 'Customers', op: 'exists', subquery: { dataObject: 'Orders', filter: [paid] } }
const loaded = shopWith({
  segments: { Paid: { filters: [paid, { field: 'Region', op: 'set' }] }, Buyers: { filters: [exists] } },
})
/** As a model that was not checked. */
const broken = (name: string, filter: unknown) => [name, { ...loaded.segments.get('Paid')!, name, filters: [filter] }] as const
const model = {
  ...loaded,
  segments: new Map([...loaded.segments, broken('Nested', { segment: 'Paid' }), broken('Bad', { field: 'Status' })]),
}
const plain = (...where: readonly object[]) =>
  withoutSegments(parseQuery({ select: { measures: ['Sales'] }, where }).where, model)

t.test('its conditions stand in its place, and have its path', async (t) => {
  t.match(plain({ segment: 'paid' }), [
    { field: 'Status', path: 'where[0]' },
    { field: 'Region', path: 'where[0]' },
  ])
  t.match(plain({ logic: 'or', filters: [{ segment: 'Paid' }, paid] }), [
    { filters: [{ kind: 'group', logic: 'and', filters: { length: 2 } }, { field: 'Status' }] },
  ])
  t.match(plain({ logic: 'or', negated: true, filters: [{ segment: 'Buyers' }] }), [
    { filters: [{ op: 'exists', subquery: { filter: [{ path: 'where[0].filters[0]' }] } }] },
  ])
  t.match(plain({ ...exists, subquery: { dataObject: 'Orders', filter: [{ segment: 'Paid' }] } }), [
    { subquery: { filter: { length: 2 } } },
  ])
  t.match(plain({ expression: 'true' }), [{ kind: 'expression' }])
})

t.test('what cannot be used is refused where it is named', async (t) => {
  t.throws(() => plain({ segment: 'Pad' }), { code: 'UNKNOWN_FILTER_FIELD' })
  t.throws(() => plain({ segment: 'Nested' }), /segments are not nested/)
  t.throws(() => plain({ segment: 'Bad' }), { path: 'where[0]', message: /segment 'Bad' cannot be used/, code: /./ })
})
