import { modelColumns } from '../discovery/model-columns.js'
import { fail, GrainlineError } from '../errors.js'
import type { DataType } from '../model/data-type.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import { type Leaf, type Program, readProgram } from '../semantic-ql/around/statement.js'
import { fieldsOf, tablesOf } from '../semantic-ql/catalogue.js'
import type { EvaluatedRelation, Evaluation, Evaluator } from '../semantic-ql/evaluator.js'
import { SYSTEM_RELATIONS, systemRelations } from '../semantic-ql/information-schema.js'
import { furtherFacts, type ModelScope } from '../semantic-ql/model-scope.js'
import type { ModelSelect } from '../semantic-ql/model-select.js'
import type { NamedModel } from '../semantic-ql/named-model.js'
import { parameterTypes, sampleOf } from '../semantic-ql/parameter-types.js'
import { betweenSteps, parseSql } from '../semantic-ql/parse-sql.js'
import type { QueryJson } from '../semantic-ql/query-json.js'
import { type CatalogueQuestion, readSql, type SqlReading } from '../semantic-ql/read-sql.js'
import { unsupported } from '../semantic-ql/refusal.js'
import { relationColumns } from '../semantic-ql/relation-columns.js'
import type { CompileResult, ExecuteOptions } from './asking.js'
import { catalogueOf } from './catalogue.js'
import { defaultLimitOf, wholeOrRefused } from './default-limit.js'
import { endable } from './endable.js'
import { explainedSql } from './explained-sql.js'
import type { ModelHandle } from './held-models.js'
import { type Asks, compileLeaf, executeLeaf } from './leaf-rows.js'
import { limitBatches } from './limit-batches.js'
import type { Models } from './models.js'
import { PlacesOfClients, placesOf } from './places-of-clients.js'
import { cutWarning } from './run-query.js'
import type { SemanticService } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'
import { asOne } from './sql-result.js'
import type { SqlCompileResult, SqlExecution, SqlLeaf, SqlRequest, SqlService } from './sql-service.js'
import { withinSize } from './within-size.js'

type Asking = Pick<SemanticService, 'compile' | 'execute'> & Pick<Models, 'modelReach'>

interface AskedModel extends NamedModel {
  readonly handle: ModelHandle
}

interface Read {
  readonly reading: SqlReading<AskedModel>
  readonly scope: ModelScope<AskedModel>
}

/** A statement that is evaluated. */
interface Evaluating {
  readonly found: Read
  readonly request: SqlRequest
  readonly options: ExecuteOptions
}

/** How a statement was evaluated. */
interface Evaluated {
  readonly started: number
  readonly timezone: string
  readonly options: ExecuteOptions
}

/** Statements of SQL: each leaf is a query that the service answers like any other. */
export function createSemanticQl(
  deps: ServiceDeps,
  asking: Asking,
): { readonly verbs: SqlService; readonly abortAll: () => void } {
  const catalogue = catalogueOf(deps)
  const running = new Set<AbortController>()
  // Of their own: a statement that waited for places of its leaves while it holds one would wait for itself.
  const { most, waitMs } = placesOf(deps.settings)
  const places = new PlacesOfClients({ most: Math.max(1, most >> 1), waitMs })
  const { SEMANTIC_QL_STRICT: strict } = deps.settings

  async function read({ sql, target, parameters = [] }: SqlRequest): Promise<Read> {
    const { models, chosen } = asking.modelReach(target)
    const named = models.map(namedModel)
    const scope = { models: named, chosen: named.find(({ handle }) => handle.modelId === chosen?.modelId) }
    const reading = await readSql({ text: sql, scope, parameters, now: deps.now(), ...catalogue() })
    await betweenSteps(sql)
    if (strict && reading.kind === 'around') {
      unsupported('statement', 'Only a single SELECT from one model is answered here, of its dimensions and measures as they are')
    }
    return { reading, scope }
  }

  function evaluator(): Evaluator {
    const [first] = deps.evaluators
    return (
      first ??
      unsupported(
        'statement',
        'Nothing that evaluates statements around models is loaded, so only one SELECT from one model is answered',
      )
    )
  }

  function programOf({ reading, scope }: Read, limit?: number): Program<AskedModel> | undefined {
    const asked = reading.kind === 'catalogue' ? reading.about : reading
    if (asked.kind !== 'around' && asked.kind !== 'constant' && asked.kind !== 'system') return undefined
    if (asked.stmt === undefined) return undefined
    const made = asked.kind === 'system' ? SYSTEM_RELATIONS : undefined
    const options = { models: scope, evaluator: evaluator(), defaultLimit: limit, ...(made && { made }) }
    const program = readProgram(asked.stmt, asked.context, options)
    if (asked.kind === 'around' && program.leaves.length === 0) unsupported('statement', 'The statement reads no model')
    return program
  }

  /** The question of a leaf, as any other client would ask it. */
  function questionOf({ handle: { sessionId, modelId } }: AskedModel, query: QueryJson, { asker, dialect, checked }: SqlRequest) {
    return { asker, dialect, checked, query, target: { sessionId, modelId } }
  }

  const asksOf = (model: AskedModel, request: SqlRequest): Asks => ({
    question: (query) => questionOf(model, query, request),
    compile: asking.compile,
    execute: asking.execute,
    schema: async () => (await relationColumns(model, catalogue())).schema,
  })

  function compileLeaves({ leaves }: Program<AskedModel>, request: SqlRequest): Promise<SqlLeaf[]> {
    const compile = async (leaf: Leaf<AskedModel>) => ({
      name: leaf.name,
      model: leaf.model.names[0]!,
      query: leaf.query,
      compiled: await compileLeaf(leaf, asksOf(leaf.model, request)),
    })
    return Promise.all(leaves.map(compile))
  }

  /** Runs the work under a signal that ends with the caller's, and with the service. */
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

  /** What the columns of a statement are, found by evaluating it over no rows. */
  async function described(program: Program<AskedModel>, leaves: readonly SqlLeaf[], found: Read): Promise<SqlCompileResult> {
    const ofLeaves = leaves.map(({ name, compiled }) => ({ name, schema: numbered(compiled.columns), batches: none() }))
    const relations = [...ofLeaves, ...(await systemOf(found))]
    const { schema } = await stoppable({}, (signal) => evaluator().evaluate({ sql: program.sql, relations, signal }))
    return asOne(leaves, schema, program)
  }

  /** What a statement about the models reads. */
  async function systemOf({ reading, scope }: Read): Promise<EvaluatedRelation[]> {
    if (reading.kind !== 'catalogue' || reading.about.kind !== 'system') return []
    const relations = await systemRelations(scope, (named) => relationColumns(named, catalogue()))
    return relations.map(({ name, batch }) => ({ name, schema: batch.schema, batches: only(batch) }))
  }

  async function evaluated(program: Program<AskedModel>, { found, request, options }: Evaluating): Promise<SqlExecution> {
    const started = performance.now()
    const leaves: SqlLeaf[] = await compileLeaves(program, request)
    const ofLeaves = program.leaves.map((leaf, i) =>
      relationOf(leaf, leaves[i]!, () => executeLeaf(leaf, asksOf(leaf.model, request), { ...options, defaultLimit: 'none' })),
    )
    const relations = [...ofLeaves, ...(await systemOf(found))]
    const { timeoutMs, timeoutSetting } = options
    const timeout = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(timeoutSetting !== undefined && { timeoutSetting }),
    }
    const leave = await places.enter(request.asker, options.signal)
    const evaluation = await stoppable(options, (signal) =>
      evaluator().evaluate({ sql: program.sql, relations, signal, ...timeout }),
    ).finally(leave)
    const timezone = program.leaves[0]?.model.model.settings.queryTimezone ?? 'UTC'
    return cutAt(evaluation, asOne(leaves, evaluation.schema, program), { started, timezone, options })
  }

  /** An evaluated answer, cut at the default limit. */
  function cutAt({ schema, batches }: Evaluation, compiled: SqlCompileResult, { started, timezone, options }: Evaluated) {
    const tally = { rowCount: 0, truncated: false }
    // A limit that the statement sets itself is never cut.
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

  function answered(about: CatalogueQuestion, scope: ModelScope<AskedModel>): RecordBatch {
    if (about.kind === 'tables') return tablesOf(scope)
    if (about.kind === 'describe') return fieldsOf(about.relation, scope, catalogue())
    return unsupported('FROM', 'Of the system catalogue only schemata, tables and columns are answered here', {
      rewrite: 'information_schema.tables or information_schema.columns, SHOW TABLES, or DESCRIBE and the name of a model',
    })
  }

  const compileSql = async (request: SqlRequest): Promise<SqlCompileResult> => compileRead(await read(request), request)

  async function compileRead(found: Read, request: SqlRequest): Promise<SqlCompileResult> {
    const { reading, scope } = found
    if (reading.kind === 'explain') {
      const { schema } = explainedSql(await compileRead({ ...found, reading: reading.reading }, request))
      return asOne([], schema, undefined)
    }
    const program = programOf(found)
    if (program) return described(program, await compileLeaves(program, request), found)
    if (reading.kind === 'leaf') {
      const { select } = reading
      return compiledLeaf(select, await compileLeaf(select, asksOf(select.relation.named, request)))
    }
    if (reading.kind === 'catalogue') return asOne([], answered(reading.about, scope).schema, undefined)
    return refuseSession()
  }

  /** The types of the statement's parameters, by the fields of the models in reach. */
  async function parametersOf({ sql, target }: SqlRequest): Promise<DataType[]> {
    if (!/\$\d/.test(sql)) return []
    const [statement] = (await parseSql(sql)).statements
    if (statement === undefined) return []
    const { models } = asking.modelReach(target)
    const columns = (await Promise.all(models.map(({ model }) => modelColumns(model, catalogue())))).flat()
    return parameterTypes(statement, (name) => nameLike(name, columns)?.type)
  }

  const verbs: SqlService = {
    compileSql,
    async describeSql(request) {
      const parameters = await parametersOf(request)
      const values = parameters.map((type, i) => request.parameters?.[i] ?? { value: sampleOf(type), type })
      const { columns, leaves } = await compileSql({ ...request, parameters: values, checked: false })
      const timezone = leaves[0]?.compiled.handle.model.settings.queryTimezone ?? 'UTC'
      return { columns, parameters, timezone }
    },
    async classifySql(request) {
      try {
        const found = await read(request)
        const { reading } = found
        programOf(found)
        if (reading.kind === 'explain') return { kind: 'around' }
        return reading.kind === 'catalogue' ? { kind: 'catalogue', about: reading.about.kind } : { kind: reading.kind }
      } catch (error) {
        if (error instanceof GrainlineError) return { kind: 'refused', error }
        throw error
      }
    },
    async sqlRelations(model) {
      const named = { names: [''], model }
      const relations = [named, ...furtherFacts(named)]
      const described = relations.map(async (relation) => ({
        suffix: relation.names[0]!,
        columns: (await relationColumns(relation, catalogue())).schema,
      }))
      return Promise.all(described)
    },
    async executeSql(request, options = {}) {
      const found = await read(request)
      const { reading, scope } = found
      const cut = defaultLimitOf(options, deps.settings)
      // One row more than is given, so that a cut answer is known from a complete one.
      const program = programOf(found, cut === undefined ? undefined : cut + 1)
      if (program) return evaluated(program, { found, request, options })
      if (reading.kind === 'leaf') {
        const { select } = reading
        const execution = await executeLeaf(select, asksOf(select.relation.named, request), options)
        const compiled = compiledLeaf(select, execution.compiled)
        const shown = shownColumns(execution.batches, indexesOf(select, execution.schema), compiled.columns)
        const batches = endable(shown)
        return { ...execution, compiled, schema: compiled.columns, batches }
      }
      if (reading.kind !== 'catalogue' && reading.kind !== 'explain') return refuseSession()
      const batch =
        reading.kind === 'explain'
          ? explainedSql(await compileRead({ ...found, reading: reading.reading }, request))
          : answered(reading.about, scope)
      const asked = { started: performance.now(), timezone: 'UTC', options }
      return cutAt({ schema: batch.schema, batches: only(batch) }, asOne([], batch.schema, undefined), asked)
    },
  }
  return {
    verbs,
    abortAll() {
      for (const controller of running) controller.abort(new GrainlineError('SHUTTING_DOWN', 'The service is stopping'))
    },
  }
}

/** By exact name, else by the first that differs in case alone. */
function nameLike<C extends { readonly name: string }>(name: string, columns: readonly C[]): C | undefined {
  const folded = name.toLowerCase()
  return columns.find((column) => column.name === name) ?? columns.find((column) => column.name.toLowerCase() === folded)
}

/** The leaf runs when its rows are asked for, so that no statement holds a connection while another one is read. */
function relationOf(
  { name, columns }: Leaf,
  { compiled }: SqlLeaf,
  execute: () => Promise<{ readonly batches: AsyncIterable<RecordBatch> }>,
): EvaluatedRelation {
  if (columns.length !== compiled.columns.length)
    fail('INTERNAL_ERROR', `The query of ${name} has other columns than it was asked for`)
  async function* batches(): AsyncGenerator<RecordBatch> {
    yield* (await execute()).batches
  }
  return { name, schema: numbered(compiled.columns), batches: batches() }
}

/** A leaf's columns as the statement around it calls them. */
const numbered = (schema: ResultSchema): ResultSchema => schema.map((column, i) => ({ ...column, name: `c${i + 1}` }))

function namedModel(handle: ModelHandle): AskedModel {
  const { sessionId, modelId, model } = handle
  return { names: [...new Set([...(model.name === undefined ? [] : [model.name]), modelId, sessionId])], model, handle }
}

function refuseSession(): never {
  return fail('WRITE_OPERATION_REJECTED', 'There is no session here that a statement could change', { path: 'sql' })
}

/** Where each shown column stands in the answer of the query. */
const indexesOf = ({ items }: ModelSelect, schema: ResultSchema): number[] =>
  items.map((item) => schema.findIndex((column) => column.name === item.column))

function compiledLeaf(select: ModelSelect, compiled: CompileResult): SqlCompileResult {
  const shown = indexesOf(select, compiled.columns).map((index, i) => ({
    ...compiled.columns[index]!,
    name: select.items[i]!.name,
  }))
  return {
    ...asOne([{ name: 'leaf_1', model: select.relation.named.names[0]!, query: select.query, compiled }], shown, undefined),
    kind: 'leaf',
  }
}

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
