import {
  builtInAggregates,
  builtInFunctions,
  type CompiledQuery,
  compile,
  GrainlineError,
  parseQuery,
  type SemanticModel,
} from '@grainline/core'
import { postgres } from '@grainline/dialect-postgres'
import { parseDay, parseMoment } from '../../oracle/calendar.js'
import type { Ran, Refused, Run } from '../../oracle/compare.js'
import { NOW, parseModelJson } from '../../oracle/compiled.js'
import { loadStatements } from '../../oracle/duckdb.js'
import type { ModelJson, QueryJson, Tables } from '../../oracle/model.js'
import { int, parseDec, type Value } from '../../oracle/values.js'
import type { Cell } from '../../support/answers.js'
import { askPostgres } from './answer.js'
import type { Client } from './client.js'

/** Runs generated cases on PostgreSQL; tables are loaded anew only where they are not those of the case before. */
export function runOracleOn(client: Client): Run {
  let loaded: Tables | undefined
  let parsed: { readonly document: ModelJson; readonly model: SemanticModel } | undefined
  return async (document, tables, query) => {
    if (parsed?.document !== document) parsed = { document, model: parseModelJson(document) }
    const compiled = compiledOrRefused(query, parsed.model)
    if ('refused' in compiled) return compiled
    if (loaded !== tables) await client.query(forPostgres(loadStatements(document, tables)))
    loaded = tables
    return execute(client, compiled)
  }
}

function compiledOrRefused(query: QueryJson, model: SemanticModel): CompiledQuery | Refused {
  try {
    return compile(parseQuery(query), model, {
      dialect: postgres,
      functions: builtInFunctions,
      aggregates: builtInAggregates,
      now: NOW,
    })
  } catch (error) {
    if (error instanceof GrainlineError) return { refused: error.code, why: error.message }
    throw error
  }
}

async function execute(client: Client, { sql, columns }: CompiledQuery): Promise<Ran> {
  try {
    const { rows } = await askPostgres(client, sql, columns)
    return {
      columns: columns.map((c) => c.name),
      rows: rows.map((row) => row.map((cell, i) => cellToValue(cell, columns[i]!.type.kind))),
      sql,
    }
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { sql })
  }
}

/** A table that is loaded anew may have other columns. */
const forPostgres = (statements: string): string =>
  `SET client_min_messages = warning; ${statements
    .replace(/^CREATE OR REPLACE TABLE ("(?:[^"]|"")*")/gm, 'DROP TABLE IF EXISTS $1; CREATE TABLE $1')
    .replace(/" DOUBLE\b/g, '" DOUBLE PRECISION')}`

function cellToValue(cell: Cell, kind: string): Value {
  if (cell === null || typeof cell !== 'string') return cell
  switch (kind) {
    case 'int':
      return int(BigInt(cell))
    case 'decimal':
      return parseDec(cell)!
    case 'date':
      return parseDay(cell)!
    case 'timestamp':
      return parseMoment(cell)!
    default:
      return cell
  }
}
