/** The filters of CALCULATE: what they remove, what they ask for, which days they move, and which relationships they take. */
import { LeftOut } from '@grainline/importer-dbt/foreign'
import type { Days } from '../days.js'
import type { Tables, TmdlColumn } from '../tables.js'
import { inside, type Move, moveOf } from './moves.js'
import type { Dax } from './parse.js'
import { Rows } from './rows.js'

/** A condition on rows. */
export interface Condition {
  readonly text: string
  readonly columns: ReadonlySet<TmdlColumn>
}

/** A relationship that is taken in place of the active one. */
export interface Taken {
  readonly from: TmdlColumn
  readonly to: TmdlColumn
}

/** Under which filters an aggregate is computed. */
export interface Filters {
  /** Whether filters of the question apply that no column names: none, or not the groups. */
  readonly ofAll: 'rows' | 'shown' | undefined
  /** Columns whose filters and groups do not apply. */
  readonly removed: ReadonlySet<TmdlColumn>
  /** Columns whose groups do not apply. */
  readonly ungrouped: ReadonlySet<TmdlColumn>
  readonly conditions: readonly Condition[]
  /** From the outermost on. */
  readonly moves: readonly Move[]
  readonly taken: readonly Taken[]
}

export const NO_FILTERS: Filters = {
  ...{ ofAll: undefined, removed: new Set(), ungrouped: new Set(), conditions: [], moves: [], taken: [] },
}

/** What filters are read with. */
export interface Reading {
  readonly tables: Tables
  readonly days: Days
  readonly notes: { comparesTexts: boolean }
}

export const isFiltered = (filters: Filters): boolean => isMoreThanMoved(filters) || filters.moves.length > 0

export const isMoreThanMoved = ({ ofAll, removed, ungrouped, conditions, taken }: Filters): boolean =>
  ofAll !== undefined || removed.size > 0 || ungrouped.size > 0 || conditions.length > 0 || taken.length > 0

/** Filters of a CALCULATE inside of others: those inside replace those outside on their columns. */
export function within(outer: Filters, inner: Filters): Filters {
  const isGone = (column: TmdlColumn) => inner.ofAll !== undefined || inner.removed.has(column) || inner.ungrouped.has(column)
  const kept = outer.conditions.filter(({ columns }) => {
    const gone = [...columns].filter(isGone)
    if (gone.length > 0 && gone.length < columns.size) throw new LeftOut('one of its filters replaces a part of another one')
    return gone.length === 0
  })
  const moves = outer.moves.filter(
    ({ time }) => inner.ofAll === undefined && !nameOf(inner.removed, time) && !nameOf(inner.ungrouped, time),
  )
  return checked({
    ofAll: outer.ofAll === 'rows' ? 'rows' : (inner.ofAll ?? outer.ofAll),
    removed: new Set([...outer.removed, ...inner.removed]),
    ungrouped: new Set([...outer.ungrouped, ...inner.ungrouped]),
    conditions: [...kept, ...inner.conditions],
    moves: inside(moves, inner.moves),
    taken: [...outer.taken.filter((each) => !inner.taken.some((other) => isSamePair(each, other))), ...inner.taken],
  })
}

const nameOf = (columns: ReadonlySet<TmdlColumn>, time: string): boolean =>
  [...columns].some(({ table, name }) => `${table}.${name}` === time)

const isSamePair = (one: Taken, other: Taken): boolean => one.from.table === other.from.table && one.to.table === other.to.table

/** Days that are moved have no other filter: a filter on a column of their table would be one. */
function checked(filters: Filters): Filters {
  const [move] = filters.moves
  if (!move) return filters
  if (filters.ofAll !== undefined) throw new LeftOut('it moves days, and leaves out all filters')
  const isOfDays = ({ table }: TmdlColumn) => table === move.table
  if (filters.conditions.some(({ columns }) => [...columns].some(isOfDays)))
    throw new LeftOut(`it moves the days of '${move.table}', and filters them`)
  // A function of days leaves out the filters of their table by itself.
  const others = (columns: ReadonlySet<TmdlColumn>) => new Set([...columns].filter((column) => !isOfDays(column)))
  return { ...filters, removed: others(filters.removed), ungrouped: others(filters.ungrouped) }
}

/** All filters of one CALCULATE: first what they remove, then what they ask for. */
export function filtersOf(args: readonly Dax[], reading: Reading): Filters {
  const found = args.map((arg) => filterOf(arg, reading))
  const moves = found.flatMap((each) => each.moves)
  if (moves.length > 1) throw new LeftOut('it has two filters on days, of which both hold')
  return checked(
    found.reduce(
      (one, other) => ({
        ofAll: one.ofAll ?? other.ofAll,
        removed: new Set([...one.removed, ...other.removed]),
        ungrouped: new Set([...one.ungrouped, ...other.ungrouped]),
        conditions: [...one.conditions, ...other.conditions],
        moves,
        taken: [...one.taken, ...other.taken],
      }),
      NO_FILTERS,
    ),
  )
}

function filterOf(arg: Dax, reading: Reading): Filters {
  const move = moveOf(arg, reading.days)
  if (move) return { ...NO_FILTERS, moves: [move] }
  if (arg.kind !== 'call') return replacing(conditionOf(arg, undefined, reading))
  const { name, args } = arg
  const [first] = args
  if (name === 'KEEPFILTERS' && first) {
    const { conditions } = filterOf(first, reading)
    if (conditions.length === 0) throw new LeftOut('KEEPFILTERS has no condition')
    return { ...NO_FILTERS, conditions }
  }
  if (name === 'FILTER') return filterOfRows(args, reading)
  if (REMOVERS.has(name)) return removedBy(name, args, reading.tables)
  if (name === 'ALLSELECTED') return ofShown(args, reading.tables)
  if (name === 'USERELATIONSHIP') return { ...NO_FILTERS, taken: [takenBy(args, reading.tables)] }
  if (Object.hasOwn(ODD, name)) throw new LeftOut(`${name} has no place in a measure of the model`, undefined, ODD[name])
  return replacing(conditionOf(arg, undefined, reading))
}

const REMOVERS = new Set(['ALL', 'REMOVEFILTERS', 'ALLEXCEPT', 'ALLNOBLANKROW'])

const ODD: Readonly<Record<string, string>> = {
  CROSSFILTER: 'Ask the measure with usePathNames.',
  TREATAS: 'Declare a relationship.',
  VALUES: 'Leave it out.',
}

/** A condition takes the place of the filters on its columns. */
const replacing = (condition: Condition): Filters => ({ ...NO_FILTERS, removed: condition.columns, conditions: [condition] })

/** The two ends of a relationship, in the order of the text. */
function takenBy([one, other, more]: readonly Dax[], tables: Tables): Taken {
  if (!one || !other || more) throw new LeftOut('USERELATIONSHIP has not two columns')
  return { from: columnIn(one, tables, 'USERELATIONSHIP'), to: columnIn(other, tables, 'USERELATIONSHIP') }
}

/** ALLSELECTED leaves out groups, and no filters of the question. */
function ofShown(args: readonly Dax[], tables: Tables): Filters {
  const { ofAll, removed } = removedBy('ALLSELECTED', args, tables)
  return { ...NO_FILTERS, ofAll: ofAll && 'shown', ungrouped: removed }
}

/** `FILTER(T, …)` asks for rows of what is left; over ALL it also removes. */
function filterOfRows([table, test, more]: readonly Dax[], reading: Reading): Filters {
  if (!table || !test || more) throw new LeftOut('FILTER has not two arguments')
  if (table.kind === 'name')
    return { ...NO_FILTERS, conditions: [conditionOf(test, reading.tables.named(table.name).name, reading)] }
  if (table.kind !== 'call') throw new LeftOut('FILTER has no table')
  const [first] = table.args
  const owner = first?.kind === 'name' ? first.name : first?.kind === 'column' ? first.table : undefined
  if (owner === undefined) throw new LeftOut(`FILTER over ${table.name} has no table`)
  const condition = conditionOf(test, reading.tables.named(owner).name, reading)
  if (table.name === 'VALUES' || table.name === 'DISTINCT') return { ...NO_FILTERS, conditions: [condition] }
  if (table.name !== 'ALL' && table.name !== 'REMOVEFILTERS')
    throw new LeftOut(`FILTER over ${table.name} has no place in a measure of the model`)
  return { ...removedBy(table.name, table.args, reading.tables), conditions: [condition] }
}

/** A condition over the rows of one table: that which it names, if none is given. */
export function conditionOf(dax: Dax, table: string | undefined, { tables, notes }: Reading): Condition {
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
  if (!first) return { ...NO_FILTERS, ofAll: 'rows' }
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
  if (dax.kind !== 'column' || dax.table === undefined || dax.part !== undefined)
    throw new LeftOut(`${name} has arguments that are no columns`)
  return tables.column(dax.table, dax.name)
}
