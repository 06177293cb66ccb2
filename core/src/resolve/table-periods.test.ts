/** The columns that number the periods of a table of days. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { namedBy, withPeriodNumbers } from './table-periods.js'

const columns = {
  Day: { code: 'day', abstractType: 'date', primaryKey: true },
  Term: { code: 'term', abstractType: 'string' },
  'Term No': { code: 'term_no', abstractType: 'int' },
  Place: { code: 'place', abstractType: 'int' },
  'Is Exam': { code: 'is_exam', abstractType: 'boolean' },
}
const calendarOf = (periods: object, of: object = columns) =>
  shopWith({ dataObjects: { Days: { code: 'days', calendar: { key: 'Day', periods }, columns: of } } })

t.test('the first column that names a grain is numbered, once for each grain', async (t) => {
  const model = calendarOf({ Place: 'own: 1_of_own: 2', Term: 'own: 1', 'Term No': 'own: 1', 'Is Exam': 'own: 2' })
  const made = withPeriodNumbers(model)
  const days = made.dataObjects.get('Days')!
  t.same(
    [...days.calendar!.numbers!],
    [
      [1, 'period of Term'],
      [2, 'period of Is Exam'],
    ],
  )
  t.same([...days.columns.keys()].slice(Object.keys(columns).length), [
    'first day of Term',
    'number of Term',
    'period of Term',
    'first day of Is Exam',
    'number of Is Exam',
    'period of Is Exam',
  ])
  const filterOf = (column: string) => {
    const source = days.columns.get(column)?.source
    return source?.kind === 'window' && source.filters[0]?.kind === 'leaf' ? source.filters[0].operator : undefined
  }
  t.equal(filterOf('first day of Term'), 'is_not_null', 'NULL names no period')
  t.equal(filterOf('number of Is Exam'), 'eq', 'true names one')
  t.equal(withPeriodNumbers(model), made, 'one model, because what is found about it is kept by it')
  t.equal(withPeriodNumbers(made), made)
  t.equal(namedBy(1, days.calendar!.periods), 'Term')
  t.equal(namedBy(3, days.calendar!.periods), undefined)
})

t.test('without a key, a column that names the periods, or such a grain, nothing is numbered', async (t) => {
  const { Day: _, ...others } = columns
  const unkeyed = calendarOf({ Term: 'own: 1' }, { Day: { code: 'day', abstractType: 'date' }, ...others })
  t.equal(withPeriodNumbers(unkeyed), unkeyed)
  const unnamed = calendarOf({ Place: 'own: 1_of_own: 2' })
  t.equal(withPeriodNumbers(unnamed), unnamed)
  const builtIn = calendarOf({ Term: 'quarter' })
  t.equal(withPeriodNumbers(builtIn), builtIn)
})

t.test('names of the table stay its own', async (t) => {
  const taken = calendarOf({ Term: 'own: 1' }, { ...columns, 'period of Term': { code: 'p', abstractType: 'int' } })
  const { calendar, columns: all } = withPeriodNumbers(taken).dataObjects.get('Days')!
  t.not(calendar!.numbers!.get(1), 'period of Term')
  t.equal(all.get('period of Term')!.type.kind, 'int')
})
