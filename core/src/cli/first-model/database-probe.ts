import { GrainlineError } from '../../errors.js'
import { entryOf, firstOf, zip } from '../../invariant.js'
import type { CalendarPeriod, PeriodGrain } from '../../model/calendar-table.js'
import { DATE, INT, isNumeric, isTemporal, STRING } from '../../model/data-type.js'
import { pairwiseEqual } from '../../model/join-term.js'
import { parseModelSync } from '../../model/load-model.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { allOf, binary, call, integer } from '../../resolve/expressions.js'
import type { Catalogue } from '../../service/catalogue.js'
import { baseRows } from '../../verify/base-rows.js'
import { numberAt, runStatement } from '../../verify/run-statement.js'
import { aggregate, item, part, present, select, sumWhere } from '../../verify/sql-parts.js'
import { verifyCalendar } from '../../verify/verify-calendar.js'
import type { VerifyContext } from '../../verify/verify-context.js'
import { verifyEdge } from '../../verify/verify-edge.js'
import { verifyKey } from '../../verify/verify-object.js'
import { type Database, verifyContextOf } from './database.js'
import type { DraftColumn, DraftTable } from './draft.js'
import { type ConnectProbe, dataObject } from './first-model.js'
import type { ObjectJoin } from './model-object.js'
import type { Agreement, ColumnFacts, Link, Probe } from './structure.js'

/** Queries the database: one statement for the columns of a table, one for each pair of columns and each possible reference. */
export const databaseProbe =
  (database: Database): ConnectProbe =>
  (tables) => {
    const context = contextOf(tables, database)
    const known = new Map<DraftTable, Promise<ReadonlyMap<DraftColumn, ColumnFacts>>>()
    const factsOf = (table: DraftTable) => {
      const facts = known.get(table) ?? tableFacts(table, context)
      known.set(table, facts)
      return facts
    }
    const object = (table: DraftTable) => entryOf(context.model.dataObjects, table.label)
    return {
      facts: async ({ table, column }) => (await factsOf(table)).get(column),
      unique: (table, columns) =>
        orNothing(async () => {
          const report = await verifyKey({ ...object(table), key: columns.map(({ label }) => label) }, context)
          return { rows: report.rows, unique: report.duplicate_keys === 0 && report.null_keys === 0 }
        }),
      follow: ({ from, columnsFrom, to, columnsTo, oneToOne }) =>
        orNothing(async () => {
          const join = {
            from: from.label,
            to: to.label,
            cardinality: oneToOne ? ('one-to-one' as const) : ('many-to-one' as const),
            on: pairwiseEqual(
              columnsFrom.map(({ label }) => label),
              columnsTo.map(({ label }) => label),
            ),
            secondary: false,
            pathName: undefined,
            required: false,
            foreignKey: false,
          }
          const { rows, null_links, without_parent, missing_parents } = await verifyEdge(join, context)
          return { linked: rows - null_links, lost: without_parent, lostLinks: missing_parents }
        }),
      days: async ({ table, column }) => (await orNothing(() => readsDays(table, column, context))) === true,
      periods: async ({ table, column }, period, columns) =>
        (await orNothing(() => columnsOf(period, { table, day: column, columns, context }))) ?? [],
      agree: (direct, first, second) => orNothing(() => agreement([direct, first, second], database)),
    }
  }

/** A probe that knows nothing about the data. */
export const noProbe: ConnectProbe = (): Probe => ({
  facts: async () => undefined,
  unique: async () => undefined,
  follow: async () => undefined,
  agree: async () => undefined,
  days: async () => false,
  periods: async () => [],
})

function contextOf(tables: readonly DraftTable[], database: Database, joins: Joins = () => []): VerifyContext {
  const model = modelOf(tables, database.catalogue, joins)
  const storedTypes = new Map(
    tables.map(({ label, columns }) => [label, new Map(columns.map(({ name, sqlType }) => [name, { sqlType }]))]),
  )
  return verifyContextOf(model, storedTypes, database)
}

type Joins = (table: DraftTable) => readonly ObjectJoin[]

function modelOf(tables: readonly DraftTable[], catalogue: Catalogue, joins: Joins): SemanticModel {
  const dataObjects = Object.fromEntries(
    tables.map((table) => [table.label, dataObject({ table, joins: joins(table) }, undefined)]),
  )
  const { model, errors } = parseModelSync({ json: { version: 1, dataObjects }, ...catalogue })
  if (!model) throw new GrainlineError('INTERNAL_ERROR', errors[0]?.message ?? 'the tables make no model')
  return model
}

/** One statement for all columns; if the database refuses it, one for each, without the refused ones. */
async function tableFacts(table: DraftTable, context: VerifyContext): Promise<ReadonlyMap<DraftColumn, ColumnFacts>> {
  const able = table.columns.filter(({ type }) => type !== undefined && type.kind !== 'json')
  const together = await orNothing(() => columnFacts(table, able, context))
  if (together) return together
  const each = await Promise.all(able.map((column) => orNothing(() => columnFacts(table, [column], context))))
  return new Map(each.flatMap((facts) => [...(facts ?? [])]))
}

async function columnFacts(
  { label }: DraftTable,
  columns: readonly DraftColumn[],
  context: VerifyContext,
): Promise<ReadonlyMap<DraftColumn, ColumnFacts>> {
  const wanted = columns.map((column, i) => ({
    name: `column_${i + 1}`,
    expression: { kind: 'column' as const, object: label, column: column.label },
  }))
  const base = baseRows({ object: label, name: 'object_rows', wanted }, context)
  const items = base.columns.flatMap(({ name, type, read }) => [
    item(`${name}_present`, aggregate('count', [read], INT), INT),
    item(`${name}_distinct`, { ...aggregate('count_distinct', [read], INT), distinct: true }, INT),
    ...(isNumeric(type) || isTemporal(type) || type.kind === 'string'
      ? [item(`${name}_min`, aggregate('min', [read], type), type), item(`${name}_max`, aggregate('max', [read], type), type)]
      : []),
    ...(type.kind === 'string' ? [item(`${name}_longest`, aggregate('max', [call('length', read)], INT), INT)] : []),
  ])
  const body = select([item('row_total', aggregate('count', [], INT), INT), ...items], part('object_rows'))
  const [row] = await runStatement(base.ctes, body, context)
  const optional = (name: string): number | undefined => (row?.get(name) == null ? undefined : numberAt(row, name))
  const asText = (name: string): string | undefined => (row?.get(name) == null ? undefined : String(row.get(name)))
  return new Map(
    columns.map((column, i) => [
      column,
      {
        rows: numberAt(row, 'row_total'),
        present: numberAt(row, `column_${i + 1}_present`),
        distinct: numberAt(row, `column_${i + 1}_distinct`),
        ...(isNumeric(column.type ?? STRING)
          ? { min: optional(`column_${i + 1}_min`), max: optional(`column_${i + 1}_max`) }
          : { min: undefined, max: undefined, first: asText(`column_${i + 1}_min`), last: asText(`column_${i + 1}_max`) }),
        longest: optional(`column_${i + 1}_longest`),
      },
    ]),
  )
}

async function readsDays({ label }: DraftTable, column: DraftColumn, context: VerifyContext): Promise<boolean> {
  const operand = { kind: 'column' as const, object: label, column: column.label }
  const wanted = [{ name: 'day', expression: { kind: 'cast' as const, operand, type: DATE } }]
  const base = baseRows({ object: label, name: 'object_rows', wanted }, context)
  const [day] = base.columns
  if (day === undefined) return false
  const body = select(
    [item('days', aggregate('count', [day.read], INT), INT), item('last', aggregate('max', [day.read], DATE), DATE)],
    part('object_rows'),
  )
  return numberAt((await runStatement(base.ctes, body, context))[0], 'days') > 0
}

interface AskedPeriods {
  readonly table: DraftTable
  readonly day: DraftColumn
  readonly columns: readonly DraftColumn[]
  readonly context: VerifyContext
}

/** The columns of which the data show that they are functions of a period, as `verify` would prove it. */
async function columnsOf(period: string, { table, day, columns, context }: AskedPeriods): Promise<readonly DraftColumn[]> {
  const asked = readPeriod(period)
  const own = entryOf(context.model.dataObjects, table.label)
  const periods = new Map(columns.map(({ label }) => [label, asked]))
  const report = await verifyCalendar({ ...own, calendar: { key: day.label, periods, generated: undefined } }, context)
  const right = report.periods.filter((one) => one.periods > 1 && one.several_values === 0 && one.several_periods === 0)
  return columns.filter(({ label }) => right.some((one) => one.column === label))
}

/** A grain, the years of weeks, or a place in one. */
function readPeriod(text: string): CalendarPeriod {
  const [grain = '', of] = text.split('_of_')
  return { grain: GRAINS.get(grain) ?? 'day', of: of === undefined ? undefined : GRAINS.get(of) }
}

const GRAINS = new Map(
  (['week', 'month', 'quarter', 'year', 'week_year'] as const).map((grain): [string, PeriodGrain] => [grain, grain]),
)

/** Rows of `from` whose direct reference is the reference of the row that the first link leads to. */
async function agreement([direct, first, second]: readonly [Link, Link, Link], database: Database): Promise<Agreement> {
  const [from, middle] = [first.from, first.to]
  const to = { label: middle.label, table: middle, role: [], row: [], joins: [] }
  const context = contextOf([from, middle], database, (table) => (table === from ? [{ link: first, to }] : []))
  const refer = (table: DraftTable, columns: readonly DraftColumn[], name: string) =>
    columns.map(({ label }, i) => ({
      name: `${name}_${i + 1}`,
      expression: { kind: 'column' as const, object: table.label, column: label },
    }))
  const wanted = [...refer(from, direct.columnsFrom, 'direct'), ...refer(middle, second.columnsFrom, 'through')]
  const base = baseRows({ object: from.label, name: 'object_rows', wanted }, context)
  const reads = base.columns.map(({ read }) => read)
  const [here, there] = [reads.slice(0, direct.columnsFrom.length), reads.slice(direct.columnsFrom.length)]
  const alike = allOf(zip(here, there).map(([a, b]) => binary('=', a, b)))
  const body = select(
    [
      item('row_total', sumWhere(integer(1), []), INT),
      item('both', sumWhere(integer(1), present(reads)), INT),
      item('alike', sumWhere(integer(1), alike ? [alike] : []), INT),
    ],
    part('object_rows'),
  )
  const row = firstOf(await runStatement(base.ctes, body, context))
  return { rows: numberAt(row, 'row_total'), both: numberAt(row, 'both'), alike: numberAt(row, 'alike') }
}

/** If the database refuses the query, the answer is unknown. */
async function orNothing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GrainlineError && REFUSED.has(error.code)) return undefined
    throw error
  }
}

const REFUSED: ReadonlySet<string> = new Set([
  'DATABASE_ERROR',
  'NUMERIC_OVERFLOW',
  'TYPE_MISMATCH',
  'RESULT_TYPE_MISMATCH',
  'QUERY_TIMEOUT',
  'UNSUPPORTED_FUNCTION',
])
