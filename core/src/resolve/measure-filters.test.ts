/** Filters of a measure: conditions on its rows, and tests for rows of other objects, which are conditions of a query for it alone. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { compileFor, refusalOf } from '../../../test/support/compile.js'
import { shopWith } from '../../../test/support/models.js'

const counted = { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'Id' }] }
const returned = { field: 'Customers', op: 'exists', subquery: { dataObject: 'Returns' } }
const dear = { field: 'Orders.Amount', op: '>', value: 5 }
const model = shopWith({
  dataObjects: { Apart: { code: 'apart', columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true } } } },
  measures: {
    Plain: counted,
    Returned: { ...counted, filters: [returned, dear] },
    'Returned Too': { ...counted, filters: [dear, returned] },
    'Returned or Dear': { ...counted, filters: [{ logic: 'or', filters: [returned, dear] }] },
    Far: { ...counted, filters: [{ field: 'Apart', op: 'exists', subquery: { dataObject: 'Apart' } }] },
  },
})

const read = (...measures: string[]) => aggregateQuery({ select: { measures } }, model).aggregates

t.test('a test for rows is a condition of the measure, and other filters stay on its rows', async (t) => {
  const [plain, kept, either] = read('Plain', 'Returned', 'Returned or Dear')
  t.same([plain?.filters.length, plain?.conjuncts.length], [0, 0])
  t.same(
    [kept?.filters.length, kept?.conjuncts.map(({ fields, ofMeasure }) => [fields, ofMeasure])],
    [1, [[['Customers'], true]]],
  )
  t.same(either?.filters, [], 'a group with a test is one condition')
  t.same(either?.conjuncts[0]?.fields, ['Customers', 'Orders.Amount'])
})

t.test('measures with the same test read the same rows once', async (t) => {
  const sql = (measures: readonly string[]) => compileFor({ select: { measures } }, model).sql
  t.equal(sql(['Returned', 'Returned Too']).match(/FROM "returns"/g)?.length, 1)
  t.equal(sql(['Plain', 'Returned']).match(/FROM "returns"/g)?.length, 1)
})

t.test('a test that is out of reach is refused, and not ignored', async (t) => {
  const { code, message } = refusalOf({ select: { measures: ['Far'] } }, model)
  t.equal(code, 'NO_JOIN_PATH')
  t.equal(message, "'Far' has a filter on 'Apart', which cannot be reached from the rows of 'Orders'")
})
