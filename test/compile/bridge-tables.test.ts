/** Facts that reach one side of a declared bridge table, grouped by the other side, with and without weights (decision 8). */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { erDiagram } from '../../core/src/discovery/er-diagram.js'
import { joinGraphView } from '../../core/src/discovery/join-graph-view.js'
import { lineage } from '../../core/src/discovery/lineage.js'
import { compileFor, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const id = { code: 'id', abstractType: 'int', primaryKey: true }
const column = (dataObject: string, name: string) => ({ dataObject, column: name })
const to = (joinTo: string, from: string) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [from], columnsTo: ['Id'] })
const number = (code: string, sqlType: string) => ({ code, abstractType: 'float', sqlType })

const bank = (weighted: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}) => ({
  dataObjects: {
    Accounts: { code: 'accounts', columns: { Id: id, Branch: { code: 'branch', abstractType: 'string' } } },
    Owners: { code: 'owners', columns: { Id: id, Name: { code: 'name', abstractType: 'string' } } },
    'Account Owners': {
      code: 'account_owners',
      bridge: true,
      columns: {
        Account: { code: 'account_id', abstractType: 'int' },
        Owner: { code: 'owner_id', abstractType: 'int' },
        Share: number('share', 'DECIMAL(5,4)'),
        Ratio: { code: 'ratio', abstractType: 'float' },
      },
      joins: [to('Accounts', 'Account'), to('Owners', 'Owner')],
      ...weighted,
    },
    Transactions: {
      code: 'transactions',
      columns: {
        Id: id,
        Account: { code: 'account_id', abstractType: 'int' },
        Day: { code: 'on_day', abstractType: 'date' },
        Amount: number('amount', 'DECIMAL(10,2)'),
      },
      joins: [to('Accounts', 'Account')],
    },
    Tags: {
      code: 'tags',
      columns: { Transaction: { code: 'transaction_id', abstractType: 'int' }, Word: { code: 'word', abstractType: 'string' } },
      joins: [to('Transactions', 'Transaction')],
    },
    ...more,
  },
  dimensions: {
    Branch: column('Accounts', 'Branch'),
    Owner: column('Owners', 'Name'),
    Day: { ...column('Transactions', 'Day') },
    Tag: column('Tags', 'Word'),
  },
  measures: {
    Amount: { aggregation: 'sum', columns: [column('Transactions', 'Amount')] },
    Mean: { aggregation: 'avg', columns: [column('Transactions', 'Amount')] },
    Large: { aggregation: 'count_if', expression: '{[Transactions].[Amount]} > 50' },
    Largest: { aggregation: 'max', columns: [column('Transactions', 'Amount')] },
    Debt: { aggregation: 'sum', expression: '0 - {[Transactions].[Id]}' },
    Everything: { aggregation: 'sum', columns: [column('Transactions', 'Amount')], total: true },
  },
})

const modelOf = (document: unknown) => {
  const { model, errors } = parseModelSync({ json: document })
  if (!model) throw new Error(errors.map((e) => `${e.path} ${e.message}`).join('; '))
  return model
}

const weighted = modelOf(bank({ weight: 'Share' }))
const plain = modelOf(bank({}))
const { rows } = await database(
  "CREATE TABLE accounts AS SELECT * FROM (VALUES (1, 'East'), (2, 'West'), (3, 'West')) t(id, branch)",
  "CREATE TABLE owners AS SELECT * FROM (VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cid')) t(id, name)",
  // Account 1 belongs to Ada and Bob, account 2 to Bob, account 3 has no owner; the accounts of Cid are unknown.
  `CREATE TABLE account_owners (account_id INT, owner_id INT, share DECIMAL(5,4), ratio DOUBLE);
   INSERT INTO account_owners VALUES (1, 1, 0.75, 0.75), (1, 2, 0.25, 0.25), (2, 2, 1, 1), (2, 3, NULL, NULL)`,
  `CREATE TABLE transactions (id INT, account_id INT, on_day DATE, amount DECIMAL(10,2));
   INSERT INTO transactions VALUES (1, 1, '2025-01-01', 100), (2, 1, '2025-01-02', 20), (3, 2, '2025-01-01', 60), (4, 3, '2025-01-02', 7), (5, NULL, '2025-01-02', 1)`,
  "CREATE TABLE tags AS SELECT * FROM (VALUES (1, 'old'), (1, 'big'), (3, 'old')) t(transaction_id, word)",
)

const by = (dimensions: readonly string[], measures: readonly string[], more = {}) => ({
  select: { dimensions, measures },
  order_by: dimensions.map((_, i) => ({ field: i + 1 })),
  ...more,
})

async function answer(query: unknown, model = weighted) {
  const { sql, warnings } = compileFor(query, model)
  return { rows: (await rows(sql)).map((r) => r.map(String).join(' ')), warns: warnings.map((w) => w.code) }
}

t.test('without weights a transaction counts once for each owner of its account', async (t) => {
  t.same(await answer(by(['Owner'], ['Amount', 'Transactions Count', 'Mean']), plain), {
    rows: ['Ada 120 2 60', 'Bob 180 3 60', 'Cid 60 1 60', 'null 8 2 4'],
    warns: ['OVERLAPPING_GROUPS'],
  })
})

t.test('with weights each owner has a share, and the shares add up to the total', async (t) => {
  t.same(await answer(by(['Owner'], ['Amount', 'Transactions Count', 'Mean', 'Large'])), {
    rows: ['Ada 90 1.5 60 0.75', 'Bob 90 1.5 60 1.25', 'Cid null 0 null 0', 'null 8 2 4 0'],
    warns: [],
  })
})

t.test('a filter, a row and a subtotal for the same owner agree', async (t) => {
  const slicer = { where: [{ field: 'Owner', op: '=', value: 'Bob' }] }
  t.same((await answer({ select: { measures: ['Amount'] }, ...slicer })).rows, ['90'])
  const { rows: levels } = await answer({ ...by(['Owner', 'Branch'], ['Amount', 'Transactions Count']), grouping: 'rollup' })
  t.ok(levels.includes('Bob null 90 1.5 false true'), levels.join('; '))
  t.ok(levels.includes('null null 188 5 true true'), 'the whole, of the same type')
})

t.test('a total of what is shown has the shares of the owners that are shown', async (t) => {
  const shown = { grouping: { sets: 'rollup', of: 'shown' } }
  t.same((await answer(by(['Owner'], ['Amount'], { limit: 1, ...shown }))).rows, ['Ada 90 false', 'null 90 true'])
  const { rows: levels } = await answer(by(['Owner'], ['Amount'], shown))
  // The row without an owner and the total have the same place: nothing but the flag tells them apart.
  t.ok(levels.includes('null 188 true'), levels.join('; '))
})

t.test('whole subtotals are sorted correctly among fractional shares', async (t) => {
  const query = {
    select: { dimensions: ['Branch', 'Owner'], measures: ['Debt', 'Accounts Count'] },
    where: [{ field: 'Transactions.Id', op: '=', value: 1 }],
    order_by: [{ field: 'Debt' }, { field: 'Owner', nulls: 'last' }],
    grouping: { sets: [['Branch', 'Owner'], ['Branch']] },
  }
  const found = await rows(compileFor(query, weighted).sql)
  // If rounded like the total, the larger share would be -1 as well, and come before it.
  t.same(
    found.slice(0, 3).map(([, owner, debt]) => `${owner} ${debt}`),
    ['null -1', 'Ada -0.75', 'Bob -0.25'],
  )
})

t.test('a query that does not read the bridge is not weighted', async (t) => {
  t.same((await answer(by(['Branch'], ['Amount']))).rows, ['East 120', 'West 67', 'null 1'])
  t.same((await answer(by(['Owner'], ['Everything', 'Amount'], { limit: 1 }))).rows, ['Ada 188 90'])
})

t.test('a measure that is not additive is not weighted, and its groups overlap', async (t) => {
  t.same(await answer(by(['Owner'], ['Largest', 'Amount'])), {
    rows: ['Ada 100 90', 'Bob 100 90', 'Cid 60 null', 'null 7 8'],
    warns: ['OVERLAPPING_GROUPS'],
  })
})

t.test('a second bridge without weights makes the groups overlap again', async (t) => {
  t.same(await answer(by(['Owner', 'Tag'], ['Amount'])), {
    rows: ['Ada big 75', 'Ada old 75', 'Ada null 15', 'Bob big 25', 'Bob old 85', 'Bob null 5', 'Cid old null', 'null null 8'],
    warns: ['OVERLAPPING_GROUPS'],
  })
})

t.test('a condition on another bridge does not apply the weights twice', async (t) => {
  const tagged = { where: [{ field: 'Tag', op: 'in', value: ['old', 'big'] }] }
  t.same((await answer(by(['Owner'], ['Amount'], tagged))).rows, ['Ada 75', 'Bob 85', 'Cid null'])
})

t.test('exists filters, fan-out and distinct counts ignore the weights', async (t) => {
  const owned = { where: [{ field: 'Accounts', op: 'exists', subquery: { dataObject: 'Owners', filter: [] } }] }
  t.same((await answer({ select: { measures: ['Amount'] }, ...owned })).rows, ['180'])
  t.same((await answer(by(['Owner'], ['Amount'], { allow_fan_out: true, limit: 1 }))).rows, ['Ada 120'])
})

t.test('weights of type double give doubles', async (t) => {
  const doubles = modelOf(bank({ weight: 'Ratio' }))
  const { columns } = compileFor(by(['Owner'], ['Amount', 'Transactions Count']), doubles)
  t.same(
    columns.map((c) => c.type.kind),
    ['string', 'float', 'float'],
  )
})

t.test('two bridge tables between the same objects are ambiguous, and two in a row connect no facts', async (t) => {
  const other = { ...bank({}).dataObjects['Account Owners'], code: 'agents' }
  const two = modelOf(bank({}, { Agents: other }))
  t.match(refusalOf(by(['Owner'], ['Amount']), two), { code: 'AMBIGUOUS_JOIN', message: /'Account Owners' and 'Agents'/ })
  const far = {
    Clubs: { code: 'clubs', columns: { Id: id } },
    Members: {
      code: 'members',
      bridge: true,
      columns: { Owner: { code: 'owner_id', abstractType: 'int' }, Club: { code: 'club_id', abstractType: 'int' } },
      joins: [to('Owners', 'Owner'), to('Clubs', 'Club')],
    },
  }
  const document = bank({}, far)
  const chained = modelOf({ ...document, dimensions: { ...document.dimensions, Club: column('Clubs', 'Id') } })
  t.match(refusalOf(by(['Club'], ['Amount']), chained), { code: 'NO_JOIN_PATH' })
})

t.test('a table that is not declared as a bridge connects no facts', async (t) => {
  const undeclared = modelOf(bank({ bridge: false }))
  t.match(refusalOf(by(['Owner'], ['Amount']), undeclared), {
    code: 'NO_JOIN_PATH',
    message: /'Account Owners' leads to both.*bridge: true/,
  })
})

t.test('a bridge is checked when the model loads', async (t) => {
  const faults = (more: Record<string, unknown>) => parseModelSync({ json: bank(more) }).errors.map((e) => [e.code, e.path])
  const at = (key: string) => `dataObjects.Account Owners.${key}`
  t.same(faults({ weight: 'Share', bridge: false }), [['INVALID_BRIDGE', at('weight')]])
  t.same(faults({ joins: [to('Accounts', 'Account')] }), [['INVALID_BRIDGE', at('bridge')]])
  t.same(faults({ weight: 'Nothing' }), [['UNKNOWN_COLUMN', at('weight')]])
})

t.test('lineage, diagrams and descriptions of a model show its bridges', async (t) => {
  t.same(joinGraphView(weighted).bridges, [{ data_object: 'Account Owners', weight: 'Share' }])
  t.match(erDiagram(weighted, { showColumns: false, theme: 'default' }), /"Account Owners \(bridge\)"/)
  t.match(
    lineage('Owner', weighted)?.lineage.find((step) => step.name === 'Account Owners'),
    { type: 'data_object', detail: 'a bridge to it, weighted by Share' },
  )
})
