/** Measures → measures, and formulas over them. */
import {
  type Draft,
  type Entry,
  type FunctionCall,
  LeftOut,
  type Part,
  type Reading,
  type SqlReader,
} from '@grainline/importer-dbt/foreign'
import { rowReading } from './columns.js'
import { type Context, fullName, opened, type Role } from './context.js'
import { filtersOf } from './filters.js'
import { refuseLiquid } from './liquid.js'
import { described } from './objects.js'
import { expressionOf, onlyField, readingInside } from './references.js'
import { patternOf } from './value-format.js'
import { isPrimary } from './views.js'

type Write = Parameters<NonNullable<Reading['call']>>[1]

/** Writes each measure once, after those that it reads. */
export class Measures implements Context {
  readonly open = new Set<string>()
  readonly #written = new Map<string, boolean>()

  constructor(
    readonly roles: ReadonlyMap<string, Role>,
    readonly draft: Draft,
    readonly sql: SqlReader,
  ) {}

  /** Writes all. */
  write(): void {
    for (const role of this.roles.values()) for (const name of role.view.measures.keys()) this.#isWritten(name, role)
  }

  measure(role: Role, name: string): string {
    const full = fullName(role, name)
    if (!role.view.measures.has(name)) throw new LeftOut(`there is no measure '${full}'`)
    if (this.open.has(full)) throw new LeftOut(`'${full}' reads itself`)
    if (!this.#isWritten(name, role)) throw new LeftOut(`'${full}' is left out`)
    return full
  }

  /** Writes a measure, if it is not. */
  #isWritten(name: string, role: Role): boolean {
    const full = fullName(role, name)
    const part = role.view.measures.get(name)
    const known = this.#written.get(full)
    if (!part || known !== undefined) return known ?? false
    const isWritten = this.draft.attemptNow(`The measure '${full}'`, part.place, () =>
      opened(full, this, () => this.#one(full, role, part)),
    )
    // No aggregate of a formula that is left out remains.
    if (!isWritten)
      for (const key of Object.keys(this.draft.measures)) if (key.startsWith(`${full}: `)) delete this.draft.measures[key]
    this.#written.set(full, isWritten)
    return isWritten
  }

  #one(full: string, role: Role, part: Part): void {
    const type = part.text('type') ?? 'string'
    if (FORMULAS.has(type)) this.#formula(full, role, part)
    else if (type === 'percent_of_total') this.#share(full, role, part)
    else this.#add('measures', full, { ...this.#aggregate(type, full, role, part), ...filtersOf(role, part, this) }, part)
  }

  #add(kind: 'measures' | 'metrics', full: string, entry: Entry, part: Part): void {
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
    const read = new Set<Role>()
    const rows = rowReading(this, (each) => read.add(each))
    const expression = expressionOf(part, 'sql', role, rows, this, NUMBERS.has(aggregation) ? 'number' : undefined)
    this.draft.noteDivision(expression, full, part.at('sql'))
    const entry = { aggregation, ...inputOf(expression, anchor, read) }
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

  /** The part of a measure in that of all rows. */
  #share(full: string, role: Role, part: Part): void {
    const field = onlyField(part.needed('sql'), role, this)
    if (!field) throw new LeftOut('it is a share of more than one measure', part.at('sql'))
    const name = this.measure(field.role, field.member)
    const entry = Object.hasOwn(this.draft.measures, name) ? this.draft.measures[name] : undefined
    if (!entry) throw new LeftOut(`'${name}' is a formula, and has no total of its own`, part.at('sql'))
    const { description: _description, synonyms: _synonyms, format: _format, ...rest } = entry
    this.draft.add('measures', `${full}: 1`, { ...rest, total: true, hidden: true }, part.place)
    this.#add('metrics', full, { expression: `{[${name}]} / {[${full}: 1]}` }, part)
    this.draft.lose(
      'rewritten',
      `'${full}' is the part of all rows that the filters leave. In Looker it is the part of the rows that are shown.`,
      part.place,
    )
  }

  /** A formula over measures, and aggregates that are written in it. */
  #formula(full: string, role: Role, part: Part): void {
    if (part.entries('filters').length > 0)
      throw new LeftOut('its filters reach other measures', part.at('filters'), 'Filter the measures that it reads.')
    const parts: Entry[] = []
    const expression = expressionOf(
      part,
      'sql',
      role,
      {
        column: (_role, code) => {
          throw new LeftOut(`'${code}' is a column, and no measure`, part.at('sql'), 'Aggregate it.')
        },
        member: (owner, member) => {
          if (!owner.view.measures.has(member)) throw new LeftOut(`'${member}' is no measure`, part.at('sql'), 'Aggregate it.')
          return `{[${this.measure(owner, member)}]}`
        },
        call: (call, write) => {
          const aggregate = this.#inside(call, role, part, write)
          if (!aggregate) return undefined
          parts.push(aggregate)
          return `{[${full}: ${parts.length}]}`
        },
      },
      this,
    )
    if (!expression.includes('{[')) throw new LeftOut('it has no aggregate and reads no measure', part.at('sql'))
    this.draft.noteDivision(expression, full, part.at('sql'))
    const [only] = parts
    if (parts.length === 1 && only && expression === `{[${full}: 1]}`) {
      this.#add('measures', full, only, part)
      return
    }
    for (const [at, each] of parts.entries())
      this.draft.add('measures', `${full}: ${at + 1}`, { ...each, hidden: true }, part.place)
    this.#add('metrics', full, { expression }, part)
  }

  #inside(call: FunctionCall, role: Role, part: Part, write: Write): Entry | undefined {
    if (!INSIDE.has(call.name)) return undefined
    if (call.isOdd || call.order.length > 0)
      throw new LeftOut(`'${call.name}' with a window or a filter is no formula`, part.at('sql'))
    if (call.isStar) return { aggregation: 'count', expression: '1', anchor: role.name }
    const [value, more] = call.args
    if (value === undefined || more !== undefined) throw new LeftOut(`'${call.name}' has not one value`, part.at('sql'))
    const isDistinct = call.isDistinct && call.name !== 'min' && call.name !== 'max'
    if (isDistinct && call.name !== 'count')
      throw new LeftOut(`'${call.name}' of distinct values has no place in this import`, part.at('sql'))
    const read = new Set<Role>()
    const rows = rowReading(this, (each) => read.add(each))
    const expression = write(
      value,
      NUMBERS.has(call.name) ? 'number' : undefined,
      readingInside(part.needed('sql'), role, rows, this),
    )
    return { aggregation: isDistinct ? 'count_distinct' : call.name, ...inputOf(expression, role, read) }
  }
}

const FORMULAS = new Set('number string yesno date date_time'.split(' '))

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['count', 'sum', 'min', 'max', 'count_distinct', 'median', 'percentile'].map((name) => [name, name])),
  average: 'avg',
}

const DISTINCT = /^(sum|average|median|percentile)_distinct$/

function aggregateNamed(type: string, part: Part): { readonly aggregation: string; readonly isKeyed: boolean } {
  const keyed = DISTINCT.exec(type)?.[1]
  const name = keyed ?? type
  const aggregation = Object.hasOwn(AGGREGATIONS, name) ? AGGREGATIONS[name] : undefined
  if (aggregation === undefined)
    throw new LeftOut(`a measure of the type '${type}' has no place in the model`, part.at('type'), HINTS[type])
  const isApproximate = /^yes$/i.test(part.text('approximate') ?? '')
  if (isApproximate && aggregation === 'count_distinct') return { aggregation: 'approx_count_distinct', isKeyed: false }
  return { aggregation, isKeyed: keyed !== undefined }
}

const HINTS: Readonly<Record<string, string>> = {
  running_total: 'Write a cumulative metric.',
  percent_of_previous: 'Write a metric that compares periods.',
  period_over_period: 'Write a metric that compares periods.',
}

/** Aggregates that SQL of a formula has. */
const INSIDE = new Set('sum count avg min max median stddev stddev_samp stddev_pop variance var_samp var_pop'.split(' '))

/** A minimum is a number, unless a dimension gives its column another type. */
const NUMBERS = new Set('sum avg min max median percentile stddev stddev_samp stddev_pop variance var_samp var_pop'.split(' '))

function fractionOf(part: Part): number {
  const percent = Number(part.needed('percentile'))
  if (!(percent >= 0 && percent <= 100)) throw new LeftOut('its percentile is no number from 0 to 100', part.at('percentile'))
  return percent / 100
}

function inputOf(expression: string, { name }: Role, read: ReadonlySet<Role>): Entry {
  const [, object, column] = /^\{\[([^\][]*)\]\.\[([^\][]*)\]\}$/.exec(expression) ?? []
  if (column !== undefined && object === name) return { columns: [{ dataObject: object, column }] }
  const isOwn = read.size > 0 && [...read].every((each) => each.name === name)
  return { expression, ...(!isOwn && { anchor: name }) }
}
