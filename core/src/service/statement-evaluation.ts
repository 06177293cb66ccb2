import { zip } from '../invariant.js'
import type { EvaluatedRelation, Evaluation, EvaluationRequest } from '../language/evaluator.js'
import type { Program } from '../language/language.js'
import { Lru } from '../lru.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { AskedModel } from './asked-model.js'
import { clientOf, type ExecuteOptions } from './asking.js'
import { defaultLimitOf, everyRow, wholeOrRefused } from './default-limit.js'
import { endable } from './endable.js'
import type { ReadStatement } from './kept-readings.js'
import { limitBatches } from './limit-batches.js'
import { executeModelQuery } from './model-query.js'
import { PlacesOfClients, placesOf } from './places-of-clients.js'
import { cutWarning } from './run-query.js'
import type { RunningWork } from './running-work.js'
import type { ServiceDeps } from './service-deps.js'
import { asOne } from './sql-result.js'
import type { SqlCompileResult, SqlExecution, SqlRequest } from './sql-service.js'
import { asksOf, compileModelQueries, type ModelQueryVerbs } from './statement-model-queries.js'
import type { StatementReader } from './statement-reader.js'
import { catalogueRelations, emptyRelationOf, only, relationOf } from './statement-relations.js'
import { withinSize } from './within-size.js'
import { zoneOfStatement } from './zone-of-statement.js'

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

/** Evaluates outer statements over the answers to their model queries. */
export class StatementEvaluation {
  readonly #knownSchemas = new Lru<ResultSchema>({ maxEntries: 500, maxBytes: 2 ** 22 })
  readonly #places: PlacesOfClients

  constructor(
    private readonly deps: Pick<ServiceDeps, 'settings'>,
    private readonly reader: Pick<StatementReader, 'evaluator'>,
    private readonly verbs: ModelQueryVerbs,
    private readonly running: RunningWork,
  ) {
    // Statements have separate places: a statement that holds a place and waits for places for its model queries would wait for itself.
    const { most, waitMs } = placesOf(deps.settings)
    this.#places = new PlacesOfClients({ most: Math.max(1, most >> 1), waitMs })
  }

  /** The columns of a statement, found by evaluating it over no rows. */
  async describe(program: Program<AskedModel>, statement: ReadStatement, request: SqlRequest): Promise<SqlCompileResult> {
    const modelQueries = await compileModelQueries(program, request, this.verbs)
    const relations = [...modelQueries.map(emptyRelationOf), ...(await catalogueRelations(statement))]
    return asOne(modelQueries, await this.#schemaOf(program.sql, relations, zoneOfStatement(modelQueries)), program)
  }

  /** The types of its inputs and its text determine the types of its results. */
  async #schemaOf(sql: string, relations: readonly EvaluatedRelation[], zone: string): Promise<ResultSchema> {
    const key = JSON.stringify([sql, zone, relations.map(({ name, schema }) => [name, schema])])
    const schema = this.#knownSchemas.get(key) ?? (await this.#evaluatedSchema({ sql, relations, zone }))
    this.#knownSchemas.set(key, schema, key.length * 2)
    return schema
  }

  async #evaluatedSchema(asked: Pick<EvaluationRequest, 'sql' | 'relations' | 'zone'>): Promise<ResultSchema> {
    return (await this.running.run(undefined, (signal) => this.reader.evaluator().evaluate({ ...asked, signal }))).schema
  }

  async execute(program: Program<AskedModel>, { statement, request, options }: Evaluating): Promise<SqlExecution> {
    const started = performance.now()
    const modelQueries = await compileModelQueries(program, request, this.verbs)
    const ofModels = zip(program.modelQueries, modelQueries).map(([modelQuery, compiled]) =>
      relationOf(modelQuery, compiled, () =>
        executeModelQuery(modelQuery, asksOf(modelQuery.model, request, this.verbs), everyRow(options)),
      ),
    )
    const relations = [...ofModels, ...(await catalogueRelations(statement))]
    const zone = zoneOfStatement(modelQueries)
    const leave = await this.#places.enter(request.asker, options.signal)
    const evaluated = { sql: program.sql, relations, zone, client: clientOf(request.asker), ...timeoutOf(options) }
    const evaluation = await this.running
      .run(options.signal, (signal) => this.reader.evaluator().evaluate({ ...evaluated, signal }))
      .finally(leave)
    return this.#cutAt(evaluation, asOne(modelQueries, evaluation.schema, program), { started, timezone: zone, options })
  }

  /** The answer to a statement that reads no model. */
  held(batch: RecordBatch, options: ExecuteOptions): SqlExecution {
    const asked = { started: performance.now(), timezone: 'UTC', options }
    return this.#cutAt({ schema: batch.schema, batches: only(batch) }, asOne([], batch.schema, undefined), asked)
  }

  /** An evaluated answer, truncated at the default limit. */
  #cutAt({ schema, batches }: Evaluation, compiled: SqlCompileResult, { started, timezone, options }: Evaluated): SqlExecution {
    const { settings } = this.deps
    const tally = { rowCount: 0, truncated: false }
    // A limit that the statement sets itself is never a truncation.
    const limit = compiled.ownLimit ? undefined : defaultLimitOf(options, settings)
    const elapsed = performance.now() - started
    const execution: SqlExecution = {
      compiled,
      schema,
      mayBeCut: limit !== undefined,
      batches: endable(withinSize(limitBatches(batches, limit, tally), settings)),
      outcome: () => ({
        ...tally,
        warnings: tally.truncated ? [...compiled.warnings, cutWarning(tally.rowCount)] : compiled.warnings,
        executionTimeMs: elapsed,
        timezone,
      }),
    }
    return options.defaultLimit === 'sql' ? wholeOrRefused(execution) : execution
  }
}

const timeoutOf = ({ timeoutMs, timeoutSetting }: ExecuteOptions) => ({
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(timeoutSetting !== undefined && { timeoutSetting }),
})
