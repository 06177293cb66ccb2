/** Rows are aggregated by the row of a tree before its pairs are joined, if totals of parts are totals of the whole. */
import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'

const MODEL = loadText(`
version: 1
name: ledger
dataObjects:
  Accounts:
    code: accounts
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Up: { code: up, abstractType: int } }
  Tree: { closure: { dataObject: Accounts, key: Id, parent: Up } }
  Postings:
    code: postings
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Account: { code: account, abstractType: int }
      State: { code: state, abstractType: string }
      Amount: { code: amount, abstractType: int }
      Weight: { code: weight, abstractType: float }
    joins: [{ joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account], columnsTo: [Id], foreignKey: true }]
dimensions:
  Upper: { dataObject: Tree, column: Ancestor }
  Depth: { dataObject: Tree, column: Depth }
  State: { dataObject: Postings, column: State }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Postings, column: Amount }] }
  Weight: { aggregation: sum, columns: [{ dataObject: Postings, column: Weight }] }
  States: { aggregation: count_distinct, columns: [{ dataObject: Postings, column: State }] }
`)

const isEarly = (dimensions: readonly string[], measures: readonly string[], where: readonly unknown[] = []): boolean =>
  compileFor({ select: { dimensions, measures }, where }, MODEL).sql.split('GROUP BY').length > 2

t.test('sums and counts by what is read of the pairs alone are summed by the row of the tree first', async (t) => {
  t.ok(isEarly(['Upper'], ['Amount']))
  t.ok(isEarly(['Upper'], ['Amount', 'Postings Count']))
  t.ok(
    isEarly(
      ['Upper'],
      ['Amount'],
      [
        { field: 'State', op: '=', value: 'open' },
        { field: 'Depth', op: '<', value: 3 },
      ],
    ),
  )
})

t.test('other values and groups are not', async (t) => {
  t.notOk(isEarly(['Upper'], ['Weight']), 'a sum of doubles depends on the order')
  t.notOk(isEarly(['Upper'], ['States']), 'values are counted once')
  t.notOk(isEarly(['Upper', 'State'], ['Amount']), 'other groups may be almost as many as rows')
  t.notOk(isEarly([], ['Amount'], [{ field: 'Upper', op: '=', value: 1 }]), 'no group')
})
