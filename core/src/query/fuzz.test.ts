import fc from 'fast-check'
import t from 'tap'
import { amount } from '../../../test/support/amount.js'
import { GrainlineError } from '../errors.js'
import { operatorSpellings } from '../model/operators.js'
import { parseQuery } from './parse-query.js'

const keys = [
  'select',
  'dimensions',
  'measures',
  'fields',
  'where',
  'having',
  'filters',
  'logic',
  'negated',
  'field',
  'op',
  'value',
  'subquery',
  'dataObject',
  'filter',
  'order_by',
  'orderBy',
  'direction',
  'limit',
  'offset',
  'coalesce',
  'as',
  'unit',
  'count',
  '__proto__',
  'constructor',
  'timezone',
]
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 7 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(...operatorSpellings(), 'Name:day', 'and', 'asc'),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 6 }),
}))
const scalar = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('A', 'B:month'))
const filter = fc.record(
  {
    field: scalar,
    op: fc.constantFrom(...operatorSpellings(), 'no'),
    value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  },
  { requiredKeys: ['field', 'op'] },
)
const likely = fc.record(
  {
    select: fc.record({
      dimensions: fc.array(scalar, { maxLength: 2 }),
      measures: fc.array(fc.constantFrom('M', ''), { maxLength: 2 }),
    }),
    where: fc.array(fc.oneof(filter, value), { maxLength: 3 }),
    order_by: fc.array(fc.record({ field: scalar }), { maxLength: 2 }),
    limit: fc.oneof(fc.nat(), scalar),
  },
  { requiredKeys: ['select'] },
)

t.test('a query body of any shape is parsed or refused with findings', async (t) => {
  const runs = amount(1_000, 10_000)
  let sound = 0
  fc.assert(
    fc.property(fc.oneof(value, likely), (body) => {
      try {
        parseQuery(body)
        sound++
      } catch (error) {
        if (!(error instanceof GrainlineError)) throw error
        if (!error.details.findings?.length || error.status !== 422) throw new Error(`${error.code} without findings`)
      }
    }),
    { numRuns: runs },
  )
  t.ok(sound > runs / 400 && sound < runs * 0.99, `${sound} of ${runs} were sound`)
})
