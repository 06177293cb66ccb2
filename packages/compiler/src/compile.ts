import type { AnyModel, Query } from '@grainline/client'
import {
  builtInAggregates,
  builtInFunctions,
  compile as compileWith,
  formatDataType,
  GrainlineError,
  parseQuery,
} from '@grainline/core/compiler'
import { dialectByName } from './dialect-by-name.js'
import type { Finding, Model } from './model.js'
import { semanticModelOf } from './semantic-models.js'

export interface CompileOptions {
  /** One of `dialects`. */
  readonly dialect: string
  /** The clock of relative dates and `current_date()`. Default: the current time. */
  readonly now?: Date
  /** The limit of a query that has none. */
  readonly defaultLimit?: number
  /** How columns without `sqlType` are stored: as they are declared (the default), or not known, so that each is cast. */
  readonly storedTypes?: 'declared' | 'unknown'
}

export interface Column {
  readonly name: string
  readonly type: string
  readonly role: 'dimension' | 'measure' | 'metric' | 'grouping' | 'field' | 'display'
}

/** The SQL of a query, and what is known of its answer. */
export interface Compiled {
  readonly sql: string
  readonly dialect: string
  readonly columns: readonly Column[]
  readonly warnings: readonly Finding[]
  /** `DATABASE.SCHEMA.TABLE` of each table that is read. */
  readonly tables: readonly string[]
}

/** Writes the SQL of a query. Throws an error that `refusalOf` reads. */
export function compile(model: Model, query: Query<AnyModel> | object, options: CompileOptions): Compiled {
  const dialect = dialectByName.get(options.dialect)
  if (dialect === undefined)
    throw new TypeError(`There is no dialect '${options.dialect}'; choose one of ${[...dialectByName.keys()].join(', ')}`)
  const { sql, columns, warnings, physical_tables } = compileWith(parseQuery(query), semanticModelOf(model), {
    dialect,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: options.now ?? new Date(),
    storedTypes: options.storedTypes ?? 'declared',
    ...(options.defaultLimit !== undefined && { defaultLimit: options.defaultLimit }),
  })
  const shown = columns.map(({ name, type, role }) => ({ name, type: formatDataType(type), role }))
  return { sql, dialect: dialect.name, columns: shown, warnings, tables: physical_tables }
}

/** The reason why a query was refused; `undefined` for any other error. */
export const refusalOf = (error: unknown): Finding | undefined =>
  error instanceof GrainlineError ? error.toFinding() : undefined
