import { modelColumns } from '../discovery/model-columns.js'
import { type Finding, fail, GrainlineError } from '../errors.js'
import { firstOf, itemAt, zip } from '../invariant.js'
import type { EvaluatedRelation, Evaluation, Evaluator } from '../language/evaluator.js'
import type { Language, ModelQuery, Program, Reading, RelationQuery, ShownColumn } from '../language/language.js'
import type { QueryJson } from '../language/query-json.js'
import { Lru } from '../lru.js'
import type { DataType } from '../model/data-type.js'
import { nearest } from '../nearest.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import { type AskedModel, askedModel } from './asked-model.js'
import { type CompileResult, clientOf, type ExecuteOptions, type ExecutionOutcome } from './asking.js'
import type { Asks } from './asks.js'
import { catalogueOf } from './catalogue.js'
import { defaultLimitOf, everyRow, wholeOrRefused } from './default-limit.js'
import { endable } from './endable.js'
import { KeptReadings, type ReadStatement } from './kept-readings.js'
import { limitBatches } from './limit-batches.js'
import { compileModelQuery, executeModelQuery } from './model-query.js'
import type { Models } from './models.js'
import { PlacesOfClients, placesOf } from './places-of-clients.js'
import { cutWarning } from './run-query.js'
import { sampleOf } from './sample-of.js'
import type { QueryService } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'
import { asOne, explainedSql } from './sql-result.js'
import type { CompiledModelQuery, SqlCompileResult, SqlExecution, SqlRequest, SqlService } from './sql-service.js'
import { withinSize } from './within-size.js'

type Asking = Pick<QueryService, 'compile' | 'execute'> & Pick<Models, 'modelReach'>

/** A statement that is evaluated. */
interface Evaluating {
  readonly statement: ReadStatement
  readonly request: SqlRequest
  readonly options: ExecuteOptions
}

/** How a statement was evaluated. */
interface Evaluated {
  readonly started: number
  readonly timezone: string
  readonly options: ExecuteOptions
}

function noLanguage(name: string, loaded: readonly string[]): never {
  const close = nearest(name, loaded)
  throw new GrainlineError('INVALID_REQUEST', `Language '${name.slice(0, 60)}' is not loaded; loaded are ${loaded.join(', ')}`, {
    path: 'language',
    suggestions: close.length > 0 ? close : loaded,
  })
}

/** Statements of SQL: each model query is answered like any other. */
export function createStatements(
  deps: ServiceDeps,
  asking: Asking,
): { readonly verbs: SqlService; readonly abortAll: () => void } {
  const catalogue = catalogueOf(deps)
  const running = new Set<AbortController>()
  const knownSchemas = new Lru<ResultSchema>({ maxEntries: 500, maxBytes: 2 ** 22 })
  // Statements have separate places: a statement that holds a place and waits for places for its model queries would wait for itself.
  const { most, waitMs } = placesOf(deps.settings)
  const places = new PlacesOfClients({ most: Math.max(1, most >> 1), waitMs })
  const { SEMANTIC_QL_STRICT: strict } = deps.settings
  const readings = new KeptReadings({
    maxEntries: deps.settings.COMPILE_CACHE_MAX_ENTRIES,
    maxBytes: deps.settings.COMPILE_CACHE_MAX_BYTES / SHARE_OF_READINGS,
    maxEntryBytes: deps.settings.COMPILE_CACHE_MAX_ENTRY_BYTES,
  })

  /** A language by its name, or else the first. Throws `INVALID_REQUEST` with the loaded names. */
  function languageOf(name: string | undefined): Language {
    if (name !== undefined) return deps.languages.has(name) ? deps.languages.get(name) : noLanguage(name, deps.languages.names())
    const [first] = deps.languages
    return (
      first ?? unsupported('No language of statements is loaded; add a plugin that registers one, such as @grainline/semantic-ql')
    )
  }

  /** The meaning of a statement; `defaultLimit` is that of an outer statement without its own. */
  function read(request: SqlRequest, defaultLimit?: number): Promise<ReadStatement> {
    const { sql: text, tree, target, asker, parameters = [] } = request
    const { models, chosen } = asking.modelReach(target)
    const named = models.map(askedModel)
    const scope = { models: named, chosen: named.find(({ handle }) => handle.modelId === chosen?.modelId) }
    const language = languageOf(request.language)
    return readings.get({ language: language.name, text, scope, parameters, defaultLimit }, deps.now(), async (now) =>
      programmed(
        await language.read({ text, tree, scope, parameters, now, client: clientOf(asker), ...catalogue() }),
        defaultLimit,
      ),
    )
  }

  function programmed(reading: Reading<AskedModel>, defaultLimit?: number): ReadStatement {
    if (reading.kind !== 'outer') return reading
    if (strict) unsupported('Only a single SELECT from one model is supported here, with plain dimensions and measures')
    return { kind: 'outer', program: reading.program({ evaluator: evaluator(), defaultLimit }) }
  }

  function evaluator(): Evaluator {
    const [first] = deps.evaluators
    return first ?? unsupported('No evaluator of outer statements is loaded, so only one SELECT from one model is supported')
  }

  function programOf(statement: ReadStatement, defaultLimit?: number): Program<AskedModel> | undefined {
    if (statement.kind === 'catalogue') return statement.evaluated?.program({ evaluator: evaluator(), defaultLimit })
    if (statement.kind !== 'outer') return undefined
    const { program } = statement
    if (program.modelQueries.length === 0) unsupported('The statement reads no model')
    return program
  }

  /** The query of a model query, in the form of any client. */
  function questionOf({ handle: { sessionId, modelId } }: AskedModel, query: QueryJson, { asker, dialect, checked }: SqlRequest) {
    return { asker, dialect, checked, query, target: { sessionId, modelId } }
  }

  const asksOf = (model: AskedModel, request: SqlRequest): Asks => ({
    question: (query) => questionOf(model, query, request),
    compile: asking.compile,
    execute: asking.execute,
  })

  function compileModelQueries({ modelQueries }: Program<AskedModel>, request: SqlRequest): Promise<CompiledModelQuery[]> {
    const compile = async (modelQuery: RelationQuery<AskedModel>) => ({
      name: modelQuery.name,
      model: firstOf(modelQuery.model.names),
      query: modelQuery.query,
      compiled: await compileModelQuery(modelQuery, asksOf(modelQuery.model, request)),
    })
    return Promise.all(modelQueries.map(compile))
  }

  /** Runs the work with a signal that is aborted by the caller's, and by the service when it closes. */
  async function stoppable<T>({ signal }: ExecuteOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const abort = () => controller.abort(signal?.reason)
    running.add(controller)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    try {
      return await work(controller.signal)
    } finally {
      running.delete(controller)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** The columns of a statement, found by evaluating it over no rows. */
  async function described(
    program: Program<AskedModel>,
    modelQueries: readonly CompiledModelQuery[],
    statement: ReadStatement,
  ): Promise<SqlCompileResult> {
    const ofModels = modelQueries.map(({ name, compiled }) => ({ name, schema: numbered(compiled.columns), batches: none() }))
    const relations = [...ofModels, ...(await systemOf(statement))]
    // The types of its inputs and its text determine the types of its results.
    const key = JSON.stringify([program.sql, relations.map(({ name, schema }) => [name, schema])])
    const schema = knownSchemas.get(key) ?? (await schemaOf(program.sql, relations))
    knownSchemas.set(key, schema, key.length * 2)
    return asOne(modelQueries, schema, program)
  }

  async function schemaOf(sql: string, relations: readonly EvaluatedRelation[]): Promise<ResultSchema> {
    return (await stoppable({}, (signal) => evaluator().evaluate({ sql, relations, signal }))).schema
  }

  /** The relations of a statement about the models. */
  async function systemOf(statement: ReadStatement): Promise<EvaluatedRelation[]> {
    const relations = statement.kind === 'catalogue' ? await statement.evaluated?.relations() : undefined
    return (relations ?? []).map(({ name, batch }) => ({ name, schema: batch.schema, batches: only(batch) }))
  }

  async function evaluated(program: Program<AskedModel>, { statement, request, options }: Evaluating): Promise<SqlExecution> {
    const started = performance.now()
    const modelQueries: CompiledModelQuery[] = await compileModelQueries(program, request)
    const ofModels = zip(program.modelQueries, modelQueries).map(([modelQuery, compiled]) =>
      relationOf(modelQuery, compiled, () => executeModelQuery(modelQuery, asksOf(modelQuery.model, request), everyRow(options))),
    )
    const relations = [...ofModels, ...(await systemOf(statement))]
    const { timeoutMs, timeoutSetting } = options
    const timeout = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(timeoutSetting !== undefined && { timeoutSetting }),
    }
    const leave = await places.enter(request.asker, options.signal)
    const evaluation = await stoppable(options, (signal) =>
      evaluator().evaluate({ sql: program.sql, relations, signal, client: clientOf(request.asker), ...timeout }),
    ).finally(leave)
    const timezone = program.modelQueries[0]?.model.model.settings.queryTimezone ?? 'UTC'
    return cutAt(evaluation, asOne(modelQueries, evaluation.schema, program), { started, timezone, options })
  }

  /** An evaluated answer, truncated at the default limit. */
  function cutAt({ schema, batches }: Evaluation, compiled: SqlCompileResult, { started, timezone, options }: Evaluated) {
    const tally = { rowCount: 0, truncated: false }
    // A limit that the statement sets itself is never a truncation.
    const limit = compiled.ownLimit ? undefined : defaultLimitOf(options, deps.settings)
    const elapsed = performance.now() - started
    const execution: SqlExecution = {
      compiled,
      schema,
      mayBeCut: limit !== undefined,
      batches: endable(withinSize(limitBatches(batches, limit, tally), deps.settings)),
      outcome: () => ({
        ...tally,
        warnings: tally.truncated ? [...compiled.warnings, cutWarning(tally.rowCount)] : compiled.warnings,
        executionTimeMs: elapsed,
        timezone,
      }),
    }
    return options.defaultLimit === 'sql' ? wholeOrRefused(execution) : execution
  }

  const compileSql = async (request: SqlRequest): Promise<SqlCompileResult> => compileRead(await read(request), request)

  async function compileRead(statement: ReadStatement, request: SqlRequest): Promise<SqlCompileResult> {
    if (statement.kind === 'explain')
      return asOne([], explainedSql(await compileRead(programmed(statement.reading), request)).schema, undefined)
    const program = programOf(statement)
    if (program) return described(program, await compileModelQueries(program, request), statement)
    if (statement.kind === 'model_query') {
      const { modelQuery, items } = statement
      return compiledModelQuery(modelQuery, items, await compileModelQuery(modelQuery, asksOf(modelQuery.model, request)))
    }
    if (statement.kind === 'catalogue' && statement.rows) return asOne([], statement.rows().schema, undefined)
    return refuseSession()
  }

  /** The columns of the available models. */
  async function columnsInReach(target: SqlRequest['target']): Promise<ResultSchema> {
    const { models } = asking.modelReach(target)
    return (await Promise.all(models.map(({ model }) => modelColumns(model, catalogue())))).flat()
  }

  const parametersOf = ({ sql, language, target, asker }: SqlRequest): Promise<readonly DataType[]> =>
    languageOf(language).parameterTypes(sql, () => columnsInReach(target), clientOf(asker))

  const verbs: SqlService = {
    compileSql,
    async describeSql(request) {
      const parameters = await parametersOf(request)
      const values = parameters.map((type, i) => request.parameters?.[i] ?? { value: sampleOf(type), type })
      const { columns, modelQueries } = await compileSql({ ...request, parameters: values, checked: false })
      const timezone = modelQueries[0]?.compiled.handle.model.settings.queryTimezone ?? 'UTC'
      return { columns, parameters, timezone }
    },
    async classifySql(request) {
      try {
        const statement = await read(request)
        programOf(statement)
        if (statement.kind === 'explain') return { kind: 'outer' }
        return statement.kind === 'catalogue' ? { kind: 'catalogue', about: statement.about } : { kind: statement.kind }
      } catch (error) {
        if (error instanceof GrainlineError) return { kind: 'refused', error }
        throw error
      }
    },
    sqlRelations: async (model) => languageOf(undefined).relations(model, catalogue()),
    async executeSql(request, options = {}) {
      const cut = defaultLimitOf(options, deps.settings)
      // One row more than is returned, so that a truncated answer is distinguished from a complete one.
      const defaultLimit = cut === undefined ? undefined : cut + 1
      const statement = await read(request, defaultLimit)
      const program = programOf(statement, defaultLimit)
      if (program) return evaluated(program, { statement, request, options })
      if (statement.kind === 'model_query') return executedModelQuery(statement.modelQuery, statement.items, { request, options })
      const batch =
        statement.kind === 'explain' ? explainedSql(await compileRead(programmed(statement.reading), request)) : rowsOf(statement)
      const asked = { started: performance.now(), timezone: 'UTC', options }
      return cutAt({ schema: batch.schema, batches: only(batch) }, asOne([], batch.schema, undefined), asked)
    },
  }

  async function executedModelQuery(
    modelQuery: ModelQuery<AskedModel>,
    items: readonly ShownColumn[],
    { request, options }: Pick<Evaluating, 'request' | 'options'>,
  ): Promise<SqlExecution> {
    const { query, preview } = modelQuery
    const cut = query.limit === undefined ? defaultLimitOf(options, deps.settings) : undefined
    const found = await executeModelQuery(modelQuery, asksOf(modelQuery.model, request), options, cut)
    const execution = preview && options.defaultLimit === 'sql' ? wholeOrRefused(found) : found
    const compiled = compiledModelQuery(modelQuery, items, execution.compiled)
    const shown = shownColumns(execution.batches, indexesOf(items, execution.schema), compiled.columns)
    const outcome = (): ExecutionOutcome => withNotices(modelQuery, execution.outcome())
    return { ...execution, compiled, schema: compiled.columns, batches: endable(shown), outcome }
  }

  return {
    verbs,
    abortAll() {
      for (const controller of running) controller.abort(new GrainlineError('SHUTTING_DOWN', 'The service is stopping'))
    },
  }
}

/** The part of the memory of compiled queries that kept readings of statements may take in addition. */
const SHARE_OF_READINGS = 8

/** The model query runs when its rows are first read, so that no statement holds a connection while another one is read. */
function relationOf(
  { name, columns }: RelationQuery,
  { compiled }: CompiledModelQuery,
  execute: () => Promise<{ readonly batches: AsyncIterable<RecordBatch> }>,
): EvaluatedRelation {
  if (columns.length !== compiled.columns.length)
    fail('INTERNAL_ERROR', `The query of ${name} has other columns than those requested`)
  async function* batches(): AsyncGenerator<RecordBatch> {
    yield* (await execute()).batches
  }
  return { name, schema: numbered(compiled.columns), batches: batches() }
}

/** A model query's columns by their names in the outer statement. */
const numbered = (schema: ResultSchema): ResultSchema => schema.map((column, i) => ({ ...column, name: `c${i + 1}` }))

/** The answer to a statement that reads no model. */
const rowsOf = (statement: ReadStatement): RecordBatch =>
  statement.kind === 'catalogue' && statement.rows ? statement.rows() : refuseSession()

function refuseSession(): never {
  return fail('WRITE_OPERATION_REJECTED', 'There is no session here that a statement could change', { path: 'sql' })
}

function unsupported(message: string): never {
  return fail('UNSUPPORTED_SQL_FEATURE', message, { path: 'sql', context: { clause: 'statement' } })
}

/** The position of each shown column in the answer of the query. */
const indexesOf = (items: readonly ShownColumn[], schema: ResultSchema): number[] =>
  items.map((item) => schema.findIndex((column) => column.name === item.column))

function compiledModelQuery(
  modelQuery: ModelQuery<AskedModel>,
  items: readonly ShownColumn[],
  compiled: CompileResult,
): SqlCompileResult {
  const shown = zip(items, indexesOf(items, compiled.columns)).map(([{ name }, index]) => ({
    ...itemAt(compiled.columns, index),
    name,
  }))
  const { model, query } = modelQuery
  const only = { name: 'model_query_1', model: firstOf(model.names), query, compiled: withNotices(modelQuery, compiled) }
  return {
    ...asOne([only], shown, undefined),
    kind: 'model_query',
  }
}

/** The result with what the statement says about its rows. */
const withNotices = <R extends { readonly warnings: readonly Finding[] }>({ notices = [] }: ModelQuery, result: R): R =>
  notices.length === 0 ? result : { ...result, warnings: [...result.warnings, ...notices] }

/** The batches with the columns that the statement shows, in its order. Nothing is copied. */
async function* shownColumns(
  batches: AsyncIterable<RecordBatch>,
  indexes: readonly number[],
  schema: ResultSchema,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    yield { schema, rowCount: batch.rowCount, columns: indexes.map((index) => batch.columns[index]!) }
  }
}

async function* none(): AsyncGenerator<RecordBatch> {}

async function* only(batch: RecordBatch): AsyncGenerator<RecordBatch> {
  yield batch
}
