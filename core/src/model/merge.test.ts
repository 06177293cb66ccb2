/** Models that are merged from several texts. */
import t from 'tap'
import { parseModelSync } from './load-model.js'

const parent = `
dataObjects:
  Orders: { code: orders, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Amount: { code: amount, abstractType: int } } }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
settings: { weekStart: sunday, queryTimezone: UTC }
segments:
  Large: { filters: [{ field: Orders.Amount, op: gt, value: 100 }] }
`
const loadedParent = parseModelSync({ text: parent }).model!

t.test('a child can add only measures', async (t) => {
  const text =
    'name: child\ninherits: base\nsettings: { weekStart: monday }\nmeasures:\n  Mean: { aggregation: avg, columns: [{ dataObject: Orders, column: Amount }] }\n'
  const { model, errors } = parseModelSync({ text, parent: loadedParent.document })
  t.same(errors, [])
  t.same([...model!.measures.keys()].sort(), ['Mean', 'Orders Count', 'Revenue'])
  t.match(model!.settings, { weekStart: 'monday', queryTimezone: 'UTC' }, 'settings are joined one by one')
  t.same([...model!.segments.keys()], ['Large'])
  t.equal(model!.name, 'child')
})

t.test('a duplicate declaration is reported with both positions', async (t) => {
  const text = `${parent}dimensions:\n  Size: { dataObject: Orders, column: Amount }\n`
  const fragments = [
    'description: one\nmetrics:\n  Size: { expression: "{[Revenue]}" }\n',
    'measures:\n\n  Revenue: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }\n',
  ]
  const { errors } = parseModelSync({ text, extends: fragments })
  t.match(errors, [
    {
      code: 'DUPLICATE_IDENTIFIER',
      path: 'measures.Revenue',
      line: 3,
      context: { source: 'extends[1]', first: { source: 'the document', line: 5 } },
    },
    {
      code: 'DUPLICATE_IDENTIFIER',
      path: 'metrics.Size',
      line: 3,
      column: 3,
      message: "'Size' of extends[0] is already declared in 'dimensions' of the document (line 10)",
      context: { source: 'extends[0]', first: { section: 'dimensions', source: 'the document', line: 10, column: 3 } },
    },
  ])
  const two = parseModelSync({ text: parent, extends: [fragments[0]!, fragments[0]!] })
  t.match(two.errors, [{ context: { source: 'extends[1]', first: { source: 'extends[0]', line: 3 } } }])
})

t.test('a parent that is given as a document has no line numbers', async (t) => {
  const { errors } = parseModelSync({ text: parent, parent: loadedParent.document })
  t.match(errors, [
    { code: 'DUPLICATE_IDENTIFIER', path: 'dataObjects.Orders', context: { first: { source: 'inherits' } } },
    { path: 'measures.Revenue' },
    { path: 'segments.Large' },
  ])
})

t.test('a fragment contains no data objects', async (t) => {
  const { errors } = parseModelSync({ text: parent, extends: ['dataObjects: {}\nsegments: {}\n'] })
  t.same(
    errors.map(({ code, context }) => [code, context!.source]),
    [
      ['INVALID_SETTING', 'extends[0]'],
      ['INVALID_SETTING', 'extends[0]'],
    ],
  )
})
