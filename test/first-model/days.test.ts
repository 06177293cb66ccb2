/** Tables of days that `init` recognises by their data. */
import t from 'tap'
import { parse } from 'yaml'
import { loadText } from '../support/compile.js'
import { created } from './created.js'

t.test('a table with one row a day is declared a calendar, with the periods that its columns show', async (t) => {
  const { text } = await created('days')
  const { dataObjects } = parse(text) as { readonly dataObjects: Readonly<Record<string, { readonly calendar?: object }>> }
  t.same(dataObjects['Dim Date']?.calendar ?? dataObjects['Date']?.calendar, {
    key: 'Full Date',
    periods: {
      'Year No': 'year',
      'Quarter No': 'quarter_of_year',
      'Month No': 'month_of_year',
      'Month Name': 'month_of_year',
      'Year Month': 'month',
      'Month Start': 'month',
      'Week No': 'week_of_week_year',
      'Week Year': 'week_year',
      'Is Current Year': 'year',
    },
  })
  const others = Object.entries(dataObjects).filter(([name, { calendar }]) => calendar && !name.endsWith('Date'))
  t.same(others, [], 'readings are no calendar, and neither is a table that lacks a day')
  t.match(text, /# guessed calendar: one row for each day from 2023-06-01 to 2025-12-31/)
  t.ok(loadText(text), 'the model is right')
})
