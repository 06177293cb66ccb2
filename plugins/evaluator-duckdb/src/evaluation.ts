import type * as Api from '@duckdb/node-api'
import { fail } from '@grainline/core'
import { columnBuilder, type RecordBatch, type ResultSchema } from '@grainline/core/vendor'
import type { Answer, Rows } from './messages.js'
import type { Bounds } from './options.js'
import { refuse } from './refusal.js'
import type { Sandbox } from './sandbox.js'
import { dataTypeOf, typeName } from './types.js'
import { answerValue, appendTo } from './values.js'

/** Rows between two turns of the event loop. */
const ROWS_PER_TURN = 2048
/** How often an evaluation that should stop is interrupted: an interrupt that comes before the engine has begun is lost. */
const REPEAT_MS = 20

/** One evaluation, over temporary tables of a separate connection. Its steps run one after another. */
export class RunningEvaluation {
  readonly #stop = new AbortController()
  #interrupting: NodeJS.Timeout | undefined
  #appender: Api.DuckDBAppender | undefined
  #schema: ResultSchema = []

  private constructor(
    private readonly connection: Api.DuckDBConnection,
    private readonly api: typeof Api,
    private readonly bounds: Bounds,
  ) {}

  static async open({ api, connect }: Sandbox, bounds: Bounds): Promise<RunningEvaluation> {
    return new RunningEvaluation(await connect(), api, bounds)
  }

  /** Sets the zone of instants. No other setting can be changed. */
  async zone(zone: string): Promise<void> {
    await this.connection.run(`SET SESSION TimeZone = '${zone.replaceAll("'", "''")}'`).catch(refuse)
  }

  /** The step at work fails as soon as the engine notices it, and so do those that follow. */
  stop(): void {
    this.#stop.abort()
    this.connection.interrupt()
    this.#interrupting ??= setInterval(() => this.connection.interrupt(), REPEAT_MS)
  }

  /** Takes its temporary tables with it. */
  close(): void {
    clearInterval(this.#interrupting)
    this.#closeAppender()
    this.connection.closeSync()
  }

  async relation(name: string, schema: ResultSchema): Promise<void> {
    this.#closeAppender()
    const columns = schema.map((column) => `"${column.name}" ${typeName(column.type)}`)
    await this.connection.run(`CREATE TEMP TABLE "${name}" (${columns.join(', ')})`)
    this.#appender = await this.connection.createAppender(name, 'main', 'temp')
    this.#schema = schema
  }

  async rows({ rowCount, columns }: Rows): Promise<void> {
    const appender = this.#appender ?? fail('INTERNAL_ERROR', 'There are rows of no relation')
    for (let row = 0; row < rowCount; row++) {
      for (const [index, column] of columns.entries())
        appendTo(appender, { column, row, type: this.#schema[index]!.type }, this.api)
      appender.endRow()
      if (row % ROWS_PER_TURN === ROWS_PER_TURN - 1) await this.#turn()
    }
  }

  async run(sql: string, tell: (answer: Answer) => void): Promise<void> {
    this.#closeAppender()
    this.#stop.signal.throwIfAborted()
    const result = await this.connection.run(sql).catch(refuse)
    const schema: ResultSchema = result.columnTypes().map((type, index) => ({
      name: result.columnName(index),
      type: dataTypeOf(type, this.api),
      role: 'field',
    }))
    tell({ kind: 'schema', schema })
    let rows = 0
    for (;;) {
      const chunk = await result.fetchChunk().catch(refuse)
      if (chunk === null || chunk.rowCount === 0) return
      rows += chunk.rowCount
      if (rows > this.bounds.maxRows) tooManyRows(`The answer has more than ${this.bounds.maxRows} rows`)
      tell({ kind: 'answer', rowCount: chunk.rowCount, columns: columnsOf(chunk, schema) })
      await this.#turn()
    }
  }

  #closeAppender(): void {
    this.#appender?.closeSync()
    this.#appender = undefined
  }

  async #turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#stop.signal.throwIfAborted()
  }
}

export function tooManyRows(what: string): never {
  return fail('EVALUATION_TOO_LARGE', what, {
    path: 'sql',
    hint: "Filter or group inside the subqueries; the operator may raise the evaluator's maxRows.",
  })
}

const columnsOf = (chunk: Api.DuckDBDataChunk, schema: ResultSchema): RecordBatch['columns'] =>
  schema.map(({ type, name }, index) => {
    const builder = columnBuilder(type, name)
    for (const value of chunk.getColumnValues(index)) builder.append(answerValue(value, type))
    return builder.finish()
  })
