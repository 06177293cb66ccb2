/** A statement that is one query of one model: its answer has the columns that the statement shows. */
import type { Finding } from '../errors.js'
import { firstOf, itemAt, zip } from '../invariant.js'
import type { ModelQuery, ShownColumn } from '../language/language.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { Settings } from '../settings/core-variables.js'
import type { AskedModel } from './asked-model.js'
import type { CompileResult, ExecuteOptions, ExecutionOutcome } from './asking.js'
import type { Asks } from './asks.js'
import { defaultLimitOf, wholeOrRefused } from './default-limit.js'
import { endable } from './endable.js'
import type { StatementOfModels } from './kept-readings.js'
import { compileModelQuery, executeModelQuery } from './model-query.js'
import { asOne } from './sql-result.js'
import type { SqlCompileResult, SqlExecution } from './sql-service.js'

type ModelQueryStatement = Extract<StatementOfModels, { readonly kind: 'model_query' }>

export async function compileStatementQuery({ modelQuery, items }: ModelQueryStatement, asks: Asks): Promise<SqlCompileResult> {
  return withShownColumns(modelQuery, items, await compileModelQuery(modelQuery, asks))
}

export async function executeStatementQuery(
  { modelQuery, items }: ModelQueryStatement,
  asks: Asks,
  options: ExecuteOptions,
  settings: Settings,
): Promise<SqlExecution> {
  const { query, preview } = modelQuery
  const cut = query.limit === undefined ? defaultLimitOf(options, settings) : undefined
  const found = await executeModelQuery(modelQuery, asks, options, cut)
  const execution = preview && options.defaultLimit === 'sql' ? wholeOrRefused(found) : found
  const compiled = withShownColumns(modelQuery, items, execution.compiled)
  const shown = shownColumns(execution.batches, indexesOf(items, execution.schema), compiled.columns)
  const outcome = (): ExecutionOutcome => withNotices(modelQuery, execution.outcome())
  return { ...execution, compiled, schema: compiled.columns, batches: endable(shown), outcome }
}

function withShownColumns(
  modelQuery: ModelQuery<AskedModel>,
  items: readonly ShownColumn[],
  compiled: CompileResult,
): SqlCompileResult {
  const shown = zip(items, indexesOf(items, compiled.columns)).map(([{ name }, index]) => ({
    ...itemAt(compiled.columns, index),
    name,
  }))
  const { model, query } = modelQuery
  const { parameters } = compiled.query
  const { view } = model
  const asked = { ...query, ...(view !== undefined && { view }), ...(parameters !== undefined && { parameters }) }
  const only = { name: 'model_query_1', model: firstOf(model.names), query: asked, compiled: withNotices(modelQuery, compiled) }
  return { ...asOne([only], shown, undefined), kind: 'model_query' }
}

/** The position of each shown column in the answer of the query. */
const indexesOf = (items: readonly ShownColumn[], schema: ResultSchema): number[] =>
  items.map((item) => schema.findIndex((column) => column.name === item.column))

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
