import { GrainlineError } from '../../errors.js'
import type { VendorConnection } from '../../execute/vendor.js'
import { entryOf } from '../../invariant.js'
import { INT, isNumeric } from '../../model/data-type.js'
import { pairwiseEqual } from '../../model/join-term.js'
import { parseModelSync } from '../../model/load-model.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { clockAt } from '../../resolve/clock.js'
import { rowsOf, type Value } from '../../result/value-at.js'
import type { Catalogue } from '../../service/catalogue.js'
import type { Dialect } from '../../sql/dialect.js'
import { withInternalFunctions } from '../../sql/internal-functions.js'
import { baseRows } from '../../verify/base-rows.js'
import { numberAt, runStatement } from '../../verify/run-statement.js'
import { aggregate, item, part, select } from '../../verify/sql-parts.js'
import type { Ask, VerifyContext } from '../../verify/verify-context.js'
import { verifyEdge } from '../../verify/verify-edge.js'
import { verifyKey } from '../../verify/verify-object.js'
import type { DraftColumn, DraftTable } from './draft.js'
import { type ConnectProbe, dataObject } from './first-model.js'
import type { ColumnFacts, Probe } from './structure.js'

interface Database {
  readonly connection: VendorConnection
  readonly dialect: Dialect
  readonly catalogue: Catalogue
  readonly now: Date
}

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
    }
  }

/** A probe that knows nothing about the data. */
export const noProbe: ConnectProbe = (): Probe => ({
  facts: async () => undefined,
  unique: async () => undefined,
  follow: async () => undefined,
})

function contextOf(tables: readonly DraftTable[], { connection, dialect, catalogue, now }: Database): VerifyContext {
  const { functions, aggregates } = catalogue
  const model = modelOf(tables, catalogue)
  const { weekStart } = model.settings
  const time = { clock: clockAt(now, 'UTC', weekStart), zone: 'UTC', weekStart, naiveZone: undefined, leavesNaive: false }
  const storedTypes = new Map(
    tables.map(({ label, columns }) => [label, new Map(columns.map(({ name, sqlType }) => [name, { sqlType }]))]),
  )
  return {
    model,
    storedTypes,
    dialect,
    functions: withInternalFunctions(functions),
    aggregates,
    now,
    time,
    ask: askOn(connection),
  }
}

function modelOf(tables: readonly DraftTable[], catalogue: Catalogue): SemanticModel {
  const dataObjects = Object.fromEntries(tables.map((table) => [table.label, dataObject({ table, joins: [] }, undefined)]))
  const { model, errors } = parseModelSync({ json: { version: 1, dataObjects }, ...catalogue })
  if (!model) throw new GrainlineError('INTERNAL_ERROR', errors[0]?.message ?? 'the tables make no model')
  return model
}

function askOn(connection: VendorConnection): Ask {
  return async (sql, schema) => {
    const rows: Value[][] = []
    for await (const batch of connection.query(sql, { schema })) {
      rows.push(...rowsOf(batch, schema))
    }
    return rows
  }
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
    ...(isNumeric(type)
      ? [item(`${name}_min`, aggregate('min', [read], type), type), item(`${name}_max`, aggregate('max', [read], type), type)]
      : []),
  ])
  const body = select([item('row_total', aggregate('count', [], INT), INT), ...items], part('object_rows'))
  const [row] = await runStatement(base.ctes, body, context)
  const optional = (name: string): number | undefined => (row?.get(name) == null ? undefined : numberAt(row, name))
  return new Map(
    columns.map((column, i) => [
      column,
      {
        rows: numberAt(row, 'row_total'),
        present: numberAt(row, `column_${i + 1}_present`),
        distinct: numberAt(row, `column_${i + 1}_distinct`),
        min: optional(`column_${i + 1}_min`),
        max: optional(`column_${i + 1}_max`),
      },
    ]),
  )
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
