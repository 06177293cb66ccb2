import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { parseModelSync } from '../model/load-model.js'

const TEXT = (says: string) => `
version: 1
name: budgets
calendars: { fiscal: { yearStart: '07-01' }, odd: { yearStart: '04-06' } }
dataObjects:
  Dates:
    code: dates
    calendar: { key: Day, periods: { Month Name: month_of_year, Year No: year, Week No: week_of_week_year } }
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
      Month Name: { code: month_name, abstractType: string }
      Year No: { code: year_no, abstractType: int }
      Week No: { code: week_no, abstractType: int }
      Holiday: { code: holiday, abstractType: boolean }
  Budgets:
    code: budgets
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Month: { code: month, abstractType: date, ${says} }
      Year: { expression: "extract('year', {Month})", abstractType: int }
      Day of Month: { expression: "extract('day', {Month})", abstractType: int }
      Amount: { code: amount, abstractType: float, sqlType: 'decimal(18,2)' }
    joins: [{ joinType: many-to-one, joinTo: Dates, columnsFrom: [Month], columnsTo: [Day] }]
dimensions:
  Date: { dataObject: Dates, column: Day }
  Month Name: { dataObject: Dates, column: Month Name }
  Year No: { dataObject: Dates, column: Year No }
  Week No: { dataObject: Dates, column: Week No }
  Holiday: { dataObject: Dates, column: Holiday }
  Year: { dataObject: Budgets, column: Year }
  Day of Month: { dataObject: Budgets, column: Day of Month }
  Own Month: { dataObject: Budgets, column: Month }
measures:
  Budget: { aggregation: sum, columns: [{ dataObject: Budgets, column: Amount }] }
  Largest: { aggregation: max, columns: [{ dataObject: Budgets, column: Amount }] }
  Of Workdays: { aggregation: sum, columns: [{ dataObject: Budgets, column: Amount }], filters: [{ field: Dates.Holiday, op: '=', value: false }] }
  Largest of Workdays: { aggregation: max, columns: [{ dataObject: Budgets, column: Amount }], filters: [{ field: Dates.Holiday, op: '=', value: false }] }
  Large: { aggregation: sum, columns: [{ dataObject: Budgets, column: Amount }], filters: [{ field: Budgets.Amount, op: '>', value: 9 }] }
  Of 2024: { aggregation: sum, columns: [{ dataObject: Budgets, column: Amount }], filters: [{ field: Budgets.Year, op: '=', value: 2024 }] }
  Large or of Workdays:
    aggregation: sum
    columns: [{ dataObject: Budgets, column: Amount }]
    filters: [{ logic: or, filters: [{ field: Budgets.Amount, op: '>', value: 9 }, { field: Dates.Holiday, op: '=', value: false }] }]
  All: { aggregation: sum, columns: [{ dataObject: Budgets, column: Amount }], total: true }
`

const modelOf = (says: string) => {
  const { model, errors } = parseModelSync({ text: TEXT(says) })
  if (!model) throw new Error(errors.map((e) => `${e.path} ${e.message}`).join('; '))
  return model
}
const [plain, spread] = [modelOf('granularity: month'), modelOf('granularity: month, spread: even')]

const asked = (dimensions: readonly string[], measures: readonly string[] = ['Budget'], where: readonly object[] = []) => ({
  select: { dimensions, measures },
  ...(where.length > 0 && { where }),
})
const code = (query: object, model = plain): string => {
  try {
    compileFor(query, model)
    return 'answered'
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}
const date = (op: string, value: unknown, field = 'Date'): object => ({ field, op, value })

for (const dimension of ['Date:month', 'Date:quarter', 'Date:fiscal_year', 'Month Name', 'Year No', 'Year', 'Own Month:year'])
  t.test(`${dimension} consists of whole months`, (t) => {
    t.equal(code(asked([dimension])), 'answered')
    t.end()
  })

for (const dimension of ['Date', 'Date:week', 'Date:odd_month', 'Week No', 'Holiday', 'Day of Month', 'Own Month'])
  t.test(`${dimension} divides months`, (t) => {
    t.equal(code(asked([dimension])), 'FINER_THAN_DATA')
    t.equal(code(asked([dimension], ['Largest']), spread), 'FINER_THAN_DATA', 'only sums are divided')
    t.equal(code(asked([dimension]), spread), 'answered')
    t.end()
  })

const conditions: readonly (readonly [string, object, string])[] = [
  ['a first day', date('gte', '2024-02-01'), 'answered'],
  ['a later day', date('gte', '2024-02-02'), 'FINER_THAN_DATA'],
  ['up to a last day', date('lte', '2024-02-29'), 'answered'],
  ['up to the day before it', date('lte', '2024-02-28'), 'FINER_THAN_DATA'],
  ['no day', date('neq', '2024-02-01'), 'FINER_THAN_DATA'],
  ['any day', { field: 'Date', op: 'is_not_null' }, 'answered'],
  ['days of the fact', date('between', ['2024-01-01', '2024-01-31'], 'Own Month'), 'answered'],
  ['an attribute', date('=', true, 'Holiday'), 'FINER_THAN_DATA'],
  ['a week', date('=', 3, 'Week No'), 'FINER_THAN_DATA'],
  ['a month by name', date('=', 'May', 'Month Name'), 'answered'],
  ['a month or a name', { logic: 'or', filters: [date('lt', '2024-02-01'), date('=', 'May', 'Month Name')] }, 'answered'],
  ['a day or a name', { logic: 'or', filters: [date('lt', '2024-02-02'), date('=', 'May', 'Month Name')] }, 'FINER_THAN_DATA'],
  ['days on both sides', { logic: 'or', filters: [date('lt', '2024-02-02'), date('gte', '2024-02-02')] }, 'answered'],
]
for (const [what, condition, expected] of conditions)
  t.test(`a filter on ${what} is ${expected}`, (t) => {
    t.equal(code(asked(['Date:month'], ['Budget'], [condition])), expected)
    t.equal(code(asked(['Date:month'], ['Budget'], [condition]), spread), 'answered')
    t.end()
  })

t.test('a measure that is no sum is refused, also beside one', (t) => {
  t.equal(code(asked(['Date:week'], ['Budget', 'Largest']), spread), 'FINER_THAN_DATA')
  t.end()
})

t.test('the error names the grain that works, and its suggestion is an answer', (t) => {
  try {
    compileFor(asked(['Date:week']), plain)
    t.fail('is answered')
  } catch (error) {
    const { path, details } = error as { readonly path: string; readonly details: { readonly suggestions: readonly string[] } }
    t.equal(path, 'select.dimensions[0]')
    t.same(details.suggestions, ['Date:month'])
    t.equal(code(asked(details.suggestions)), 'answered')
  }
  t.end()
})

t.test('a measure whose grain leaves the time out is not cut by it, beside one that has its rows', (t) => {
  t.equal(code(asked(['Date'], ['All'])), 'FINER_THAN_DATA', 'alone, its rows are the stored days')
  t.equal(code(asked(['Date:month'], ['All'])), 'answered')
  t.end()
})

t.test('whole months are read as they are, and days are read where a filter tests them', (t) => {
  const sql = (query: object): string => compileFor(query, spread).sql
  t.notMatch(sql(asked(['Date:month'])), /number/)
  t.match(sql(asked(['Date:week'])), /number/)
  t.match(sql(asked(['Date:month'], ['Of Workdays'])), /number/)
  t.match(sql(asked(['Date:month'], ['Budget', 'Of Workdays'])), /number/, 'for one of two measures')
  t.match(sql(asked(['Date:month'], ['Large or of Workdays'])), /number/, 'in one of two conditions')
  t.notMatch(sql(asked(['Date:month'], ['Large', 'Of 2024'])), /number/, 'a filter on no time, or on whole months')
  t.notMatch(sql(asked(['Date:month'], ['Largest of Workdays'])), /number/, 'only sums are divided')
  t.end()
})

const faults: readonly (readonly [string, string])[] = [
  ['granularity: day', 'granularity is for data that are coarser than days'],
  ['granularity: moon_month', "'moon_month' is no grain"],
  ['spread: even', 'declare granularity, too'],
]
for (const [says, message] of faults)
  t.test(`${says} is refused`, (t) => {
    const { errors } = parseModelSync({ text: TEXT(says) })
    t.match(errors, [{ code: 'INVALID_SETTING', path: /^dataObjects\.Budgets\.columns\.Month/ }])
    t.match(errors[0]!.message, message)
    t.end()
  })

t.test('the time of coarse data is a date', (t) => {
  const { errors } = parseModelSync({
    text: TEXT('granularity: month').replace('code: month, abstractType: date', 'code: month, abstractType: timestamp_tz'),
  })
  t.match(
    errors.filter(({ code }) => code === 'INVALID_SETTING'),
    [{ message: /declare a column with expression: CAST/i }],
  )
  t.end()
})

t.test('a join to a calendar says the same, another one cannot', (t) => {
  const joined = TEXT('comment: x').replace('columnsTo: [Day] }', 'columnsTo: [Day], granularity: month }')
  const { model } = parseModelSync({ text: joined })
  t.equal(code(asked(['Date:week']), model), 'FINER_THAN_DATA')
  const { errors } = parseModelSync({ text: joined.replace('calendar: { key: Day', 'comment: x #') })
  t.match(errors, [{ code: 'INVALID_SETTING', message: /must be a calendar/ }])
  t.end()
})
