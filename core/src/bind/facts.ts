import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import type { ResolvedDimension } from '../resolve/resolved-query.js'
import { equal } from '../resolve/row-terms.js'
import type { MultiFactRequest } from './block-request.js'
import type { BoundFact, BoundFacts } from './bound-block.js'
import { readColumn } from './read-rows.js'
import type { Rows } from './rows.js'

/** The rows at which an expression over several facts is evaluated: the sums of the facts, with the row of the object at which they are joined. */
export interface Facts {
  readonly alias: string
  readonly keys: readonly ResolvedDimension[]
  /** The dimensions that the facts provide. */
  readonly dimensions: readonly ResolvedDimension[]
  readonly legs: readonly BoundFact[]
}

/** The column that joins the base row; NULL if there is none. */
export const linkOf = ({ keys }: Facts): string | undefined => columnNames(keys)[0]

/** A dimension that the facts provide. */
export const broughtBy = ({ alias, dimensions }: Facts, { name, type }: ResolvedDimension): RelationColumn | undefined =>
  dimensions.some((own) => own.name === name) ? relationColumn(alias, name, type) : undefined

/** Facts combined by the key of the base and by their dimensions; rows without a base row form a separate row. */
export function boundFacts({ alias, keys, dimensions, legs }: Facts, base: Rows): BoundFacts {
  const columns = columnNames(keys)
  const on = keys.map(({ name, type }, i) =>
    equal<RelationColumn>(readColumn(base, base.root, columns[i]!), relationColumn(alias, name, type)),
  )
  return {
    alias,
    keys: [...keys, ...dimensions].map(({ name, type }) => ({ name, type })),
    legs,
    on,
    object: base.root.object,
    reason: `the facts are joined at the rows of '${base.node}', each aggregated there first`,
  }
}

const columnNames = (keys: MultiFactRequest['keys']): readonly string[] =>
  keys.map((key) => (key.members[0].expression as { readonly column: string }).column)
