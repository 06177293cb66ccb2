/** Warnings about fields that are proposed or deprecated. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { warnOfStatus } from './status-warnings.js'

const model = shopWith({
  dimensions: { Region: { dataObject: 'Regions', column: 'Name', status: 'proposed' } },
  measures: { Returned: { status: 'deprecated', use: 'Sales' } },
})
function warnings(query: object, of = model) {
  const found: string[] = []
  const warn = (code: string, message: string, details: { readonly path?: string | undefined } = {}) =>
    void found.push(`${details.path} ${code} ${message}`)
  warnOfStatus(parseQuery(query), { ...resolveContext(of), warn })
  return found
}

t.test('each once, where it is first named', async (t) => {
  t.same(warnings({ select: { dimensions: ['Region'], measures: ['Net', 'Returned'] }, order_by: [{ field: 'Region' }] }), [
    "select.dimensions[0] PROPOSED_FIELD 'Region' is proposed and not certified",
    "select.measures[0] DEPRECATED_FIELD 'Returned', which 'Net' is made of, is deprecated: use 'Sales'",
  ])
  t.same(warnings({ select: { dimensions: ['Region'], measures: ['Net'] } }, shop), [])
})

t.test('wherever a query names it', async (t) => {
  const leaf = { field: 'Region', op: 'set' }
  const places: readonly (readonly [object, string])[] = [
    [{ select: { dimensions: [{ coalesce: ['Status', 'Region'], as: 'X' }] } }, 'select.dimensions[0]'],
    [{ select: { dimensions: [{ expression: 'upper({[Region]})', as: 'X' }] } }, 'select.dimensions[0]'],
    [{ select: { dimensions: [{ measure: 'Returned', per: 'Customers', as: 'X' }] } }, 'select.dimensions[0]'],
    [{ select: { measures: ['Sales'] }, where: [{ logic: 'or', filters: [leaf] }] }, 'where[0].filters[0]'],
    [{ select: { measures: ['Sales'] }, where: [{ expression: "{[Region]} = 'x'" }] }, 'where[0]'],
    [{ select: { dimensions: ['Status'], measures: ['Sales'] }, top: { dimension: 'Status', by: 'Net', n: 1 } }, 'top.by'],
    [{ select: { measures: ['Sales'] }, having: [{ field: 'Returned', op: 'set' }] }, 'having[0]'],
    [{ select: { dimensions: ['Status'] }, order_by: [{ field: 'Returned' }] }, 'order_by[0]'],
  ]
  for (const [query, path] of places) t.match(warnings(query), [new RegExp(`^${path.replaceAll(/[[\].]/g, '\\$&')} `)], path)
})

t.test('without a successor, of a field that is read twice, and not of positions and segments', async (t) => {
  const old = shopWith({
    measures: { Returned: { status: 'deprecated' } },
    metrics: { Twice: { expression: '{[Net]} + {[Returned]}' } },
    segments: { Paid: { filters: [{ field: 'Status', op: 'equals', value: 'paid' }] } },
  })
  const query = {
    select: { dimensions: ['Status'], measures: ['Twice'] },
    where: [{ segment: 'Paid' }],
    order_by: [{ field: 1 }],
  }
  t.same(warnings(query, old), ["select.measures[0] DEPRECATED_FIELD 'Returned', which 'Twice' is made of, is deprecated"])
})
