/** Filters of a model that keep rows without a value, wherever a model has filters; where that means nothing, loading says what does. */
import t from 'tap'
import { parseModelSync } from './load-model.js'

const model = (more: object) => ({
  name: 'shop',
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Status: { code: 'status', abstractType: 'string' },
      },
    },
  },
  dimensions: { Status: { dataObject: 'Orders', column: 'Status' } },
  ...more,
})

const field = 'Orders.Status'
const inMeasure = (filter: object) => ({
  measures: { N: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'Id' }], filters: [filter] } },
})
const inModel = (filter: object) => ({ filters: [{ dataObject: 'Orders', column: 'Status', ...filter }] })
const inSegment = (filter: object) => ({ segments: { S: { filters: [filter] } } })
const inPolicy = (filter: object) => ({
  access: { rows: [{ name: 'p', dataObject: 'Orders', where: filter, deniesBy: true }] },
})

/** The errors of a model. */
const faultsOf = (more: object) =>
  parseModelSync({ json: model(more) }).errors.map(({ code, path, message }) => `${code} ${path} ${message}`)

const accepted: Readonly<Record<string, object>> = {
  'a measure': inMeasure({ field, op: 'neq', value: 'paid', orMissing: true }),
  'a column of a measure': inMeasure({
    column: { dataObject: 'Orders', column: 'Status' },
    operator: 'notinlist',
    values: ['paid'],
    orMissing: true,
  }),
  'a group of a measure': inMeasure({ filters: [{ field, op: 'gt', value: 'a' }], negated: true, orMissing: true }),
  'a filter of the model': inModel({ operator: 'notlike', value: 'p%', orMissing: true }),
  'a segment': inSegment({ field: 'Status', op: '!=', value: 'paid', orMissing: true }),
  'a segment in the case of queries': inSegment({ field: 'Status', op: '!=', value: 'paid', or_missing: true }),
  'a policy that names what is removed': inPolicy({ field, op: '<>', value: 'paid', orMissing: true }),
}
for (const [what, more] of Object.entries(accepted)) t.test(`${what} may keep them`, async (t) => t.same(faultsOf(more), []))

const refused: Readonly<Record<string, readonly [more: object, message: RegExp]>> = {
  'an equality of a measure': [
    inMeasure({ field, op: '=', value: 'paid', orMissing: true }),
    /INVALID_FILTER_VALUE measures\.N\.filters\[0\]\.orMissing 'orMissing' .* write 'in' with null/,
  ],
  'a comparison of the model': [inModel({ operator: 'gt', value: 'a', orMissing: true }), /filters\[0\]\.orMissing .*'is_null'/],
  'null in a list': [inMeasure({ field, op: 'not_in', value: ['a', null], orMissing: true }), /remove one of the two/],
  'a group': [inMeasure({ filters: [{ field, op: 'set' }], orMissing: true }), /belongs to a negated group/],
  'a group of a segment': [
    inSegment({ filters: [{ field: 'Status', op: 'set' }], orMissing: true }),
    /belongs to a negated group/,
  ],
  'a comparison of a segment': [inSegment({ field: 'Status', op: 'contains', value: 'a', or_missing: true }), /'is_null'/],
  'an expression': [inMeasure({ expression: '{[Orders].[Id]} > 1', orMissing: true }), /'expression' or 'orMissing'/],
  'a policy without deniesBy': [
    { access: { rows: [{ name: 'p', dataObject: 'Orders', where: { field, op: '<>', value: 'a', orMissing: true } }] } },
    /POLICY_NEEDS_DENIES_BY/,
  ],
}
for (const [what, [more, message]] of Object.entries(refused))
  t.test(`${what} may not`, async (t) => {
    const faults = faultsOf(more)
    t.equal(faults.length, 1, faults.join('; '))
    t.match(faults[0], message)
  })
