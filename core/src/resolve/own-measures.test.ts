import t from 'tap'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { HIDES_NOTHING } from '../model/hidden-fields.js'
import { withoutFields } from '../model/hide.js'
import { parseModelSync } from '../model/load-model.js'
import { computedModel, type SemanticModel } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import { withOwnMeasures } from './own-measures.js'

const loaded = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Amount: { code: 'n', abstractType: 'int', unit: 'EUR' },
          On: { code: 'd', abstractType: 'date' },
          Cost: { code: 'c', abstractType: 'int', unit: 'USD' },
        },
      },
    },
    dimensions: { Date: { dataObject: 'Sales', column: 'On' } },
    measures: { Sold: { columns: [{ dataObject: 'Sales', column: 'Amount' }], aggregation: 'sum' } },
    metrics: {
      Running: { type: 'window', windowFunction: 'rank', measure: 'Sold' },
      Mean: { expression: '{[Sold]} / {[Sales Count]}' },
    },
  },
})
const model = loaded.model as SemanticModel
const catalogue = { functions: builtInFunctions, aggregates: builtInAggregates }
const MOST_SOLD = { as: 'Most', aggregation: 'max', expression: '{[Sales].[Amount]}' }

const own = (measures: readonly object[], of = model) =>
  withOwnMeasures(parseQuery({ select: { measures: ['Sold'] }, measures }), of, catalogue)

const faultOf = (measures: readonly object[], of = model) => {
  try {
    return own(measures, of).warnings
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: { path: string } }
    return { code, message, path: details.path }
  }
}

t.test('the model of a query without measures of its own is the model', (t) => {
  t.equal(withOwnMeasures(parseQuery({ select: { measures: ['Sold'] } }), model, catalogue).model, model)
  t.end()
})

t.test('the same measures are added once, and added again they change nothing', (t) => {
  const { model: made } = own([MOST_SOLD])
  t.equal(own([MOST_SOLD]).model, made)
  t.equal(own([MOST_SOLD], made).model, made)
  t.not(own([{ ...MOST_SOLD, aggregation: 'min' }]).model, made)
  t.match(made.measures.get('Most'), { aggregation: 'max', inputs: [{ kind: 'column', object: 'Sales', column: 'Amount' }] })
  t.match(made.document.measures, { Sold: {}, Most: { aggregation: 'max' } })
  t.equal(made.contentHash, model.contentHash)
  t.notOk(model.measures.has('Most'), 'the model of others is as before')
  for (let i = 0; i < 20; i++) own([{ ...MOST_SOLD, description: `${i}` }])
  t.not(own([MOST_SOLD]).model, made, 'only a few are kept')
  t.end()
})

t.test('a metric has the type of its parts, and knows which of them depend on other rows', (t) => {
  const ratio = { as: 'Ratio', expression: '{[Mean]} / {[Most]}', format: '0.0' }
  t.match(own([ratio, MOST_SOLD]).model.metrics.get('Ratio'), { type: 'derived', format: '0.0' })
  t.match(faultOf([{ as: 'Text', expression: "{[Mean]} = 'x'" }]), {
    code: 'EXPRESSION_TYPE_MISMATCH',
    path: 'measures[0].expression',
  })
  t.match(faultOf([{ as: 'So Far', type: 'cumulative', measure: 'Running', timeDimension: 'Date' }]), {
    code: 'INVALID_METRIC',
    message: /depends on other rows/,
  })
  t.match(faultOf([{ as: 'So Far', type: 'cumulative', measure: 'Mean', timeDimension: 'Day' }]), { code: 'UNKNOWN_DIMENSION' })
  t.end()
})

t.test('numbers of different units do not meet', (t) => {
  const sum = { as: 'Both', aggregation: 'sum', expression: '{[Sales].[Amount]} + {[Sales].[Cost]}' }
  t.match(faultOf([sum]), { code: 'UNIT_MISMATCH', path: 'measures[0].expression' })
  t.end()
})

t.test('names are new ones, and each has one entry', (t) => {
  for (const as of ['Sold', 'sold', 'Mean', 'Sales Count'])
    t.match(faultOf([{ ...MOST_SOLD, as }]), { code: 'INVALID_QUERY', path: 'measures[0].as' }, as)
  t.match(faultOf([MOST_SOLD, MOST_SOLD]), { code: 'INVALID_QUERY', path: 'measures[1].as' })
  t.match(
    faultOf([
      { ...MOST_SOLD, as: 'A', aggregation: 'x' },
      { ...MOST_SOLD, as: 'B', aggregation: 'y' },
    ]),
    {
      code: 'SCHEMA_VALIDATION',
      message: /\(and 1 more\)$/,
    },
  )
  const columns = [{ dataObject: 'Sales', column: 'Amuont' }]
  t.match(faultOf([{ as: 'A', aggregation: 'sum', columns }]), { code: 'UNKNOWN_COLUMN', path: 'measures[0].columns[0].column' })
  t.end()
})

t.test('a view has the fields of its author', (t) => {
  const query = parseQuery({ view: 'V', select: { measures: ['Sold'] }, measures: [MOST_SOLD] })
  t.throws(() => withOwnMeasures(query, model, catalogue), { code: 'INVALID_QUERY', details: { path: 'measures' } })
  t.end()
})

t.test('a measure is in the model that computes, and reads no hidden column', (t) => {
  const hidden = { ...HIDES_NOTHING, columns: new Set(['Sales\0Cost']) }
  const shown = withoutFields(model, hidden, (name) => `hidden_${name}`)
  const { model: made } = own([MOST_SOLD], shown)
  t.ok(made.measures.has('Most'))
  t.ok(computedModel(made).measures.has('Most'))
  const cost = { as: 'Cost', aggregation: 'sum', expression: '{[Sales].[Cost]}' }
  t.match(faultOf([cost], shown), { code: 'UNKNOWN_COLUMN_IN_EXPRESSION' })
  t.same(faultOf([cost]), [])
  t.end()
})
