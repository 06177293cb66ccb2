/** The columns that number the periods of a table of days. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import type { CalendarPeriod } from '../model/calendar-table.js'
import { namedBy, placeColumns, withPeriodNumbers } from './table-periods.js'

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
    'place of Term in Is Exam',
    'period of Term in Is Exam',
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

t.test('periods are numbered by their places in longer ones, too, if columns say these', async (t) => {
  const model = calendarOf({ Term: 'own: 1', Place: 'own: 1_of_own: 2', 'Term No': 'own: 2', 'Is Exam': 'own: 3' })
  const { calendar, columns: all } = withPeriodNumbers(model).dataObjects.get('Days')!
  t.same(calendar!.places, [{ own: 1, longer: 2, column: 'period of Term in Term No' }])
  const rank = all.get('place of Term in Term No')?.source
  t.same(rank?.kind === 'window' && rank.orderBy.map(({ column }) => column), ['Place'])
  t.equal(namedBy(1, calendar!.periods), 'Term')
  t.same(withPeriodNumbers(calendarOf({ Term: 'own: 1', 'Term No': 'own: 2' })).dataObjects.get('Days')!.calendar!.places, [])
})

t.test('places are said by the fewest columns', async (t) => {
  const of = (own: number, longer: number) => ({ grain: { own }, of: { own: longer } })
  const periods = new Map<string, CalendarPeriod>([
    ['Week', of(1, 2)],
    ['Month', of(2, 3)],
    ['Quarter', of(3, 4)],
    ['Week of Quarter', of(1, 3)],
    ['Season', { grain: { own: 1 }, of: 'year' }],
  ])
  t.same(placeColumns(1, 2, periods), ['Week'])
  t.same(placeColumns(1, 3, periods), ['Week of Quarter'])
  t.same(placeColumns(1, 4, periods), ['Week of Quarter', 'Quarter'])
  t.equal(placeColumns(2, 5, periods), undefined)
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
