/** Small statements for the tests of rewrites, and their text in the SQL of most engines. */
import { DATE, type DataType, decimal, FLOAT, INT, STRING } from '../../core/src/model/data-type.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { clockAt } from '../../core/src/resolve/clock.js'
import { type RelationColumn, relationColumn } from '../../core/src/resolve/relation-column.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { renderStatement } from '../../core/src/sql/render.js'
import { standard } from '../../core/src/sql/standard.js'
import type { From, Query, SelectItem, SqlExpr, Statement } from '../../core/src/sql/statement.js'

/** The dialect of the tests: the SQL that most engines share, with examples for the parts that each engine defines. */
export const plain: Dialect = {
  ...standard,
  name: 'plain',
  nullSafeEqual: 'IS NOT DISTINCT FROM',
  byCodePoint: (value) => `EXACT(${value})`,
  aggregates: {
    ...standard.aggregates,
    listagg: ({ args, distinct, orderBy }) =>
      `LIST(${distinct ? 'DISTINCT ' : ''}${[args.join(', '), ...orderBy.map((key) => `ORDER BY ${key}`)].join(' ')})`,
  },
}

/** Columns of a table `t`, one for each kind of value. */
export const T = {
  n: relationColumn('t', 'n', INT),
  d: relationColumn('t', 'd', decimal(10, 2)),
  f: relationColumn('t', 'f', FLOAT),
  s: relationColumn('t', 's', STRING),
  day: relationColumn('t', 'day', DATE),
} as const

export const table = (name: string, alias = name): From => ({
  kind: 'table',
  source: { kind: 'table', database: undefined, schema: undefined, name },
  alias,
})

export const item = (alias: string, expression: SqlExpr, type: DataType): SelectItem => ({ alias, expression, type })
/** Columns under their own names. */
export const columns = (...all: readonly RelationColumn[]): SelectItem[] => all.map((c) => item(c.name, c, c.type))

export const statement = (body: Query, ctes: Statement['ctes'] = []): Statement => ({ kind: 'statement', ctes, body })

/** In one line. */
export function textOf(made: Statement, dialect: Dialect = plain): string {
  const clock = clockAt(new Date('2025-06-15T12:00:00Z'), 'UTC', 'monday')
  const time = { clock, zone: 'UTC', weekStart: 'monday', naiveZone: undefined, leavesNaive: false } as const
  const text = renderStatement(made, { dialect, functions: builtInFunctions, aggregates: builtInAggregates, time })
  return text.replace(/\s+/g, ' ').replaceAll('"', '')
}
