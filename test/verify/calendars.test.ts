/** The findings of `verify` about tables of days. */
import t, { type Test } from 'tap'
import { executing, startRest } from '../rest/server.js'

const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

interface Day {
  readonly day: string
  readonly month: string
}

/** Days from one to another. */
function days(from: string, to: string): readonly Day[] {
  const found: Day[] = []
  for (let at = new Date(from); at <= new Date(to); at = new Date(at.getTime() + 86_400_000)) {
    const day = at.toISOString().slice(0, 10)
    found.push({ day, month: `${day.slice(0, 7)}-01` })
  }
  return found
}

const rowOf = ({ day, month }: Day): string =>
  `(DATE '${day}', ${day.slice(0, 4)}, DATE '${month}', '${NAMES[Number(day.slice(5, 7)) - 1]}', ${day.startsWith('2024')})`

const PERIODS = { 'Year No': 'year', 'Month Start': 'month', 'Month Name': 'month_of_year', 'This Year': 'year' }

const modelOf = (rows: readonly Day[], periods: Partial<typeof PERIODS> = PERIODS) => ({
  name: 'days',
  dataObjects: {
    Days: {
      code: `(SELECT * FROM (VALUES ${rows.map(rowOf).join(', ')}) t (day, year_no, month_start, month_name, this_year))`,
      calendar: { key: 'Day', periods },
      columns: {
        Day: { code: 'day', abstractType: 'date', primaryKey: true },
        'Year No': { code: 'year_no', abstractType: 'int' },
        'Month Start': { code: 'month_start', abstractType: 'date' },
        'Month Name': { code: 'month_name', abstractType: 'string' },
        'This Year': { code: 'this_year', abstractType: 'boolean' },
      },
    },
  },
  dimensions: { Day: { dataObject: 'Days', column: 'Day' } },
})

interface Found {
  readonly code: string
  readonly severity: string
  readonly path: string
  readonly message: string
}

async function verified(t: Test, model: object) {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: model })
  t.equal(loaded.status, 201, loaded.text)
  const { body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
  return { body, findings: (body.findings as Found[]).filter(({ code }) => code === 'VERIFY_CALENDAR') }
}

const WINTER = days('2023-12-05', '2024-03-31')

t.test('a calendar whose days and periods are right has no finding', async (t) => {
  const { body, findings } = await verified(t, modelOf(WINTER))
  t.same(findings, [])
  t.match(body.calendars, [{ name: 'Days', key: 'Day', days: 118, missing: 0, examples: [] }])
  t.same(
    body.calendars[0].periods.map(({ column, periods }: { column: string; periods: number }) => [column, periods]),
    [
      ['Year No', 2],
      ['Month Start', 4],
      ['Month Name', 4],
      ['This Year', 2],
    ],
  )
})

t.test('days that are missing are found, with the first of each run', async (t) => {
  const missing = ['2024-01-10', '2024-01-11', '2024-02-29']
  const { body, findings } = await verified(t, modelOf(WINTER.filter(({ day }) => !missing.includes(day))))
  t.match(body.calendars, [{ missing: 2, examples: ['2024-01-10', '2024-02-29'] }])
  t.match(findings, [
    { severity: 'warning', path: 'dataObjects.Days.calendar.key', message: /at 2 places, such as '2024-01-10', '2024-02-29'/ },
  ])
})

t.test('a column that is no function of its period is found', async (t) => {
  const wrong = WINTER.map((row) => (row.day === '2024-02-10' ? { ...row, month: '2024-02-02' } : row))
  const { findings } = await verified(t, modelOf(wrong))
  t.match(findings, [
    {
      severity: 'error',
      path: 'dataObjects.Days.calendar.periods.Month Start',
      message: /several values on the days of 1 period.*'2024-02-01'/,
    },
  ])
  t.equal(findings.length, 1)
  const { 'Month Start': _, ...others } = PERIODS
  t.same((await verified(t, modelOf(wrong, others))).findings, [], 'an attribute of a day is no period')
})

t.test('a name that several periods have is a place in a longer one', async (t) => {
  const decembers = [...days('2023-12-05', '2023-12-08'), ...days('2024-12-05', '2024-12-08')]
  const { findings } = await verified(t, modelOf(decembers, { ...PERIODS, 'Month Name': 'month' }))
  // Of the boolean, false names no period.
  t.match(findings, [
    {
      severity: 'error',
      path: 'dataObjects.Days.calendar.periods.Month Name',
      message:
        /1 value of it names several periods, such as 'December'; a place in a longer period is declared such as month_of_year/,
    },
    { severity: 'warning', path: 'dataObjects.Days.calendar.key', message: /at 1 place, such as '2023-12-09'/ },
  ])
})

const ownModel = (rows: readonly string[], periods: Readonly<Record<string, string>>) => ({
  name: 'days',
  dataObjects: {
    Days: {
      code: `(SELECT * FROM (VALUES ${rows.join(', ')}) t (day, sprint, half, step, week_no, week_year))`,
      calendar: { key: 'Day', periods },
      columns: {
        Day: { code: 'day', abstractType: 'date', primaryKey: true },
        Sprint: { code: 'sprint', abstractType: 'string' },
        Half: { code: 'half', abstractType: 'string' },
        Step: { code: 'step', abstractType: 'int' },
        'Week No': { code: 'week_no', abstractType: 'int' },
        'Week Year': { code: 'week_year', abstractType: 'int' },
      },
    },
  },
  dimensions: { Day: { dataObject: 'Days', column: 'Day' } },
})
const OWN = {
  Sprint: 'own: 1',
  Half: 'own: 2',
  Step: 'own: 1_of_own: 2',
  'Week No': 'week_of_week_year',
  'Week Year': 'week_year',
}

/** Sprints of five days, three in each half, around a new year. */
function sprintRows(
  change: (at: number) => { readonly sprint?: number; readonly half?: number } = () => ({}),
): readonly string[] {
  return days('2024-12-18', '2025-01-16').map(({ day }, i) => {
    const sprint = change(i).sprint ?? Math.floor(i / 5)
    const half = change(i).half ?? Math.floor(sprint / 3)
    const date = new Date(day)
    const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * 86_400_000)
    const week = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000) + 1
    return `(DATE '${day}', 's${sprint}', 'h${half}', ${sprint % 3}, ${week}, ${thursday.getUTCFullYear()})`
  })
}

t.test('periods that only the table knows, and years of weeks', async (t) => {
  const right = await verified(t, ownModel(sprintRows(), OWN))
  t.same(right.findings, [])
  t.match(right.body.calendars[0].periods, [
    { column: 'Sprint', periods: 6, in_pieces: 0, longer: 'Half', across: 0 },
    { column: 'Half', periods: 2, in_pieces: 0 },
    { column: 'Step', periods: 6, several_values: 0, several_periods: 0 },
    { column: 'Week No', periods: 5, several_periods: 0 },
    { column: 'Week Year', periods: 2 },
  ])
})

t.test('a period in pieces, one in two longer ones, and a place that does not tell periods apart', async (t) => {
  const path = 'dataObjects.Days.calendar.periods'
  const pieces = await verified(
    t,
    ownModel(
      sprintRows((i) => (i === 10 ? { sprint: 0, half: 0 } : {})),
      { Sprint: 'own: 1' },
    ),
  )
  t.match(pieces.findings, [
    { path: `${path}.Sprint`, message: /the days of 1 value of 'Sprint' of 'Days' do not adjoin, such as 's0'/ },
  ])
  const across = await verified(
    t,
    ownModel(
      sprintRows((i) => (i === 14 ? { half: 1 } : {})),
      { Sprint: 'own: 1', Half: 'own: 2' },
    ),
  )
  t.match(across.findings, [
    { path: `${path}.Sprint`, message: /1 value of 'Sprint' of 'Days' lies in several values of 'Half', such as 's2'/ },
  ])
  const places = await verified(t, ownModel(sprintRows(), { 'Week Year': 'year', 'Week No': 'week_of_year' }))
  t.ok(
    places.findings.some(
      ({ path: at, message }) => at === `${path}.Week Year` && /several values on the days of 1 period/.test(message),
    ),
    'the ISO year of 30 December 2024 is 2025',
  )
  const steps = await verified(t, ownModel(sprintRows(), { Half: 'own: 2', Sprint: 'own: 1', Step: 'own: 2_of_year' }))
  t.match(
    steps.findings.find(({ path: at }) => at === `${path}.Step`),
    { message: /several values on the days/ },
  )
  const months = await verified(t, ownModel(sprintRows(), { Sprint: 'own: 1', Step: 'own: 1_of_year' }))
  t.match(months.findings, [
    { path: `${path}.Step`, message: /1 value of it names several periods, such as \["2025-01-01",2\]|2025-01-01/ },
  ])
  t.equal(months.findings.length, 1)
})
