import { fail, GrainlineError } from '../errors.js'
import type { RecordBatch } from '../result/record-batch.js'
import type { ExecuteOptions } from './asking.js'
import { catalogueOf } from './catalogue.js'
import { defaultLimitOf } from './default-limit.js'
import type { ReadStatement } from './kept-readings.js'
import type { Models } from './models.js'
import { RunningWork } from './running-work.js'
import { sampleOf } from './sample-of.js'
import type { ServiceDeps } from './service-deps.js'
import { asOne, explainedSql } from './sql-result.js'
import type { SqlClass, SqlCompileResult, SqlDescription, SqlExecution, SqlRequest, SqlService } from './sql-service.js'
import { StatementEvaluation } from './statement-evaluation.js'
import { asksOf, type ModelQueryVerbs } from './statement-model-queries.js'
import { compileStatementQuery, executeStatementQuery } from './statement-model-query.js'
import { StatementReader } from './statement-reader.js'
import { zoneOfStatement } from './zone-of-statement.js'

/** Statements of SQL: each model query is answered like any other. */
export function createStatements(
  deps: ServiceDeps,
  asking: ModelQueryVerbs & Pick<Models, 'modelReach'>,
): { readonly verbs: SqlService; readonly abortAll: () => void } {
  const running = new RunningWork()
  const statements = new Statements(deps, asking, running)
  const catalogue = catalogueOf(deps)
  const verbs: SqlService = {
    compileSql: (request) => statements.compile(request),
    describeSql: (request) => statements.describe(request),
    classifySql: (request) => statements.classify(request),
    executeSql: (request, options = {}) => statements.execute(request, options),
    sqlRelations: async (model) => statements.reader.languageOf(undefined).relations(model, catalogue()),
  }
  return { verbs, abortAll: () => running.abortAll() }
}

class Statements {
  readonly reader: StatementReader
  readonly #evaluation: StatementEvaluation

  constructor(
    private readonly deps: ServiceDeps,
    private readonly asking: ModelQueryVerbs & Pick<Models, 'modelReach'>,
    running: RunningWork,
  ) {
    this.reader = new StatementReader(deps, asking)
    this.#evaluation = new StatementEvaluation(deps, this.reader, asking, running)
  }

  async compile(request: SqlRequest): Promise<SqlCompileResult> {
    return this.#compileRead(await this.reader.read(request), request)
  }

  async #compileRead(statement: ReadStatement, request: SqlRequest): Promise<SqlCompileResult> {
    if (statement.kind === 'explain') return asOne([], (await this.#explained(statement, request)).schema, undefined)
    const program = this.reader.programOf(statement)
    if (program) return this.#evaluation.describe(program, statement, request)
    if (statement.kind === 'model_query')
      return compileStatementQuery(statement, asksOf(statement.modelQuery.model, request, this.asking))
    return asOne([], rowsOf(statement).schema, undefined)
  }

  async #explained({ reading }: Explained, request: SqlRequest): Promise<RecordBatch> {
    return explainedSql(await this.#compileRead(this.reader.withProgram(reading), request))
  }

  async describe(request: SqlRequest): Promise<SqlDescription> {
    const parameters = await this.reader.parameterTypes(request)
    const values = parameters.map((type, i) => request.parameters?.[i] ?? { value: sampleOf(type), type })
    const { columns, modelQueries } = await this.compile({ ...request, parameters: values, checked: false })
    return { columns, parameters, timezone: zoneOfStatement(modelQueries) }
  }

  async classify(request: SqlRequest): Promise<SqlClass> {
    try {
      const statement = await this.reader.read(request)
      this.reader.programOf(statement)
      if (statement.kind === 'explain') return { kind: 'outer' }
      return statement.kind === 'catalogue' ? { kind: 'catalogue', about: statement.about } : { kind: statement.kind }
    } catch (error) {
      if (error instanceof GrainlineError) return { kind: 'refused', error }
      throw error
    }
  }

  async execute(request: SqlRequest, options: ExecuteOptions): Promise<SqlExecution> {
    const { settings } = this.deps
    const cut = defaultLimitOf(options, settings)
    // One row more than is returned, so that a truncated answer is distinguished from a complete one.
    const defaultLimit = cut === undefined ? undefined : cut + 1
    const statement = await this.reader.read(request, defaultLimit)
    const program = this.reader.programOf(statement, defaultLimit)
    if (program) return this.#evaluation.execute(program, { statement, request, options })
    if (statement.kind === 'model_query')
      return executeStatementQuery(statement, asksOf(statement.modelQuery.model, request, this.asking), options, settings)
    const batch = statement.kind === 'explain' ? await this.#explained(statement, request) : rowsOf(statement)
    return this.#evaluation.held(batch, options)
  }
}

type Explained = Extract<ReadStatement, { readonly kind: 'explain' }>

/** The answer to a statement that reads no model. */
const rowsOf = (statement: ReadStatement): RecordBatch =>
  statement.kind === 'catalogue' && statement.rows
    ? statement.rows()
    : fail('WRITE_OPERATION_REJECTED', 'There is no session here that a statement could change', { path: 'sql' })
