/** Measures → measures, and formulas over them. */
import {
  type Draft,
  type Entry,
  fullName,
  isOfNumbers,
  LeftOut,
  MeasureWriter,
  type NameReading,
  type Part,
  type SqlReader,
} from '@grainline/importer-dbt/foreign'
import { dimensionNamed, rowsOf } from './columns.js'
import { type Context, type Role, roleNamed, WORDS } from './context.js'
import { filtersOf } from './filters.js'
import { refuseLiquid } from './liquid.js'
import { described } from './objects.js'
import { expressionOf, onlyField } from './references.js'
import { finenessOf, isGrain, type WeekStart } from './timeframes.js'
import { patternOf } from './value-format.js'
import { isPrimary } from './views.js'

export class Measures extends MeasureWriter<Role> implements Context {
  constructor(
    roles: ReadonlyMap<string, Role>,
    draft: Draft,
    sql: SqlReader,
    readonly weekStart: WeekStart,
  ) {
    super(roles, WORDS, draft, sql)
  }

  protected override expression(role: Role, part: Part, reading: NameReading<Role>): string {
    return expressionOf(part, 'sql', role, reading, this)
  }

  protected override rows(note: (role: Role) => void): NameReading<Role> {
    return rowsOf(this, note)
  }

  protected override one(full: string, role: Role, part: Part): void {
    const type = part.text('type') ?? 'string'
    if (FORMULAS.has(type)) {
      if (part.entries('filters').length > 0)
        throw new LeftOut('its filters reach other measures', part.at('filters'), 'Filter the measures that it reads.')
      this.formula(full, role, part)
    } else if (type === 'percent_of_total') this.#share(full, role, part)
    else if (type === 'period_over_period') this.#compared(full, role, part)
    else this.add('measures', full, { ...this.#aggregate(type, full, role, part), ...filtersOf(role, part, this) }, role, part)
  }

  protected override add(kind: 'measures' | 'metrics', full: string, entry: Entry, _role: Role, part: Part): void {
    const isHidden = /^yes$/i.test(part.text('hidden') ?? '')
    const format = patternOf(part)
    this.draft.add(
      kind,
      full,
      { ...entry, ...(format && { format }), ...(isHidden && { hidden: true }), ...described(part) },
      part.place,
    )
  }

  #aggregate(type: string, full: string, role: Role, part: Part): Entry {
    const { aggregation, isKeyed } = aggregateNamed(type, part)
    const anchor = isKeyed ? this.#keyOwner(role, part) : role
    if (type === 'count') {
      if (part.has('sql')) throw new LeftOut('a count has no sql', part.at('sql'))
      return { aggregation, expression: '1', anchor: role.name }
    }
    const use = isOfNumbers(aggregation) ? 'number' : undefined
    const { expression, entry: input } = this.input(role, (rows) => expressionOf(part, 'sql', role, rows, this, use), anchor)
    this.draft.noteDivision(expression, full, part.at('sql'))
    const entry = { aggregation, ...input }
    if (aggregation === 'percentile') return { ...entry, percentile: fractionOf(part) }
    // The SQL of Looker has 0 in place of a sum without rows.
    return aggregation === 'sum' ? { ...entry, defaultValue: 0 } : entry
  }

  /** The rows that a distinct key tells from each other: those of the view whose primary key it is. */
  #keyOwner(role: Role, part: Part): Role {
    const text = part.needed('sql_distinct_key')
    refuseLiquid(text, 'sql_distinct_key', part)
    const field = onlyField(text, role, this)
    const key = field?.role.view.dimensions.get(field.member)
    if (!field || !key || !isPrimary(key.part))
      throw new LeftOut(
        'its sql_distinct_key is no primary key of a view',
        part.at('sql_distinct_key'),
        'Write it in a view with this key.',
      )
    return field.role
  }

  /** A measure beside its value one period before. */
  #compared(full: string, role: Role, part: Part): void {
    if (part.entries('filters').length > 0)
      throw new LeftOut('its filters reach another measure', part.at('filters'), 'Filter that.')
    const [of, time] = [fieldNamed(part, 'based_on', role, this), fieldNamed(part, 'based_on_time', role, this)]
    const period = part.needed('period')
    const offsetGrain = PERIODS.get(period)
    if (offsetGrain === undefined) throw new LeftOut(`the period '${period}' has no place in the model`, part.at('period'))
    const isToDate = /^yes$/i.test(part.text('value_to_date') ?? '')
    const [name, timeDimension] = [this.measure(of.role, of.member), finestOf(time, this)]
    const before = {
      type: 'period_over_period',
      expression: `{[${name}]}`,
      periodOverPeriod: { timeDimension, offset: -1, offsetGrain, ...(isToDate ? { untilNow: true } : { compare: 'whole' }) },
    }
    const kind = part.text('kind') ?? 'previous'
    if (kind === 'previous') this.add('metrics', full, before, role, part)
    else if (kind === 'difference' || kind === 'relative_change') {
      const past = `${full}: 1`
      this.draft.add('metrics', past, { ...before, hidden: true }, part.place)
      const difference = `{[${name}]} - {[${past}]}`
      const expression = kind === 'difference' ? difference : `(${difference}) / {[${past}]}`
      this.draft.noteDivision(expression, full, part.at('kind'))
      this.add('metrics', full, { expression }, role, part)
    } else throw new LeftOut(`the kind '${kind}' has no place in the model`, part.at('kind'))
    this.draft.lose(
      'rewritten',
      `'${full}' is over '${timeDimension}': ask it by a grain of this time, or with a first and a last day.`,
      part.place,
    )
  }

  /** The part of a measure in that of all rows, in hundredths. */
  #share(full: string, role: Role, part: Part): void {
    const field = onlyField(part.needed('sql'), role, this)
    if (!field) throw new LeftOut('it is a share of more than one measure', part.at('sql'))
    const name = this.measure(field.role, field.member)
    const entry = Object.hasOwn(this.draft.measures, name) ? this.draft.measures[name] : undefined
    if (!entry) throw new LeftOut(`'${name}' is a formula, and has no total of its own`, part.at('sql'))
    const { description: _description, synonyms: _synonyms, format: _format, ...rest } = entry
    this.draft.add('measures', `${full}: 1`, { ...rest, total: true, hidden: true }, part.place)
    this.add('metrics', full, { expression: `{[${name}]} / {[${full}: 1]} * 100` }, role, part)
    this.draft.lose(
      'rewritten',
      `'${full}' is the part of all rows that the filters leave. In Looker it is the part of the rows that are shown.`,
      part.place,
    )
  }
}

const PERIODS = new Map(['year', 'quarter', 'month', 'week', 'day'].map((grain) => [grain === 'day' ? 'date' : grain, grain]))

const FORMULAS = new Set('number string yesno date date_time'.split(' '))

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['count', 'sum', 'min', 'max', 'count_distinct', 'median', 'percentile'].map((name) => [name, name])),
  average: 'avg',
}

/** `orders.count` or `count`. */
function fieldNamed(part: Part, key: string, role: Role, context: Context): { readonly role: Role; readonly member: string } {
  const [first = '', second, more] = part.needed(key).split('.')
  if (more !== undefined) throw new LeftOut(`its ${key} is no field`, part.at(key))
  return second === undefined ? { role, member: first } : { role: roleNamed(first, context), member: second }
}

/** The finest dimension of a time, which has values for every grain. */
function finestOf({ role, member }: { readonly role: Role; readonly member: string }, { draft }: Context): string {
  const { base, timeframe } = dimensionNamed(member, role)
  if (timeframe === undefined) throw new LeftOut(`'${member}' is no timeframe of a time`)
  const [finest] = [...role.view.dimensions]
    .filter(([, each]) => each.base === base && each.timeframe !== undefined && isGrain(each.timeframe))
    .map(([name, each]) => ({ name: fullName(role, name), at: finenessOf(each.timeframe ?? '') }))
    .filter(({ name }) => Object.hasOwn(draft.dimensions, name))
    .toSorted((one, other) => one.at - other.at)
  if (!finest) throw new LeftOut(`'${member}' is no time of the model`)
  return finest.name
}

const DISTINCT = /^(sum|average|median|percentile)_distinct$/

function aggregateNamed(type: string, part: Part): { readonly aggregation: string; readonly isKeyed: boolean } {
  const keyed = DISTINCT.exec(type)?.[1]
  const name = keyed ?? type
  const aggregation = Object.hasOwn(AGGREGATIONS, name) ? AGGREGATIONS[name] : undefined
  if (aggregation === undefined)
    throw new LeftOut(`a measure of the type '${type}' has no place in the model`, part.at('type'), HINTS[type])
  if (aggregation === 'count_distinct' && /^yes$/i.test(part.text('approximate') ?? ''))
    return { aggregation: 'approx_count_distinct', isKeyed: false }
  return { aggregation, isKeyed: keyed !== undefined }
}

const HINTS: Readonly<Record<string, string>> = {
  running_total: 'Write a cumulative metric.',
  percent_of_previous: 'Write a metric that compares periods.',
}

function fractionOf(part: Part): number {
  const percent = Number(part.needed('percentile'))
  if (!(percent >= 0 && percent <= 100)) throw new LeftOut('its percentile is no number from 0 to 100', part.at('percentile'))
  return percent / 100
}
