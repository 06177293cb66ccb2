/** Measures in DAX → measures, and formulas over them. */
import { type Draft, type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { type Condition, conditionOf, type Filters, filtersOf, isFiltered, NO_FILTERS, within } from './dax/filters.js'
import { type Dax, daxOf } from './dax/parse.js'
import { arithmetic, divided, isConstant, Rows, type Value } from './dax/rows.js'
import { patternOf } from './format-string.js'
import { isOn } from './keys.js'
import { plainName, type Tables, type TmdlColumn } from './tables.js'

interface Owned {
  readonly part: Part
  readonly table: Part
}

/** An aggregate of a formula, by its text. */
interface Written {
  readonly full: string
  readonly parts: Map<string, Entry>
  count: number
}

const MOST_PARTS = 500

/** Writes each measure once, after those that it reads. */
export class Measures {
  readonly #owned = new Map<string, Owned>()
  readonly #written = new Map<string, boolean>()
  readonly #open: string[] = []
  readonly notes = { comparesTexts: false, counts: false }

  constructor(
    parts: readonly Part[],
    private readonly tables: Tables,
    private readonly draft: Draft,
  ) {
    for (const table of parts)
      for (const part of table.parts('measure')) {
        const key = part.needed('name').toUpperCase()
        // A name for two measures is an error of the model.
        if (!this.#owned.has(key)) this.#owned.set(key, { part, table })
        else this.draft.attemptNow(`The measure '${part.text('name')}'`, part.place, () => this.#twice())
      }
  }

  write(): void {
    for (const key of this.#owned.keys()) this.#isWritten(key)
  }

  #twice(): never {
    throw new LeftOut('another measure has its name')
  }

  /** Writes a measure, if it is not. */
  #isWritten(key: string): boolean {
    const known = this.#written.get(key)
    const owned = this.#owned.get(key)
    if (known !== undefined || !owned) return known ?? false
    const { part } = owned
    const text = part.text('value') ?? ''
    const isWritten = this.draft.attemptNow(`The measure '${part.text('name')}'`, part.at('value'), () => {
      try {
        this.#guarded(key, () => this.#one(owned, text))
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error
        const dax = text.replaceAll(/\s+/g, ' ')
        const hint = `${error.hint === undefined ? '' : `${error.hint} `}Its DAX is: ${dax.length > 300 ? `${dax.slice(0, 300)} …` : dax}`
        throw new LeftOut(error.message, error.place, hint)
      }
    })
    if (!isWritten) this.draft.leave(part.place)
    this.#written.set(key, isWritten)
    return isWritten
  }

  #guarded<T>(key: string, step: () => T): T {
    if (this.#open.includes(key)) throw new LeftOut(`'${this.#owned.get(key)?.part.text('name')}' reads itself`)
    if (this.#open.length > 60) throw new LeftOut('more than 60 measures read each other')
    this.#open.push(key)
    try {
      return step()
    } finally {
      this.#open.pop()
    }
  }

  #one({ part, table }: Owned, text: string): void {
    const full = plainName(part)
    const written: Written = { full, parts: new Map(), count: 0 }
    const { text: expression } = this.#value(daxOf(text), NO_FILTERS, written)
    if (!expression.includes('{[')) throw new LeftOut('it has no aggregate and reads no measure')
    this.draft.noteDivision(expression, full, part.at('value'))
    const [only] = written.parts.values()
    const pattern = patternOf(part)
    const described = {
      ...(pattern && { format: pattern }),
      ...((isOn(part, 'isHidden') || isOn(table, 'isHidden')) && { hidden: true }),
      ...(part.text('description') && { description: part.text('description') }),
    }
    if (only && written.parts.size === 1 && expression === `{[${full}: 1]}`) {
      this.draft.add('measures', full, { ...only, ...described }, part.place)
      return
    }
    const entries = [...written.parts.values()]
    for (const [at, entry] of entries.entries())
      this.draft.add('measures', `${full}: ${at + 1}`, { ...entry, hidden: true }, part.place)
    this.draft.add('metrics', full, { expression, ...described }, part.place)
  }

  /** A value over aggregates. */
  #value(dax: Dax, filters: Filters, written: Written): Value {
    if (++written.count > MOST_PARTS)
      throw new LeftOut(`its DAX, with that of the measures that it reads, has more than ${MOST_PARTS} parts`)
    const go = (each: Dax) => this.#value(each, filters, written)
    switch (dax.kind) {
      case 'number':
        return { text: dax.text.replace(/^\./, '0.'), kind: 'number', isNeverBlank: true }
      case 'blank':
        return { text: 'NULL', kind: undefined, isNeverBlank: false }
      case 'negative':
        return { ...go(dax.value), text: `(-${go(dax.value).text})` }
      case 'variable':
        // Its value is that without the filters of a CALCULATE around the name.
        if (isFiltered(filters) && !isConstant(dax.value))
          throw new LeftOut(`the variable '${dax.name}' is computed outside of the CALCULATE that reads it`)
        return go(dax.value)
      case 'operation':
        if (!'+-*/'.includes(dax.sign)) throw new LeftOut(`'${dax.sign}' between aggregates has no place in this import`)
        return arithmetic(dax.sign, go(dax.left), go(dax.right))
      case 'column':
        return this.#read(dax.name, dax.table, filters, written)
      case 'call':
        return this.#call(dax.name, dax.args, filters, written)
      default:
        throw new LeftOut('it is no number over aggregates')
    }
  }

  #read(name: string, table: string | undefined, filters: Filters, written: Written): Value {
    const key = name.toUpperCase()
    const owned = this.#owned.get(key)
    if (!owned)
      throw new LeftOut(
        table === undefined ? `there is no measure [${name}]` : `'${table}'[${name}] is a column, and in no aggregate`,
      )
    if (!isFiltered(filters)) {
      if (this.#open.includes(key)) throw new LeftOut(`'${owned.part.text('name')}' reads itself`)
      if (!this.#isWritten(key)) throw new LeftOut(`the measure '${owned.part.text('name')}' is left out`)
      return { text: `{[${owned.part.text('name')}]}`, kind: 'number', isNeverBlank: false }
    }
    // Its aggregates are computed under these filters.
    return this.#guarded(key, () => this.#value(daxOf(owned.part.text('value') ?? ''), filters, written))
  }

  #call(name: string, args: readonly Dax[], filters: Filters, written: Written): Value {
    const [first, second, third] = args
    const go = (each: Dax) => this.#value(each, filters, written)
    if (name === 'DIVIDE' && first && second) return divided(go(first), go(second), third && go(third))
    if (name === 'COALESCE' && args.length > 1) {
      const values = args.map(go)
      return {
        text: `coalesce(${values.map(({ text }) => text).join(', ')})`,
        kind: 'number',
        isNeverBlank: values.some(({ isNeverBlank }) => isNeverBlank),
      }
    }
    if (name === 'CALCULATE' && first)
      return this.#value(first, within(filters, filtersOf(args.slice(1), this.tables, this.notes)), written)
    if (ITERATORS.has(name) || name === 'COUNTROWS') return this.#overRows(name, args, filters, written)
    if (DISTINCT.has(name)) return this.#distinct(name, first, filters, written)
    const aggregation = Object.hasOwn(AGGREGATIONS, name) ? AGGREGATIONS[name] : undefined
    if (aggregation === undefined)
      throw new LeftOut(
        `the function ${name} has no place in this import`,
        undefined,
        TIME.test(name) ? 'Write a metric that compares periods, or a cumulative one.' : undefined,
      )
    const column = this.#columnIn(name, args)
    if (NUMBERS.has(aggregation) && column.kind !== 'number') throw new LeftOut(`${name} of '${column.name}', which is no number`)
    return this.#aggregate(
      { aggregation, columns: [{ dataObject: column.table, column: column.name }] },
      column.table,
      filters,
      written,
    )
  }

  #columnIn(name: string, [first, more]: readonly Dax[]): TmdlColumn {
    if (first?.kind !== 'column' || first.table === undefined || more)
      throw new LeftOut(`${name} has not one column`, undefined, 'Write the table before the column.')
    return this.tables.column(first.table, first.name)
  }

  /** SUMX and its like, and COUNTROWS: over the rows of a table, or of those that FILTER leaves. */
  #overRows(name: string, [table, value, more]: readonly Dax[], filters: Filters, written: Written): Value {
    if (
      name === 'COUNTROWS' &&
      table?.kind === 'call' &&
      (table.name === 'VALUES' || table.name === 'DISTINCT') &&
      table.args[0]?.kind === 'column'
    )
      return this.#distinct('DISTINCTCOUNT', table.args[0], filters, written)
    const { owner, conditions } = this.#rowsOf(name, table)
    const all = { ...filters, conditions: [...filters.conditions, ...conditions] }
    if (name === 'COUNTROWS') {
      if (value) throw new LeftOut('COUNTROWS has not one table')
      return this.#aggregate({ aggregation: 'count', expression: '1', anchor: owner }, owner, all, written)
    }
    if (!value || more) throw new LeftOut(`${name} has not a table and a value`)
    const aggregation = ITERATORS.get(name) ?? ''
    const rows = new Rows(this.tables, owner)
    const { text } = NUMBERS.has(aggregation) ? rows.number(value) : rows.value(value)
    if (rows.comparesTexts) this.notes.comparesTexts = true
    const isOwn = rows.read.size > 0 && [...rows.read].every((column) => column.table === owner)
    return this.#aggregate({ aggregation, expression: text, ...(!isOwn && { anchor: owner }) }, owner, all, written)
  }

  #rowsOf(name: string, table: Dax | undefined): { readonly owner: string; readonly conditions: readonly Condition[] } {
    if (table?.kind === 'name') return { owner: this.tables.named(table.name).name, conditions: [] }
    if (table?.kind === 'call' && table.name === 'FILTER' && table.args.length === 2) {
      const { owner, conditions } = this.#rowsOf(name, table.args[0])
      return { owner, conditions: [...conditions, conditionOf(table.args[1] as Dax, owner, this.tables, this.notes)] }
    }
    throw new LeftOut(`${name} over something that is no table of the model has no place in this import`)
  }

  /** A blank is one of the values. */
  #distinct(name: string, first: Dax | undefined, filters: Filters, written: Written): Value {
    const column = this.#columnIn(name, first ? [first] : [])
    const columns = [{ dataObject: column.table, column: column.name }]
    const aggregation = name === 'APPROXIMATEDISTINCTCOUNT' ? 'approx_count_distinct' : 'count_distinct'
    const known = this.#aggregate({ aggregation, columns }, column.table, filters, written)
    if (column.isNeverBlank || name !== 'DISTINCTCOUNT') return known
    const expression = `CASE WHEN {[${column.table}].[${column.name}]} IS NULL THEN 1 ELSE 0 END`
    const blank = this.#aggregate({ aggregation: 'max', expression }, column.table, filters, written)
    return { text: `(${known.text} + coalesce(${blank.text}, 0))`, kind: 'number', isNeverBlank: true }
  }

  /** An aggregate under filters. */
  #aggregate(entry: Entry, base: string, { isOfAll, removed, conditions }: Filters, { full, parts }: Written): Value {
    const reached = this.tables.reachedFrom(base)
    for (const column of conditions.flatMap(({ columns }) => [...columns]))
      if (!reached.has(column.table)) throw new LeftOut(`its filter on '${column.table}' does not reach the rows of '${base}'`)
    const exclude = [...removed]
      .map(({ table, name }) => `${table}.${name}`)
      .filter((name) => Object.hasOwn(this.draft.dimensions, name))
    const whole: Entry = {
      ...entry,
      ...(conditions.length > 0 && { filters: conditions.map(({ text }) => ({ expression: text })) }),
      ...(isOfAll && { total: true, filterContext: { mode: 'FIXED' } }),
      ...(!isOfAll &&
        exclude.length > 0 && { grain: { mode: 'RELATIVE', exclude }, filterContext: { mode: 'RELATIVE', exclude } }),
    }
    const key = JSON.stringify(whole)
    if (!parts.has(key)) parts.set(key, whole)
    const isCount = COUNTS.has(String(entry['aggregation']))
    if (isCount) this.notes.counts = true
    return { text: `{[${full}: ${[...parts.keys()].indexOf(key) + 1}]}`, kind: 'number', isNeverBlank: isCount }
  }
}

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
const TIME = /^(TOTAL(YTD|QTD|MTD)|DATES|SAMEPERIOD|PREVIOUS|NEXT|OPENINGBALANCE|CLOSINGBALANCE)/
