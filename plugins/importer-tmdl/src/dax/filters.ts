/** The filters of CALCULATE: what they remove, and what they ask for. */
import { LeftOut } from '@grainline/importer-dbt/foreign'
import type { Tables, TmdlColumn } from '../tables.js'
import type { Dax } from './parse.js'
import { Rows } from './rows.js'

/** A condition on rows. */
export interface Condition {
  readonly text: string
  readonly columns: ReadonlySet<TmdlColumn>
}

/** Under which filters an aggregate is computed. */
export interface Filters {
  /** True if no filter and no group of the question applies. */
  readonly isOfAll: boolean
  /** Columns whose filters and groups do not apply. */
  readonly removed: ReadonlySet<TmdlColumn>
  readonly conditions: readonly Condition[]
}

export const NO_FILTERS: Filters = { isOfAll: false, removed: new Set(), conditions: [] }

export const isFiltered = ({ isOfAll, removed, conditions }: Filters): boolean =>
  isOfAll || removed.size > 0 || conditions.length > 0

/** Filters of a CALCULATE inside of others: those inside replace those outside on their columns. */
export function within(outer: Filters, inner: Filters): Filters {
  const kept = outer.conditions.filter(({ columns }) => {
    const gone = [...columns].filter((column) => inner.isOfAll || inner.removed.has(column))
    if (gone.length > 0 && gone.length < columns.size) throw new LeftOut('one of its filters replaces a part of another one')
    return gone.length === 0
  })
  return {
    isOfAll: outer.isOfAll || inner.isOfAll,
    removed: new Set([...outer.removed, ...inner.removed]),
    conditions: [...kept, ...inner.conditions],
  }
}

/** All filters of one CALCULATE: first what they remove, then what they ask for. */
export function filtersOf(args: readonly Dax[], tables: Tables, notes: { comparesTexts: boolean }): Filters {
  return args
    .map((arg) => filterOf(arg, tables, notes))
    .reduce(
      (one, other) => ({
        isOfAll: one.isOfAll || other.isOfAll,
        removed: new Set([...one.removed, ...other.removed]),
        conditions: [...one.conditions, ...other.conditions],
      }),
      NO_FILTERS,
    )
}

function filterOf(arg: Dax, tables: Tables, notes: { comparesTexts: boolean }): Filters {
  if (arg.kind !== 'call') return replacing(conditionOf(arg, undefined, tables, notes))
  const { name, args } = arg
  const [first] = args
  if (name === 'KEEPFILTERS' && first) return { ...filterOf(first, tables, notes), isOfAll: false, removed: new Set() }
  if (name === 'FILTER') return filterOfRows(args, tables, notes)
  if (REMOVERS.has(name)) return removedBy(name, args, tables)
  if (Object.hasOwn(ODD, name)) throw new LeftOut(`${name} has no place in a measure of the model`, undefined, ODD[name])
  return replacing(conditionOf(arg, undefined, tables, notes))
}

const REMOVERS = new Set(['ALL', 'REMOVEFILTERS', 'ALLEXCEPT', 'ALLNOBLANKROW'])

const TIME = 'Write a metric that compares periods, or a cumulative one.'
const ODD: Readonly<Record<string, string>> = {
  ...{
    USERELATIONSHIP: 'Ask the measure with usePathNames.',
    CROSSFILTER: 'Ask the measure with usePathNames.',
    TREATAS: 'Declare a relationship.',
  },
  ...{
    ALLSELECTED: 'Write a grain for the measure: totals of what is shown are no part of a question.',
    VALUES: 'Leave it out.',
  },
  ...Object.fromEntries(
    'DATESYTD DATESQTD DATESMTD SAMEPERIODLASTYEAR DATEADD PARALLELPERIOD DATESINPERIOD DATESBETWEEN PREVIOUSDAY PREVIOUSMONTH PREVIOUSQUARTER PREVIOUSYEAR NEXTDAY NEXTMONTH NEXTQUARTER NEXTYEAR LASTDATE FIRSTDATE'
      .split(' ')
      .map((name) => [name, TIME]),
  ),
}

/** A condition takes the place of the filters on its columns. */
const replacing = (condition: Condition): Filters => ({ isOfAll: false, removed: condition.columns, conditions: [condition] })

/** `FILTER(T, …)` asks for rows of what is left; over ALL it also removes. */
function filterOfRows([table, test, more]: readonly Dax[], tables: Tables, notes: { comparesTexts: boolean }): Filters {
  if (!table || !test || more) throw new LeftOut('FILTER has not two arguments')
  if (table.kind === 'name')
    return { ...NO_FILTERS, conditions: [conditionOf(test, tables.named(table.name).name, tables, notes)] }
  if (table.kind !== 'call') throw new LeftOut('FILTER has no table')
  const [first] = table.args
  const owner = first?.kind === 'name' ? first.name : first?.kind === 'column' ? first.table : undefined
  if (owner === undefined) throw new LeftOut(`FILTER over ${table.name} has no table`)
  const condition = conditionOf(test, tables.named(owner).name, tables, notes)
  if (table.name === 'VALUES' || table.name === 'DISTINCT') return { ...NO_FILTERS, conditions: [condition] }
  if (table.name !== 'ALL' && table.name !== 'REMOVEFILTERS')
    throw new LeftOut(`FILTER over ${table.name} has no place in a measure of the model`)
  return { ...removedBy(table.name, table.args, tables), conditions: [condition] }
}

/** A condition over the rows of one table: that which it names, if none is given. */
export function conditionOf(dax: Dax, table: string | undefined, tables: Tables, notes: { comparesTexts: boolean }): Condition {
  const owner = table ?? tableNamedIn(dax, tables)
  const rows = new Rows(tables, owner)
  const { text } = rows.condition(dax)
  if (rows.comparesTexts) notes.comparesTexts = true
  if (rows.read.size === 0) throw new LeftOut('its filter reads no column')
  return { text, columns: rows.read }
}

function tableNamedIn(dax: Dax, tables: Tables): string {
  const found = new Set<string>()
  const open: Dax[] = [dax]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.kind === 'column') {
      if (next.table === undefined)
        throw new LeftOut(`the filter [${next.name}] is no column`, undefined, 'Write the table before the column.')
      found.add(tables.named(next.table).name)
    } else if (next.kind === 'call') open.push(...next.args)
    else if (next.kind === 'operation') open.push(next.left, next.right)
    else if (next.kind === 'negative' || next.kind === 'not') open.push(next.value)
    else if (next.kind === 'list') open.push(...next.items)
    if (open.length > 5000) throw new LeftOut('its filter has too many parts')
  }
  const [table, other] = found
  if (table === undefined) throw new LeftOut('its filter reads no column')
  if (other !== undefined) throw new LeftOut(`its filter reads '${table}' and '${other}'`)
  return table
}

/** The filters that ALL and its like take away. A table is meant with all that its rows lead to. */
function removedBy(name: string, args: readonly Dax[], tables: Tables): Filters {
  const [first, ...rest] = args
  if (!first) return { isOfAll: true, removed: new Set(), conditions: [] }
  if (name === 'ALLEXCEPT') {
    const kept = new Set(rest.map((each) => columnIn(each, tables, name)))
    if (first.kind !== 'name') throw new LeftOut('ALLEXCEPT has no table')
    return { ...NO_FILTERS, removed: new Set(expanded(first.name, tables).filter((column) => !kept.has(column))) }
  }
  const removed = args.flatMap((arg) => (arg.kind === 'name' ? expanded(arg.name, tables) : [columnIn(arg, tables, name)]))
  return { ...NO_FILTERS, removed: new Set(removed) }
}

const expanded = (table: string, tables: Tables): readonly TmdlColumn[] =>
  [...tables.reachedFrom(tables.named(table).name)].flatMap((each) => [...tables.named(each).known.values()])

function columnIn(dax: Dax, tables: Tables, name: string): TmdlColumn {
  if (dax.kind !== 'column' || dax.table === undefined) throw new LeftOut(`${name} has arguments that are no columns`)
  return tables.column(dax.table, dax.name)
}
