/** An unknown name is reported with all others of the query. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { GrainlineError } from '../errors.js'

function findings(query: object) {
  try {
    resolved(query, shop)
  } catch (error) {
    if (error instanceof GrainlineError) return [error.code, (error.details.findings ?? []).map(({ path }) => path)]
  }
  return []
}
const leaf = (field: string) => ({ field, op: 'set' })

t.test('each once, at its place', async (t) => {
  const select = { dimensions: ['Regon', { coalesce: ['Day', 'Dya'], as: 'Any' }, 'Status'], measures: ['Slaes', 'Sales'] }
  const where = [
    leaf('Any'),
    { logic: 'or', filters: [leaf('Sttus'), leaf('Status')] },
    { field: 'Nothing', op: 'exists', subquery: { dataObject: 'Returns' } },
  ]
  const top = { dimension: 'Status', by: 'Sels', n: 1 }
  t.same(findings({ select, where, having: [leaf('Nte'), leaf('Net'), leaf('Day:month'), leaf('Orders.Id')], top }), [
    'UNKNOWN_DIMENSION',
    [
      'select.dimensions[0]',
      'select.dimensions[1].coalesce[1]',
      'select.measures[0]',
      'top.by',
      'where[1].filters[0].field',
      'having[0].field',
    ],
  ])
})

t.test('one alone, and other errors, stay as they are', async (t) => {
  t.same(findings({ select: { measures: ['Slaes'] } }), ['UNKNOWN_MEASURE', []])
  t.same(findings({ select: { dimensions: ['Region:month'], measures: ['Slaes'] } }), ['TIME_GRAIN_ON_NON_TEMPORAL', []])
})
