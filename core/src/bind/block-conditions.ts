import { within } from '../errors.js'
import { leavesOf } from '../model/expression/ast.js'
import { anyOf, isNull } from '../resolve/expressions.js'
import { modelCondition } from '../resolve/model-condition.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type { WhereLeaf } from '../resolve/resolved-query.js'
import type { BlockRequest } from './block-request.js'
import type { Condition } from './bound-block.js'
import type { ConnectedRows } from './connected-rows.js'
import type { ReadColumn, ReadExpr } from './read-column.js'
import { readReached, readWhere } from './read-connected.js'
import { presenceOf } from './read-rows.js'
import { type Required, requiredOf, staticConditions } from './rows-conditions.js'

/** Conditions, and columns that are read only because a join must exist. */
export interface ReadConditions {
  readonly presences: readonly RowExpr[]
  readonly conditions: readonly Condition<ReadColumn>[]
}

/** The conditions of the model, the query and the measures (`narrowing`) on the rows of a block. */
export function blockConditions(request: BlockRequest, narrowing: RowExpr | undefined, connected: ConnectedRows): ReadConditions {
  const { presences, conditions } = conditionsOf(connected, request)
  const { context } = connected.base
  const onBridges = request.bridgeFilters.map((filter) => ({
    expression: modelCondition(filter, (ref) => readReached(connected, ref, ''), context),
    reason: 'the measure’s own filter, on the same connection',
  }))
  const ofMeasures = narrowing ? [{ expression: narrowing, reason: 'the measures’ own filters' }] : []
  return { presences, conditions: [...conditions, ...onBridges, ...ofMeasures] }
}

/** The conditions of the model and the query on rows. */
export function conditionsOf(
  connected: ConnectedRows,
  { conjuncts, multiFact, isOfTable }: Pick<BlockRequest, 'conjuncts' | 'multiFact' | 'isOfTable'>,
): ReadConditions {
  const { base } = connected
  const required = isOfTable ? NOT_REQUIRED : requiredOf(base)
  const statics = isOfTable ? [] : staticConditions(base)
  const presence = multiFact && presenceOf(base, base.root)
  return {
    presences: required.presences,
    conditions: [
      ...required.conditions.map((expression) => ({ expression, reason: 'a required join drops rows without a match' })),
      ...statics.map((c) => ({ expression: whereRowsMeet(c, presence), reason: 'static filter of the model' })),
      ...conjuncts
        .filter(({ shown }) => !shown)
        .map((c) => ({
          expression: within(c.path, () => (isOfTable ? readWhere(connected, c.expression, c.path) : readConjunct(connected, c))),
          reason: `where on ${c.fields.map((f) => `'${f}'`).join(', ')}`,
          ...(c.isNear && { isNear: true }),
        })),
    ],
  }
}

/** A field must be readable, whatever it is compared with: an empty list reads no value. */
function readConjunct(connected: ConnectedRows, { expression, leaves, path }: BlockRequest['conjuncts'][number]): ReadExpr {
  const read = leavesOf<WhereLeaf>(expression)
  for (const leaf of leaves)
    if (!read.includes(leaf)) connected.base.context.measuredQueries.check(() => void readWhere(connected, leaf, path))
  return readWhere(connected, expression, path)
}

const NOT_REQUIRED: Required = { presences: [], conditions: [] }

/** If facts are joined, the row of facts without a base row is kept. */
const whereRowsMeet = (condition: RowExpr, presence: RowExpr | undefined): RowExpr =>
  presence === undefined ? condition : anyOf([isNull(presence), condition])
