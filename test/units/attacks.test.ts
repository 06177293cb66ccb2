/** Units beside what they might get wrong: facts that meet, policies, hidden columns, strange names, long chains. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { unitOfField } from '../../core/src/discovery/units.js'
import { boundBy, viewFor } from '../../core/src/model/restrict.js'
import { compileFor, loadText } from '../support/compile.js'

const text = `
version: 1
dataObjects:
  Accounts:
    code: accounts
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Currency: { code: currency, abstractType: string }
  Payments:
    code: payments
    columns:
      Account Id: { code: account_id, abstractType: int }
      Currency: { code: currency, abstractType: string }
      Paid: { code: paid, abstractType: float, unit: '{[Accounts].[Currency]}' }
      Foreign: { code: foreign_paid, abstractType: float, unit: { column: Currency } }
    joins:
      - { joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account Id], columnsTo: [Id] }
  Invoices:
    code: invoices
    columns:
      Account Id: { code: account_id, abstractType: int }
      Billed: { code: billed, abstractType: float, unit: '{[Accounts].[Currency]}' }
    joins:
      - { joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account Id], columnsTo: [Id] }
dimensions:
  Account: { dataObject: Accounts, column: Id }
  Currency: { dataObject: Accounts, column: Currency }
measures:
  Open: { aggregation: sum, expression: '{[Invoices].[Billed]} - {[Payments].[Paid]}', anchor: Accounts }
  Wrong Open: { aggregation: sum, expression: '{[Invoices].[Billed]} * {[Payments].[Foreign]}', anchor: Accounts }
  Paid: { aggregation: sum, columns: [{ dataObject: Payments, column: Paid }] }
  Billed: { aggregation: sum, columns: [{ dataObject: Invoices, column: Billed }] }
metrics:
  Share Paid: { expression: '{[Paid]} / {[Billed]}' }
  Due: { expression: '{[Billed]} - {[Paid]}' }
`
const model = loadText(text)

function unitOf(measure: string, query: object = {}, of = model) {
  const { columns, warnings } = compileFor({ select: { measures: [measure], ...query } }, of)
  const isMixed = warnings.some(({ code }) => code === 'MIXED_UNITS')
  return isMixed ? 'mixed' : (columns.find(({ name }) => name === measure)?.unit ?? 'none')
}

t.test('facts that meet at an object have the unit of its rows', async (t) => {
  t.equal(unitOf('Open', { dimensions: ['Currency'] }), '{Currency}')
  t.equal(unitOf('Open', { dimensions: ['Account'] }), 'none')
  t.equal(unitOf('Open'), 'mixed')
  t.equal(unitOf('Wrong Open', { dimensions: ['Currency'] }), 'mixed')
})

t.test('metrics over two facts read one dimension', async (t) => {
  t.equal(unitOf('Due', { dimensions: ['Currency'] }), '{Currency}')
  t.equal(unitOf('Due', { dimensions: ['Account'] }), 'none')
  t.equal(unitOf('Due'), 'mixed')
  t.equal(unitOf('Share Paid', { dimensions: ['Currency'] }), 'none')
})

const viewWith = (access: string) => {
  const whole = loadText(`${text}${access}`)
  const bound = boundBy(whole.access!, { name: 'ann', roles: [], attributes: {} }, () => '2026-01-01')
  return viewFor(whole, bound, 'secret')
}

t.test('a policy that leaves one value fixes the unit', async (t) => {
  const own = viewWith(`access:
  rows: [{ name: own, label: Yours, dataObject: Accounts, where: { field: Accounts.Currency, op: eq, value: CHF }, unless: [admin] }]
  unbound: [Payments, Invoices]
`)
  t.equal(unitOf('Paid', {}, own), 'CHF')
  t.equal(unitOf('Open', {}, own), 'CHF')
})

t.test('a column that is hidden names no unit, and its name is in no message', async (t) => {
  const blind = viewWith(`filters: [{ dataObject: Accounts, column: Currency, operator: eq, values: [SECRET] }]
access: { fields: [{ hide: [Accounts.Currency], unless: [admin] }] }
`)
  const compiled = compileFor({ select: { measures: ['Paid', 'Billed', 'Due'] } }, blind)
  t.notMatch(JSON.stringify([compiled.columns, compiled.warnings]), /SECRET|Currency|hidden_/)
  t.equal(unitOfField(blind, 'Paid'), undefined)
  const unfiltered = viewWith('access: { fields: [{ hide: [Accounts.Currency], unless: [admin] }] }\n')
  const mixed = compileFor({ select: { measures: ['Paid'] } }, unfiltered)
  t.notMatch(JSON.stringify([mixed.columns, mixed.warnings]), /Currency|hidden_/)
  t.match(mixed.warnings, [{ code: 'MIXED_UNITS', message: /a column that you do not see/ }])
})

const trades = `
version: 1
dataObjects:
  Trades:
    code: trades
    columns:
      Day: { code: day, abstractType: date }
      Buy Currency: { code: buy_currency, abstractType: string }
      Sell Currency: { code: sell_currency, abstractType: string }
      Bought: { code: bought, abstractType: float, unit: { column: Buy Currency } }
      Sold: { code: sold, abstractType: float, unit: { column: Sell Currency } }
      Cash: { code: cash, abstractType: float, unit: '{[Days].[Legal Tender]}' }
    joins:
      - { joinType: many-to-one, joinTo: Codes, columnsFrom: [Buy Currency], columnsTo: [Code] }
      - { joinType: many-to-one, joinTo: Codes, columnsFrom: [Sell Currency], columnsTo: [Code], secondary: true, pathName: sold }
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [Day], columnsTo: [Day] }
  Codes:
    code: codes
    columns: { Code: { code: code, abstractType: string, primaryKey: true } }
  Days:
    code: days
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
      Legal Tender: { code: legal_tender, abstractType: string }
dimensions:
  Day: { dataObject: Days, column: Day }
measures:
  Cash: { aggregation: sum, columns: [{ dataObject: Trades, column: Cash }] }
metrics:
  Cash so Far: { type: cumulative, measure: Cash, timeDimension: Day }
`

t.test('two columns of one object are two units, though joins compare both with one column', async (t) => {
  const added = trades.replace(
    'measures:',
    "measures:\n  Both: { aggregation: sum, expression: '{[Trades].[Bought]} + {[Trades].[Sold]}' }",
  )
  t.match(parseModelSync({ text: added }).errors, [{ code: 'UNIT_MISMATCH', path: 'measures.Both.expression' }])
})

t.test('a day decides the currency that was legal on it, but not that of a running sum', async (t) => {
  const known = loadText(trades)
  t.equal(unitOf('Cash', { dimensions: ['Day'] }, known), 'none')
  t.equal(unitOf('Cash so Far', { dimensions: ['Day'] }, known), 'mixed')
  t.equal(unitOf('Cash', { dimensions: ['Day:month'] }, known), 'mixed')
})

t.test('names are data: any letters, and as long as a text may be', async (t) => {
  const named = (unit: string) =>
    parseModelSync({ text: text.replace('unit: { column: Currency }', `unit: ${JSON.stringify(unit)}`) })
  for (const unit of ['ünits', '日本円', "it's", '"', 'a b  c', '\u{1F4B6}', 'x'.repeat(200)])
    t.same(named(unit).errors, [], unit.slice(0, 20))
  for (const unit of ['x'.repeat(201), 'a\u0000b', '\n', '*', '^2', '{Currency', 'a{Currency}'])
    t.match(named(unit).errors, [{ code: 'INVALID_UNIT' }], JSON.stringify(unit.slice(0, 20)))
})

t.test('a long chain of columns or metrics is no deep recursion', async (t) => {
  const count = 4000
  const metrics = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`M${i}`, { expression: i === 0 ? '{[Paid]}' : `{[M${i - 1}]}` }]),
  )
  const document = { ...(loadText(text).document as object), metrics }
  const { errors } = parseModelSync({ json: document })
  t.same(errors, [])
})
