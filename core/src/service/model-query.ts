/** The rows of one model query of a statement of SQL: run, previewed, or known to be none. */
import type { ModelQuery } from '../language/language.js'
import type { CompileRequest, CompileResult, ExecuteOptions, Execution } from './asking.js'
import type { Asks } from './asks.js'
import { held } from './preview.js'
import { compilePreviewOf, executePreviewOf } from './preview-without-values.js'

type AskedQuery = Pick<ModelQuery, 'query' | 'preview' | 'everyRowOf' | 'shownAs'>

/** The compiled model query; nothing is run. */
export async function compileModelQuery(modelQuery: AskedQuery, asks: Asks): Promise<CompileResult> {
  const { query, preview } = modelQuery
  return preview ? compilePreviewOf({ query, preview }, asks) : asks.compile(questionOf(modelQuery, asks))
}

/**
 * The model query's rows. A query without rows is not run: its columns are known from the plan. `cut` is the maximum number of rows of a
 * preview without a limit.
 */
export async function executeModelQuery(
  modelQuery: AskedQuery,
  asks: Asks,
  options: ExecuteOptions,
  cut?: number,
): Promise<Execution> {
  const { query, preview } = modelQuery
  if (query.limit === 0) return held(await compileModelQuery(modelQuery, asks), [])
  return preview ? executePreviewOf({ query, preview }, asks, options, cut) : asks.execute(questionOf(modelQuery, asks), options)
}

const questionOf = ({ query, everyRowOf, shownAs }: AskedQuery, asks: Asks): CompileRequest => ({
  ...asks.question(query),
  ...(everyRowOf !== undefined && { everyRowOf }),
  ...(shownAs && { shownAs }),
})
