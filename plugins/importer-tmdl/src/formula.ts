/** DAX between aggregates: what a measure is, under the filters of the CALCULATEs around it. */
import { type Entry, LeftOut } from '@grainline/importer-dbt/foreign'
import { Expressions, isConstant, type Value } from './dax/expressions.js'
import {
  type Condition,
  conditionOf,
  type Filters,
  filtersOf,
  isFiltered,
  isMoreThanMoved,
  type Reading,
  within,
} from './dax/filters.js'
import type { Kind } from './dax/kind.js'
import type { Move } from './dax/moves.js'
import type { Dax } from './dax/parse.js'
import { Rows } from './dax/rows.js'
import type { Roles } from './roles.js'
import type { TmdlColumn } from './tables.js'

/** A measure that another one reads. */
export interface Named {
  readonly name: string
  readonly kind: Kind | undefined
  /** Whether filters around it mean the same as filters of its aggregates. */
  readonly isPlain: boolean
}

/** What the list says once, if a measure does it. */
interface Notes {
  comparesTexts: boolean
  counts: boolean
  /** A comparison with other days, and one that DATEADD makes. */
  compares: boolean
  shifts: boolean
}

/** What a formula is written with. */
export interface Surroundings extends Reading {
  readonly notes: Notes
  readonly roles: Roles
  readonly isDimension: (name: string) => boolean
  /** A measure, which is written first. Throws `LeftOut` if there is none. */
  readonly named: (name: string, table: string | undefined) => Named
  /** What a step gives for the DAX of a measure. */
  readonly inDaxOf: (name: string, step: (dax: Dax) => Value) => Value
}

/** The aggregates of one measure, and the metrics over time over them, each by its text. */
export class Written {
  readonly parts = new Map<string, Entry>()
  isPlain = true
  #count = 0

  constructor(readonly full: string) {}

  /** The name of a part. */
  part(entry: Entry): string {
    const key = JSON.stringify(entry)
    if (!this.parts.has(key)) this.parts.set(key, entry)
    return `${this.full}: ${[...this.parts.keys()].indexOf(key) + 1}`
  }

  step(): void {
    if (++this.#count > MOST_PARTS)
      throw new LeftOut(`its DAX, with that of the measures that it reads, has more than ${MOST_PARTS} parts`)
  }
}

const MOST_PARTS = 500

export class Formula extends Expressions {
  protected override readonly where = 'a measure'

  constructor(
    private readonly around: Surroundings,
    private readonly filters: Filters,
    private readonly written: Written,
  ) {
    super()
  }

  override value(dax: Dax): Value {
    this.written.step()
    const found = super.value(dax)
    if (this.comparesTexts) this.around.notes.comparesTexts = true
    return found
  }

  /** The value under more filters. */
  #under(filters: Filters, dax: Dax): Value {
    return new Formula(this.around, within(this.filters, filters), this.written).value(dax)
  }

  protected override variable({ name, value }: Extract<Dax, { kind: 'variable' }>): Value {
    // Its value is that without the filters of a CALCULATE around the name.
    if (isFiltered(this.filters) && !isConstant(value))
      throw new LeftOut(`the variable '${name}' is computed outside of the CALCULATE that reads it`)
    return this.value(value)
  }

  protected override column({ name, table, part }: Extract<Dax, { kind: 'column' }>): Value {
    if (part !== undefined) throw new LeftOut(`'.[${part}]' is in no aggregate`)
    const { filters, written } = this
    const found = this.around.named(name, table)
    if (!found.isPlain) written.isPlain = false
    if (!isFiltered(filters)) return { text: `{[${found.name}]}`, kind: found.kind, isNeverBlank: false }
    if (found.isPlain && !isMoreThanMoved(filters)) return this.#moved(found.name, found.kind)
    // Its aggregates are computed under these filters.
    return this.around.inDaxOf(name, (dax) => this.value(dax))
  }

  protected override own(name: string, args: readonly Dax[]): Value | undefined {
    const [first] = args
    if (name === 'CALCULATE' && first) return this.#under(filtersOf(args.slice(1), this.around), first)
    const toDate = /^TOTAL([YQM]TD)$/.exec(name)?.[1]
    if (toDate !== undefined && first) return this.#toDate(`DATES${toDate}`, first, args.slice(1))
    if (ITERATORS.has(name) || name === 'COUNTROWS') return this.#overRows(name, args)
    if (DISTINCT.has(name)) return this.#distinct(name, first)
    const aggregation = Object.hasOwn(AGGREGATIONS, name) ? AGGREGATIONS[name] : undefined
    if (aggregation === undefined) return this.#refusedOr(name)
    const column = this.#columnIn(name, args)
    if (NUMBERS.has(aggregation) && column.kind !== 'number') throw new LeftOut(`${name} of '${column.name}', which is no number`)
    const kind = aggregation === 'count' ? 'number' : column.kind
    return this.#aggregate({ aggregation, columns: [{ dataObject: column.table, column: column.name }] }, column.table, kind)
  }

  /** Functions of rows and of what a reader selects are none between aggregates. */
  #refusedOr(name: string): undefined {
    if (name === 'RELATED' || TIME.test(name))
      throw new LeftOut(
        `the function ${name} has no place in this import`,
        undefined,
        TIME.test(name) ? 'Write a metric that compares periods, or a cumulative one.' : undefined,
      )
    return undefined
  }

  /** `TOTALYTD(value, days, filter, "6/30")`. */
  #toDate(name: string, value: Dax, [days, ...rest]: readonly Dax[]): Value {
    const ends = rest.filter(({ kind }) => kind === 'text')
    const filters = rest.filter(({ kind }) => kind !== 'text')
    const moved: Dax = { kind: 'call', name, args: [...(days ? [days] : []), ...ends] }
    return this.#under(filtersOf([moved, ...filters], this.around), value)
  }

  #columnIn(name: string, [first, more]: readonly Dax[]): TmdlColumn {
    if (first?.kind !== 'column' || first.table === undefined || first.part !== undefined || more)
      throw new LeftOut(`${name} has not one column`, undefined, 'Write the table before the column.')
    return this.around.tables.column(first.table, first.name)
  }

  /** SUMX and its like, and COUNTROWS: over the rows of a table, or of those that FILTER leaves. */
  #overRows(name: string, [table, value, more]: readonly Dax[]): Value {
    if (
      name === 'COUNTROWS' &&
      table?.kind === 'call' &&
      (table.name === 'VALUES' || table.name === 'DISTINCT') &&
      table.args[0]?.kind === 'column'
    )
      return this.#distinct('DISTINCTCOUNT', table.args[0])
    const { owner, conditions } = this.#rowsOf(name, table)
    if (name === 'COUNTROWS') {
      if (value) throw new LeftOut('COUNTROWS has not one table')
      return this.#aggregate({ aggregation: 'count', expression: '1', anchor: owner }, owner, 'number', conditions)
    }
    if (!value || more) throw new LeftOut(`${name} has not a table and a value`)
    const aggregation = ITERATORS.get(name) ?? ''
    const rows = new Rows(this.around.tables, owner)
    const { text, kind } = NUMBERS.has(aggregation) ? rows.number(value) : rows.value(value)
    if (rows.comparesTexts) this.around.notes.comparesTexts = true
    const isOwn = rows.read.size > 0 && [...rows.read].every((column) => column.table === owner)
    const entry = { aggregation, expression: text, ...(!isOwn && { anchor: owner }) }
    return this.#aggregate(entry, owner, aggregation === 'count' ? 'number' : kind, conditions)
  }

  #rowsOf(name: string, table: Dax | undefined): { readonly owner: string; readonly conditions: readonly Condition[] } {
    if (table?.kind === 'name') return { owner: this.around.tables.named(table.name).name, conditions: [] }
    if (table?.kind === 'call' && table.name === 'FILTER' && table.args.length === 2) {
      const { owner, conditions } = this.#rowsOf(name, table.args[0])
      return { owner, conditions: [...conditions, conditionOf(table.args[1] as Dax, owner, this.around)] }
    }
    throw new LeftOut(`${name} over something that is no table of the model has no place in this import`)
  }

  /** A blank is one of the values. */
  #distinct(name: string, first: Dax | undefined): Value {
    const column = this.#columnIn(name, first ? [first] : [])
    const columns = [{ dataObject: column.table, column: column.name }]
    const aggregation = name === 'APPROXIMATEDISTINCTCOUNT' ? 'approx_count_distinct' : 'count_distinct'
    const known = this.#aggregate({ aggregation, columns }, column.table, 'number')
    if (column.isNeverBlank || name !== 'DISTINCTCOUNT') return known
    const expression = `CASE WHEN {[${column.table}].[${column.name}]} IS NULL THEN 1 ELSE 0 END`
    const blank = this.#aggregate({ aggregation: 'max', expression }, column.table, 'number')
    return { text: `(${known.text} + coalesce(${blank.text}, 0))`, kind: 'number', isNeverBlank: known.isNeverBlank }
  }

  /** An aggregate under the filters. */
  #aggregate(entry: Entry, base: string, kind: Kind | undefined, more: readonly Condition[] = []): Value {
    const { tables, roles, notes } = this.around
    const { ofAll, removed, ungrouped, moves, taken } = this.filters
    const conditions = [...this.filters.conditions, ...more]
    const reached = tables.reachedFrom(base)
    for (const column of conditions.flatMap(({ columns }) => [...columns]))
      if (!reached.has(column.table)) throw new LeftOut(`its filter on '${column.table}' does not reach the rows of '${base}'`)
    if (ofAll !== undefined || removed.size > 0 || ungrouped.size > 0) this.written.isPlain = false
    const whole: Entry = {
      ...entry,
      ...(conditions.length > 0 && { filters: conditions.map(({ text }) => ({ expression: text })) }),
      ...this.#context(),
    }
    const isCount = COUNTS.has(String(entry['aggregation']))
    if (isCount) notes.counts = true
    const name = this.written.part(roles.along(whole, base, taken))
    if (moves.length > 0) return this.#moved(name, kind)
    return { text: `{[${name}]}`, kind, isNeverBlank: isCount }
  }

  /** Which groups and filters of the question do not apply. */
  #context(): Entry {
    const { ofAll, removed, ungrouped } = this.filters
    const dimensions = (columns: Iterable<TmdlColumn>) =>
      [...columns].map(({ table, name }) => `${table}.${name}`).filter(this.around.isDimension)
    if (ofAll === 'rows') return { total: true, filterContext: { mode: 'FIXED' } }
    const [filters, groups] = [dimensions(removed), dimensions(new Set([...removed, ...ungrouped]))]
    return {
      ...(ofAll === 'shown' ? { total: true } : groups.length > 0 && { grain: { mode: 'RELATIVE', exclude: groups } }),
      ...(filters.length > 0 && { filterContext: { mode: 'RELATIVE', exclude: filters } }),
    }
  }

  /** A measure or part for other days, the innermost first. */
  #moved(name: string, kind: Kind | undefined): Value {
    this.written.isPlain = false
    const { notes } = this.around
    for (const { compared } of this.filters.moves) {
      if (compared) notes.compares = true
      if (compared && compared['offsetGrain'] !== 'day') notes.shifts = true
    }
    const moved = this.filters.moves.toReversed().reduce((base, move) => this.written.part(overTime(base, move)), name)
    return { text: `{[${moved}]}`, kind, isNeverBlank: false }
  }
}

const overTime = (measure: string, { time, running, compared }: Move): Entry =>
  compared
    ? { type: 'period_over_period', measure, periodOverPeriod: { timeDimension: time, ...compared, comparison: 'previousValue' } }
    : { type: 'cumulative', measure, timeDimension: time, ...running }

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...{ SUM: 'sum', AVERAGE: 'avg', MIN: 'min', MAX: 'max', COUNT: 'count', COUNTA: 'count', MEDIAN: 'median' },
  ...{ 'STDEV.P': 'stddev_pop', 'STDEV.S': 'stddev_samp', 'VAR.P': 'var_pop', 'VAR.S': 'var_samp' },
}

const ITERATORS: ReadonlyMap<string, string> = new Map([
  ...([
    ['SUMX', 'sum'],
    ['AVERAGEX', 'avg'],
    ['MINX', 'min'],
    ['MAXX', 'max'],
    ['COUNTX', 'count'],
    ['COUNTAX', 'count'],
    ['MEDIANX', 'median'],
  ] as const),
])

const DISTINCT = new Set(['DISTINCTCOUNT', 'DISTINCTCOUNTNOBLANK', 'APPROXIMATEDISTINCTCOUNT'])
const COUNTS = new Set(['count', 'count_distinct', 'approx_count_distinct'])
const NUMBERS = new Set('sum avg median stddev_pop stddev_samp var_pop var_samp'.split(' '))
const TIME = /^(DATES|SAMEPERIOD|PREVIOUS|NEXT|OPENINGBALANCE|CLOSINGBALANCE)/
