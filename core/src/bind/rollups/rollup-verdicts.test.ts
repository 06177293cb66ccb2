/** A verdict for each rollup on everything that a question aggregates. Each code has a question in test/rollups/reasons.test.ts. */
import t from 'tap'
import { resolved } from '../../../../test/support/bound.js'
import { shopWith } from '../../../../test/support/models.js'
import { TABLES, tableContext } from '../../../../test/support/rollups.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { rollupVerdicts, type VerdictContext } from './rollup-verdicts.js'

const loaded = shopWith(TABLES, {
  metrics: { 'Largest Region': { type: 'aggregate', measure: 'Sales', aggregation: 'max', per: ['Region'] } },
})

/** A rollup that no document can declare: an order has several products. */
const [daily] = loaded.rollups.values()
const apart = {
  ...daily!,
  name: 'Apart',
  dimensions: daily!.dimensions.map((one) => ({ ...one, field: 'Product', grain: undefined })),
}
const model: SemanticModel = { ...loaded, rollups: new Map([...loaded.rollups, ['Apart', apart]]) }

function ask(query: object, differs: VerdictContext['differs'] = () => undefined, of: SemanticModel = model) {
  return rollupVerdicts(resolved(query, of), { ...tableContext(of), differs, hasQuotients: true })
}
const verdictOf = (rollup: string, ...of: Parameters<typeof ask>) => ask(...of).find((one) => one.rollup === rollup)

t.test('in the order of the model, and none without rollups', async (t) => {
  const query = { select: { measures: ['Sales'] } }
  t.same(
    ask(query).map(({ rollup }) => rollup),
    ['Daily', 'Weekly', 'Monthly', 'Paid', 'Apart'],
  )
  t.same(
    ask(query, () => undefined, shopWith()),
    [],
  )
})

t.test('measures that can be read, and the first reason of the others', async (t) => {
  const query = { select: { dimensions: ['Status'], measures: ['Sales', 'Median Sale', 'Payers', 'Largest'] } }
  t.match(verdictOf('Daily', query), {
    measures: ['Sales', 'Largest'],
    others: ['Median Sale', 'Payers'],
    ...{ reason: 'NOT_ADDITIVE', field: 'Median Sale' },
  })
  t.same(verdictOf('Daily', { select: { measures: ['Sales'] } }), {
    ...{ rollup: 'Daily', measures: ['Sales'], others: [], reason: null, field: null, says: null },
  })
})

t.test('a measure is read only if all that the question asks of it is', async (t) => {
  const twice = { select: { dimensions: ['Amount'], measures: ['Sales of All', 'Sales'] } }
  t.match(verdictOf('Daily', twice), { measures: ['Sales of All'], others: ['Sales'] })
  const levels = {
    select: { dimensions: ['Status', 'Amount'], measures: ['Sales'] },
    grouping: { sets: [['Status'], ['Amount']] },
  }
  t.match(verdictOf('Daily', levels), { measures: [], others: ['Sales'], field: 'Amount' })
})

t.test('inner questions are part of it', async (t) => {
  t.match(verdictOf('Weekly', { select: { dimensions: ['Status'], measures: ['Largest Region'] } }), {
    others: ['Sales'],
    field: 'Region',
  })
  const top = {
    select: { dimensions: ['Status'], measures: ['Order Count'] },
    top: { dimension: 'Status', n: 2, by: 'Largest' },
  }
  t.match(verdictOf('Weekly', top), { measures: ['Order Count'], others: ['Largest'] })
})

t.test('reasons of a table as a whole', async (t) => {
  const query = { select: { measures: ['Sales'] } }
  t.match(
    verdictOf('Daily', query, () => 'OTHER_TIME_ZONE'),
    { measures: [], others: ['Sales'], reason: 'OTHER_TIME_ZONE', field: null },
  )
  t.match(
    verdictOf('Daily', query, ({ name }) => (name === 'Daily' ? 'OTHER_PARAMETERS' : undefined)),
    { reason: 'OTHER_PARAMETERS' },
  )
  t.match(verdictOf('Apart', query), { others: ['Sales'], reason: 'NOT_BUILDABLE', says: /^INVALID_ROLLUP: / })
  t.match(verdictOf('Daily', { select: { fields: ['Orders.Id'] } }), {
    measures: [],
    others: [],
    reason: 'NEEDS_ROWS',
    field: null,
  })
})

t.test('another error is thrown', async (t) => {
  const differs = () => {
    throw new TypeError('a fault')
  }
  t.throws(() => ask({ select: { measures: ['Sales'] } }, differs), { message: 'a fault' })
})
