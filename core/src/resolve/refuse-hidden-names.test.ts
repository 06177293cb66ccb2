/** A name under which the compiler knows something hidden is of no use to whoever has seen it. */
import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { hiddenName } from '../hidden-name.js'
import { HIDES_NOTHING } from '../model/hidden-fields.js'
import { withoutFields } from '../model/hide.js'
import { parseModelSync } from '../model/load-model.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import { sha256 } from '../sha256.js'
import { refuseHiddenNames } from './refuse-hidden-names.js'

const COLUMN = { dataObject: 'Sales', column: 'Cost' }
const model = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Cost: { code: 'c', abstractType: 'int' } },
      },
    },
    dimensions: { Sale: { dataObject: 'Sales', column: 'Id' }, Price: COLUMN },
    measures: { Costs: { columns: [COLUMN], aggregation: 'sum' }, Mean: { columns: [COLUMN], aggregation: 'avg' } },
    metrics: { Twice: { expression: '{[Costs]} * 2' } },
  },
}).model as SemanticModel

function secretOf(name: string): string {
  const digest = sha256()
  digest.update(name)
  return hiddenName(digest.hex())
}

const columns = new Set(['Sales\0Cost'])
const view = withoutFields(model, { ...HIDES_NOTHING, columns, fields: new Set(['Price', 'Costs', 'Twice']) }, secretOf)
const column = `Sales.${secretOf('Sales\0Cost')}`
const [price, costs, twice] = ['Price', 'Costs', 'Twice'].map(secretOf) as [string, string, string]

const refused = (query: object, of = view) => {
  try {
    compileFor(query, of)
    return 'answered'
  } catch (error) {
    return `${(error as Error & { code: string }).code}: ${(error as Error).message}`
  }
}
const REFUSED = 'INVALID_QUERY: the query has a name that is not of this model'

t.test('wherever a query has one, and in any case of its letters', (t) => {
  const select = { dimensions: ['Sale'], measures: ['Mean'] }
  const queries = (name: string): readonly object[] => [
    { select: { fields: ['Sales.Id', name] } },
    { select: { dimensions: [name], measures: ['Mean'] } },
    { select: { dimensions: ['Sale'], measures: [name] } },
    { select: { measures: [{ as: 'X', expression: `{[${name}]} * 2` }] } },
    { select: { dimensions: [{ as: 'X', expression: `{[${name}]}` }], measures: ['Mean'] } },
    { select, where: [{ field: name, op: '>', value: 1 }] },
    { select, where: [{ logic: 'or', filters: [{ expression: `{[${name}]} > 1` }] }] },
    {
      select,
      where: [{ field: 'Sales', op: 'exists', subquery: { dataObject: 'Sales', filter: [{ field: name, op: '=', value: 1 }] } }],
    },
    { select, having: [{ field: name, op: '>', value: 1 }] },
    { select, order_by: [{ field: name }] },
    { select, top: { dimension: 'Sale', by: name, n: 1 } },
  ]
  for (const name of [column, price, costs, twice])
    for (const spelled of [name, name.toUpperCase()])
      for (const query of queries(spelled)) t.equal(refused(query), REFUSED, JSON.stringify(query))
  t.end()
})

t.test('published measures, and names that only look like one, are what they were', (t) => {
  t.equal(refused({ select: { dimensions: ['Sale'], measures: ['Mean'] } }), 'answered')
  const other = hiddenName('0'.repeat(32))
  const where = [{ expression: `{[Sale]} = 1 and '${other}' = '${other}'` }]
  t.equal(refused({ select: { dimensions: [{ as: other, expression: '{[Sale]} + 1' }], measures: ['Mean'] }, where }), 'answered')
  t.match(refused({ select: { measures: [other] } }), /^UNKNOWN_MEASURE: /)
  t.end()
})

t.test('nothing is looked for in a model that hides nothing', (t) => {
  refuseHiddenNames(parseQuery({ select: { measures: [costs] } }), model)
  t.match(refused({ select: { measures: [costs] } }, model), /^UNKNOWN_MEASURE: /)
  t.end()
})
