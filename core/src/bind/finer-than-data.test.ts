/** What of a question is finer than the data of a fact, and what could be asked instead. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { BUDGETS, shop, shopWith } from '../../../test/support/models.js'
import type { WhereLeaf } from '../resolve/resolved-query.js'
import { blockRequests } from './block-requests.js'
import { finerThanData, refuseFiner } from './finer-than-data.js'

const model = shopWith(BUDGETS, {
  dimensions: { 'Budget Week': { dataObject: 'Budgets', column: 'Month', timeGrain: 'week' } },
})
const on = (field: string, op: string, value?: unknown) => ({ field, op, value })
const any = (...filters: readonly object[]) => ({ logic: 'or', filters })

function ask(dimensions: readonly unknown[], where: readonly object[] = []) {
  const query = aggregateQuery({ select: { dimensions, measures: ['Budget'] }, where }, model)
  const [planned] = blockRequests(query)
  return { query, request: planned!.request, found: finerThanData(planned!.request, query) }
}
const groups = (...dimensions: readonly unknown[]) => ask(dimensions).found.map(({ what }) => what)
const filters = (...where: readonly object[]) => ask([], where).found.map(({ what }) => what)

t.test('groups that divide a month', async (t) => {
  t.same(groups('Date'), ["'Date' divides a month"])
  t.same(groups('Date:week', 'Holiday', 'Budgeted'), [
    "'Date:week' divides a month",
    "'Holiday' divides a month",
    "'Budgeted' divides a month",
  ])
  t.same(groups('Date:month', 'Year No', 'Budgeted:quarter', 'Year', 'Budget Id'), [])
})

t.test('a group says how it can be asked', async (t) => {
  const [date, holiday] = ask(['Date', 'Holiday']).found
  t.match(date, { suggestions: ['Date:month'], hint: /^Select 'Date:month' in place of 'Date'/, path: 'select.dimensions[0]' })
  t.match(holiday, { suggestions: [], hint: /^Select no 'Holiday' beside it/, path: 'select.dimensions[1]' })
})

t.test('an expression over a time is finer, except of its whole periods', async (t) => {
  t.same(groups({ expression: '{[Year No]} + 1', as: 'Next' }), [])
  t.same(groups({ expression: "date_add('day', 1, {[Date]})", as: 'Next' }), ["'Next' divides a month"])
  t.match(ask([{ expression: "date_add('day', 1, {[Date]})", as: 'Next' }]).found, [{ suggestions: [] }])
})

t.test('periods that are moved by less than a month', async (t) => {
  const { request, query } = ask(['Date:month'])
  const moved = (unit: 'day' | 'month' | 'year') =>
    finerThanData(
      { ...request, dimensions: request.dimensions.map((one) => ({ ...one, movedBy: [{ unit, count: -1 }] })) },
      query,
    ).length
  t.same([moved('day'), moved('month'), moved('year')], [1, 0, 0])
})

t.test('conditions that cut a month', async (t) => {
  const cut = ["the filter on 'Date' divides a month"]
  t.same(filters(on('Date', 'gte', '2024-01-15')), cut)
  t.same(filters(on('Date', 'between', ['2024-01-01', '2024-02-15'])), cut)
  t.same(filters(on('Date', 'lt', '2024-01-31')), cut)
  t.same(filters(on('Date', 'gte', '2024-02-01')), [])
  t.same(filters(on('Date', 'between', ['2024-01-01', '2024-01-31'])), [])
  t.same(filters(on('Date', 'is_null')), [])
  t.same(filters(on('Quarter', 'gte', '2024-01-15')), [], 'a date that says whole periods')
  t.same(filters(on('Holiday', 'eq', true)), ["the filter on 'Holiday' divides a month"])
  t.same(filters(on('Month No', 'eq', 3), on('Budget Id', 'gt', 3)), [])
})

t.test('an end before which, or after which, no date is cuts no month', async (t) => {
  t.same(filters(on('Budget Week', 'lt', '9999-12-31')), [], 'the week of the last day begins before it')
  t.same(filters(on('Budget Week', 'gte', '0001-01-01')), [])
  t.equal(filters(on('Budget Week', 'lt', '9999-12-27')).length, 1)
  t.equal(filters(on('Budget Week', 'gte', '0001-01-08')).length, 1)
  t.equal(filters(on('Budgeted', 'lt', '9999-12-31')).length, 1, 'the last day is a date')
  t.same(filters(on('Budgeted', 'gt', '0001-01-01')).length, 1)
})

t.test('each part of a condition by itself, and days together', async (t) => {
  t.same(filters(any(on('Date', 'lt', '2024-02-01'), on('Month No', 'eq', 3))), [])
  t.same(filters(any(on('Date', 'lt', '2024-02-02'), on('Month No', 'eq', 3))), [
    "the filter on 'Date', 'Month No' divides a month",
  ])
  t.same(
    filters(any(on('Date', 'between', ['2024-01-01', '2024-01-15']), on('Date', 'between', ['2024-01-16', '2024-01-31']))),
    [],
    'two halves',
  )
  t.same(
    filters({ expression: "extract('year', {[Date]}) = 2024" }),
    ["the filter on 'Date' divides a month"],
    'no list of ranges',
  )
  t.same(filters(any(on('Quarter', 'eq', '2024-04-01'), on('Date', 'gte', '2024-08-01'))), [], 'a date that says whole periods')
  t.same(filters(any(on('Quarter', 'eq', '2024-04-01'), on('Date', 'gte', '2024-08-05'))), [
    "the filter on 'Quarter', 'Date' divides a month",
  ])
  const found = { field: 'Budget Id', op: 'exists', subquery: { dataObject: 'Dates', filter: [] } }
  t.same(
    filters(any(on('Date', 'gte', '2024-08-05'), found)),
    ["the filter on 'Date', 'Budget Id' divides a month"],
    'rows that are found say nothing of times',
  )
})

t.test('a part that is no day is judged as well', async (t) => {
  const whole = on('Date', 'between', ['2024-01-01', '2024-01-31'])
  const not = (...parts: readonly object[]) => ({ logic: 'and', negated: true, filters: parts })
  t.same(filters(not(whole, on('Month No', 'eq', 3))), [])
  const cut = new Set(["the filter on 'Date', 'Holiday' divides a month"])
  t.same(new Set(filters(not(whole, on('Holiday', 'eq', true)))), cut)
  t.same(new Set(filters(any(whole, on('Holiday', 'eq', true)))), cut)
})

t.test('whether a row has a time is a matter of whole periods', async (t) => {
  t.same(filters({ expression: '{[Date]} is null or {[Month No]} = 3' }), [])
  const not = (orMissing: boolean) => ({
    filters: [on('Month No', 'eq', 3), on('Date', 'gte', '2024-02-01')],
    ...{ logic: 'and', negated: true, or_missing: orMissing },
  })
  t.same(filters(not(false)), [])
  t.same(filters(not(true)), [])
  t.same(filters({ expression: '{[Holiday]} is null or {[Month No]} = 3' }), [
    "the filter on 'Holiday', 'Month No' divides a month",
  ])
})

t.test('the range of a measure is no filter', async (t) => {
  const { request, query } = ask([], [on('Date', 'gte', '2024-01-15')])
  const conjuncts = request.conjuncts.map((one) => ({ ...one, ofMeasure: true as const }))
  t.match(finerThanData({ ...request, conjuncts }, query), [{ what: "the range on 'Date' divides a month" }])
})

t.test('the end of a period that filters name', async (t) => {
  const { request, query } = ask([], [on('Date', 'gte', '2024-01-15'), on('Month No', 'eq', 3), on('Holiday', 'eq', true)])
  const [date, month, holiday] = request.conjuncts
  const upTo = (filter: typeof month) => {
    const end: WhereLeaf = { kind: 'where-period-end', end: 'last', calendar: 'Dates', day: 'Day', filter: filter!.expression }
    const expression = { kind: 'binary', operator: '<=', left: date!.leaves[0]!, right: end } as const
    return finerThanData({ ...request, conjuncts: [{ ...date!, expression, times: [] }] }, query).length
  }
  t.same([upTo(month), upTo(holiday)], [0, 1])
  const both = { kind: 'binary', operator: 'and', left: month!.expression, right: holiday!.expression } as const
  t.equal(upTo({ ...month!, expression: both }), 1, 'every column names whole periods')
})

t.test('a refusal names the data, the reason and what to do', async (t) => {
  const [found] = ask(['Date']).found
  t.throws(() => refuseFiner('Budget', found!), {
    code: 'FINER_THAN_DATA',
    message: "'Budget' has one value for each month ('Budgets.Month'), and 'Date' divides a month",
    path: 'select.dimensions[0]',
  })
})

t.test('nothing of a model without coarse data', async (t) => {
  const query = aggregateQuery({ select: { dimensions: ['Day'], measures: ['Sales'] } }, shop)
  t.same(finerThanData(blockRequests(query)[0]!.request, query), [])
})
