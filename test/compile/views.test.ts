/** A question to a view is the question to the model with the names of the view, under its conditions. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { HIDES_NOTHING } from '../../core/src/model/hidden-fields.js'
import { withoutFields } from '../../core/src/model/hide.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { filterFaults } from '../../core/src/resolve/resolve-query.js'
import { receiptOf } from '../../core/src/service/receipt.js'
import { compileFor, NOW, refusalOf } from '../support/compile.js'

const document = (views: object) => ({
  dataObjects: {
    Sales: {
      code: 'sales',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        On: { code: 'sold_on', abstractType: 'date' },
        N: { code: 'n', abstractType: 'int' },
        Shop: { code: 'shop', abstractType: 'string' },
        Town: { code: 'town', abstractType: 'string' },
      },
    },
  },
  dimensions: {
    Date: { dataObject: 'Sales', column: 'On' },
    Shop: { dataObject: 'Sales', column: 'Shop' },
    Town: { dataObject: 'Sales', column: 'Town' },
  },
  measures: { Sold: { columns: [{ dataObject: 'Sales', column: 'N' }], aggregation: 'sum' } },
  metrics: { Mean: { expression: '{[Sold]} / {[Sales Count]}' } },
  segments: { Near: { filters: [{ field: 'Shop', op: 'in', value: ['a', 'b'] }, { expression: "{[Town]} <> '{[Shop]}'" }] } },
  views,
})
const fields = ['Sold', { field: 'Shop', as: 'Town' }, { field: 'Town', as: 'Shop' }, { field: 'Mean', as: 'Basket' }]
const loaded = (views: object) => parseModelSync({ json: document(views) })
const modelWith = (views: object): SemanticModel => {
  const { model, errors } = loaded(views)
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}
const model = modelWith({
  Plain: { fields },
  Own: { fields, where: [{ field: 'Date', op: '>=', value: '2025-01-01' }, { expression: "{[Shop]} <> 'x'" }] },
})
const sqlOf = (query: object): string => compileFor(query, model).sql.replaceAll(/ AS "\w+"/g, '')

t.test('one view is the default, and the main fact is a data object', (t) => {
  const faultsOf = (views: object) => loaded(views).errors.map(({ code, path, message }) => [code, path, message])
  t.same(faultsOf({ A: { fields, default: true, mainFact: 'Sales' }, B: { fields, default: false } }), [])
  t.match(faultsOf({ A: { fields, default: true }, B: { fields, default: true } }), [
    ['DUPLICATE_IDENTIFIER', 'views.B.default', /'A' is it already/],
  ])
  t.match(faultsOf({ A: { fields, mainFact: 'Sale' } }), [['UNKNOWN_DATA_OBJECT', 'views.A.mainFact', /'Sale'/]])
  t.end()
})

t.test('names of a view may be those of other fields', async (t) => {
  const asked = { select: { dimensions: ['Town'], measures: ['Sold'] }, where: [{ field: 'Shop', op: '=', value: 'x' }] }
  const meant = { select: { dimensions: ['Shop'], measures: ['Sold'] }, where: [{ field: 'Town', op: '=', value: 'x' }] }
  t.equal(sqlOf({ ...asked, view: 'Plain' }), sqlOf(meant))
  const { columns } = compileFor({ ...asked, view: 'plain' }, model)
  t.same(
    columns.map(({ name }) => name),
    ['Town', 'Sold'],
  )
})

t.test('its conditions, and segments, are over the fields of the model', async (t) => {
  const where = [{ field: 'Date', op: '>=', value: '2025-01-01' }, { expression: "{[Shop]} <> 'x'" }]
  t.equal(sqlOf({ view: 'Own', select: { measures: ['Sold'] } }), sqlOf({ select: { measures: ['Sold'] }, where }))
  const near = { select: { measures: ['Sold'] }, where: ['Near'] }
  t.equal(sqlOf({ ...near, view: 'Plain' }), sqlOf(near))
})

const refused: Readonly<Record<string, readonly [query: object, code: string, message: RegExp]>> = {
  'a view that is not there': [{ view: 'Plane', select: { measures: ['Sold'] } }, 'UNKNOWN_VIEW', /did you mean 'Plain'/],
  'a field that is not in the view': [{ view: 'Plain', select: { dimensions: ['Date'] } }, 'UNKNOWN_DIMENSION', /'Date' is not/],
  'a measure by its name in the model': [{ view: 'Plain', select: { measures: ['Mean'] } }, 'UNKNOWN_MEASURE', /'Mean' is not/],
  'rows of data objects': [{ view: 'Plain', select: { fields: ['Sales.Id'] } }, 'INVALID_QUERY', /leave out view/],
}
for (const [what, [query, code, message]] of Object.entries(refused))
  t.test(`${what} is refused`, async (t) => {
    const refusal = refusalOf(query, model)
    t.match(refusal, { code, message })
    t.notMatch(JSON.stringify([refusal.message, refusal.details]), /hidden_/)
  })

t.test('the advice for an unknown view, applied, is answered', async (t) => {
  const { details } = refusalOf({ view: 'Plane', select: { measures: ['Sold'] } }, model)
  t.same(details.suggestions, ['Plain'])
  t.equal(sqlOf({ view: details.suggestions?.[0], select: { measures: ['Sold'] } }), sqlOf({ select: { measures: ['Sold'] } }))
})

t.test('an explanation has the names of the model for what is not in the view', async (t) => {
  const text = JSON.stringify(compileFor({ view: 'Own', select: { measures: ['Basket'] } }, model).explain())
  t.notMatch(text, /hidden_/)
  t.match(text, /Sales Count/)
})

t.test('a receipt defines the fields and lists the conditions', async (t) => {
  const query = parseQuery({ view: 'Own', select: { dimensions: ['Town'], measures: ['Basket'] } })
  const handle = { model, modelId: 'm' } as Parameters<typeof receiptOf>[0]['handle']
  const receipt = receiptOf({ handle, query, parameters: [], timeRanges: [], rollups: [] }, { timezone: 'UTC' }, NOW)
  t.same(
    receipt.definitions.map(({ name }) => name),
    ['Shop', 'Mean', 'Sold', 'Sales Count'],
  )
  t.match(receipt.filters, ['Date gte "2025-01-01" (view Own)', "{[Shop]} <> 'x' (view Own)"])
})

t.test('a hidden field is not in a view, and a view with a condition on one is not there', async (t) => {
  const hidden = { ...HIDES_NOTHING, fields: new Set(['Town', 'Date']) }
  const { views, document } = withoutFields(
    model,
    hidden,
    (name) => `hidden_${Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32)}`,
  )
  t.same([...views.keys()], ['Plain'])
  t.same([...(views.get('Plain')?.fields.keys() ?? [])], ['Sold', 'Town', 'Basket'])
  t.notOk('views' in document)
})

const faults: Readonly<Record<string, readonly [view: object, code: string, path: string]>> = {
  'an unknown field': [{ fields: ['Solt'] }, 'UNKNOWN_SELECT_ITEM', 'views.V.fields[0]'],
  'a field twice': [{ fields: ['Sold', { field: 'Sold', as: 'S' }] }, 'DUPLICATE_IDENTIFIER', 'views.V.fields[1]'],
  'a name twice': [{ fields: ['Sold', { field: 'Shop', as: 'Sold' }] }, 'DUPLICATE_IDENTIFIER', 'views.V.fields[1]'],
  'an empty name': [{ fields: [{ field: 'Shop', as: ' ' }] }, 'SCHEMA_VALIDATION', 'views.V.fields[0]'],
  'no fields': [{ fields: [] }, 'SCHEMA_VALIDATION', 'views.V.fields'],
}
for (const [what, [view, code, path]] of Object.entries(faults))
  t.test(`${what} is an error of the model`, async (t) => t.match(loaded({ V: view }).errors, [{ code, path }]))

t.test('conditions are checked when the model is loaded', async (t) => {
  const check = { functions: builtInFunctions, aggregates: builtInAggregates, now: NOW }
  const faultsOf = (where: unknown[]) => filterFaults(modelWith({ V: { fields: ['Sold'], where } }), check)
  t.same(faultsOf([{ field: 'Shop', op: '=', value: 'a' }]), [])
  t.match(faultsOf([{ field: 'Shp', op: '=', value: 'a' }]), [{ code: 'UNKNOWN_FILTER_FIELD', path: 'views.V' }])
  t.match(faultsOf([{ field: 'Shop', op: 'equalz', value: 'a' }]), [{ code: 'INVALID_FILTER_OPERATOR', path: 'views.V' }])
  t.match(faultsOf(['Far']), [{ code: 'UNKNOWN_FILTER_FIELD', path: 'views.V' }])
})
