import { firstOf } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { madeOf } from '../relation/relation.js'
import { freeName, plainName } from '../resolve/aliases.js'
import { groupedBy } from '../resolve/bucket.js'
import { isNotNull } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { Conversion, ResolvedDimension } from '../resolve/resolved-query.js'
import { equal } from '../resolve/row-terms.js'
import type { BoundEvents, BoundJoin, ConvertedEvents, PassedEvents } from './bound-block.js'
import { readField } from './read-rows.js'
import type { Rows } from './rows.js'

/** A condition that is true for the base rows that convert for an aggregate, and the relation that it reads. */
export interface Converting {
  readonly condition: RowExpr
  readonly join: BoundJoin
}

/** For the aggregate `of`, the (entity, time) of base rows is looked up among those that a conversion event follows in time. */
export function converts(
  rows: Rows,
  { unit, count, of, inOrder }: Conversion & { readonly of: string },
  base: BoundEvents,
  later: readonly BoundEvents[],
): Converting {
  const alias = madeOf(rows.root.object, inOrder ? '_reached' : '_converted', [rows.node, of])
  const { dimensions } = base.block
  const hit = freeName('hit', dimensions)
  const right: ConvertedEvents | PassedEvents = inOrder
    ? { kind: 'passed', window: { unit, count }, steps: [base, ...later], alias, hit }
    : { kind: 'converted', conversion: { unit, count }, base, next: firstOf(later), alias, hit }
  const on = dimensions.map((d) => equal<RelationColumn>(valueAt(rows, d), relationColumn(alias, d.name, d.type)))
  const label = {
    from: rows.root.object,
    to: plainName(alias),
    columns: dimensions.map((d) => d.label),
    reason: inOrder ? 'whether the entity takes the further steps' : 'whether the event converts',
  }
  return {
    condition: isNotNull<RelationColumn>(relationColumn(alias, hit, INT)),
    join: { right, on, type: 'left', label },
  }
}

function valueAt(rows: Rows, dimension: ResolvedDimension): RowExpr {
  const [member] = dimension.members
  return groupedBy(readField(rows, member), member.type, dimension, rows.context.time)
}
