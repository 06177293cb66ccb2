import { resolvedBuild } from '../bind/rollups/held-table.js'
import { compile } from '../compile.js'
import type { Rollup, SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import { givenParameters, withValues } from '../resolve/given-parameters.js'
import { rollupBuild } from '../resolve/rollup-build.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { CompileContext } from './compile-context.js'

/** What of a question decides the contents of a table. */
export type RollupAsked = Pick<QueryObject, 'timezone' | 'parameters'>

/**
 * The statement whose rows a rollup table holds: its dimensions, the numbers of rows, and the parts of its measures. Throws what a query for them throws,
 * `INVALID_ROLLUP`, and `VOLATILE_ROLLUP`.
 */
export function compileRollup(
  rollup: Rollup,
  model: SemanticModel,
  context: CompileContext,
  asked: RollupAsked = {},
): CompiledQuery {
  const { query, model: own, columns } = rollupBuild(rollup, model, context.functions)
  const settled = withValues({ query: { ...query, ...asked }, model: own }, givenParameters(asked, own))
  resolvedBuild({ rollup, ...settled }, asked.timezone, context)
  const { defaultLimit: _, ...rest } = context
  return compile({ ...query, ...asked }, own, { ...rest, columnNames: columns })
}
