/** Tables of days → calendars, and which time a function of DAX speaks of. */
import { type Draft, type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { type Dax, daxOf } from './dax/parse.js'
import { joinsFrom, type Tables, type TmdlColumn, type TmdlTable } from './tables.js'

/** The annotation of a column that says of which period it is, where its DAX does not. */
export const PERIOD_ANNOTATION = 'GrainlinePeriod'

/** A time, and the table whose columns are its periods. */
export interface TimeOfDays {
  readonly time: string
  readonly table: string
}

export class Days {
  readonly #declared = new Set<string>()
  readonly calendars: Record<string, Entry> = {}

  constructor(
    private readonly tables: Tables,
    private readonly draft: Draft,
  ) {}

  /** Tables that are marked as tables of days. */
  declareMarked(): void {
    for (const table of this.tables.all.values()) {
      const key = table.part
        .parts('column')
        .find((column) => column.data['isKey'] === 'true')
        ?.text('name')
      const column = key === undefined ? undefined : table.known.get(key.toUpperCase())
      if (isMarked(table) && column?.kind === 'time') this.#declare(table, column)
    }
  }

  /** Marked tables without a column of days: no key says which one it is, and no function of days names it. */
  reportMarked(): void {
    for (const table of this.tables.all.values()) {
      if (!isMarked(table) || this.#declared.has(table.name)) continue
      table.part.text('dataCategory')
      this.draft.lose(
        'inert',
        `'${table.name}' is marked as a table of days, and is an ordinary one: no column of it is a time and its key, and no measure reads its days.`,
        table.part.at('dataCategory'),
        { path: ['dataObjects', table.name], hint: 'Add isKey to the column of its days.' },
      )
    }
  }

  /** The time of `Calendar[Date]`, or of the days that Power BI makes for `Orders[sold].[Date]`. */
  of(dax: Dax | undefined, name: string): TimeOfDays {
    if (dax?.kind === 'call' && ['VALUES', 'DISTINCT', 'ALL'].includes(dax.name) && name !== 'ALL' && dax.name !== 'ALL')
      return this.of(dax.args[0], name)
    if (dax?.kind !== 'column' || dax.table === undefined) throw new LeftOut(`${name} has no column of days`, undefined, HINT)
    const column = this.tables.column(dax.table, dax.name)
    const time = `${column.table}.${column.name}`
    if (column.kind !== 'time' || !Object.hasOwn(this.draft.dimensions, time))
      throw new LeftOut(`'${column.table}'[${column.name}] is no time`)
    const table = this.tables.named(column.table)
    if (dax.part !== undefined) {
      const written = table.part.parts('column').find((each) => each.data['name'] === column.name)
      if (dax.part.toUpperCase() !== 'DATE' || !written?.has('variation')) throw new LeftOut(`'${time}'.[${dax.part}] is no day`)
      return { time, table: time }
    }
    if (!this.#declared.has(table.name) && !(isMarked(table) || this.#isJoined(column)))
      throw new LeftOut(`${name} reads '${column.table}'[${column.name}], which has no day without rows`, undefined, HINT)
    this.#declare(table, column)
    return { time, table: table.name }
  }

  /** The grain of a year that ends on a day such as `6/30`. */
  yearThatEnds(text: string): string {
    const [, one = 0, two = 0] = (/^(?:\d{4}[-/])?(\d{1,2})[-/](\d{1,2})(?:[-/]\d{4})?$/.exec(text) ?? []).map(Number)
    const [month, day] = one > 12 ? [two, one] : [one, two]
    const last = month >= 1 && month <= 12 ? new Date(Date.UTC(2001, month, 0)).getUTCDate() : 0
    // Which of two small numbers is the month depends on the reader's settings.
    if (day < 1 || day > last || (one <= 12 && two <= 12 && one !== two))
      throw new LeftOut(`'${text}' is no end of a year here`, undefined, 'Write it as "6/30".')
    if (month === 12 && day === 31) return 'year'
    const first = new Date(Date.UTC(2001, month - 1, day + 1))
    if (first.getUTCDate() > 28)
      throw new LeftOut(`a year that begins on day ${first.getUTCDate()} of a month has no place in the model`)
    const yearStart = first.toISOString().slice(5, 10)
    const name = `year_to_${String(month).padStart(2, '0')}_${String(day).padStart(2, '0')}`
    this.calendars[name] = { yearStart }
    return `${name}_year`
  }

  #isJoined({ table, name }: TmdlColumn): boolean {
    return [...this.tables.all.values()].some((each) =>
      joinsFrom(each).some(
        ({ joinTo, columnsTo, joinType }) =>
          joinTo === table && joinType !== 'many-to-many' && Array.isArray(columnsTo) && columnsTo[0] === name,
      ),
    )
  }

  #declare(table: TmdlTable, column: TmdlColumn): void {
    if (this.#declared.has(table.name)) {
      if ((table.entry['calendar'] as Entry)['key'] !== column.name)
        throw new LeftOut(`'${table.name}' has another column of days`)
      return
    }
    this.#declared.add(table.name)
    const periods = periodsOf(table, column, this.draft)
    if (isMarked(table)) table.part.text('dataCategory')
    table.entry['calendar'] = { key: column.name, periods }
    Object.assign(table.columns[column.name] ?? {}, { abstractType: 'date' })
    const others = [...table.known.values()].filter(({ name }) => name !== column.name && !Object.hasOwn(periods, name))
    this.draft.lose(
      'rewritten',
      `'${table.name}' is a table of days (calendar): a metric over time compares days, and '${column.name}' is a date.`,
      table.part.place,
      {
        path: ['dataObjects', table.name, 'calendar'],
      },
    )
    if (others.length > 0)
      this.draft.lose(
        'rewritten',
        `Filters and groups by ${list(others)} of '${table.name}' hold for the days that a metric over time reads, too. In Power BI they do not.`,
        table.part.place,
        { hint: `Write 'annotation ${PERIOD_ANNOTATION} = month_of_year' or another period in each column that names one.` },
      )
  }
}

const HINT = 'Use the date of a table of days that a relationship leads to, or that is marked as one.'
const MOST_NAMED = 5

const list = (columns: readonly TmdlColumn[]): string =>
  `${columns
    .slice(0, MOST_NAMED)
    .map(({ name }) => `'${name}'`)
    .join(', ')}${columns.length > MOST_NAMED ? ` and ${columns.length - MOST_NAMED} more columns` : ''}`

const isMarked = ({ part }: TmdlTable): boolean => part.data['dataCategory'] === 'Time'

const GRAINS = '(?:day|week|month|quarter|year|week_year)'
const PERIOD = new RegExp(`^(?:own: [1-9]|${GRAINS}(?:_of_${GRAINS})?)$`)

const PERIODS: Readonly<Record<string, string>> = {
  YEAR: 'year',
  MONTH: 'month_of_year',
  QUARTER: 'quarter_of_year',
  DAY: 'day_of_month',
}
const CATEGORIES: Readonly<Record<string, string>> = {
  ...{ Years: 'year', MonthOfYear: 'month_of_year', QuarterOfYear: 'quarter_of_year', DayOfMonth: 'day_of_month' },
}

/** The periods of columns, by their annotation, their category or their DAX. */
function periodsOf({ part, known }: TmdlTable, key: TmdlColumn, draft: Draft): Readonly<Record<string, string>> {
  return Object.fromEntries(
    part.parts('column').flatMap((column) => {
      const name = known.get((column.text('name') ?? '').toUpperCase())?.name
      if (name === undefined || name === key.name) return []
      const period = annotatedIn(column, draft) ?? categoryOf(column) ?? daxPeriodOf(column, key)
      return period === undefined ? [] : [[name, period]]
    }),
  )
}

function annotatedIn(column: Part, draft: Draft): string | undefined {
  if (!JSON.stringify(column.data['annotation'] ?? []).includes(`"${PERIOD_ANNOTATION}"`)) return undefined
  const found = column.parts('annotation').find((each) => each.text('name') === PERIOD_ANNOTATION)
  const period = found?.text('value')?.trim()
  if (period === undefined || PERIOD.test(period)) return period
  draft.lose(
    'refused',
    `The period '${period}' of '${column.text('name')}' is left out: it is no period of the model.`,
    column.at('annotation'),
    {
      hint: 'Write a grain such as month, or a place in a longer one such as month_of_year.',
    },
  )
  return undefined
}

function categoryOf(column: Part): string | undefined {
  const category = column.data['dataCategory']
  if (typeof category !== 'string' || !Object.hasOwn(CATEGORIES, category)) return undefined
  return CATEGORIES[column.text('dataCategory') ?? '']
}

const daxPeriodOf = (column: Part, key: TmdlColumn): string | undefined =>
  column.has('value') ? periodIn(daxOf(column.needed('value')), key) : undefined

function periodIn(dax: Dax, key: TmdlColumn): string | undefined {
  if (dax.kind !== 'call' || !Object.hasOwn(PERIODS, dax.name)) return undefined
  const [first] = dax.args
  const isKey =
    first?.kind === 'column' &&
    first.name.toUpperCase() === key.name.toUpperCase() &&
    (first.table ?? key.table).toUpperCase() === key.table.toUpperCase()
  return isKey ? PERIODS[dax.name] : undefined
}
