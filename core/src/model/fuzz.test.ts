import fc from 'fast-check'
import t from 'tap'
import { amount } from '../../../test/support/amount.js'
import { GrainlineError } from '../errors.js'
import { parseExpression } from './expression/parse.js'
import { ExpressionError } from './expression/tokenize.js'
import { builtInAggregates } from './functions/aggregates.js'
import { builtInFunctions } from './functions/catalogue.js'
import { parseModelSync } from './load-model.js'

const model = `dataObjects:
  Customers: {code: customers, columns: {Id: {code: id, abstractType: int, primaryKey: true}, Name: {code: n, abstractType: string}}}
  Orders:
    code: orders
    columns: {Id: {code: id, abstractType: int}, Amount: {code: a, abstractType: float}, Twice: {expression: "{Amount} * 2"}, At: {code: t, abstractType: date}}
    joins: [{joinType: many-to-one, joinTo: Customers, columnsFrom: [Id], columnsTo: [Id]}]
dimensions: {Name: {dataObject: Customers, column: Name}, Day: &day {dataObject: Orders, column: At, timeGrain: day}, Other: *day}
measures:
  Sum: {aggregation: sum, expression: "{[Orders].[Amount]} + coalesce({[Orders].[Twice]}, 0)", filters: [{field: Orders.Id, op: in, value: [1, 2]}]}
metrics: {Ratio: {expression: "{[Sum]} / {[Orders Count]}"}, Running: {type: cumulative, measure: Sum, timeDimension: Day}}
filters: [{dataObject: Orders, column: Id, operator: gte, value: 0}]
`
const scraps = [
  '{',
  '}',
  '[',
  ']',
  ':',
  '\n',
  '  ',
  '- ',
  '&a ',
  '*a',
  '<<: ',
  '!!str ',
  '|\n',
  '"',
  "'",
  '#',
  'null',
  '__proto__',
  '~',
  '1e999',
  '? ',
  'Orders',
  'expression',
  '\t',
  '\0',
  '\u2028',
  '💧',
  '\ud800',
]
const edit = fc.record({
  at: fc.nat(model.length),
  cut: fc.nat(30),
  put: fc.oneof(fc.constantFrom(...scraps), fc.string({ maxLength: 8, unit: 'binary' })),
})

t.test('a mutated model text gives findings or a model', async (t) => {
  const runs = amount(1_000, 10_000)
  let sound = 0
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      let text = model
      for (const { at, cut, put } of edits) text = text.slice(0, at) + put + text.slice(at + cut)
      const { model: loaded, errors } = parseModelSync({ text })
      if (loaded) sound++
      if ((loaded === undefined) !== errors.length > 0) throw new Error('neither a model nor errors, or both')
      for (const error of errors) if (error.message === '') throw new Error('an empty message')
    }),
    { numRuns: runs },
  )
  t.ok(sound > runs / 400 && sound < runs * 0.99, `${sound} of ${runs} were sound`)
})

const shaped = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, fc.jsonValue({ maxDepth: 1 }), tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  record: fc.dictionary(
    fc.constantFrom(
      'dataObjects',
      'columns',
      'joins',
      'joinTo',
      'joinType',
      'columnsFrom',
      'columnsTo',
      'code',
      'expression',
      'abstractType',
      'dimensions',
      'dataObject',
      'column',
      'measures',
      'aggregation',
      'filters',
      'metrics',
      'measure',
      'type',
      '__proto__',
      'constructor',
      'extends',
      'settings',
      'grain',
      'op',
      'value',
    ),
    tie('value'),
    { maxKeys: 6 },
  ),
}))

t.test('JSON of any shape gives findings or a model', async (t) => {
  fc.assert(
    fc.property(shaped.record, (json) => {
      parseModelSync({ json })
    }),
    { numRuns: amount(400, 3_000) },
  )
  t.equal(({} as Record<string, unknown>).code, undefined)
})

t.test('any text is an expression or is refused with a position inside it', async (t) => {
  const words = [
    'case',
    'when',
    'then',
    'end',
    '(',
    ')',
    '{a}',
    '+',
    '-',
    '*',
    "'x'",
    'and',
    'not',
    'between',
    'in',
    '1',
    '1.5',
    ',',
    'cast',
    'as',
    'int',
    'abs',
    'is',
    'null',
    'date',
    '||',
  ]
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((list) => list.join(' ')),
  )
  let parsed = 0
  fc.assert(
    fc.property(text, (source) => {
      try {
        parseExpression(source, {
          functions: builtInFunctions,
          aggregates: builtInAggregates,
          leaf: () => ({ kind: 'x' }),
          report: () => {},
        })
        parsed++
      } catch (error) {
        if (!(error instanceof ExpressionError) || error.offset < 0 || error.offset > source.length) throw error
      }
    }),
    { numRuns: amount(600, 5_000) },
  )
  t.ok(parsed > 0)
  t.notOk(new ExpressionError('', 0) instanceof GrainlineError)
})
