/** The corpus, the truth table of functions and generated queries, on any real engine: an engine defines how it is loaded and queried. */
import { DuckDBInstance } from '@duckdb/node-api'
import {
  builtInAggregates,
  builtInFunctions,
  type CompiledQuery,
  compile,
  GrainlineError,
  parseQuery,
  type SemanticModel,
} from '@grainline/core'
import type { Dialect } from '@grainline/core/dialect'
import type { PhysicalTypes } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import type tap from 'tap'
import { compileFor, dataSql, modelText, readQuestions } from '../corpus/corpus.js'
import { functionCases } from '../corpus/function-table.js'
import { type HopCase, hopConditions, hopHours, hopModel, hopTables, hopValues } from '../corpus/repeated-hour.js'
import { shownRows, specialCases, specialModel, specialTables } from '../corpus/special-numbers.js'
import { trickyCases, trickyModel, trickyTables } from '../corpus/tricky.js'
import { runBatch } from '../oracle/batch.js'
import { parseDay, parseMoment } from '../oracle/calendar.js'
import type { Ran, Refused, Run } from '../oracle/compare.js'
import { asEverybody, NOW, WITHOUT } from '../oracle/compiled.js'
import { loadStatements } from '../oracle/duckdb.js'
import type { Case } from '../oracle/generate/case.js'
import { KINDS_OF_DATA, kindsNamed, type Later } from '../oracle/generate/later.js'
import type { ModelJson, QueryJson, Tables } from '../oracle/model.js'
import { physicalOf, type Stores } from '../oracle/storage.js'
import { Day, int, Moment, parseDec, type Value } from '../oracle/values.js'
import { withoutRules } from '../oracle/without-rules.js'
import { CASES_OF_A_MODEL, oneIn, PART } from '../support/amount.js'
import { type Answer, ask, type Cell, difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { orSkip } from './or-skip.js'
import type { Deviations, Witness } from './witness.js'

/** INTEROP=sample: a run of CI asks the engines that plan slowly a part, another one for each commit (scripts/run-tests.mjs). */
export const sampled = <T>(full: T, sample: T): T => (process.env['INTEROP'] === 'sample' ? sample : full)
/** All of them, or a twentieth. */
const sample = <T>(all: readonly T[]): readonly T[] => sampled(all, oneIn(20, all))
/** What needs another start of a slow server, such as its death within an answer: one in four commits asks it, and every full run. */
export const restartsServer = (): boolean => sampled(true, PART % 4 === 0)
/** Generated queries of each kind in a sample, of whole models, and the number of such samples that commits take in turn. */
const [SAMPLE, SAMPLES] = [2 * CASES_OF_A_MODEL, 31]

/** The part of tap that a suite uses. */
export type SuiteTest = Pick<typeof tap, 'comment' | 'plan' | 'setTimeout' | 'teardown' | 'test'>

export interface Engine {
  readonly dialect: Dialect
  /** Runs statements in the SQL of `test/corpus/data.sql` and of the oracle's tables, both in the dialect of DuckDB. */
  readonly load: (statements: string) => Promise<void>
  /** Throws if the statement fails or a column does not have its planned type. */
  readonly ask: (sql: string, columns: CompiledQuery['columns']) => Promise<Answer>
  readonly close: () => Promise<void>
  /** Error codes of this engine: a query that it cannot express is refused by name, and so is not run. */
  readonly refuses?: (error: GrainlineError) => boolean
  /** Kinds of data that its tables can contain; no others are generated. */
  readonly holds?: ReadonlySet<Later>
  /** Kinds of questions whose statements are beyond its planner, for a reason that docs/how-it-is-tested.md names; none of them are generated. */
  readonly beyond?: ReadonlySet<Later>
  /** How its tables store columns with a type other than the declared one, in the SQL that `load` accepts; by default as DuckDB does. */
  readonly stores?: Stores
  /** Why the answer to a statement is not evidence here, from its witness. */
  readonly unproven?: Witness['unproven']
  /** A check of such a statement: throws if it is not valid in the language. */
  readonly analyse?: (sql: string) => Promise<void>
}

/** An engine, or a sentence why there is none here, which the test prints when it is skipped. */
export type OpenEngine = () => Promise<Engine | string>

/** Opens the engine for one test file. */
export const withEngine = (
  t: Pick<SuiteTest, 'plan' | 'teardown'>,
  open: OpenEngine,
  body: (engine: Engine) => Promise<void> | void,
): Promise<void> => orSkip(t, open, (engine) => engine.close(), body)

type Suite<E extends Engine> = (t: SuiteTest, open: () => Promise<E>) => Promise<void>

/** Several suites on one engine, for engines whose start takes as long as many queries. */
export const suitesOn = <E extends Engine>(
  t: SuiteTest,
  open: () => Promise<E | string>,
  suites: Readonly<Record<string, Suite<E>>>,
): Promise<void> =>
  orSkip(
    t,
    open,
    (engine) => engine.close(),
    (engine) => {
      t.setTimeout(LONG)
      const kept = { ...engine, close: async () => {} }
      for (const [name, suite] of Object.entries(suites))
        t.test(name, (t) => {
          t.setTimeout(LONG)
          return suite(t, async () => kept)
        })
    },
  )

/** In milliseconds. The suites have their own time limits. */
const LONG = 3_600_000

/** Every query of the corpus: the same rows and types as on DuckDB. */
export const corpusOn = (t: SuiteTest, open: OpenEngine, { deviations = {} }: Witness): Promise<void> =>
  withEngine(t, open, async (engine) => {
    const model = loadText(modelText())
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    t.teardown(() => connection.closeSync())
    await connection.run(`SET TimeZone = 'UTC'; ${dataSql()}`)
    await engine.load(dataSql())
    for (const { name, query, ordered = false } of sample(readQuestions())) {
      t.test(name, { skip: deviations[name] ?? false }, async (t) => {
        const compiled = unlessRefused(engine, () => compileFor(engine.dialect, query, model))
        if (!compiled) return void t.pass('refused by name')
        if (await isUnproven(t, engine, compiled.sql)) return
        const wanted = await ask(connection, compileFor(duckdb, query, model).sql)
        t.equal(difference(await engine.ask(compiled.sql, compiled.columns), wanted, ordered), undefined, compiled.sql)
      })
    }
  })

/** Every portable function against its truth table, then names and texts that could end their quotes. */
export const functionsOn = (t: SuiteTest, open: OpenEngine, deviations: Deviations = {}): Promise<void> =>
  withEngine(t, open, (engine) => {
    for (const { name, tables, model, query, expected } of sample(functionCases())) {
      t.test(name, { skip: deviations[name] ?? false }, async (t) => {
        const compiled = unlessRefused(engine, () => compileFor(engine.dialect, query, model))
        if (!compiled) return void t.pass('refused by name')
        await engine.load(tables)
        if (await isUnproven(t, engine, compiled.sql)) return
        t.equal(difference(await engine.ask(compiled.sql, compiled.columns), expected, true), undefined, compiled.sql)
      })
    }
    const names = 'names and texts that could break out of their quotes'
    t.test(names, { skip: deviations[names] ?? false }, async (t) => {
      await engine.load(trickyTables())
      const model = trickyModel()
      for (const { name, query, expected } of trickyCases()) {
        const { sql, columns } = compileFor(engine.dialect, query, model)
        t.equal(difference(await engine.ask(sql, columns), expected, true), undefined, name)
      }
    })
  })

/** NaN, the infinities and −0 as data, on an engine that supports them. */
export const specialNumbersOn = (t: SuiteTest, open: OpenEngine, deviations: Deviations = {}): Promise<void> =>
  withEngine(t, open, async (engine) => {
    await engine.load(specialTables())
    const model = specialModel()
    for (const { name, query, rows } of sample(specialCases()))
      t.test(name, { skip: deviations[name] ?? false }, async (t) => {
        const compiled = unlessRefused(engine, () => compileFor(engine.dialect, query, model))
        if (!compiled) return void t.pass('refused by name')
        t.same(shownRows(await engine.ask(compiled.sql, compiled.columns)), shownRows({ rows }), compiled.sql)
      })
  })

/**
 * Two times in one expression in an hour that clocks show twice: in queries and in computed columns, for columns that are declared as
 * instants and as local times.
 */
export const repeatedHourOn = (t: SuiteTest, open: OpenEngine): Promise<void> =>
  withEngine(t, open, async (engine) => {
    await engine.load(hopTables())
    const rowsOf = async (query: object, model: SemanticModel): Promise<Answer['rows']> => {
      const { sql, columns } = compileFor(engine.dialect, query, model)
      return (await engine.ask(sql, columns)).rows
    }
    const valuesOf = async (query: object, model: SemanticModel) =>
      Object.fromEntries((await rowsOf(query, model)).flatMap(([id, value]) => (value === null ? [] : [[id, value]])))
    const dimension = ({ expression, timezone }: HopCase) => ({
      select: { dimensions: ['Id', { expression, as: 'Value' }] },
      ...(timezone && { timezone }),
    })
    const fields = { select: { fields: ['Hops.Id', 'Hops.Computed'] } }
    for (const declared of ['timestamp_tz', 'timestamp'] as const) {
      const model = hopModel(declared)
      for (const { condition, ids } of hopConditions)
        t.test(`${declared}: ${condition}`, async (t) => {
          const query = { select: { fields: ['Hops.Id'] }, where: [{ expression: condition }] }
          const found = await rowsOf(query, model)
          t.same(
            found.map(([id]) => Number(id)).sort((a, b) => a - b),
            ids,
            compileFor(engine.dialect, query, model).sql,
          )
        })
      for (const asked of [...hopValues, ...hopHours])
        t.test(`${declared}: ${asked.expression} ${asked.timezone ?? ''}`, async (t) =>
          t.same(await valuesOf(dimension(asked), model), asked.truth, compileFor(engine.dialect, dimension(asked), model).sql),
        )
    }
    for (const { expression, truth } of hopValues)
      t.test(`computed: ${expression}`, async (t) => t.same(await valuesOf(fields, hopModel('timestamp', expression)), truth))
  })

/** The number of queries of each kind, and the number of the first. */
interface Asked {
  readonly kinds: Parameters<typeof kindsNamed>[0]
  readonly from: number
  readonly count: number
}
export const ofEachKind = (count: number, from = 0): readonly Asked[] => [
  { kinds: 'the basic language', from, count },
  { kinds: 'every kind of metric', from, count },
  { kinds: 'several ways and bridge tables', from: Math.ceil(from / 5), count: Math.ceil(count / 5) },
]

/** Generated queries compared with the oracle, 500 per engine: ORACLE_SEED selects others, ORACLE_CASES how many of each kind. */
export async function oracleOn(
  t: SuiteTest,
  open: OpenEngine,
  asked = sampled(ofEachKind(250), ofEachKind(SAMPLE, (PART % SAMPLES) * SAMPLE)),
): Promise<void> {
  const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
  const cases = process.env['ORACLE_CASES']
  const sizes = asked.map((a) => ({ ...a, count: cases === undefined ? a.count : Number(cases) }))
  // How long an engine plans a question depends on the machine: only a file that no longer answers is ended (scripts/run-tests.mjs).
  t.setTimeout(LONG)
  await withEngine(t, open, (engine) => {
    for (const { kinds, from, count } of sizes) {
      const which = from === 0 ? `${count}` : `the ${from + 1}st to ${from + count}th`
      t.test(`${which} generated queries of ${kinds} have the answers of the oracle (ORACLE_SEED=${seed})`, async (t) => {
        t.setTimeout(LONG)
        const later = heldBy(engine, kindsNamed(kinds))
        const { run, unsaid } = oracleRun(engine)
        const { answered, rows, refusals, failures } = await runBatch(run, seed, { from, count, later })
        t.comment(`${answered} answered with ${rows} rows; refused: ${JSON.stringify(refusals)}; beyond the engine: ${unsaid()}`)
        for (const failure of failures) t.fail(failure)
        // With few cases, the number of refusals depends on chance.
        const [least, most] = count < 100 ? [0, 1] : [0.6, 0.3]
        t.ok(failures.length > 0 || (answered > count * least && unsaid() < count * most), 'questions have answers')
      })
    }
  })
}

/** The kinds, except kinds of data that its tables cannot contain. */
export const heldBy = ({ holds, beyond }: Pick<Engine, 'holds' | 'beyond'>, kinds: readonly Later[]): readonly Later[] =>
  kinds.filter((kind) => !beyond?.has(kind) && (holds?.has(kind) || !KINDS_OF_DATA.has(kind)))

/** At least analysed, if the engine computes wrong results. */
async function isUnproven(t: Pick<typeof tap, 'resolves' | 'pass'>, engine: Engine, sql: string): Promise<boolean> {
  const fault = engine.unproven?.(sql)
  if (fault === undefined) return false
  await t.resolves(engine.analyse?.(sql) ?? Promise.resolve(), sql)
  t.pass('the answer is no evidence', { skip: fault })
  return true
}

function unlessRefused<T>({ refuses }: Engine, make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof GrainlineError && refuses?.(error)) return undefined
    throw error
  }
}

interface OracleRun {
  readonly run: Run
  /** Runs of a case without rules, as `withoutRules` lists them. */
  readonly variants: (one: Case) => readonly Run[]
  readonly unsaid: () => number
}

interface Known {
  readonly query: QueryJson
  readonly compiled: ReturnType<typeof compiledOrRefused>
}

/**
 * Runs generated cases; tables are loaded again only if the tables, or the model that declares their columns, differ from the previous
 * case. `unsaid` counts the cases that the engine cannot express.
 */
export function oracleRun(engine: Engine, { modelOf, answerTo } = asEverybody): OracleRun {
  let loaded: { readonly document: ModelJson; readonly tables: Tables } | undefined
  let latest: { readonly document: ModelJson; readonly stored: ModelJson } | undefined
  let beyond = 0
  const storedOf = (document: ModelJson): ModelJson => {
    if (latest?.document !== document) latest = { document, stored: asJson(document) }
    return latest.stored
  }
  const compiledOf = (document: ModelJson, query: QueryJson, without: ReadonlySet<string>) =>
    compiledOrRefused(engine, {
      ...{ query, without },
      model: modelOf(storedOf(document), query),
      physical: physicalOf(document, engine.dialect, engine.stores),
    })
  const runWithout =
    (without: ReadonlySet<string>, known?: Known): Run =>
    async (document, tables, query) => {
      const stored = storedOf(document)
      const compiled = known?.query === query ? known.compiled : compiledOf(document, query, without)
      if (compiled === undefined) {
        if (!known) beyond++
        return answerTo(document, tables, query)
      }
      if ('refused' in compiled) return compiled
      if (loaded?.document !== document || loaded.tables !== tables)
        await engine.load(loadStatements(stored, tables, engine.stores))
      loaded = { document, tables }
      if (engine.unproven?.(compiled.sql)) {
        await engine.analyse?.(compiled.sql)
        if (!known) beyond++
        return answerTo(document, tables, query)
      }
      return execute(engine, compiled)
    }
  const run = runWithout(WITHOUT)
  const variants = ({ model, query }: Case): readonly Run[] =>
    withoutRules((without) => compiledOf(model, query, without)).map(({ without, compiled }) =>
      runWithout(without, { query, compiled }),
    )
  return { run, variants, unsaid: () => beyond }
}

/** Every array as JSON, which all engines support; the same document if there is none. */
const asJson = (document: ModelJson): ModelJson => (hasArrays(document) ? withJson(document) : document)

const hasArrays = ({ dataObjects }: ModelJson): boolean =>
  Object.values(dataObjects).some(({ columns }) => Object.values(columns).some(({ abstractType }) => abstractType === 'json'))

const withJson = (document: ModelJson): ModelJson => ({
  ...document,
  dataObjects: mapValues(document.dataObjects, (object) => ({
    ...object,
    columns: mapValues(object.columns, (column) => (column.abstractType === 'json' ? { ...column, sqlType: 'json' } : column)),
  })),
})

const mapValues = <T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

interface Compilation {
  readonly query: QueryJson
  readonly model: SemanticModel
  readonly physical: PhysicalTypes | undefined
  readonly without: ReadonlySet<string>
}

/** Undefined if the engine cannot express it. */
function compiledOrRefused(
  engine: Engine,
  { query, model, physical, without }: Compilation,
): CompiledQuery | Refused | undefined {
  const context = {
    dialect: engine.dialect,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes: physical ?? ('declared' as const),
    without,
  }
  try {
    return unlessRefused(engine, () => compile(parseQuery(query), model, context))
  } catch (error) {
    if (error instanceof GrainlineError) return { refused: error.code, why: error.message }
    throw error
  }
}

export async function execute(engine: Pick<Engine, 'ask'>, { sql, columns }: CompiledQuery): Promise<Ran> {
  try {
    const { rows } = await engine.ask(sql, columns)
    return {
      columns: columns.map((c) => c.name),
      rows: rows.map((row) => row.map((cell, i) => cellToValue(cell, columns[i]!.type.kind))),
      sql,
    }
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { sql })
  }
}

function cellToValue(cell: Cell, kind: string): Value {
  if (cell === null || typeof cell !== 'string') return cell
  switch (kind) {
    case 'int':
      return int(BigInt(cell))
    case 'decimal':
      return parseDec(cell)!
    case 'date':
      return dayOf(cell)
    case 'timestamp':
    case 'timestamp_tz':
      return momentOf(cell.replace(/\+00(?=$| BC$)/, ''))
    default:
      return cell
  }
}

const dayOf = (cell: string): Value => {
  const { text, days } = nearby(cell)
  return new Day(parseDay(text)!.days + days)
}

const momentOf = (cell: string): Value => {
  const { text, days } = nearby(cell)
  return new Moment(parseMoment(text)!.micros + days * 86_400_000_000)
}

/**
 * The week before 0001-01-01 belongs to the year 0, the day after 9999-12-31 to 10000. Every period of four hundred years has the same
 * number of days.
 */
function nearby(cell: string): { readonly text: string; readonly days: number } {
  const [, digits, rest, era] = /^([+-]?\d+)(-.*?)( BC)?$/.exec(cell)!
  const year = era === undefined ? Number(digits) : 1 - Number(digits)
  if (year >= 1 && year <= 9999) return { text: cell, days: 0 }
  const cycles = Math.floor((year - 2000) / 400)
  return { text: `${year - cycles * 400}${rest}`, days: cycles * 146_097 }
}
