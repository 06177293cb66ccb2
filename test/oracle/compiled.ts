/** The subject of the comparison: the compiler of the core with DuckDB. */
import { compile, RULES } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import type { PhysicalTypes } from '../../core/src/model/stored-column.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import type { Ran, Refused, Run } from './compare.js'
import type { Engine } from './duckdb.js'
import { evaluate, type Outcome } from './evaluate.js'
import { asWritten, type ModelJson, type QueryJson, type Tables } from './model.js'
import { physicalOf } from './storage.js'
import { withoutRules } from './without-rules.js'

/** The clock of the oracle and the compiler. */
export const NOW = new Date('2026-01-15T12:00:00Z')

/** Names of rules, apart by commas; `all` for the canonical plan. */
export const WITHOUT: ReadonlySet<string> = rulesNamed(process.env['ORACLE_WITHOUT'])

function rulesNamed(names = ''): ReadonlySet<string> {
  return new Set(names === 'all' ? RULES : names.split(',').filter((name) => name !== ''))
}

const parsed = new WeakMap<ModelJson, SemanticModel>()

/** The model of a document, parsed once for all engines. Throws with the findings if a generated model is not valid. */
export function parseModelJson(document: ModelJson): SemanticModel {
  const known = parsed.get(document)
  if (known) return known
  const { model, errors } = parseModelSync({ json: asWritten(document) })
  if (!model) throw new Error(`the model does not load: ${errors.map((e) => `${e.path} ${e.message}`).join('; ')}`)
  parsed.set(document, model)
  return model
}

/** The compilation, with each rule for speed checked, but for those that ORACLE_WITHOUT names. */
export const compileQuery = (
  query: QueryJson,
  model: SemanticModel,
  now = NOW,
  physical?: PhysicalTypes,
  without: ReadonlySet<string> = WITHOUT,
): CompiledQuery =>
  compile(parseQuery(query), model, {
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now,
    storedTypes: physical ?? 'declared',
    // The answers of the others are compared.
    checksRules: without.size === 0 || without === WITHOUT,
    without,
  })

/** Whose questions are asked: of everybody, or of principals whom policies bind (`under-policies.ts`). */
export interface Asks {
  readonly modelOf: (document: ModelJson, query: QueryJson) => SemanticModel
  /** The oracle's answer, in place of that of an engine that cannot say the question. */
  readonly answerTo: (document: ModelJson, tables: Tables, query: QueryJson) => Outcome
  /** What holds for the asker besides the query, as a report shows it. */
  readonly conditionsOf?: (query: QueryJson) => readonly unknown[]
}

export const asEverybody: Asks = { modelOf: parseModelJson, answerTo: evaluate }

interface Known {
  readonly query: QueryJson
  readonly compiled: CompiledQuery | Refused
}

/**
 * Runs cases on one engine; tables are loaded again only if the tables, or the model that declares their columns, differ from the previous
 * case.
 */
export const runOn = (engine: Engine, without?: ReadonlySet<string>, asks = asEverybody): Run => runsOn(engine, asks)(without)

/** Runs of the same cases without these rules or those; `known` is the compilation of one of them. */
export function runsOn(engine: Engine, asks = asEverybody): (without?: ReadonlySet<string>, known?: Known) => Run {
  let loaded: { readonly document: ModelJson; readonly tables: Tables } | undefined
  return (without, known) => async (document, tables, query) => {
    const compiled = known?.query === query ? known.compiled : compiledOrRefused(query, document, without, asks)
    if ('refused' in compiled) return compiled
    if (loaded?.document !== document || loaded.tables !== tables) await engine.load(document, tables)
    loaded = { document, tables }
    return execute(engine, compiled)
  }
}

/** The compilations of a case without rules. */
export const variantsOf = (document: ModelJson, query: QueryJson, asks = asEverybody) =>
  withoutRules((without) => compiledOrRefused(query, document, without, asks)).flatMap(({ without, compiled }) =>
    compiled ? [{ without, compiled }] : [],
  )

interface Whole {
  readonly document: ModelJson
  readonly asks: Asks
  readonly compiled: CompiledQuery | Refused
}
/** With every rule, a question is compiled once: it is asked, and tells which rules can be left out. */
const wholes = new WeakMap<QueryJson, Whole>()

function compiledOrRefused(
  query: QueryJson,
  document: ModelJson,
  without: ReadonlySet<string> = WITHOUT,
  asks: Asks,
): CompiledQuery | Refused {
  if (without.size > 0) return compiledNow(query, document, without, asks)
  const known = wholes.get(query)
  if (known?.document === document && known.asks === asks) return known.compiled
  const compiled = compiledNow(query, document, without, asks)
  wholes.set(query, { document, asks, compiled })
  return compiled
}

function compiledNow(
  query: QueryJson,
  document: ModelJson,
  without: ReadonlySet<string>,
  { modelOf }: Asks,
): CompiledQuery | Refused {
  try {
    return compileQuery(query, modelOf(document, query), NOW, physicalOf(document, duckdb), without)
  } catch (error) {
    if (error instanceof GrainlineError) return { refused: error.code, why: error.message }
    throw error
  }
}

async function execute(engine: Engine, { sql, columns }: CompiledQuery): Promise<Ran> {
  try {
    const { types, rows } = await engine.query(sql)
    const misfit = columns.find((c, i) => !fits(c.type, types[i] ?? ''))
    if (misfit)
      throw new Error(
        `column ${misfit.name} is planned as ${JSON.stringify(misfit.type)} and arrives as ${types[columns.indexOf(misfit)]}`,
      )
    return { columns: columns.map((c) => c.name), rows, sql }
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { sql })
  }
}

/** True if a column of the engine's type has the planned type; a reader widens decimals of the same scale. */
function fits(type: CompiledQuery['columns'][number]['type'], sqlType: string): boolean {
  switch (type.kind) {
    case 'decimal':
      return (
        new RegExp(`^DECIMAL\\(\\d+,${type.scale}\\)$`).test(sqlType) || (type.scale === 0 && /^(HUGE|BIG)INT$/.test(sqlType))
      )
    case 'int':
      return /^(TINY|SMALL|BIG)?INT(EGER)?$/.test(sqlType)
    default:
      return (
        sqlType ===
        {
          float: 'DOUBLE',
          string: 'VARCHAR',
          boolean: 'BOOLEAN',
          date: 'DATE',
          timestamp: 'TIMESTAMP',
          timestamp_tz: 'TIMESTAMP WITH TIME ZONE',
          time: 'TIME',
          json: 'JSON',
        }[type.kind]
      )
  }
}
