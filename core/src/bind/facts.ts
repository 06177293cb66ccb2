import { allOf, binary } from '../resolve/expressions.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import type { ResolvedDimension } from '../resolve/resolved-query.js'
import type { MultiFactRequest } from './block-request.js'
import type { BoundFact, BoundFacts } from './bound-block.js'
import type { Rows } from './rows.js'

/** The rows at which an expression over several facts is evaluated: the facts' sums, beside the row of the object where they meet. */
export interface Facts {
  /** The column that joins the base's own row; it is NULL where there is none. */
  readonly linkedBy: string | undefined
  /** A dimension that the facts bring. */
  readonly dimension: (dimension: ResolvedDimension) => RelationColumn | undefined
  readonly bound: (base: Rows) => BoundFacts
}

/** Facts combined under `alias` by the base's key and by `dimensions`; rows that have no base meet in one of their own. */
export function factsAt(
  { keys }: Pick<MultiFactRequest, 'keys'>,
  dimensions: readonly ResolvedDimension[],
  legs: readonly BoundFact[],
  alias: string,
): Facts {
  const column = ({ name, type }: ResolvedDimension): RelationColumn => relationColumn(alias, name, type)
  const columnNames = keys.map((key) => (key.members[0].expression as { readonly column: string }).column)
  return {
    linkedBy: columnNames[0],
    dimension: (d) => (dimensions.some((own) => own.name === d.name) ? column(d) : undefined),
    bound: (base) => ({
      alias,
      keys: [...keys, ...dimensions].map(({ name, type }) => ({ name, type })),
      legs,
      on: allOf(keys.map((key, i) => binary('=', base.column(base.root, columnNames[i]!), column(key))))!,
      object: base.root.object,
      reason: `the facts meet at the rows of '${base.node}', each summed there first`,
    }),
  }
}
